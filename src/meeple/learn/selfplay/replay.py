"""The replay buffer: the newest positions of self-play, sampled in random minibatches."""

import math
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import ConfigError
from meeple.games.contract.game import Game
from meeple.games.contract.symmetry import Symmetry
from meeple.learn.config import Config
from meeple.learn.selfplay.disk_buffer import arrays_in_file
from meeple.search.evaluators import by_mover


class ReplayPositions(NamedTuple):
    """N positions of one game with F features, A actions and P players.

    C is 0 if ownership is not learned, else the number of cells, which are the first C actions.
    """

    observations: npt.NDArray[np.float32]  # [N, F] as the mover saw them
    policies: npt.NDArray[np.float32]  # [N, A] visit shares of the search
    values: npt.NDArray[np.float32]  # [N, P] shares of the win to learn, by seat
    movers: npt.NDArray[np.int8]  # [N] seat to move
    owners: npt.NDArray[np.int8]  # [N, C] seat that owned each cell at the end, -1: no seat

    @property
    def size(self) -> int:
        """N."""
        return len(self.movers)

    def map(self, change: Callable[[Any], Any]) -> "ReplayPositions":
        """Return the positions with a function applied to each array."""
        return ReplayPositions(*(change(array) for array in self))


def empty_cases(game: Game, cells: int = 0) -> ReplayPositions:
    """Return zero positions with the shapes of a game and of `cells` owners."""
    return ReplayPositions(
        np.zeros((0, int(np.prod(game.observation_shape))), dtype=np.float32),
        np.zeros((0, game.num_actions), dtype=np.float32),
        np.zeros((0, game.players), dtype=np.float32),
        np.zeros(0, dtype=np.int8),
        np.zeros((0, cells), dtype=np.int8),
    )


class ReplayBatch(NamedTuple):
    """B positions with the inputs and targets of a network; values in the mover's order."""

    observations: npt.NDArray[np.float32]  # [B, *observation_shape]
    policies: npt.NDArray[np.float32]  # [B, A]
    values: npt.NDArray[np.float32]  # [B, P]
    ownership: npt.NDArray[np.float32]  # [B, C] 1 the mover's at the end, 0 another's, 0.5 no one's


def joined(parts: Sequence[ReplayPositions]) -> ReplayPositions:
    """Concatenate positions in order; `parts` must not be empty."""
    return ReplayPositions(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def as_batch(game: Game, cases: ReplayPositions) -> ReplayBatch:
    """Return positions as the inputs and targets of a network."""
    return ReplayBatch(
        observations=cases.observations.reshape(cases.size, *game.observation_shape),
        policies=cases.policies,
        values=by_mover(cases.values, cases.movers).astype(np.float32),
        ownership=_ownership(cases),
    )


class ReplayBuffer:
    """A first-in, first-out buffer of at most `capacity` positions."""

    def __init__(
        self,
        game: Game,
        capacity: int,
        symmetries: bool = True,
        *,
        cells: int = 0,
        memory: float = math.inf,
    ) -> None:
        """Create an empty buffer; positions beyond `memory` bytes are stored in a file."""
        self.game = game
        self._memory = memory
        self.capacity = capacity
        self._symmetries = tuple(game.symmetries()) if symmetries else ()
        self._store = empty_cases(game, cells)  # a ring once full
        self._size = 0
        self._next = 0

    def __len__(self) -> int:
        return self._size

    def clear(self) -> None:
        """Remove all positions, and free their memory."""
        self._store = self._store.map(lambda array: array[:0].copy())
        self._size = self._next = 0

    def add(self, cases: ReplayPositions) -> None:
        """Add positions in order; they replace the oldest."""
        newest = cases.map(lambda array: array[-self.capacity :])
        self._reserve(min(self.capacity, self._size + newest.size))
        rows = (self._next + np.arange(newest.size)) % self.capacity
        pairs: list[tuple[Any, Any]] = list(zip(self._store, newest, strict=True))
        for stored, new in pairs:
            stored[rows] = new
        self._next = int((self._next + newest.size) % self.capacity)
        self._size = min(self.capacity, self._size + newest.size)

    def _reserve(self, size: int) -> None:
        have = self._store.size
        if size <= have:
            return
        room = min(self.capacity, max(size, 2 * have))
        row = sum(array.itemsize * math.prod(array.shape[1:]) for array in self._store)
        if room * row > self._memory:
            room = min(self.capacity, max(size, int(self._memory // row)))
        if room * row > self._memory:
            self._lie_in_file(have)
            return

        def larger(array: Any) -> Any:
            grown = np.zeros((room, *array.shape[1:]), dtype=array.dtype)
            grown[:have] = array
            return grown

        self._store = self._store.map(larger)

    def _lie_in_file(self, have: int) -> None:
        """Make room for all cases in a file. Raises RunError where the disk is full."""
        held: list[Any] = arrays_in_file(self._store, self.capacity)
        for array, old in zip(held, self._store, strict=True):
            array[:have] = old
        self._store = ReplayPositions(*held)

    def sample(self, size: int, rng: np.random.Generator) -> ReplayBatch:
        """Random cases, with repetition, each in a random symmetry of the game; consumes `rng`."""
        rows = rng.integers(self._size, size=size)
        oldest = self._next if self._size == self.capacity else 0
        rows = (rows + oldest) % max(self.capacity, 1)  # by age, wherever the ring began
        cases = self._store.map(lambda array: array[rows])
        if self._symmetries:
            cases = turned(cases, self._symmetries, rng)
        return as_batch(self.game, cases)


def new_buffer(config: Config, game: Game) -> ReplayBuffer:
    """Return an empty buffer for a run.

    Raises ConfigError where more of it may be in memory than this machine has.
    """
    row = sum(array.itemsize * math.prod(array.shape[1:]) for array in empty_cases(game))
    wanted = min(1e6 * config.replay.memory, float(row) * config.replay.capacity)
    if wanted > _machine_memory():
        raise ConfigError(
            f"replay.capacity and replay.memory allow {wanted / 1e6:,.0f} MB of cases in memory, "
            f"and this machine has {_machine_memory() / 1e6:,.0f} MB: lower replay.memory, and the "
            "buffer lies in a file"
        )
    return ReplayBuffer(
        game,
        config.replay.capacity,
        config.training.symmetries,
        cells=config.cells(game),
        memory=1e6 * config.replay.memory,
    )


def _machine_memory() -> float:
    """Bytes of memory of this machine, used or not; infinite where the system does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return math.inf


def _ownership(cases: ReplayPositions) -> npt.NDArray[np.float32]:
    mine: npt.NDArray[np.float32] = (cases.owners == cases.movers[:, None]).astype(np.float32)
    mine[cases.owners < 0] = 0.5
    return mine


def turned(
    cases: ReplayPositions, symmetries: tuple[Symmetry, ...], rng: np.random.Generator
) -> ReplayPositions:
    """Each case seen through a random symmetry, the identity included; changes and returns `cases`.

    Consumes `rng`.
    """
    which = rng.integers(len(symmetries) + 1, size=cases.size)
    cells = cases.owners.shape[1]
    for number, symmetry in enumerate(symmetries, start=1):
        rows = np.flatnonzero(which == number)
        cases.observations[rows] = cases.observations[rows][:, symmetry.observation]
        cases.policies[rows] = cases.policies[rows][:, symmetry.action]
        cases.values[rows] = cases.values[rows][:, symmetry.player]
        seats = np.argsort(symmetry.player)  # where each player sits now
        cases.movers[rows] = seats[cases.movers[rows]]
        if cells:
            owners = cases.owners[rows][:, symmetry.action[:cells]]
            cases.owners[rows] = np.where(owners < 0, owners, seats[owners])
    return cases
