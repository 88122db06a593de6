"""The session of an engine: a game, an agent, a position and time limits."""

import threading
import time
from dataclasses import replace

import numpy as np

from meeple.agents.agent import Agent, Analysis
from meeple.agents.spec import agent as make_agent
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make_from

_SPARE_FRACTION = 0.05  # part of the time for a move that is reserved for writing it
_MIN_SPARE_SECONDS = 0.02


class EngineSession:
    """A game that is played with an agent; a method that raises changes nothing."""

    def __init__(
        self, spec: str, game: Game, seed: int = 0, hurry: threading.Event | None = None
    ) -> None:
        """Create the session.

        Args:
            spec: the agent's spec.
            game: the game.
            seed: of the agent and of chance.
            hurry: the event of the session that this one replaces, if any.

        Raises:
            SpecError: the spec is wrong.
            CheckpointError: its network cannot be loaded.
        """
        self.spec, self.seed = spec, seed
        self.game = game
        self.agent: Agent = make_agent(spec, game, seed)
        self.hurry = threading.Event() if hurry is None else hurry
        """Set while the agent searches to make it choose at once; `look_ahead` clears it before the
        next search."""
        self._begin()

    def _begin(self) -> None:
        self.position: Position = self.game.start(self.seed)
        self.analysis: Analysis | None = None
        self._analysed: tuple[int, ...] | None = None
        self.agent.begin(self.seed)

    # ------------------------------------------------------------ the game

    def restart(self, *, seed: int | None = None, **options: object) -> None:
        """Begin a new game with changed options. Raises MeepleError."""
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
        """Take the last action back. Raises UsageError if there is none."""
        if not self.position.actions:
            raise UsageError("there is nothing to take back")
        self.position.undo()

    # ------------------------------------------------------------ thinking

    def think(self, seconds: float | None = None) -> int:
        """Return the agent's choice, within `seconds` if the agent stops on request.

        Raises:
            UsageError: the game is over; also the errors of the agent.
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
        """Return the agent's analysis of the position, after a search if there is none yet.

        Raises:
            UsageError: the agent gives no analysis, or the game is over.
        """
        if self._analysed != self.position.actions:
            self.think(seconds)
        if self.analysis is None:
            raise UsageError(f"{self.spec} gives no analysis")
        return self.analysis


def _finite(found: Analysis | None) -> Analysis | None:
    """Return an analysis without a value that is not finite, which no protocol can express."""
    if found is None or found.value is None or np.isfinite(found.value).all():
        return found
    return replace(found, value=None)


def sentence(error: MeepleError) -> str:
    """Return the message of an error as one line."""
    return " ".join(str(error).split())
