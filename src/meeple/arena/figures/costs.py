"""Time, simulations and faults of agents over many games."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from meeple.arena.games.outcome import Outcome
from meeple.errors import FAULTS


@dataclass(frozen=True)
class Costs:
    """Mean time and simulations a move of one agent, and its faults."""

    ms_per_move: float
    """Wall clock, with a game at once for each worker; their first games left out."""
    simulations_per_move: float  # of the same games; 0 if it does not search
    faults: Mapping[str, int]
    """Games that it lost by failing, by kind (errors.FAULTS), without zeros."""

    def to_json(self) -> dict[str, Any]:
        """Return the costs as JSON, with `faults` if there are any."""
        found: dict[str, Any] = {"ms_per_move": self.ms_per_move}
        found["simulations_per_move"] = self.simulations_per_move
        return found | ({"faults": dict(self.faults)} if self.faults else {})


def costs_of(agent: int, outcomes: Iterable[Outcome]) -> Costs:
    """Return the costs of an agent in all its games."""
    mine = [outcome for outcome in outcomes if agent in outcome.lineup]
    warm = [outcome for outcome in mine if outcome.warm] or mine
    choices, seconds, simulations = 0, 0.0, 0
    for outcome in warm:
        for seat in (seat for seat, holder in enumerate(outcome.lineup) if holder == agent):
            choices += outcome.choices[seat]
            seconds += outcome.seconds[seat]
            simulations += outcome.simulations[seat]
    failed = Counter(
        outcome.fault.kind
        for outcome in mine
        if outcome.fault is not None and outcome.lineup[outcome.fault.seat] == agent
    )
    return Costs(
        1000 * seconds / choices if choices else 0.0,
        simulations / choices if choices else 0.0,
        {kind: failed[kind] for kind in FAULTS if failed[kind]},
    )


def first_faults(outcomes: Iterable[Outcome]) -> dict[tuple[int, str], str]:
    """Return the first message of each agent and kind of fault, in the order of the games."""
    found: dict[tuple[int, str], str] = {}
    for outcome in outcomes:
        if outcome.fault is not None:
            key = outcome.lineup[outcome.fault.seat], outcome.fault.kind
            found.setdefault(key, outcome.fault.message)
    return found


def faults_as_text(faults: Mapping[str, int]) -> str:
    """Return the games lost by faults as text: "3 lost by crash, 1 by time"; "" if none."""
    words = ", ".join(f"{count} by {kind}" for kind, count in faults.items())
    return words and f"lost by failing: {words}"
