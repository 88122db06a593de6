"""Who meets whom in the matches of a run, and how their results stand among a wave's figures."""

from collections.abc import Mapping
from dataclasses import dataclass

ALONE, SEARCH = "alone", "search"  # how the network plays
START = "start"  # an opponent's name: the network before the first episode


@dataclass(frozen=True)
class Pairing:
    """How the network plays, and against whom."""

    player: str  # ALONE or SEARCH
    opponent: str

    @property
    def metric(self) -> str:
        """Its name among the figures of a wave: the mean share of the win, from 0 to 1."""
        return f"match/{self.player}/{self.opponent}"

    @property
    def count(self) -> str:
        """The name of the number of games."""
        return f"{self.metric}/games"

    @property
    def deviation(self) -> str:
        """The name of the standard deviation of a game's share."""
        return f"{self.metric}/deviation"


def pairings_in(metrics: Mapping[str, float]) -> list[Pairing]:
    """The pairings that a wave's figures have results of, in their order there."""
    found = []
    for name in metrics:
        parts = name.split("/", 2)
        if len(parts) == 3 and parts[0] == "match" and f"{name}/games" in metrics:
            found.append(Pairing(parts[1], parts[2]))
    return found
