"""Who is told how a run goes, and the figures of a wave."""

from collections import deque
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.learn.fit.update import Losses
from meeple.learn.run.cluster_state import ClusterState
from meeple.learn.selfplay.episode import Episode
from meeple.learn.selfplay.play import Watch, total
from meeple.learn.selfplay.wave import Arrival

RECENT_GAMES = 200  # that a game is compared with


class Reporter(Protocol):
    """Who is told how a run goes."""

    @property
    def watch(self) -> Watch | None:
        """Who looks on while the first episode of each wave is played."""
        ...

    def message(self, text: str) -> None:
        """A sentence, such as what was found on resume."""
        ...

    def cluster(self, state: ClusterState) -> None:
        """What a run on a cluster is at, every few seconds."""
        ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        """A wave was played and learned from; `episodes` and `seconds` count from the start."""
        ...

    def game(self, record: GameRecord) -> None:
        """An episode of the wave, before `wave`."""
        ...


class Silent:
    """Tells nobody."""

    watch = None

    def message(self, text: str) -> None: ...

    def cluster(self, state: ClusterState) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None: ...

    def game(self, record: GameRecord) -> None: ...


def metrics_of(
    waves: Sequence[Arrival], losses: Losses, before: int, cases: int
) -> dict[str, float]:
    """The figures of waves that were learned from together, by name; `cases` are in the replay
    buffer, and the network had learned from so many episodes `before`.
    """
    episodes = [episode for wave in waves for episode in wave.episodes]
    count, timing = len(episodes), total(wave.timing for wave in waves)
    seconds = max(timing.total, 1e-9)
    plies = sum(len(episode.actions) - episode.opening for episode in episodes)
    payoffs = [episode.payoffs for episode in episodes]
    elsewhere = {}
    if any(wave.worker for wave in waves):
        behind = sum((before - wave.generation) * len(wave.episodes) for wave in waves) / count
        elsewhere = {"selfplay/behind": behind, "selfplay/waves": float(len(waves))}
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
        **elsewhere,
    }


class Repeats:
    """Counts the games of self-play that were played before."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._recent: deque[tuple[bytes, tuple[int, ...]]] = deque(maxlen=RECENT_GAMES)

    def count(self, episodes: Sequence[Episode]) -> dict[str, float]:
        """The share of a wave's games that equal one of the last `RECENT_GAMES`, as a figure."""
        equal = 0
        for episode in episodes:
            start = self._game.start(episode.seed).row.tobytes()  # which may be drawn at random
            played = (start, tuple(episode.actions))
            equal += played in self._recent
            self._recent.append(played)
        return {"selfplay/repeated": equal / len(episodes)}
