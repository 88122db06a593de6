"""The Q-table: visits and values by position and action, learned from searches, to begin others.

A position's key is the 64-bit hash of its state's bytes that trees use too: in a table of n
positions two share a key by accident with odds of about n**2 / 2**65, 3e-8 for a million. Then the
two would share statistics; of those only actions that are legal are ever taken over.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.search.state_hash import hash_bytes

TRUST = 10_000  # visits that a search takes over for its root, at most
CAPACITY = 1_000_000  # actions a table keeps unless told otherwise; 28 bytes each with two players
MAX_CAPACITY = 50_000_000  # actions that a table may hold
MIN_VISITS = 20  # of a position in one search, for its statistics to be worth keeping


class Edges(NamedTuple):
    """Statistics of E actions of P players, sorted by position and action, each pair once."""

    position: npt.NDArray[np.uint64]  # [E] key of the position that the action is played in
    action: npt.NDArray[np.int32]  # [E] or a chance node's outcome
    visits: npt.NDArray[np.int64]  # [E] simulations through it, 1 or more
    value: npt.NDArray[np.float32]  # [E, P] mean shares after it, in [0, 1]

    def at(self, index: Any) -> "Edges":
        """Return the statistics at a slice, a mask or indices."""
        return Edges(
            self.position[index], self.action[index], self.visits[index], self.value[index]
        )


def no_edges(players: int) -> Edges:
    """Return statistics of no action."""
    return Edges(
        position=np.zeros(0, dtype=np.uint64),
        action=np.zeros(0, dtype=np.int32),
        visits=np.zeros(0, dtype=np.int64),
        value=np.zeros((0, players), dtype=np.float32),
    )


class QTable:
    """Statistics that searches of one game collected, of at most `capacity` actions.

    Beyond that, the positions with the fewest visits are dropped.
    """

    def __init__(
        self, game: Game, edges: Edges | None = None, *, games: int = 0, capacity: int = CAPACITY
    ) -> None:
        """Make a table.

        Args:
            game: one that hides nothing: a key of the true state would reveal hidden information.
            edges: its statistics; None: empty.
            games: number of games that it was learned from.
            capacity: actions, at most.

        Raises:
            UsageError: the game hides something, or the capacity is out of range.
        """
        if game.hides:
            raise UsageError(f"{game.name} hides information from its players: no Q-table can know")
        if not 1 <= capacity <= MAX_CAPACITY:
            raise UsageError(f"capacity must be from 1 to {MAX_CAPACITY}, not {capacity}")
        self.game = game
        self.games = games
        self.capacity = capacity
        self.edges = most_visited(edges or no_edges(game.players), capacity)

    def __len__(self) -> int:
        return len(self.edges.position)

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(_starts(self.edges.position))

    def at(self, position: Position) -> Edges:
        """Return the statistics of a position's actions, in ascending order; empty if unknown."""
        key = key_of(position)
        first, last = (
            np.searchsorted(self.edges.position, key, side) for side in ("left", "right")
        )
        return self.edges.at(slice(first, last))

    def add(self, found: list[Edges], games: int = 0) -> None:
        """Merge the statistics of `games` games: visits add up, values are averaged by visits."""
        edges = most_visited(merged([self.edges, *found]), self.capacity)
        self.edges, self.games = edges, self.games + games


def key_of(position: Position) -> np.uint64:
    """Return the key of a position."""
    return np.uint64(hash_bytes(position.row))


def merged(parts: list[Edges]) -> Edges:
    """Merge statistics, so that each pair of position and action is in one row."""
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
    """Keep the positions with the most visits that have `capacity` actions together."""
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
    """Return the index of each position's first action."""
    new = np.ones(len(position), dtype=np.bool_)
    new[1:] = position[1:] != position[:-1]
    return np.flatnonzero(new)
