"""The `Reporter` protocol, through which training reports its progress, and a wave's metrics."""

from collections import deque
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.learn.fit.learner import Losses
from meeple.learn.run.cluster_state import ClusterState
from meeple.learn.selfplay.episode import Episode
from meeple.learn.selfplay.play import Watch, total
from meeple.learn.selfplay.wave import Wave

COMPARED_GAMES = 200  # previous games among which `Repeats` looks for an equal one


class Reporter(Protocol):
    """Receives the progress of a run."""

    @property
    def watch(self) -> Watch | None:
        """Callback for the moves of the first episode of each wave; None for no callback."""
        ...

    def message(self, text: str) -> None:
        """Receive a sentence for the user, for instance about resuming."""
        ...

    def cluster(self, state: ClusterState) -> None:
        """Receive the state of a run on a cluster, every few seconds."""
        ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        """Receive the metrics of a wave that was learned from.

        Args:
            episodes: episodes since the start of the run.
            seconds: training time since the start of the run.
            metrics: the figures by name.
        """
        ...

    def game(self, record: GameRecord) -> None:
        """Receive an episode of the wave; called before `wave`."""
        ...


class Silent:
    """A reporter that ignores everything."""

    watch = None

    def message(self, text: str) -> None: ...

    def cluster(self, state: ClusterState) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None: ...

    def game(self, record: GameRecord) -> None: ...


def metrics_of(waves: Sequence[Wave], losses: Losses, before: int, cases: int) -> dict[str, float]:
    """Return the metrics of waves that were learned from together, by name.

    Args:
        waves: the waves.
        losses: the losses of the update.
        before: episodes that the network had learned from before the update.
        cases: positions in the replay buffer.
    """
    episodes = [episode for wave in waves for episode in wave.episodes]
    count, timing = len(episodes), total(wave.timing for wave in waves)
    seconds = max(timing.total, 1e-9)
    plies = sum(len(episode.actions) - episode.opening for episode in episodes)
    payoffs = [episode.payoffs for episode in episodes]
    remote = {}
    if any(wave.worker for wave in waves):
        behind = sum((before - wave.generation) * len(wave.episodes) for wave in waves) / count
        remote = {"selfplay/behind": behind, "selfplay/waves": float(len(waves))}
    return {
        **losses.means,
        "selfplay/plies": plies / count,
        "selfplay/simulations_per_second": timing.simulations / seconds,
        "selfplay/evaluations_per_second": timing.evaluations / seconds,
        "selfplay/network_share": timing.network / seconds,
        "selfplay/first_player_share": float(np.mean([shares[0] for shares in payoffs])),
        "selfplay/drawn": float(np.mean([np.ptp(shares) == 0 for shares in payoffs])),
        "time/selfplay_seconds": timing.total,
        "time/learning_seconds": losses.seconds,
        "training/threads": float(losses.threads),
        "replay/cases": float(cases),
        **remote,
    }


class Repeats:
    """Measures how often self-play repeats a recent game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._recent: deque[tuple[bytes, tuple[int, ...]]] = deque(maxlen=COMPARED_GAMES)

    def count(self, episodes: Sequence[Episode]) -> dict[str, float]:
        """Return the metric `selfplay/repeated`.

        It is the share of a wave's games that equal one of the last `COMPARED_GAMES` games.
        """
        equal = 0
        for episode in episodes:
            start = self._game.start(episode.seed).row.tobytes()  # the start may be random
            played = (start, tuple(episode.actions))
            equal += played in self._recent
            self._recent.append(played)
        return {"selfplay/repeated": equal / len(episodes)}
