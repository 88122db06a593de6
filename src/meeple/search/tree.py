"""The search tree: a struct of arrays, and the kernels that grow, prove, re-root and read it.

A forest holds G trees of the same capacity, so that many games, or several threads on one game,
share one allocation. Node 0 of a tree is its root. The children of a node are contiguous, and
always come after it. A node is at the same time the edge that leads to it: its visits and value
sums are those of the action from its parent.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import CHANCE, LEGAL, OVER, below, inlined, invoke2, kernel

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
    first_child: npt.NDArray[np.int32]  # [N] slot of the first child; 0 while unexpanded
    num_children: npt.NDArray[np.int32]  # [N]
    opened: npt.NDArray[np.int32]  # [N] children that UCT has visited, in order
    to_move: npt.NDArray[np.int8]  # [N] seat, CHANCE, OVER or UNVISITED
    proof: npt.NDArray[np.int8]  # [N] OPEN, HAS_PROVEN_CHILD or PROVEN
    used: npt.NDArray[np.int64]  # [1] slots in use


class Forest(NamedTuple):
    """G trees: the arrays of `Tree` with a leading axis."""

    visits: npt.NDArray[np.int32]  # [G, N]
    value_sum: npt.NDArray[np.float64]  # [G, P, N]
    prior: npt.NDArray[np.float32]  # [G, N]
    action: npt.NDArray[np.int32]  # [G, N]
    first_child: npt.NDArray[np.int32]  # [G, N]
    num_children: npt.NDArray[np.int32]  # [G, N]
    opened: npt.NDArray[np.int32]  # [G, N]
    to_move: npt.NDArray[np.int8]  # [G, N]
    proof: npt.NDArray[np.int8]  # [G, N]
    used: npt.NDArray[np.int64]  # [G, 1]

    @property
    def capacity(self) -> int:
        """Node slots of each tree."""
        return self.visits.shape[1]

    def tree(self, index: int) -> Tree:
        """One tree, as views; for Python, where kernels use `tree_at`."""
        return Tree(*(array[index] for array in self))

    @property
    def nbytes(self) -> int:
        """Memory of all arrays in bytes."""
        return sum(array.nbytes for array in self)


def new_forest(trees: int, players: int, capacity: int) -> Forest:
    """Empty trees; `reset` gives each its root."""

    def zeros(kind: Any, *shape: int) -> npt.NDArray[Any]:
        return np.zeros((trees, *shape), dtype=kind)

    return Forest(
        visits=zeros(np.int32, capacity),
        value_sum=zeros(np.float64, players, capacity),
        prior=zeros(np.float32, capacity),
        action=zeros(np.int32, capacity),
        first_child=zeros(np.int32, capacity),
        num_children=zeros(np.int32, capacity),
        opened=zeros(np.int32, capacity),
        to_move=zeros(np.int8, capacity),
        proof=zeros(np.int8, capacity),
        used=zeros(np.int64, 1),
    )


def grown(forest: Forest, capacity: int) -> Forest:
    """The same trees with more slots, copied."""
    larger = new_forest(forest.visits.shape[0], forest.value_sum.shape[1], capacity)
    for old, new in zip(forest[:-1], larger[:-1], strict=True):
        new[..., : forest.capacity] = old
    larger.used[:] = forest.used
    return larger


@inlined
def tree_at(forest: Any, index: int) -> Any:
    """One tree of a forest, as views; for kernels, where Python uses `Forest.tree`."""
    return Tree(
        forest.visits[index],
        forest.value_sum[index],
        forest.prior[index],
        forest.action[index],
        forest.first_child[index],
        forest.num_children[index],
        forest.opened[index],
        forest.to_move[index],
        forest.proof[index],
        forest.used[index],
    )


@kernel
def reset(tree: Any, to_move: int) -> None:
    """Forget everything: a lone root with this seat to move."""
    tree.used[0] = 0
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
    tree.num_children[node] = 0
    tree.opened[node] = 0
    tree.to_move[node] = UNVISITED
    tree.proof[node] = OPEN


@kernel
def expand(tree: Any, node: int, rules: Any, state: Any, moves: Any, rng: Any) -> None:
    """Give a node a child for each legal action, in random order, or for each chance outcome.

    `moves` is int32 [1 + 2 * capacity]: the count, the actions, the probabilities' bits. The tree
    must have room for all of them. Children have equal priors; consumes `rng`.
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
    tree.num_children[node] = count
    tree.first_child[node] = first


@kernel
def expand_with_policy(tree: Any, node: int, legal: Any, policy: Any) -> None:
    """Give a node a child for each legal action, with the policy over all actions as priors.

    `legal` and `policy` are [num_actions]; the policy is zero where illegal.
    """
    first = tree.used[0]
    count = 0
    for action in range(legal.shape[0]):
        if legal[action]:
            _add_node(tree, action, policy[action])
            count += 1
    tree.num_children[node] = count
    tree.first_child[node] = first


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
        child = path[depth]
        node = path[depth - 1]
        if tree.proof[node] == PROVEN:
            return
        tree.proof[node] = HAS_PROVEN_CHILD
        mover = tree.to_move[node]
        if mover >= 0 and tree.value_sum[mover, child] >= tree.visits[child]:
            exact_value(tree, child, shares)
        elif not _value_of_proven_children(tree, node, mover, shares):
            return
        set_proven(tree, node, shares)
        depth -= 1


@kernel
def _value_of_proven_children(tree: Any, node: int, mover: int, shares: Any) -> bool:
    first = tree.first_child[node]
    last = first + tree.num_children[node]
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


@kernel
def child_of(tree: Any, node: int, action: int) -> int:
    """The child that an action leads to, or -1."""
    first = tree.first_child[node]
    for child in range(first, first + tree.num_children[node]):
        if tree.action[child] == action:
            return child
    return -1


@kernel
def advance(tree: Any, action: int, to_move: int, place: Any) -> bool:
    """Make the child of an action the root and keep its subtree; False where there was none.

    Compacts in place: children come after their parents, so every node moves to a lower slot.
    `place` is int32 scratch, as long as the tree.
    """
    new_root = np.int64(child_of(tree, ROOT, action)) if tree.first_child[ROOT] else -1
    if new_root < 0:
        reset(tree, to_move)
        return False
    used = tree.used[0]
    place[:used] = -1
    place[new_root] = 0
    kept = 0
    for node in range(new_root, used):
        if place[node] < 0:
            continue
        place[node] = kept
        kept += 1
        first = tree.first_child[node]
        for child in range(first, first + tree.num_children[node]):
            place[child] = 1  # reachable; its slot follows when the loop comes to it
    for node in range(new_root, used):
        to = place[node]
        if to >= 0:
            _move_node(tree, node, to, place)
    tree.used[0] = kept
    tree.to_move[ROOT] = to_move
    return True


@kernel
def _move_node(tree: Any, node: int, to: int, place: Any) -> None:
    tree.visits[to] = tree.visits[node]
    for player in range(tree.value_sum.shape[0]):
        tree.value_sum[player, to] = tree.value_sum[player, node]
    tree.prior[to] = tree.prior[node]
    tree.action[to] = tree.action[node]
    first = tree.first_child[node]
    tree.first_child[to] = place[first] if first > 0 else 0
    tree.num_children[to] = tree.num_children[node]
    tree.opened[to] = tree.opened[node]
    tree.to_move[to] = tree.to_move[node]
    tree.proof[to] = tree.proof[node]
