"""The Q-table: visits and values by position and action, learned from searches, to begin others.

A position's key is the 64-bit hash of its state's bytes that trees use too: in a table of n
positions two share a key by accident with odds of about n**2 / 2**65, 3e-8 for a million. Then the
two would share statistics; of those only actions that are legal are ever taken over.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, OVER, PLAY, inlined, invoke2, kernel
from meeple.search.mcts.simulate import Scratch, copy_state, look_ahead, new_scratch
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    child_of,
    expand,
    hash_bytes,
    new_forest,
    reset,
    share_block,
    table_is_full,
)

TRUST = 10_000  # visits that a search takes over for its root, at most
CAPACITY = 1_000_000  # actions a table keeps unless told otherwise; 28 bytes each with two players
LARGEST = 50_000_000  # actions that a table may hold
LEAST_VISITS = 20  # of a position in one search, for its statistics to be worth keeping
DEEPEST = 40  # plies below the root that statistics are taken from and given to


class Edges(NamedTuple):
    """Statistics of E actions of P players, sorted by position and action, each pair once."""

    position: npt.NDArray[np.uint64]  # [E] key of the position that the action is played in
    action: npt.NDArray[np.int32]  # [E] or a chance node's outcome
    visits: npt.NDArray[np.int64]  # [E] simulations through it, 1 or more
    value: npt.NDArray[np.float32]  # [E, P] mean shares after it, in [0, 1]

    def at(self, index: Any) -> "Edges":
        """Those at a slice, a mask or positions in the order."""
        return Edges(
            self.position[index], self.action[index], self.visits[index], self.value[index]
        )


def no_edges(players: int) -> Edges:
    """Statistics of nothing."""
    return Edges(
        position=np.zeros(0, dtype=np.uint64),
        action=np.zeros(0, dtype=np.int32),
        visits=np.zeros(0, dtype=np.int64),
        value=np.zeros((0, players), dtype=np.float32),
    )


class QTable:
    """What searches of one game have learned, of `capacity` actions at most.

    Where there are more, whole positions are dropped: those with the fewest visits.
    """

    def __init__(
        self, game: Game, edges: Edges | None = None, *, games: int = 0, capacity: int = CAPACITY
    ) -> None:
        """`games`: how many it was learned from. Raises UsageError for a game of hidden information
        (a table keyed by the true state would tell what a player cannot know).
        """
        if game.hides:
            raise UsageError(f"{game.name} hides information from its players: no Q-table can know")
        if not 1 <= capacity <= LARGEST:
            raise UsageError(f"capacity must be from 1 to {LARGEST}, not {capacity}")
        self.game = game
        self.games = games
        self.capacity = capacity
        self.edges = most_visited(edges or no_edges(game.players), capacity)

    def __len__(self) -> int:
        return len(self.edges.position)

    @property
    def positions(self) -> int:
        """How many positions it knows."""
        return len(_starts(self.edges.position))

    def at(self, position: Position) -> Edges:
        """What it knows of a position's actions, in ascending order; empty where it knows none."""
        key = key_of(position)
        first, last = (
            np.searchsorted(self.edges.position, key, side) for side in ("left", "right")
        )
        return self.edges.at(slice(first, last))

    def add(self, found: list[Edges], games: int = 0) -> None:
        """Merge statistics, of so many games: visits add up, values are averaged by visits."""
        edges = most_visited(merged([self.edges, *found]), self.capacity)
        self.edges, self.games = edges, self.games + games


def key_of(position: Position) -> np.uint64:
    """The key of a position."""
    return np.uint64(hash_bytes(position.row))


def merged(parts: list[Edges]) -> Edges:
    """Statistics as one, each pair of position and action once."""
    position, action, visits, value = map(np.concatenate, zip(*parts, strict=True))
    if not len(position):
        return parts[0]
    order = np.lexsort((action, position))
    position, action = position[order], action[order]
    new = (position[1:] != position[:-1]) | (action[1:] != action[:-1])
    starts = np.flatnonzero(np.concatenate([[True], new]))
    visits = visits[order]
    sums = np.add.reduceat(visits[:, None] * value[order].astype(np.float64), starts)
    total = np.add.reduceat(visits, starts)
    mean = (sums / total[:, None]).astype(np.float32)
    return Edges(position[starts], action[starts], total, mean)


def most_visited(edges: Edges, capacity: int) -> Edges:
    """The positions with the most visits, as many as have `capacity` actions together."""
    count = len(edges.position)
    if count <= capacity:
        return edges
    starts = _starts(edges.position)
    sizes = np.diff(starts, append=count)
    order = np.argsort(-np.add.reduceat(edges.visits, starts), kind="stable")
    kept = np.zeros(len(starts), dtype=np.bool_)
    kept[order[np.cumsum(sizes[order]) <= capacity]] = True
    mask = np.repeat(kept, sizes)
    return edges.at(mask)


def _starts(position: npt.NDArray[np.uint64]) -> npt.NDArray[np.intp]:
    """Where each position's actions begin."""
    new = np.ones(len(position), dtype=np.bool_)
    new[1:] = position[1:] != position[:-1]
    return np.flatnonzero(new)


# ---------------------------------------------------------------- walks through a tree


class Walk(NamedTuple):
    """Working memory of a walk through a tree, one level a ply; D is DEEPEST + 1."""

    states: npt.NDArray[np.uint8]  # [D, state_bytes]
    path: npt.NDArray[np.int32]  # [D] nodes from the root
    cursor: npt.NDArray[np.int32]  # [D] children of each that have been looked at


def _new_walk(state: npt.NDArray[np.uint8]) -> Walk:
    """A walk that stands at the root with this state."""
    levels = DEEPEST + 1
    walk = Walk(
        states=np.zeros((levels, len(state)), dtype=np.uint8),
        path=np.zeros(levels, dtype=np.int32),
        cursor=np.zeros(levels, dtype=np.int32),
    )
    walk.states[0] = state
    return walk


@inlined
def _next_child(tree: Any, walk: Any, depth: int) -> int:
    """The next child to look at from the node at this depth, or -1 where there is none."""
    first = tree.first_child[walk.path[depth]]
    if walk.cursor[depth] >= tree.block_size[first] or depth + 1 >= walk.path.shape[0]:
        return -1
    walk.cursor[depth] += 1
    return int(first + walk.cursor[depth] - 1)


@inlined
def _step(tree: Any, rules: Any, walk: Any, depth: int, child: int) -> None:
    """Set the level below to a child and its state."""
    copy_state(walk.states[depth], walk.states[depth + 1])
    invoke2(rules[PLAY], walk.states[depth + 1].ctypes.data, np.int64(tree.action[child]))
    walk.path[depth + 1] = child
    walk.cursor[depth + 1] = 0


# ---------------------------------------------------------------- from the table into a tree


def warm_start(
    tree: Any, table: QTable, position: Position, trust: int, solve: bool, rng: Any
) -> None:
    """Grow a lone root by what the table knows of it, of its children, and so on.

    The root takes over `trust` visits at most, in the proportions of the table, and every node
    below as many as it has been given itself: cost and size depend on `trust`, not on the table. A
    tree that has more visits already is left as it is; another begins anew. Consumes `rng`.
    """
    known = int(table.at(position).visits.sum())
    first = int(tree.first_child[ROOT])
    kept = int(tree.block_visits[first]) if first > 0 else 0
    if tree.proof[ROOT] == PROVEN or kept >= min(known, trust):
        return
    game = table.game
    reset(tree, position.to_move)
    scratch = _scratch(game)
    walk = _new_walk(position.row)
    _grow(tree, game.rules, table.edges, walk, scratch, rng[0], trust, solve)


def _scratch(game: Game) -> Scratch:
    return new_scratch(game.state_bytes, game.max_moves, game.max_plies, game.players)


@kernel
def _grow(
    tree: Any, rules: Any, edges: Any, walk: Any, scratch: Any, rng: Any, trust: int, solve: bool
) -> None:
    """Take over a root's statistics from a table, and those of all nodes below that it knows."""
    depth = 0
    if not _take_over(tree, ROOT, rules, edges, walk.states[0], scratch, rng, trust, solve):
        return
    first = tree.first_child[ROOT]
    tree.visits[ROOT] = tree.block_visits[first]
    for player in range(tree.value_sum.shape[0]):
        for child in range(first, first + tree.block_opened[first]):
            tree.value_sum[player, ROOT] += tree.value_sum[player, child]
    while depth >= 0:
        child = _next_child(tree, walk, depth)
        if child < 0:
            depth -= 1
            continue
        visits = np.int64(tree.visits[child])
        if visits < 2 or tree.proof[child] == PROVEN or tree.first_child[child] > 0:
            continue
        _step(tree, rules, walk, depth, child)
        state = walk.states[depth + 1]
        tree.to_move[child] = np.int8(state[0])
        if tree.to_move[child] == OVER:
            continue
        if _take_over(tree, child, rules, edges, state, scratch, rng, visits, solve):
            depth += 1


@kernel
def _take_over(
    tree: Any,
    node: int,
    rules: Any,
    edges: Any,
    state: Any,
    scratch: Any,
    rng: Any,
    most: int,
    solve: bool,
) -> bool:
    """Expand a node and give its children their statistics; False where it has none to give."""
    begin = np.int64(_find(edges.position, hash_bytes(state)))
    widest = (scratch.moves.shape[0] - 1) // 2
    full = tree.used[0] + widest > tree.visits.shape[0] or table_is_full(tree)
    if begin < 0 or full or share_block(tree, node, state):
        return False
    expand(tree, node, rules, state, scratch.moves, rng)
    if solve and tree.table.shape[0] > 0 and tree.to_move[node] != CHANCE:
        look_ahead(tree, node, rules, state, scratch)
    end = begin
    total = np.int64(0)
    while end < edges.position.shape[0] and edges.position[end] == edges.position[begin]:
        total += edges.visits[end]
        end += 1
    scale = min(1.0, most / total)
    first = np.int64(tree.first_child[node])
    taken = np.int64(0)  # children are visited in order: those with visits come first
    for edge in range(begin, end):
        child = np.int64(child_of(tree, node, np.int64(edges.action[edge])))
        if child < 0 or tree.proof[child] == PROVEN:
            continue
        if child != first + taken:
            _swap(tree, child, first + taken)
        visits = max(np.int64(1), np.int64(scale * edges.visits[edge] + 0.5))
        tree.visits[first + taken] = visits
        tree.block_visits[first] += visits
        for player in range(tree.value_sum.shape[0]):
            tree.value_sum[player, first + taken] = visits * np.float64(edges.value[edge, player])
        taken += 1
    tree.block_opened[first] = taken
    return True


@kernel
def _find(position: Any, key: Any) -> int:
    """Where a position's actions begin in a table's order, or -1."""
    low = np.int64(0)
    high = np.int64(position.shape[0])
    while low < high:
        middle = (low + high) // 2
        if position[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < position.shape[0] and position[low] == key:
        return int(low)
    return -1


@kernel
def _swap(tree: Any, one: int, other: int) -> None:
    """Exchange two children of a block; what is noted of the block itself stays."""
    for array in (
        tree.visits,
        tree.action,
        tree.first_child,
    ):
        kept = array[one]
        array[one] = array[other]
        array[other] = kept
    for array in (tree.to_move, tree.proof):
        seat = array[one]
        array[one] = array[other]
        array[other] = seat
    prior = tree.prior[one]
    tree.prior[one] = tree.prior[other]
    tree.prior[other] = prior
    for player in range(tree.value_sum.shape[0]):
        value = tree.value_sum[player, one]
        tree.value_sum[player, one] = tree.value_sum[player, other]
        tree.value_sum[player, other] = value


# ---------------------------------------------------------------- from a tree into the table


class Given(NamedTuple):
    """The statistics of a tree's first M nodes before its search began: all there were."""

    visits: npt.NDArray[np.int32]  # [M]
    value_sum: npt.NDArray[np.float64]  # [P, M]


def given(tree: Any) -> Given:
    """The statistics that a tree has now."""
    used = int(tree.used[0])
    return Given(tree.visits[:used].copy(), tree.value_sum[:, :used].copy())


def statistics(
    tree: Any, game: Game, position: Position, before: Given, least: int = LEAST_VISITS
) -> Edges:
    """What a search added to the tree of `position`, where states were visited `least` times.

    `before` is what the tree held at the start of the search. A proven action has its exact value.
    """
    used = int(tree.used[0])
    slots, keys = np.zeros(used, dtype=np.int32), np.zeros(used, dtype=np.uint64)
    seen = np.zeros(used, dtype=np.bool_)
    count = _collect(tree, game.rules, _new_walk(position.row), seen, slots, keys, least)
    slots, keys = slots[:count], keys[:count]
    visits, sums = tree.visits[slots].astype(np.int64), tree.value_sum[:, slots].copy()
    exact = tree.proof[slots] == PROVEN
    mean = sums / visits
    old = slots < len(before.visits)
    visits[old] -= before.visits[slots[old]]
    sums[:, old] -= before.value_sum[:, slots[old]]
    added = visits > 0
    value = np.where(exact, mean, sums / np.maximum(visits, 1)).clip(0, 1).astype(np.float32).T
    edges = Edges(keys[added], tree.action[slots][added], visits[added], value[added])
    return merged([edges])


@kernel
def _collect(tree: Any, rules: Any, walk: Any, seen: Any, slots: Any, keys: Any, least: int) -> int:
    """List the visited children of all states with `least` visits, and the keys of the states."""
    count = 0
    depth = 0
    first = tree.first_child[ROOT]
    if first == 0 or tree.block_visits[first] < least:
        return 0
    count = _list_block(tree, first, hash_bytes(walk.states[0]), count, slots, keys)
    while depth >= 0:
        child = _next_child(tree, walk, depth)
        if child < 0:
            depth -= 1
            continue
        first = tree.first_child[child]
        if first == 0 or seen[first] or tree.block_visits[first] < least:
            continue
        seen[first] = True  # states that share a block are listed once
        depth += 1
        _step(tree, rules, walk, depth - 1, child)
        key = hash_bytes(walk.states[depth])
        count = _list_block(tree, first, key, count, slots, keys)
    return int(count)


@kernel
def _list_block(tree: Any, first: int, key: Any, count: int, slots: Any, keys: Any) -> int:
    for child in range(first, first + tree.block_size[first]):
        if tree.visits[child] > 0:
            slots[count] = child
            keys[count] = key
            count += 1
    return count


def load_kernels(game: Game) -> None:
    """Compile or load all that tables call, so that no search's clock pays for it."""
    with kernels.compiling("Q-table"):
        tree = new_forest(1, game.players, 1, transpositions=True).tree(0)
        row, rng = np.zeros(game.state_bytes, dtype=np.uint8), kernels.new_rng(0)
        reset(tree, 0)
        none, walk = no_edges(game.players), _new_walk(row)
        _grow(tree, game.rules, none, walk, _scratch(game), rng[0], 1, True)
        few = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.uint64)
        _collect(tree, game.rules, _new_walk(row), np.zeros(1, dtype=np.bool_), *few, 1)
