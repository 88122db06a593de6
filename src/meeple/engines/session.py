"""What every engine has: a game, an agent, a position, and a clock to think by."""

import threading
import time
from dataclasses import replace

import numpy as np

from meeple.agents.agent import Agent, Analysis
from meeple.agents.spec import agent as make_agent
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make_from

_SPARE_FRACTION = 0.05  # of the time for a move, kept for writing it
_MIN_SPARE_SECONDS = 0.02  # seconds


class EngineSession:
    """A game that is played with an agent; whatever raises has changed nothing."""

    def __init__(
        self, spec: str, game: Game, seed: int = 0, hurry: threading.Event | None = None
    ) -> None:
        """`hurry`: of the session that this one replaces, if any.

        Raises SpecError, or what loading a network raises.
        """
        self.spec, self.seed = spec, seed
        self.game = game
        self.agent: Agent = make_agent(spec, game, seed)
        self.hurry = threading.Event() if hurry is None else hurry
        """Set by who reads lines ahead while the agent thinks, so that it chooses at once, and
        cleared by it where the next thought is asked for."""
        self._begin()

    def _begin(self) -> None:
        self.position: Position = self.game.start(self.seed)
        self.analysis: Analysis | None = None
        self._analysed: tuple[int, ...] | None = None
        self.agent.begin(self.seed)

    # ------------------------------------------------------------ the game

    def restart(self, *, seed: int | None = None, **options: object) -> None:
        """A new game, with these options changed. Raises MeepleError."""
        if any(self.game.options.get(name) != value for name, value in options.items()):
            game = make_from(self.game.name, {**self.game.options, **options})
            self.agent = make_agent(self.spec, game, self.seed if seed is None else seed)
            self.game = game
        if seed is not None:
            self.seed = seed
        self._begin()

    def play(self, action: int) -> None:
        """Play an action. Raises IllegalAction."""
        self.position.play(action)

    def undo(self) -> None:
        """Take the last action back. Raises UsageError where there is none."""
        if not self.position.actions:
            raise UsageError("there is nothing to take back")
        self.position.undo()

    # ------------------------------------------------------------ thinking

    def think(self, seconds: float | None = None) -> int:
        """The agent's choice here, in so many seconds if it can.

        Raises UsageError where the game is over, and what the agent raises.
        """
        position = self.position
        if position.is_over:
            raise UsageError("the game is over")
        deadline = None
        if seconds is not None:
            spare = min(max(_SPARE_FRACTION * seconds, _MIN_SPARE_SECONDS), seconds / 2)
            deadline = time.monotonic() + seconds - spare

        def stop() -> bool:
            late = deadline is not None and time.monotonic() > deadline
            return late or self.hurry.is_set()

        action = self.agent.choose(position, stop)
        self.analysis = _finite(getattr(self.agent, "analysis", None))
        self._analysed = position.actions
        return action

    def analysed(self, seconds: float | None = None) -> Analysis:
        """What the agent makes of the position, after some thought if need be.

        Raises UsageError where it says nothing, or the game is over.
        """
        if self._analysed != self.position.actions:
            self.think(seconds)
        if self.analysis is None:
            raise UsageError(f"{self.spec} says nothing of how it judges")
        return self.analysis


def _finite(found: Analysis | None) -> Analysis | None:
    """An analysis without a value that is no number: no protocol has a word for it."""
    if found is None or found.value is None or np.isfinite(found.value).all():
        return found
    return replace(found, value=None)


def sentence(error: MeepleError) -> str:
    """An error as one line."""
    return " ".join(str(error).split())
