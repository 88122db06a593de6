"""Search results as JSON data for the page: rounded numbers, named actions."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Analysis
from meeple.agents.evaluators import strength_of
from meeple.agents.networks import PATHS, Catalogue
from meeple.agents.words import method_in_words
from meeple.games.contract.game import Position

DIGITS = 4


def thought_of(
    spec: str, position: Position, analysis: Analysis, catalogue: Catalogue = PATHS
) -> dict[str, Any]:
    """Return an analysis of this position as JSON data; unknown fields are None."""
    line = seen_line(position, analysis.principal_variation)
    values = analysis.action_values
    return {
        "spec": spec,
        "judge": method_in_words(spec, position.game, catalogue),
        "strength": strength_of(position.game, spec),
        "actions": analysis.actions.tolist(),
        "names": [position.action_name(action) for action in analysis.actions.tolist()],
        "reasons": [analysis.reasons.get(action) for action in analysis.actions.tolist()],
        "labels": [analysis.labels.get(action) for action in analysis.actions.tolist()],
        "visits": analysis.visits.tolist(),
        "policy": _numbers(analysis.policy),
        "raw": None if analysis.prior is None else _numbers(analysis.prior),
        "value": None if analysis.value is None else _numbers(analysis.value),
        "action_values": None if values is None else [_numbers(row) for row in values],
        "line": [action for action, _ in line],
        "line_names": [name for _, name in line],
        "simulations": analysis.simulations,
        "depth": analysis.depth,
        "proven": analysis.proven,
        "seconds": _number(analysis.seconds),
    }


def seen_line(position: Position, line: Iterable[int]) -> list[tuple[int, str]]:
    """Return the actions of a principal variation with their names.

    It ends before a chance node and, in a game with hidden information, before the first action of
    another seat.
    """
    walk, mover, named = position.copy(), position.to_move, []
    for action in line:
        if walk.to_move < 0 or (walk.game.hides and walk.to_move != mover):
            break
        if action not in walk.legal_actions():
            break
        named.append((int(action), walk.action_name(action)))
        walk.play(action)
    return named


def _numbers(values: npt.NDArray[Any]) -> list[float | None]:
    return [_number(value) for value in values.tolist()]


def _number(value: float) -> float | None:
    return round(value, DIGITS) if math.isfinite(value) else None


@dataclass
class Totals:
    """The combined result of several searches of one position.

    A search that continues the previous tree adds only its simulations and seconds.
    """

    simulations: int = 0
    seconds: float = 0.0
    _weight: float = 0.0  # simulations behind `_value`
    _value: Any = None  # [players], sum
    _visits: dict[int, int] = field(default_factory=dict)
    _sums: dict[int, npt.NDArray[np.float64]] = field(default_factory=dict)  # [players] each
    _lines: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by their first action

    def add(self, found: Analysis, begins_anew: bool) -> Analysis:
        """Add a search and return the combined result."""
        self.simulations += found.simulations
        self.seconds += found.seconds
        if begins_anew and not found.proven:  # an exact value is no mean
            found = self._merged(found)
        lengths = {"simulations": self.simulations, "seconds": self.seconds}
        return Analysis(**{**vars(found), **lengths})

    def _merged(self, found: Analysis) -> Analysis:
        """Merge an independent search: add the visits, and weight the values by them."""
        for index, action in enumerate(found.actions.tolist()):
            visits = int(found.visits[index])
            self._visits[action] = self._visits.get(action, 0) + visits
            if visits and found.action_values is not None:
                sums = visits * found.action_values[index]
                self._sums[action] = self._sums.get(action, 0.0) + sums
        if found.value is not None:
            self._weight += found.simulations
            self._value = (0.0 if self._value is None else self._value) + (
                found.simulations * found.value
            )
        self._lines[found.principal_variation[0]] = found.principal_variation
        actions = sorted(self._visits)
        visits_of = np.array([self._visits[action] for action in actions], dtype=np.int64)
        best = max(
            actions, key=lambda one: (self._visits[one], one == found.principal_variation[0])
        )
        unknown = np.full(len(found.value) if found.value is not None else 0, np.nan)
        values = [
            self._sums[action] / self._visits[action] if action in self._sums else unknown
            for action in actions
        ]
        return Analysis(
            actions=np.array(actions, dtype=np.int32),
            visits=visits_of,
            policy=(visits_of / max(1, visits_of.sum())).astype(np.float32),
            value=None if self._value is None else self._value / max(1.0, self._weight),
            principal_variation=self._lines.get(best, (best,)),
            simulations=self.simulations,
            seconds=self.seconds,
            depth=found.depth,
            proven=found.proven,
            action_values=None if found.action_values is None else np.array(values),
        )
