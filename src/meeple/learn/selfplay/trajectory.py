"""Trajectories: the decisions of games with what a network learns from each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.games.contract.symmetry import Symmetry
from meeple.learn.targets import TARGETS, Column, Target
from meeple.nets.graph import Batch
from meeple.search.evaluators import by_mover


class Trajectory(NamedTuple):
    """N steps of one or more games: F features, A actions, P players.

    Values and targets are by seat, since a symmetry may exchange seats; `as_batch` turns them into
    what the player to move is to predict.
    """

    observations: npt.NDArray[np.float32]  # [N, F] as the mover saw them
    policies: npt.NDArray[np.float32]  # [N, A] of the search, or the action played; or ILLEGAL
    values: npt.NDArray[np.float32]  # [N, P] shares of the win to learn; zeros if unknown
    movers: npt.NDArray[np.int8]  # [N] seat to move
    targets: dict[str, Column]  # [N, W] of the auxiliary heads that are trained, by `Target.column`

    @property
    def size(self) -> int:
        """N."""
        return len(self.movers)

    def arrays(self) -> dict[str, Any]:
        """Return all arrays by name."""
        arrays = self._asdict()
        targets: dict[str, Any] = arrays.pop("targets")
        return arrays | targets

    @staticmethod
    def of(arrays: Mapping[str, Any]) -> "Trajectory":
        """Return the trajectory of the arrays that `arrays` returned."""
        columns = {t.column: arrays[t.column] for t in TARGETS if t.column in arrays}
        fixed = {name: array for name, array in arrays.items() if name not in columns}
        return Trajectory(**fixed, targets=columns)

    def rows(self, rows: Any) -> "Trajectory":
        """Return some steps; `rows` is an index or a slice of NumPy."""
        return self.map(lambda array: array[rows])

    def map(self, change: Callable[[Any], Any]) -> "Trajectory":
        """Return the trajectory with a function applied to each array."""
        return Trajectory.of({name: change(array) for name, array in self.arrays().items()})


def empty_trajectory(game: Game, targets: Iterable[Target] = ()) -> Trajectory:
    """Return a trajectory without steps, with the shapes and types of a game and of targets."""
    return Trajectory(
        np.zeros((0, int(np.prod(game.observation_shape))), dtype=np.float32),
        np.zeros((0, game.num_actions), dtype=np.float32),
        np.zeros((0, game.players), dtype=np.float32),
        np.zeros(0, dtype=np.int8),
        {t.column: np.zeros((0, t.width(game)), dtype=t.dtype) for t in targets},
    )


def joined(parts: Sequence[Trajectory]) -> Trajectory:
    """Concatenate trajectories in order; `parts` must not be empty."""
    arrays = [part.arrays() for part in parts]
    return Trajectory.of(
        {name: np.concatenate([one[name] for one in arrays]) for name in arrays[0]}
    )


def transform_at_random(
    trajectory: Trajectory, symmetries: Sequence[Symmetry], rng: np.random.Generator
) -> None:
    """Transform each step in place by a random symmetry, or not at all; `rng` is advanced."""
    which = rng.integers(len(symmetries) + 1, size=trajectory.size)
    observations, policies, values, movers, _ = trajectory
    for number, symmetry in enumerate(symmetries, start=1):
        rows = np.flatnonzero(which == number)
        observations[rows] = observations[rows][:, symmetry.observation]
        policies[rows] = policies[rows][:, symmetry.action]
        values[rows] = values[rows][:, symmetry.player]
        movers[rows] = np.argsort(symmetry.player)[movers[rows]]
        for target, column in _columns(trajectory):
            column[rows] = target.transformed(column[rows], symmetry)


def as_batch(game: Game, trajectory: Trajectory) -> Batch:
    """Return the observations, and the targets as the player to move sees them."""
    movers = trajectory.movers
    targets = {
        target.head: target.for_mover(column, movers) for target, column in _columns(trajectory)
    }
    return Batch(
        trajectory.observations.reshape(trajectory.size, *game.observation_shape),
        {
            "policy": trajectory.policies,
            "value": by_mover(trajectory.values, movers).astype(np.float32),
            **targets,
        },
    )


def _columns(trajectory: Trajectory) -> list[tuple[Target, Column]]:
    columns = trajectory.targets
    return [(target, columns[target.column]) for target in TARGETS if target.column in columns]
