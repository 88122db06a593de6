"""The figures of a run: results of its matches against fixed opponents, and changes of metrics."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from meeple.arena.figures.statistics import wilson_interval
from meeple.learn.run.schema import WaveMetrics
from meeple.sentences import Sentence, counted, say

ALONE, SEARCH = "alone", "search"  # the network plays by its policy, or with search
WORSE_RATIO = 1.02  # of last to first value, above which a figure counts as worse
RECENT_EPISODES = 200  # over which recent means are taken


@dataclass(frozen=True)
class MatchPairing:
    """A way of playing of the network, and its opponent."""

    player: str  # ALONE or SEARCH
    opponent: str

    @property
    def metric(self) -> str:
        """Name of the metric with the mean share of the win, 0 to 1."""
        return f"match/{self.player}/{self.opponent}"

    @property
    def count(self) -> str:
        """Name of the metric with the number of games."""
        return f"{self.metric}/games"

    @property
    def deviation(self) -> str:
        """Name of the metric with the standard deviation of a game's share."""
        return f"{self.metric}/deviation"


def pairings_in(metrics: Mapping[str, float]) -> list[MatchPairing]:
    """Return the pairings with results among a wave's metrics, in their order."""
    found = []
    for name in metrics:
        parts = name.split("/", 2)
        if len(parts) == 3 and parts[0] == "match" and f"{name}/games" in metrics:
            found.append(MatchPairing(parts[1], parts[2]))
    return found


@dataclass(frozen=True)
class PairingResult:
    """Result of one pairing in the last round of matches."""

    pairing: MatchPairing
    episodes: int  # trained before the round
    share: float  # mean share of the win, 0 to 1
    interval: tuple[float, float]  # 95 % interval of the share
    games: int
    trend: str  # "rising" or "falling" if significant since an earlier round; else ""

    def words(self) -> str:
        """Return text such as "41 % of 40 games against uct:sims=100 (33 to 50, rising)"."""
        low, high = self.interval
        return say(
            f"training.result{self.trend and f'_{self.trend}'}",
            n=100 * self.share,
            games=counted(self.games, "game"),
            agent=self.pairing.opponent,
            n2=100 * low,
            n3=100 * high,
        )


def pairing_results(waves: Sequence[WaveMetrics]) -> list[PairingResult]:
    """Return the result of each pairing in its last round among these waves.

    Impossible figures, for instance of a damaged file, are left out.
    """
    rounds: dict[MatchPairing, list[WaveMetrics]] = {}
    for wave in waves:
        for pairing in pairings_in(wave.metrics):
            if _is_valid(pairing, wave):
                rounds.setdefault(pairing, []).append(wave)
    return [_pairing_result(pairing, played) for pairing, played in rounds.items()]


def _is_valid(pairing: MatchPairing, wave: WaveMetrics) -> bool:
    """Return whether a round's figures are finite and of at least one game."""
    figures = wave.metrics
    share, games = figures[pairing.metric], figures[pairing.count]
    deviation = figures.get(pairing.deviation, 0.0)
    return 0 <= share <= 1 and 1 <= games < math.inf and math.isfinite(deviation)


def _pairing_result(pairing: MatchPairing, played: Sequence[WaveMetrics]) -> PairingResult:
    ends = [_interval(pairing, wave) for wave in played]
    low, high = ends[-1]
    last = played[-1].metrics
    trend = ""
    if any(low > earlier_high for _, earlier_high in ends[:-1]):
        trend = "rising"
    if any(high < earlier_low for earlier_low, _ in ends[:-1]):
        trend = "falling"
    return PairingResult(
        pairing,
        played[-1].episodes,
        last[pairing.metric],
        (low, high),
        int(last[pairing.count]),
        trend,
    )


def _interval(pairing: MatchPairing, wave: WaveMetrics) -> tuple[float, float]:
    """Return Wilson's interval for the number of won or lost games with the same variance."""
    figures = wave.metrics
    share, games = figures[pairing.metric], figures[pairing.count]
    variance = figures.get(pairing.deviation, 0.0) ** 2
    if variance > 0:
        games *= max(1.0, share * (1 - share) / variance)
    return wilson_interval(share * games, games)


def progress(waves: Sequence[WaveMetrics], players: int = 2) -> list[str]:
    """Return a line for the network alone and one for the network with search, if they played.

    An even share is named if the game has over two `players`.
    """
    lines: list[str] = []
    found = pairing_results(waves)
    for player in dict.fromkeys(one.pairing.player for one in found):
        shares = [one.words() for one in found if one.pairing.player == player]
        how = "alone" if player == ALONE else "with_search"
        line = say(f"training.wins_{how}", list=shares)
        lines.append(with_even(line, 1 / players) if players > 2 else line)
    return lines


def with_even(result: str, share: float) -> Sentence:
    """Return a result that names the even share."""
    return say("training.even", result=result, n=100 * share)


# ------------------------------------------------------------ changes of metrics


@dataclass(frozen=True)
class MetricSummary:
    """A metric whose first and last values are shown."""

    name: str  # of the metric
    words: str  # description for the user
    form: str  # format string of a value
    better: int = 0  # 1: higher is better, -1: lower is better, 0: neither


FIGURES = (
    MetricSummary("unseen/policy", "policy's loss on games not seen before", "{:.3f}", -1),
    MetricSummary("unseen/search_entropy", "  of which the search's own spread", "{:.3f}"),
    MetricSummary("unseen/agreement", "policy's best action is the search's", "{:.0%}", 1),
    MetricSummary("unseen/value", "critic's loss on games not seen before", "{:.3f}", -1),
    MetricSummary("unseen/value_explained", "results that the critic foresees", "{:.0%}", 1),
    MetricSummary("unseen/policy_entropy", "spread of the policy (entropy)", "{:.2f}"),
    MetricSummary("unseen/shares", "loss of the shares, labels not seen before", "{:.3f}", -1),
    MetricSummary("unseen/gained", "share gained by choosing among siblings", "{:.2%}", 1),
)


def worsened(waves: Sequence[WaveMetrics]) -> list[str]:
    """Return the figures that got worse over the run, as text with both values."""
    found = []
    for figure in FIGURES:
        first, last = ends_of(waves, figure.name) or (0.0, 0.0)
        before, after = figure.form.format(first), figure.form.format(last)
        if is_worse(figure.better, first, last) and before != after:
            found.append(f"{figure.words} {before} -> {after}")
    return found


def is_worse(better: int, first: float, last: float) -> bool:
    """Return whether a figure got worse; see `MetricSummary.better` and `WORSE_RATIO`."""
    return -better * (last - first) > (WORSE_RATIO - 1) * abs(first)


def ends_of(waves: Sequence[WaveMetrics], name: str) -> tuple[float, float] | None:
    """Return the means of a metric over the first and last fifth of the waves that have it.

    None if no wave has it; two equal values if one wave has it.
    """
    values = [wave.metrics[name] for wave in waves if name in wave.metrics]
    if not values:
        return None
    part = max(1, len(values) // 5)
    return sum(values[:part]) / part, sum(values[-part:]) / part


def quarter(waves: Sequence[WaveMetrics], number: int) -> Sequence[WaveMetrics]:
    """Return quarter `number` of the waves, 0 to 3."""
    return waves[number * len(waves) // 4 : (number + 1) * len(waves) // 4]


def recent(waves: Sequence[WaveMetrics]) -> Sequence[WaveMetrics]:
    """Return the waves of the last `RECENT_EPISODES` episodes."""
    last = waves[-1].episodes
    return [wave for wave in waves if wave.episodes > last - RECENT_EPISODES]


def mean_of(waves: Sequence[WaveMetrics], name: str) -> float | None:
    """Return the mean of a metric over the waves that have it; None if no wave has it."""
    values = [wave.metrics[name] for wave in waves if name in wave.metrics]
    return sum(values) / len(values) if values else None
