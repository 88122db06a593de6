"""Agents that fail in every way that an external program can."""

from collections.abc import Callable

import meeple
from meeple.agents.agent import Analysis
from meeple.errors import EngineError


class Program:
    """Plays the first legal action, fails at choice `at`; records instances and closings."""

    closed: list["Program"] = []
    made: list["Program"] = []

    def __init__(self, kind: str = "", at: int = 2):
        self.spec = "program"
        self.analysis: Analysis | None = None
        self._kind, self._at = kind, at
        self._choices = 0
        Program.made.append(self)

    def begin(self, seed: int):
        if self._kind == "start":
            raise EngineError("the program does not start", "start")

    def choose(self, position: meeple.Position, stop: Callable[[], bool] | None = None) -> int:
        self._choices += 1
        if self._kind and self._choices == self._at:
            raise EngineError(f"the program failed by {self._kind}", self._kind)
        return int(position.legal_actions()[0])

    def close(self):
        Program.closed.append(self)
