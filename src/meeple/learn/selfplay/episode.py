"""Episodes of self-play, the waves in which they are played, and their trajectories."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import NetworkError
from meeple.games.contract.game import Game
from meeple.learn.config import Config
from meeple.learn.selfplay.trajectory import Trajectory
from meeple.learn.targets import Column, Endings


class TrajectoryStep(NamedTuple):
    """A searched decision: A actions, F features, P players."""

    observation: npt.NDArray[np.float32]  # [F] as the mover sees it
    policy: npt.NDArray[np.float32]  # [A] the target: the policy of the search, or ILLEGAL
    mover: int
    value: npt.NDArray[np.float64]  # [P] the search's value, by seat
    surprise: float = 0.0  # how far the search moved the policy, in nats
    ply: int = 0  # actions of the game before it


@dataclass(frozen=True)
class Episode:
    """One game of self-play; `payoffs` and `targets` are set at its end."""

    seed: int
    actions: list[int] = field(default_factory=list)  # all of them, chance outcomes included
    opening: int = 0  # random actions at the start
    decided: list[int] = field(default_factory=list)  # indices of the players' actions after that
    moves: list[TrajectoryStep] = field(default_factory=list)  # the decisions to learn from
    payoffs: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # [P] at the end
    targets: dict[str, Column] = field(default_factory=dict)  # of the decisions, see `Trajectory`

    def without_moves(self) -> "Episode":
        """Return the episode as it is sent: the trajectory of its wave has what is learned."""
        return replace(self, decided=[], moves=[], targets={})

    @property
    def plies_left(self) -> npt.NDArray[np.int32]:
        """[N] actions of a finished game after each decision's own."""
        plies = np.array([move.ply for move in self.moves], dtype=np.int32)
        return len(self.actions) - 1 - plies

    @property
    def decisions_left(self) -> npt.NDArray[np.intp]:
        """[N] players' actions of a finished game after each decision's own."""
        plies = [move.ply for move in self.moves]
        return len(self.decided) - np.searchsorted(self.decided, plies, side="right")

    def trajectory(
        self,
        search_value: float,
        surprise_share: float = 0.0,
        rng: np.random.Generator | None = None,
        *,
        discount: float = 1.0,
    ) -> Trajectory:
        """Return the decisions of a finished game with their targets; there must be at least one.

        Args:
            search_value: weight of the search's value in the value target; the result has the rest.
            surprise_share: if positive, a position is repeated `frequencies` times on average.
            rng: is advanced if `surprise_share` is positive, and is required then.
            discount: d in [0, 1]; the result of a position with n actions of players after the
                searched one is moved to even shares by the factor d^n.
        """
        weights = discount ** self.decisions_left[:, None].astype(np.float64)
        even = 1 / len(self.payoffs)
        result = even + weights * (self.payoffs - even)
        searched = np.array([move.value for move in self.moves]).reshape(result.shape)
        values = (1 - search_value) * result + search_value * searched
        found = Trajectory(
            np.stack([move.observation for move in self.moves]),
            np.stack([move.policy for move in self.moves]),
            values.astype(np.float32),
            np.array([move.mover for move in self.moves], dtype=np.int8),
            self.targets,
        )
        if surprise_share == 0.0 or rng is None:
            return found
        often = self.frequencies(surprise_share)
        copies = np.floor(often + rng.random(len(often))).astype(np.int64)
        rows = np.repeat(np.arange(found.size), copies)
        return found.rows(rows)

    def frequencies(self, surprise_share: float) -> npt.NDArray[np.float64]:
        """Return [N] the mean number of repetitions of each position, with mean 1.

        `surprise_share` of an episode's weight is divided in proportion to surprise, the rest
        evenly: policy surprise weighting.

        Source: Wu, "Accelerating self-play learning in Go", 2020 (KataGo's methods).
        """
        surprise = np.array([move.surprise for move in self.moves])
        mean = surprise.mean()
        by_surprise = surprise / mean if mean > 0 else np.ones(len(surprise))
        return np.asarray(1 - surprise_share + surprise_share * by_surprise)


def finished(
    game: Game,
    config: Config,
    episode: Episode,
    payoffs: npt.NDArray[np.float64],
    end: npt.NDArray[np.uint8],
) -> Episode:
    """Return an episode with its payoffs [P] and the targets of its decisions.

    `end` is the last state of its game.
    """
    left = episode.plies_left
    endings = Endings(np.tile(end, (len(left), 1)), np.ones(len(left), dtype=np.bool_), left)
    targets = {target.column: target.column_of(game, endings) for target in config.targets}
    return replace(episode, payoffs=payoffs, targets=targets)


def surprise_of(policy: npt.NDArray[np.float32], prior: npt.NDArray[np.float32]) -> float:
    """Return the Kullback-Leibler divergence of a search's policy [A] from the prior, in nats."""
    rows = policy > 0
    ratio = np.log(policy[rows] / np.maximum(prior[rows], 1e-9))
    return max(float((policy[rows] * ratio).sum()), 0.0)


# ------------------------------------------------------------ waves


@dataclass(frozen=True)
class Timing:
    """Duration and work of a wave, summed over its workers."""

    total: float  # seconds
    network: float  # seconds in calls of the network
    simulations: int
    evaluations: int  # positions that the network evaluated


def total(timings: Iterable[Timing]) -> Timing:
    """Return the sum of timings."""
    return Timing(*map(sum, zip(*map(astuple, timings), strict=True)))


EpisodeNumbers = Sequence[int]
"""A job of self-play: the numbers of episodes that are played together."""


@dataclass(frozen=True)
class Wave:
    """Finished episodes that were played together, and what is learned from them."""

    numbers: EpisodeNumbers
    episodes: tuple[Episode, ...]  # in the order of their numbers; without moves if sent
    trajectories: tuple[Trajectory, ...]  # of each episode with searched moves, in their order
    timing: Timing
    generation: int = 0  # of the network that played: the episodes that it had learned from
    worker: str = ""  # that played it; "": this process
    player: str = "self-play"  # name of all seats in records; "teacher"

    def notes(self, seconds: float) -> dict[str, str | int | float]:
        """Return the notes of each game record on its network and worker; none for this process."""
        if not self.worker:
            return {}
        return {
            "network": self.generation,
            "worker": self.worker,
            "arrived": round(seconds, 3),  # since the run began
        }


def trajectory_of(config: Config, episode: Episode) -> Trajectory:
    """Return the trajectory of an episode, as a run's configuration says."""
    training = config.training
    rng = np.random.default_rng((config.run.seed, episode.seed, 2, 1))
    return episode.trajectory(
        training.search_value, training.surprise, rng, discount=training.discount
    )


def diverged(error: NetworkError, numbers: EpisodeNumbers) -> NetworkError:
    """Add the episode to the error that a network's output was not finite."""
    return NetworkError(f"{error}: training diverged by episode {numbers[0]}")


def with_advice(error: NetworkError, folder: Path) -> NetworkError:
    """Add advice to such an error."""
    return NetworkError(
        f"{error}, and {folder} stays as it was saved last; begin another run with a lower "
        "learning rate"
    )
