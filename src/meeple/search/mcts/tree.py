"""The search tree: a struct of arrays, and the kernels that grow, prove, re-root and read it.

A forest holds G trees of the same capacity, so that many games share one allocation. Node 0 of a
tree is its root. A node is at the same time the edge that leads to it: its visits and value sums
are those of the action from its parent. The children of a node are contiguous, a block. Nodes
with the same state may share a block, so that what was learned on one path serves on the other
(UCT1 of Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search",
2008); the table from states to blocks has a slot count of a power of two, or none, and is kept at
most half full and never misses a block: its size changes no result.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import CHANCE, LEGAL, below, inlined, invoke2, kernel

UNVISITED = -3  # `to_move` of a node before the first descent to it
ROOT = 0

# What is known of a node's value for certain.
OPEN, HAS_PROVEN_CHILD, PROVEN = 0, 1, 2


class Tree(NamedTuple):
    """One tree of N node slots for P players; a view into a `Forest`."""

    visits: npt.NDArray[np.int32]  # [N] descents through the node, those in flight included
    value_sum: npt.NDArray[np.float64]  # [P, N] sum of shares backed up, per player
    prior: npt.NDArray[np.float32]  # [N] policy, or at a chance node's child its probability
    action: npt.NDArray[np.int32]  # [N] the action or outcome that leads here
    first_child: npt.NDArray[np.int32]  # [N] first slot of its block; 0 while unexpanded
    to_move: npt.NDArray[np.int8]  # [N] seat, CHANCE, OVER or UNVISITED
    proof: npt.NDArray[np.int8]  # [N] OPEN or PROVEN
    # Of a block, at the slot of its first child:
    block_size: npt.NDArray[np.int32]  # [N] how many children
    block_opened: npt.NDArray[np.int32]  # [N] children that UCT has visited, in order
    block_visits: npt.NDArray[np.int32]  # [N] selections from it
    block_key: npt.NDArray[np.uint64]  # [N] hash of the state it belongs to
    block_proof: npt.NDArray[np.int8]  # [N] OPEN, HAS_PROVEN_CHILD, or PROVEN: so is the state
    block_value: npt.NDArray[np.float32]  # [N] the evaluator's value for the mover, with a policy
    used: npt.NDArray[np.int64]  # [2] slots in use, of nodes and of the table
    table: npt.NDArray[np.int32]  # [T] blocks by hash, 0 where empty


class Forest(NamedTuple):
    """G trees: the arrays of `Tree` with a leading axis."""

    visits: npt.NDArray[np.int32]  # [G, N]
    value_sum: npt.NDArray[np.float64]  # [G, P, N]
    prior: npt.NDArray[np.float32]  # [G, N]
    action: npt.NDArray[np.int32]  # [G, N]
    first_child: npt.NDArray[np.int32]  # [G, N]
    to_move: npt.NDArray[np.int8]  # [G, N]
    proof: npt.NDArray[np.int8]  # [G, N]
    block_size: npt.NDArray[np.int32]  # [G, N]
    block_opened: npt.NDArray[np.int32]  # [G, N]
    block_visits: npt.NDArray[np.int32]  # [G, N]
    block_key: npt.NDArray[np.uint64]  # [G, N]
    block_proof: npt.NDArray[np.int8]  # [G, N]
    block_value: npt.NDArray[np.float32]  # [G, N]
    used: npt.NDArray[np.int64]  # [G, 2]
    table: npt.NDArray[np.int32]  # [G, T]

    @property
    def capacity(self) -> int:
        """Node slots of each tree."""
        return int(self.visits.shape[1])

    def tree(self, index: int) -> Tree:
        """One tree, as views; for Python, where kernels use `tree_at`."""
        return Tree(*(array[index] for array in self))

    @property
    def nbytes(self) -> int:
        """Memory of the slots in use and the tables, in bytes; slots never used take none."""
        tables = self.table.nbytes
        a_slot = (sum(array.nbytes for array in self) - tables) // self.visits.size
        return a_slot * int(self.used[:, 0].sum()) + tables


_FIRST_TABLE = 1 << 12  # slots, at least two


def new_forest(trees: int, players: int, capacity: int, transpositions: bool = False) -> Forest:
    """Empty trees; `reset` gives each its root. With `transpositions`, equal states share.

    Reserves address space; the system finds memory for it as slots are first used.
    """
    table = _FIRST_TABLE if transpositions else 0

    def zeros(kind: Any, *shape: int) -> npt.NDArray[Any]:
        return np.zeros((trees, *shape), dtype=kind)

    return Forest(
        visits=zeros(np.int32, capacity),
        value_sum=zeros(np.float64, players, capacity),
        prior=zeros(np.float32, capacity),
        action=zeros(np.int32, capacity),
        first_child=zeros(np.int32, capacity),
        to_move=zeros(np.int8, capacity),
        proof=zeros(np.int8, capacity),
        block_size=zeros(np.int32, capacity),
        block_opened=zeros(np.int32, capacity),
        block_visits=zeros(np.int32, capacity),
        block_key=zeros(np.uint64, capacity),
        block_proof=zeros(np.int8, capacity),
        block_value=zeros(np.float32, capacity),
        used=zeros(np.int64, 2),
        table=zeros(np.int32, table),
    )


def grown(forest: Forest, capacity: int) -> Forest:
    """The same trees with more slots, copied."""
    trees, players = forest.value_sum.shape[:2]
    larger = new_forest(trees, players, capacity)._replace(used=forest.used, table=forest.table)
    arrays: list[tuple[Any, Any]] = list(zip(forest[:-2], larger[:-2], strict=True))
    for index in range(trees):
        used = int(forest.used[index, 0])
        for old, new in arrays:
            new[index, ..., :used] = old[index, ..., :used]
    return larger


def with_larger_table(forest: Forest) -> Forest:
    """The same trees, not copied, with tables four times as large."""
    trees, slots = forest.table.shape
    larger = forest._replace(table=np.zeros((trees, 4 * slots), dtype=np.int32))
    for index in range(trees):
        rebuild_table(larger.tree(index))
    return larger


def moves_since(before: tuple[int, ...] | None, now: tuple[int, ...]) -> tuple[int, ...] | None:
    """The actions that lead from one history to a longer one, or None where it is another game."""
    if before is None or now[: len(before)] != before:
        return None
    return now[len(before) :]


@inlined
def tree_at(forest: Any, index: int) -> Any:
    """One tree of a forest, as views; for kernels, where Python uses `Forest.tree`."""
    return Tree(
        forest.visits[index],
        forest.value_sum[index],
        forest.prior[index],
        forest.action[index],
        forest.first_child[index],
        forest.to_move[index],
        forest.proof[index],
        forest.block_size[index],
        forest.block_opened[index],
        forest.block_visits[index],
        forest.block_key[index],
        forest.block_proof[index],
        forest.block_value[index],
        forest.used[index],
        forest.table[index],
    )


@kernel
def reset(tree: Any, to_move: int) -> None:
    """Forget everything: a lone root with this seat to move."""
    tree.used[0] = 0
    tree.used[1] = 0
    tree.table[:] = 0
    _add_node(tree, -1, 1.0)
    tree.to_move[ROOT] = to_move


@kernel
def _add_node(tree: Any, action: int, prior: float) -> None:
    node = tree.used[0]
    tree.used[0] = node + 1
    tree.visits[node] = 0
    for player in range(tree.value_sum.shape[0]):
        tree.value_sum[player, node] = 0.0
    tree.prior[node] = prior
    tree.action[node] = action
    tree.first_child[node] = 0
    tree.to_move[node] = UNVISITED
    tree.proof[node] = OPEN


@kernel
def expand(tree: Any, node: int, rules: Any, state: Any, moves: Any, rng: Any) -> None:
    """Give a node a child for each legal action, in random order, or for each chance outcome.

    See `share_block` for nodes of equal states, which need no new one. `moves` is int32
    [1 + 2 * capacity]: the count, the actions, the probabilities' bits. The tree must have room
    for all of them. Children have equal priors; consumes `rng`.
    """
    moves[0] = 0
    invoke2(rules[LEGAL], state.ctypes.data, moves.ctypes.data)
    count = np.int64(moves[0])
    first = tree.used[0]
    if tree.to_move[node] == CHANCE:
        probabilities = moves.view(np.float32)
        start = 1 + (moves.shape[0] - 1) // 2
        for index in range(count):
            _add_node(tree, moves[1 + index], probabilities[start + index])
    else:
        for index in range(count):
            other = index + below(rng, count - index)
            action = moves[1 + other]
            moves[1 + other] = moves[1 + index]
            _add_node(tree, action, 1.0 / count)
    _own_block(tree, node, first, count, np.uint64(0))
    if tree.table.shape[0] > 0:
        tree.block_key[first] = hash_bytes(state)
        _enter_block(tree, first)


@inlined
def _own_block(tree: Any, node: int, first: int, count: int, key: Any) -> None:
    tree.first_child[node] = first
    tree.block_size[first] = count
    tree.block_opened[first] = 0
    tree.block_visits[first] = 0
    tree.block_key[first] = key
    tree.block_proof[first] = OPEN


_FNV_PRIME = np.uint64(0x100000001B3)
_FNV_START = np.uint64(0xCBF29CE484222325)


@kernel
def hash_bytes(state: Any) -> Any:
    """A 64-bit hash of a state, FNV-1a over its 8-byte words and the bytes left.

    Two states of a search meet by accident with odds of about n**2 / 2**65 for n states.
    """
    size = state.shape[0]
    words = state[: size - size % 8].view(np.uint64)
    value = _FNV_START
    for index in range(words.shape[0]):
        value = (value ^ words[index]) * _FNV_PRIME
        value ^= value >> np.uint64(29)
    for index in range(size - size % 8, size):
        value = (value ^ np.uint64(state[index])) * _FNV_PRIME
    return value ^ (value >> np.uint64(32))


@inlined
def table_is_full(tree: Any) -> bool:
    """Whether the table, if there is one, needs to grow before another block is made."""
    return 0 < tree.table.shape[0] <= 2 * tree.used[1]


@kernel
def _find_block(tree: Any, key: Any) -> int:
    mask = np.uint64(tree.table.shape[0] - 1)
    slot = key & mask
    while True:
        block = tree.table[np.int64(slot)]
        if block == 0 or tree.block_key[block] == key:
            return int(block)
        slot = (slot + np.uint64(1)) & mask


@kernel
def _enter_block(tree: Any, block: int) -> None:
    if tree.used[1] + 1 >= tree.table.shape[0]:
        return  # one slot stays empty, where a search for a block ends
    mask = np.uint64(tree.table.shape[0] - 1)
    slot = tree.block_key[block] & mask
    while tree.table[np.int64(slot)] != 0:
        if tree.table[np.int64(slot)] == block:
            return
        slot = (slot + np.uint64(1)) & mask
    tree.table[np.int64(slot)] = block
    tree.used[1] += 1


@kernel
def rebuild_table(tree: Any) -> None:
    """Enter every block into an emptied table."""
    tree.used[1] = 0
    tree.table[:] = 0
    if tree.table.shape[0] > 0:
        for node in range(tree.used[0]):
            if tree.first_child[node] > 0:
                _enter_block(tree, tree.first_child[node])


@kernel
def expand_with_policy(tree: Any, node: int, legal: Any, policy: Any, value: Any) -> None:
    """Give a node a child for each legal action, with the policy over all actions as priors.

    `legal` and `policy` are [num_actions], the policy zero where illegal; `value` is [players].
    """
    first = tree.used[0]
    count = 0
    for action in range(legal.shape[0]):
        if legal[action]:
            _add_node(tree, action, policy[action])
            count += 1
    _own_block(tree, node, first, count, np.uint64(0))
    tree.block_value[first] = value[tree.to_move[node]]


@kernel
def set_proven(tree: Any, node: int, shares: Any) -> None:
    """Note a node's exact value; from now on its mean is that value."""
    tree.proof[node] = PROVEN
    for player in range(shares.shape[0]):
        tree.value_sum[player, node] = shares[player] * tree.visits[node]


@kernel
def exact_value(tree: Any, node: int, shares: Any) -> None:
    """Read the value of a proven and visited node."""
    for player in range(shares.shape[0]):
        shares[player] = tree.value_sum[player, node] / tree.visits[node]


@kernel
def prove_upwards(tree: Any, path: Any, depth: int, shares: Any) -> None:
    """Prove the ancestors of a proven node as far as it goes; `shares` is scratch.

    A node is proven when its mover has a sure win, or when all its children are proven: it is then
    worth the child best for the mover, or at a chance node the mean over outcomes. (MCTS-Solver of
    Winands, Bjoernsson and Saito, 2008, for any number of players.)
    """
    while depth > 0:
        node = path[depth - 1]
        if tree.proof[node] == PROVEN:
            return
        first = tree.first_child[node]
        if not note_proven_child(tree, first, path[depth], tree.to_move[node], shares):
            return
        set_proven(tree, node, shares)
        depth -= 1


@kernel
def note_proven_child(tree: Any, first: int, child: int, mover: int, shares: Any) -> bool:
    """Note in a block that one of its children is proven; True where that proves the block.

    Then `shares` holds what it is worth.
    """
    if _is_sure_win(tree, child, mover, shares) or _value_of_proven_children(
        tree, first, mover, shares
    ):
        tree.block_proof[first] = PROVEN
        return True
    if tree.block_proof[first] == OPEN:
        tree.block_proof[first] = HAS_PROVEN_CHILD
    return False


@kernel
def prove_by_block(tree: Any, node: int, shares: Any) -> None:
    """Prove a visited node whose state was proven on another path; `shares` is scratch."""
    first = tree.first_child[node]
    mover = tree.to_move[node]
    for child in range(first, first + tree.block_size[first]):
        if tree.proof[child] == PROVEN and _is_sure_win(tree, child, mover, shares):
            set_proven(tree, node, shares)
            return
    if _value_of_proven_children(tree, first, mover, shares):
        set_proven(tree, node, shares)


@inlined
def _is_sure_win(tree: Any, child: int, mover: int, shares: Any) -> bool:
    """Whether a proven child gives its mover all; then its value is in `shares`."""
    if mover < 0 or tree.value_sum[mover, child] < tree.visits[child]:
        return False
    exact_value(tree, child, shares)
    return True


@kernel
def _value_of_proven_children(tree: Any, first: int, mover: int, shares: Any) -> bool:
    """Where all children of a block are proven, read what they are worth to the mover."""
    last = first + tree.block_size[first]
    for child in range(first, last):
        if tree.proof[child] != PROVEN:
            return False
    best = first
    for player in range(shares.shape[0]):
        shares[player] = 0.0
    for child in range(first, last):
        if mover == CHANCE:
            for player in range(shares.shape[0]):
                mean = tree.value_sum[player, child] / tree.visits[child]
                shares[player] += tree.prior[child] * mean
        elif (
            tree.value_sum[mover, child] * tree.visits[best]
            > tree.value_sum[mover, best] * tree.visits[child]
        ):
            best = child
    if mover != CHANCE:
        exact_value(tree, best, shares)
    return True


@inlined
def share_block(tree: Any, node: int, state: Any) -> bool:
    """Give a bare node the block of another node of the same state, if there is one."""
    if tree.table.shape[0] == 0:
        return False
    block = _find_block(tree, hash_bytes(state))
    tree.first_child[node] = block
    return block > 0


@kernel
def child_of(tree: Any, node: int, action: int) -> int:
    """The child that an action leads to, or -1."""
    first = tree.first_child[node]
    for child in range(first, first + tree.block_size[first]):
        if tree.action[child] == action:
            return child
    return -1


@kernel
def advance(tree: Any, action: int, to_move: int, scratch: Any) -> bool:
    """Make the child of an action the root and keep its subtree; False where there was none.

    Compacts in place. `scratch` is int32 [2, N].
    """
    child = np.int64(child_of(tree, ROOT, action)) if tree.first_child[ROOT] > 0 else np.int64(-1)
    if child < 0 or tree.first_child[child] == 0:  # a leaf, perhaps proven: it needs children now
        reset(tree, to_move)
        return False
    place = scratch[0]
    used = tree.used[0]
    _mark_reachable(tree, child, place, scratch[1])
    # The root goes to slot 0; the others keep their order, so none moves to a higher slot.
    kept = 1
    for node in range(1, used):
        if place[node] >= 0:
            place[node] = kept
            kept += 1
    _move_node(tree, child, ROOT, place)
    for node in range(1, used):
        if place[node] >= 0:
            _move_node(tree, node, place[node], place)
    tree.used[0] = kept
    tree.to_move[ROOT] = to_move
    rebuild_table(tree)
    return True


@kernel
def _mark_reachable(tree: Any, root: int, place: Any, queue: Any) -> None:
    """Set `place` to 1 for every node below the root, and to -1 for all others."""
    place[: tree.used[0]] = -1
    queue[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        first = tree.first_child[queue[waiting]]
        if first == 0 or place[first] >= 0:
            continue
        for child in range(first, first + tree.block_size[first]):
            place[child] = 1
            queue[waiting] = child
            waiting += 1


@kernel
def _move_node(tree: Any, node: int, to: int, place: Any) -> None:
    tree.visits[to] = tree.visits[node]
    for player in range(tree.value_sum.shape[0]):
        tree.value_sum[player, to] = tree.value_sum[player, node]
    tree.prior[to] = tree.prior[node]
    tree.action[to] = tree.action[node]
    first = tree.first_child[node]
    tree.first_child[to] = place[first] if first > 0 else 0
    tree.to_move[to] = tree.to_move[node]
    tree.proof[to] = tree.proof[node]
    tree.block_size[to] = tree.block_size[node]
    tree.block_opened[to] = tree.block_opened[node]
    tree.block_visits[to] = tree.block_visits[node]
    tree.block_key[to] = tree.block_key[node]
    tree.block_proof[to] = tree.block_proof[node]
    tree.block_value[to] = tree.block_value[node]
