"""Shared states: nodes of equal states have one block, so that all paths learn from each other.

UCT1 of Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search"
(2008). The table from states to blocks has a number of slots that is a power of two, or none where
nothing is shared; it is kept at most half full and never misses a block: its size changes no
result. Where proofs are wanted too, a new block is looked over one action ahead, and a small tree
keeps every state of a descent. Named phases beside the textbook's descent.
"""

from typing import Any

import numpy as np

from meeple.kernels import CHANCE, below, inlined, kernel
from meeple.search.machine.leaves import known_shares
from meeple.search.machine.table import fill_slots, slot_of
from meeple.search.mcts.proofs import note_proven_child, prove_by_block, set_proven
from meeple.search.mcts.tree import PROVEN, Forest, block_of, expand, forget_value
from meeple.search.moves import copy_state, play, seat_to_move
from meeple.search.state_hash import hash_bytes

WHOLE_PATH_NODES = 20_000
"""Below this many nodes a tree whose equal states are shared keeps every state of a descent: a game
that small is soon known whole. (Ledge, rows of 10: without it 500 simulations a move hold the won
side in 10 to 30 of 100 games, with it in 99.)"""


@inlined
def shares_states(tree: Any) -> bool:
    """Whether nodes of equal states share their children in this tree."""
    return tree.table.shape[0] > 0


@inlined
def table_is_full(tree: Any) -> bool:
    """Whether the table, if there is one, needs to grow before another block is made."""
    return 0 < tree.table.shape[0] <= 2 * tree.used[2]


def with_larger_table(forest: Forest) -> Forest:
    """Return the trees, not copied, with tables four times as large."""
    trees, slots = forest.table.shape
    larger = forest._replace(table=np.zeros((trees, 4 * slots), dtype=np.int32))
    for index in range(trees):
        rebuild_table(larger.tree(index))
    return larger


@kernel
def rebuild_table(tree: Any) -> None:
    """Enter every block into an emptied table that has room for them, or else the first ones."""
    if shares_states(tree):
        used = min(tree.used[1], tree.table.shape[0])
        fill_slots(tree.table, tree.blocks["key"], used)
        tree.used[2] = used - 1


@kernel
def find_block(tree: Any, key: Any) -> int:
    """The number of the block of a key, or 0."""
    return int(tree.table[slot_of(tree.table, tree.blocks["key"], key)])


@kernel
def enter_block(tree: Any, number: int) -> None:
    """Enter a block into the table by its key, unless the table is full: one slot stays free."""
    if tree.used[2] + 1 < tree.table.shape[0]:
        tree.used[2] += 1
        keys = tree.blocks["key"]
        tree.table[slot_of(tree.table, keys, keys[number])] = number


@inlined
def share_block(tree: Any, node: int, state: Any) -> bool:
    """Give a bare node the block of another node of the same state, if there is one."""
    number = find_block(tree, hash_bytes(state))
    tree.nodes[node].block = number
    return number > 0


@kernel
def expand_shared(tree: Any, node: int, mover: int, rules: Any, scratch: Any, rng: Any) -> None:
    """Give a node a block of its own that others of the same state will find.

    Its children come in random order; consumes `rng`.
    """
    block = expand(tree, node, mover, rules, scratch.state, scratch.moves)
    if mover != CHANCE:
        for offset in range(block.size):
            child = block.first + offset
            other = child + below(rng, block.size - offset)
            action = tree.action[other]
            tree.action[other] = tree.action[child]
            tree.action[child] = action
            forget_value(tree, child)
    block.key = hash_bytes(scratch.state)
    enter_block(tree, int(tree.nodes[node].block))


@kernel
def look_ahead(tree: Any, node: int, rules: Any, scratch: Any) -> None:
    """Play each action of a new block once, to prove children or find their blocks.

    Children that are over or of known result are proven; children whose states are known get their
    blocks. Only in trees that share equal states: there a move costs little and saves a simulation.
    """
    block, twin = block_of(tree, node), scratch.twin
    for child in range(block.first, block.first + block.size):
        copy_state(scratch.state, twin)
        play(rules, twin, tree.action[child])
        mover = seat_to_move(twin)
        tree.nodes[child].to_move = mover
        if known_shares(rules, twin, mover, scratch.shares):
            tree.nodes[child].visits = 1
            set_proven(tree, child, scratch.shares)
        else:
            share_block(tree, child, twin)


@kernel
def is_proven_by_others(tree: Any, node: int, shares: Any) -> bool:
    """Prove children whose states were proven on other paths; True where that proves the node."""
    block = block_of(tree, node)
    for child in range(block.first, block.first + block.size):
        if tree.nodes[child].proof != PROVEN:
            number = tree.nodes[child].block
            if number == 0 or tree.blocks[number].proof != PROVEN:
                continue
            tree.nodes[child].visits = max(tree.nodes[child].visits, 1)
            prove_by_block(tree, child, shares)
        note_proven_child(tree, node, child, shares)
    if block.proof == PROVEN:
        prove_by_block(tree, node, shares)
    return block.proof == PROVEN
