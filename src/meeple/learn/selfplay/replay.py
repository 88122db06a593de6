"""The replay buffer: the newest steps of self-play, from which random batches are drawn."""

import errno
import math
import os
import socket
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.errors import ConfigError, RunError
from meeple.games.contract.game import Game
from meeple.learn.config import Config
from meeple.learn.selfplay.trajectory import (
    Trajectory,
    as_batch,
    empty_trajectory,
    transform_at_random,
)
from meeple.learn.targets import Target
from meeple.nets.graph import Batch


class ReplayBuffer:
    """A first-in, first-out buffer of at most `capacity` steps."""

    def __init__(
        self,
        game: Game,
        capacity: int,
        symmetries: bool = True,
        *,
        targets: Iterable[Target] = (),
        memory: float = math.inf,
    ) -> None:
        """Create an empty buffer.

        Args:
            game: of the trajectories.
            capacity: maximum number of steps.
            symmetries: whether batches contain steps in random symmetries of the game.
            targets: of the auxiliary heads that are trained.
            memory: bytes in memory; a larger buffer is stored in a file.
        """
        self.game = game
        self._memory = memory
        self.capacity = capacity
        self._symmetries = tuple(game.symmetries()) if symmetries else ()
        self._store = empty_trajectory(game, targets)  # a ring once full
        self._size = 0
        self._next = 0

    def __len__(self) -> int:
        return self._size

    def clear(self) -> None:
        """Remove all steps, and free their memory."""
        self._store = self._store.map(lambda array: array[:0].copy())
        self._size = self._next = 0

    def add(self, trajectory: Trajectory) -> None:
        """Add steps in order; they replace the oldest. Raises RunError if the disk is full."""
        newest = trajectory.rows(slice(-self.capacity, None))
        self._reserve(min(self.capacity, self._size + newest.size))
        rows = (self._next + np.arange(newest.size)) % self.capacity
        arrays = newest.arrays()
        for name, stored in self._store.arrays().items():
            stored[rows] = arrays[name]
        self._next = int((self._next + newest.size) % self.capacity)
        self._size = min(self.capacity, self._size + newest.size)

    def _reserve(self, size: int) -> None:
        """Make room for `size` steps: in memory if they fit, or for all in a file."""
        have = self._store.size
        if size <= have:
            return
        room = min(self.capacity, max(size, 2 * have))
        row = step_bytes(self._store)
        if room * row > self._memory:
            room = min(self.capacity, max(size, int(self._memory // row)))
        if room * row > self._memory:
            self._move_to_file(have)
            return

        def larger(array: Any) -> Any:
            grown = np.zeros((room, *array.shape[1:]), dtype=array.dtype)
            grown[:have] = array
            return grown

        self._store = self._store.map(larger)

    def _move_to_file(self, have: int) -> None:
        old = self._store.arrays()
        new = dict(zip(old, _arrays_in_file(list(old.values()), self.capacity), strict=True))
        for name, array in new.items():
            array[:have] = old[name]
        self._store = Trajectory.of(new)

    def sample(self, size: int, rng: np.random.Generator) -> Batch:
        """Draw random steps with replacement, each in a random symmetry; `rng` is advanced."""
        rows = rng.integers(self._size, size=size)
        oldest = self._next if self._size == self.capacity else 0
        rows = (rows + oldest) % max(self.capacity, 1)  # by age, wherever the ring began
        drawn = self._store.rows(rows)
        if self._symmetries:
            transform_at_random(drawn, self._symmetries, rng)
        return as_batch(self.game, drawn)


def step_bytes(trajectory: Trajectory) -> int:
    """Return the bytes of one step."""
    return sum(
        array.itemsize * math.prod(array.shape[1:]) for array in trajectory.arrays().values()
    )


def new_buffer(config: Config, game: Game) -> ReplayBuffer:
    """Return an empty buffer for a run. Raises ConfigError if it may not fit in memory."""
    row = step_bytes(empty_trajectory(game))
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
        targets=config.targets,
        memory=1e6 * config.replay.memory,
    )


def _machine_memory() -> float:
    """Return the bytes of memory of this machine, used or not; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return math.inf


def _arrays_in_file(like: Sequence[npt.NDArray[Any]], rows: int) -> list[npt.NDArray[Any]]:
    """Return arrays of zeros in an unnamed temporary file, which is deleted with them.

    They have `rows` rows of the types and shapes of those of `like`. Raises RunError if the disk
    has too little space, all of which is reserved at once.
    """
    shapes = [(rows, *array.shape[1:]) for array in like]
    sizes = [math.prod(shape) * array.itemsize for shape, array in zip(shapes, like, strict=True)]
    whole, ends = _bytes_in_file(max(1, sum(sizes))), np.cumsum(sizes).tolist()
    return [
        whole[end - size : end].view(array.dtype).reshape(shape)
        for array, shape, size, end in zip(like, shapes, sizes, ends, strict=True)
    ]


def _bytes_in_file(size: int) -> npt.NDArray[np.uint8]:
    folder = tempfile.gettempdir()
    with tempfile.TemporaryFile(dir=folder) as file:
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:
                file.truncate(size)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
                raise
            raise RunError(
                f"the replay buffer needs {size / 1e6:,.0f} MB on the disk of {folder} on "
                f"{socket.gethostname()}, and there is no room: lower replay.capacity, raise "
                "replay.memory, or let TMPDIR name another disk"
            ) from None
        return np.memmap(file, dtype=np.uint8, mode="r+", shape=(size,))
