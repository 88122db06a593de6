"""The search tree: a struct of arrays, and the kernels that grow and read it.

A forest holds G trees of the same capacity, so that many games share one allocation. Node 0 of a
tree is its root. A node is at the same time the edge that leads to it: its visits and value sums
are those of the action from its parent. The children of a node are contiguous, a *block*, numbered
from 1. What else is known of a tree has files of its own: `proofs.py`, `transpositions.py`,
`reroot.py`.
"""

import contextlib
import math
import mmap
import sys
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import CHANCE, LEGAL, inlined, kernel, record
from meeple.search.moves import ensure_actions, ensure_chances, list_moves
from meeple.search.room import fits

ROOT = 0  # the root's index

OPEN = 0  # the value of a node, or of a block, is an estimate
PROVEN = 1  # it is known for certain

Node = record(
    visits=np.int32,  # descents through the node, those in flight included
    block=np.int32,  # the number of its children's block; 0 while unexpanded
    to_move=np.int8,  # seat, CHANCE or OVER, once a descent was here
    proof=np.int8,  # OPEN or PROVEN
)
"""What a descent changes of a node, 12 bytes. All zeros: unvisited, and so are unused nodes."""

Block = record(
    first=np.int32,  # node of the first child
    size=np.int32,  # how many children
    opened=np.int32,  # children that UCT has visited: the first ones
    visits=np.int32,  # selections from it
    key=np.uint64,  # hash of the state it belongs to, where equal states share
    value=np.float32,  # the evaluator's value for the mover, where there is one
    explore=np.float32,  # sqrt(ln(visits + 1)), for UCT's next selection, once all are opened
    proof=np.int8,  # OPEN, or PROVEN: so is the state
)
"""The children of a node, which lie side by side, and what selection keeps of them."""


class Tree(NamedTuple):
    """One tree of N nodes at most, for P players; a view into a `Forest`.

    `mean` and `spread` hold what a selection rule needs of a child, so that it scans two arrays;
    the rule itself says what it keeps there (`selection.py`). The sums of a child that was never
    visited are not defined.
    """

    nodes: npt.NDArray[np.void]  # [N] Node
    action: npt.NDArray[np.int32]  # [N] the actions or outcomes that lead there
    value_sum: npt.NDArray[np.float64]  # [N, P] sum of shares backed up, per player
    mean: npt.NDArray[np.float32]  # [N] for the player who moves there
    spread: npt.NDArray[np.float32]  # [N]
    prior: npt.NDArray[np.float32]  # [N] policy, or at a chance node's child its probability; or 0
    blocks: npt.NDArray[np.void]  # [N + 1] Block
    used: npt.NDArray[np.int64]  # [3] nodes, blocks (number 0 included) and table slots in use
    table: npt.NDArray[np.int32]  # [T] blocks by hash, 0 where empty

    @property
    def visits(self) -> npt.NDArray[np.int32]:
        """[N] the nodes' visits; for Python."""
        return self.nodes["visits"]

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """[N] the nodes' seats to move; for Python."""
        return self.nodes["to_move"]

    @property
    def proof(self) -> npt.NDArray[np.int8]:
        """[N] the nodes' proofs; for Python."""
        return self.nodes["proof"]

    def children(self, node: int) -> npt.NDArray[np.int64]:
        """[n] the nodes of a node's children, none where it is unexpanded; for Python."""
        number = int(self.nodes["block"][node])
        if number == 0:
            return np.zeros(0, dtype=np.int64)
        first = int(self.blocks["first"][number])
        return np.arange(first, first + int(self.blocks["size"][number]))


class Forest(NamedTuple):
    """G trees: the arrays of `Tree` with a leading axis."""

    nodes: npt.NDArray[np.void]  # [G, N]
    action: npt.NDArray[np.int32]  # [G, N]
    value_sum: npt.NDArray[np.float64]  # [G, N, P]
    mean: npt.NDArray[np.float32]  # [G, N]
    spread: npt.NDArray[np.float32]  # [G, N]
    prior: npt.NDArray[np.float32]  # [G, N]
    blocks: npt.NDArray[np.void]  # [G, N + 1]
    used: npt.NDArray[np.int64]  # [G, 3]
    table: npt.NDArray[np.int32]  # [G, T]

    @property
    def capacity(self) -> int:
        """Nodes that each tree has room for."""
        return int(self.nodes.shape[1])

    def tree(self, index: int) -> Tree:
        """One tree, as views; for Python, where kernels use `tree_at`."""
        return Tree(*(array[index] for array in self))

    @property
    def nbytes(self) -> int:
        """Memory in use, in bytes; nodes that were never used take none."""
        a_node = sum(array.nbytes for array in self[:6]) // self.nodes.size
        nodes, blocks = int(self.used[:, 0].sum()), int(self.used[:, 1].sum())
        return a_node * nodes + Block.itemsize * blocks + self.table.nbytes


_FIRST_TABLE = 1 << 12  # slots, at least two
_HUGE_PAGES_FROM = 1 << 22  # bytes of an array from which on NumPy asks for pages of 2 MB
_SMALL_PAGES_TO = 1 << 24  # nodes, as reserved for 70 ms; a larger warm tree is 5% slower in them


def new_forest(trees: int, players: int, capacity: int, transpositions: bool = False) -> Forest:
    """Empty trees; `reset` gives each its root. With `transpositions`, equal states share.

    Reserves address space; the system finds memory for it as it is first used.
    """
    table = _FIRST_TABLE if transpositions else 0

    def zeros(kind: Any, *shape: int) -> npt.NDArray[Any]:
        small = trees == 1 and capacity <= _SMALL_PAGES_TO
        return (_zeros_in_small_pages if small else np.zeros)((trees, *shape), np.dtype(kind))

    return Forest(
        nodes=zeros(Node, capacity),
        action=zeros(np.int32, capacity),
        value_sum=zeros(np.float64, capacity, players),
        mean=zeros(np.float32, capacity),
        spread=zeros(np.float32, capacity),
        prior=zeros(np.float32, capacity),
        blocks=zeros(Block, capacity + 1),
        used=zeros(np.int64, 3),
        table=zeros(np.int32, table),
    )


def _zeros_in_small_pages(shape: tuple[int, ...], kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """Zeros; the first write to a page of 2 MB took up to 5 ms, half of a short search."""
    bytes = kind.itemsize * math.prod(shape)
    if sys.platform != "linux" or bytes < _HUGE_PAGES_FROM:
        return np.zeros(shape, kind)
    try:
        memory = mmap.mmap(-1, bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"no memory for {bytes} bytes of a search tree") from error
    with contextlib.suppress(OSError):  # of systems without such pages
        memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, kind).reshape(shape)


def grown(forest: Forest, capacity: int) -> Forest:
    """Return a copy of the trees with more room."""
    trees, _, players = forest.value_sum.shape
    larger = new_forest(trees, players, capacity)._replace(used=forest.used, table=forest.table)
    arrays: list[tuple[Any, Any]] = list(zip(forest[:6], larger[:6], strict=True))
    for index in range(trees):
        nodes, blocks = int(forest.used[index, 0]), int(forest.used[index, 1])
        larger.blocks[index, :blocks] = forest.blocks[index, :blocks]
        for old, new in arrays:
            new[index, :nodes] = old[index, :nodes]
    return larger


@inlined
def tree_at(forest: Any, index: int) -> Any:
    """One tree of a forest, as views; for kernels, where Python uses `Forest.tree`."""
    return Tree(
        forest.nodes[index],
        forest.action[index],
        forest.value_sum[index],
        forest.mean[index],
        forest.spread[index],
        forest.prior[index],
        forest.blocks[index],
        forest.used[index],
        forest.table[index],
    )


@inlined
def block_of(tree: Any, node: int) -> Any:
    """The block of an expanded node's children, to be read and written."""
    return tree.blocks[np.uint32(tree.nodes[node].block)]  # unsigned: never from the end


@inlined
def is_expanded(tree: Any, node: int) -> bool:
    """Whether a node has children."""
    return tree.nodes[node].block > 0


@inlined
def has_room(tree: Any, children: int) -> bool:
    """Whether `children` nodes can be added."""
    return fits(tree.nodes, tree.used[0] + children)


@kernel
def reset(tree: Any, to_move: int) -> None:
    """Empty a tree: it is an unexpanded root with this seat to move."""
    clear(tree, 0)
    tree.used[0] = 0
    tree.used[1] = 1
    tree.used[2] = 0
    tree.table[:] = 0
    add_node(tree, -1, 1.0)
    forget_value(tree, ROOT)
    tree.nodes[ROOT].to_move = to_move


@inlined
def clear(tree: Any, kept: int) -> None:
    """Make the used nodes from `kept` on zeros again, as `expand` needs them."""
    for node in range(kept, tree.used[0]):
        dropped = tree.nodes[node]
        dropped.visits = 0
        dropped.block = 0
        dropped.to_move = 0
        dropped.proof = OPEN
        tree.prior[node] = 0.0


@inlined
def add_node(tree: Any, action: int, prior: float) -> None:
    """Add an unvisited node, whose sums are not defined."""
    node = tree.used[0]
    tree.used[0] = node + 1
    tree.action[node] = action
    tree.prior[node] = prior


@inlined
def forget_sums(tree: Any, node: int) -> None:
    """Set the value sums of a node to 0, before its first visit."""
    if tree.value_sum.shape[1] == 2:  # a loop costs more than its work
        tree.value_sum[node, 0] = 0.0
        tree.value_sum[node, 1] = 0.0
        return
    for player in range(tree.value_sum.shape[1]):
        tree.value_sum[node, player] = 0.0


@inlined
def forget_value(tree: Any, node: int) -> None:
    """Set the sums of a node to 0, and what selection reads, before its first visit."""
    forget_sums(tree, node)
    tree.mean[node] = 0.0
    tree.spread[node] = 1.0


@inlined
def close_block(tree: Any, node: int, first: int) -> Any:
    """Make the nodes added since `first` the children of a node; return their block."""
    number = tree.used[1]
    tree.used[1] = number + 1
    tree.nodes[node].block = number
    block = tree.blocks[number]
    block.first = first
    block.size = tree.used[0] - first
    block.opened = 0
    block.visits = 0
    block.key = 0
    block.value = 0.0
    block.explore = 0.0
    block.proof = OPEN
    return block


@inlined
def expand(tree: Any, node: int, mover: int, rules: Any, state: Any, moves: Any) -> Any:
    """Give a node a child for each legal action or chance outcome; return their block.

    The tree must have room for all of them (`has_room`). There are no more blocks than nodes, as
    a block belongs to a node. Outcomes have their probabilities as priors, actions have none.
    Of an action's node nothing else is written: `forget_value` sets its values when it is opened.
    """
    return expand_listed(tree, node, mover, moves, list_moves(rules, LEGAL, state, moves))


@inlined
def expand_listed(tree: Any, node: int, mover: int, moves: Any, count: int) -> Any:
    """As `expand`, for the first `count` of the listed moves.

    Raises FaultyMoves at probabilities that do not sum to 1, and at moves that are no actions.
    """
    first = tree.used[0]
    if mover == CHANCE:
        ensure_chances(moves, count)
        for index in range(count):
            add_node(tree, moves.actions[index], moves.weights[index])
            forget_value(tree, first + index)
    else:
        ensure_actions(moves.memory, count, mover)
        actions = tree.action[first : first + count]
        for index in range(count):
            actions[index] = moves.actions[index]
        tree.used[0] = first + count
    return close_block(tree, node, first)


@kernel
def expand_with_policy(tree: Any, node: int, legal: Any, policy: Any, value: Any) -> None:
    """Give a node a child for each legal action, with the policy over all actions as priors.

    `legal` and `policy` are [num_actions], the policy zero where illegal; `value` is [players].
    """
    first = tree.used[0]
    for action in range(legal.shape[0]):
        if legal[action]:
            forget_value(tree, tree.used[0])
            add_node(tree, action, policy[action])
    block = close_block(tree, node, first)
    block.value = value[tree.nodes[node].to_move]


@kernel
def child_of(tree: Any, node: int, action: int) -> int:
    """The child that an action leads to, or -1."""
    block = block_of(tree, node)
    for child in range(block.first, block.first + block.size):
        if tree.action[child] == action:
            return int(child)
    return -1


@inlined
def mean_value(tree: Any, node: int, player: int) -> float:
    """A visited node's mean share for a player."""
    return tree.value_sum[node, player] / tree.nodes[node].visits
