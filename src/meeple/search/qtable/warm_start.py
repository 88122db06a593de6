"""Warm start: a search's tree begins with the statistics of a Q-table."""

from typing import Any, NamedTuple

import numpy as np

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, OVER, kernel
from meeple.kernels import cache as kernel_cache
from meeple.search.mcts.descent import new_scratch
from meeple.search.mcts.selection import keep_exploration, refresh_uct
from meeple.search.mcts.transpositions import (
    expand_shared,
    look_ahead,
    share_block,
    shares_states,
    table_is_full,
)
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    block_of,
    child_of,
    expand,
    has_room,
    new_forest,
    reset,
)
from meeple.search.mcts.uct import OpenUct
from meeple.search.moves import copy_state, seat_to_move
from meeple.search.qtable.table import TRUST, QTable, no_edges
from meeple.search.qtable.walk import new_walk, next_child, step
from meeple.search.state_hash import hash_bytes


class WarmStart:
    """A phase of searches (`TreeSearch`): trees begin with a table's statistics."""

    def __init__(self, table: QTable, trust: int = TRUST) -> None:
        """Make the phase.

        Args:
            table: of the game that is searched.
            trust: maximum visits of a root that are taken from the table, of all threads together.

        Raises:
            UsageError: `trust` is below 1.
        """
        if trust < 1:
            raise UsageError(f"trust must be at least 1, not {trust}")
        self.table, self.trust = table, trust

    def attach(self, rule: OpenUct) -> None:
        """Load the kernels. Raises UsageError if the rule prunes, or is of another game."""
        if self.table.game != rule.game:
            raise UsageError(
                f"a search of {rule.game!r} cannot use a Q-table of {self.table.game!r}"
            )
        check_rule(rule)
        _load_kernels(rule.game)

    def prepare(self, rule: OpenUct, position: Position) -> None:
        """Set the trees' statistics from the table, if it has more visits than they have."""
        trust = max(1, self.trust // rule.threads)
        for tree, rng in zip(rule.trees, rule.rngs, strict=True):
            warm_start(tree, self.table, position, trust, rule.settings.solve, rng)


def check_rule(rule: OpenUct) -> None:
    """Raise UsageError for a rule that leaves out moves."""
    if rule.settings.prune:
        raise UsageError("a Q-table is of all moves: prune must be off")


def warm_start(
    tree: Any, table: QTable, position: Position, trust: int, solve: bool, rng: Any
) -> None:
    """Grow a tree by the statistics that the table has of its root and of the nodes below.

    The root gets at most `trust` visits, in the proportions of the table, and every node below at
    most the visits of its parent's row: cost and size depend on `trust`, not on the table. A tree
    with more visits is not changed; any other is emptied first. Consumes `rng`.
    """
    known = int(table.at(position).visits.sum())
    number = int(tree.nodes["block"][ROOT])
    reused = int(tree.blocks["visits"][number]) if number > 0 else 0
    if tree.proof[ROOT] == PROVEN or reused >= min(known, trust):
        return
    game = table.game
    reset(tree, position.to_move)
    source = Source(table.edges, game.addresses, rng[0])
    _grow(tree, source, new_walk(position.row), new_scratch(game), trust, solve)


class Source(NamedTuple):
    """The table, rules and generator that a tree is grown from."""

    edges: Any  # Edges of the table
    rules: Any
    rng: Any


@kernel
def _grow(tree: Any, source: Any, walk: Any, scratch: Any, trust: int, solve: bool) -> None:
    """Set the statistics of a root, and of all nodes below that the table has."""
    depth = 0
    copy_state(walk.states[0], scratch.state)
    if not _take_over(tree, ROOT, source, scratch, trust, solve):
        return
    block = block_of(tree, ROOT)
    tree.nodes[ROOT].visits = block.visits
    for player in range(tree.value_sum.shape[1]):
        for child in range(block.first, block.first + block.opened):
            tree.value_sum[ROOT, player] += tree.value_sum[child, player]
    while depth >= 0:
        child = int(next_child(tree, walk, depth))
        if child < 0:
            depth -= 1
            continue
        node = tree.nodes[child]
        if node.visits < 2 or node.proof == PROVEN or node.block > 0:
            continue
        step(tree, source.rules, walk, depth, child)
        copy_state(walk.states[depth + 1], scratch.state)
        node.to_move = seat_to_move(scratch.state)
        if node.to_move == OVER:
            continue
        if _take_over(tree, child, source, scratch, int(node.visits), solve):
            depth += 1


@kernel
def _take_over(tree: Any, node: int, source: Any, scratch: Any, most: int, solve: bool) -> bool:
    """Expand a node and give its children their statistics; False if the table has none.

    `scratch.state` is the node's.
    """
    edges, key = source.edges, hash_bytes(scratch.state)
    begin = np.searchsorted(edges.position, key)
    end = np.searchsorted(edges.position, key, side="right")
    full = not has_room(tree, scratch.moves.actions.shape[0]) or table_is_full(tree)
    if begin == end or full or not _expand(tree, node, source, scratch, solve):
        return False
    scale = min(1.0, most / edges.visits[begin:end].sum())
    block, mover = block_of(tree, node), int(tree.nodes[node].to_move)
    for edge in range(begin, end):
        child = int(child_of(tree, node, int(edges.action[edge])))
        if child < 0 or tree.nodes[child].proof == PROVEN:
            continue
        place = int(block.first + block.opened)  # those with visits come first
        if child != place:
            _swap(tree, child, place)
        visits = max(1, int(scale * edges.visits[edge] + 0.5))
        tree.nodes[place].visits = visits
        block.visits += visits
        block.opened += 1
        for player in range(tree.value_sum.shape[1]):
            tree.value_sum[place, player] = visits * np.float64(edges.value[edge, player])
        if mover >= 0:
            refresh_uct(tree, node, place, mover, visits)
    keep_exploration(block)
    return True


@kernel
def _expand(tree: Any, node: int, source: Any, scratch: Any, solve: bool) -> bool:
    """Give a node its children; False if another node of its state has them."""
    mover = int(tree.nodes[node].to_move)
    if not shares_states(tree):
        expand(tree, node, mover, source.rules, scratch.state, scratch.moves)
        return True
    if share_block(tree, node, scratch.state):
        return False
    expand_shared(tree, node, mover, source.rules, scratch, source.rng)
    if solve and mover != CHANCE:
        look_ahead(tree, node, source.rules, scratch)
    return True


@kernel
def _swap(tree: Any, one: int, other: int) -> None:
    """Exchange two children of a block that have no statistics except proofs."""
    a, b = tree.nodes[one], tree.nodes[other]
    a.visits, b.visits = b.visits, a.visits
    a.block, b.block = b.block, a.block
    a.to_move, b.to_move = b.to_move, a.to_move
    a.proof, b.proof = b.proof, a.proof
    tree.action[one], tree.action[other] = tree.action[other], tree.action[one]
    tree.prior[one], tree.prior[other] = tree.prior[other], tree.prior[one]
    tree.mean[one], tree.mean[other] = tree.mean[other], tree.mean[one]
    tree.spread[one], tree.spread[other] = tree.spread[other], tree.spread[one]
    for player in range(tree.value_sum.shape[1]):
        value = tree.value_sum[one, player]
        tree.value_sum[one, player] = tree.value_sum[other, player]
        tree.value_sum[other, player] = value


def _load_kernels(game: Game) -> None:
    """Compile or load what a warm start calls, so that no search's clock pays for it."""
    with kernel_cache.compiling("Q-table"):
        tree = new_forest(1, game.players, 1, transpositions=True).tree(0)
        row, rng = np.zeros(game.state_bytes, dtype=np.uint8), kernels.new_rng(0)
        reset(tree, 0)
        source = Source(no_edges(game.players), game.addresses, rng[0])
        _grow(tree, source, new_walk(row), new_scratch(game), 1, True)
