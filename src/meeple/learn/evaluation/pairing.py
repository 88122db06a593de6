"""The pairings of a run's matches, and the names of their results among a wave's metrics."""

from collections.abc import Mapping
from dataclasses import dataclass

ALONE, SEARCH = "alone", "search"  # the network plays by its policy, or with search
START = "start"  # name of an opponent: the network before the first episode


@dataclass(frozen=True)
class Pairing:
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


def pairings_in(metrics: Mapping[str, float]) -> list[Pairing]:
    """Return the pairings with results among a wave's metrics, in their order."""
    found = []
    for name in metrics:
        parts = name.split("/", 2)
        if len(parts) == 3 and parts[0] == "match" and f"{name}/games" in metrics:
            found.append(Pairing(parts[1], parts[2]))
    return found
