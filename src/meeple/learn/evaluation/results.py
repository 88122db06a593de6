"""How a run's network fares against fixed opponents, by its rounds of matches, in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from meeple.arena.statistics import wilson_interval
from meeple.learn.evaluation.pairing import ALONE, Pairing, pairings_in
from meeple.learn.run.schema import WaveMetrics


@dataclass(frozen=True)
class Standing:
    """How the network fares in one pairing, by its last round of matches."""

    pairing: Pairing
    episodes: int  # played before the round
    share: float  # mean share of the win
    interval: tuple[float, float]  # 95 %
    games: int
    trend: str  # "rising" or "falling" where that is shown since an earlier round; else ""

    def words(self) -> str:
        """Such as "41 % of 40 games against uct:sims=100 (33 to 50, rising)"."""
        low, high = (f"{100 * end:.0f}" for end in self.interval)
        trend = self.trend and f", {self.trend}"
        games = f"{self.games} game{'' if self.games == 1 else 's'}"
        return (
            f"{100 * self.share:.0f} % of {games} against {self.pairing.opponent} "
            f"({low} to {high}{trend})"
        )


def standings(waves: Sequence[WaveMetrics]) -> list[Standing]:
    """How the network fares in every pairing, by its last round in these waves.

    Figures that no games can have, as of a file that is damaged, are left out.
    """
    rounds: dict[Pairing, list[WaveMetrics]] = {}
    for wave in waves:
        for pairing in pairings_in(wave.metrics):
            if _can_be(pairing, wave):
                rounds.setdefault(pairing, []).append(wave)
    return [_standing(pairing, played) for pairing, played in rounds.items()]


def _can_be(pairing: Pairing, wave: WaveMetrics) -> bool:
    """Whether a round's figures are those of games: all finite, and a share of at least one."""
    figures = wave.metrics
    share, games = figures[pairing.metric], figures[pairing.count]
    deviation = figures.get(pairing.deviation, 0.0)
    return 0 <= share <= 1 and 1 <= games < math.inf and math.isfinite(deviation)


def _standing(pairing: Pairing, played: Sequence[WaveMetrics]) -> Standing:
    ends = [_interval(pairing, wave) for wave in played]
    low, high = ends[-1]
    last = played[-1].metrics
    trend = ""
    if any(low > earlier_high for _, earlier_high in ends[:-1]):
        trend = "rising"
    if any(high < earlier_low for earlier_low, _ in ends[:-1]):
        trend = "falling"
    return Standing(
        pairing,
        played[-1].episodes,
        last[pairing.metric],
        (low, high),
        int(last[pairing.count]),
        trend,
    )


def _interval(pairing: Pairing, wave: WaveMetrics) -> tuple[float, float]:
    """Wilson's interval for as many games, won or lost, as would vary as these shares do."""
    figures = wave.metrics
    share, games = figures[pairing.metric], figures[pairing.count]
    variance = figures.get(pairing.deviation, 0.0) ** 2
    if variance > 0:
        games *= max(1.0, share * (1 - share) / variance)
    return wilson_interval(share * games, games)


def progress(waves: Sequence[WaveMetrics], players: int = 2) -> list[str]:
    """A line on how the network fares alone, and one on how with search; none without matches."""
    lines = []
    found = standings(waves)
    for player in dict.fromkeys(one.pairing.player for one in found):
        shares = [one.words() for one in found if one.pairing.player == player]
        how = "The network alone wins" if player == ALONE else "With search it wins"
        even = f"; even is {100 / players:.0f} %" if players > 2 else ""
        lines.append(f"{how} {', '.join(shares)}{even}")
    return lines
