"""The agent of the spec `engine:COMMAND`: another program, by one of four protocols."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.agents.engine.process import EngineProcess, words_of
from meeple.errors import EngineError, Stopped, UsageError
from meeple.games.contract.game import Game, Position
from meeple.protocols.controller import Channel, Controller, EngineAnswer, EngineLimits
from meeple.protocols.gtp.controller import GtpController
from meeple.protocols.json_lines.controller import JsonLinesController
from meeple.protocols.nboard.controller import NBoardController
from meeple.protocols.piskvork.controller import PiskvorkController

DEFAULT_PROTOCOLS = {"hex": "gtp", "gomoku": "piskvork", "reversi": "nboard"}
"""The protocol of engines of each game if the spec names none; of other games, `json`."""


class EngineAgent:
    """An agent that is another program, started at its first move and ended by `close`."""

    def __init__(self, game: Game, command: str, options: Mapping[str, Any], seed: int) -> None:
        """Make the agent; the program is not started yet.

        Args:
            game: the game to play.
            command: the program and its arguments.
            options: the keys of a spec, as in `kinds.py`.
            seed: of the first game.

        Raises:
            SpecError: there is no such program.
            UsageError: the protocol cannot express this game.
        """
        self._called = options.get("name")
        self.spec = f"engine:{command}"
        self.analysis: Analysis | None = None
        self._words = words_of(command)
        self._protocol = str(options["protocol"])
        if self._protocol == "auto":
            self._protocol = DEFAULT_PROTOCOLS.get(game.name, "json")
        self._make = _controllers(game, options)[self._protocol]
        self._patience = options["grace"]
        self._seed = seed
        self._process: EngineProcess | None = None
        self._controller: Controller | None = None
        self._is_new = True  # whether the program must be sent the next game
        self._make(_Unconnected())

    @property
    def name(self) -> str:
        """The name that the program reports; "" before it is started."""
        return self._controller.name if self._controller else ""

    def begin(self, seed: int) -> None:
        """Start another game; a program that failed in the last one is started again."""
        self.analysis = None
        self._seed, self._is_new = seed, True

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return the program's move.

        Raises:
            EngineError: the program failed; it is ended, and the game is lost.
            Stopped: `stop` returned True, and the protocol has no command to answer at once.
        """
        started = time.perf_counter()
        try:
            controller = self._ready()
            answer = controller.choose(position, stop)
            if answer.action not in position.legal_actions():
                name = _name(position, answer.action)
                raise EngineError(f"it plays {name}, which the rules do not allow", "illegal")
        except EngineError as error:
            self.close(kindly=error.fault != "time")
            raise EngineError(f"{self._who}: {error}", error.fault) from error
        except Stopped:
            self.close()
            raise
        self.analysis = _analysis(position, answer, time.perf_counter() - started)
        return answer.action

    def close(self, *, kindly: bool = True) -> None:
        """End the program; the next game starts it again.

        Args:
            kindly: whether to send it the quit command first and wait a second.
        """
        process, self._process = self._process, None
        if process is not None:
            farewell = self._controller.farewell() if self._controller else ()
            process.close(farewell if kindly else None)
        self._controller, self._is_new = None, True

    def _ready(self) -> Controller:
        """Return the controller of the running program, with the game begun."""
        if self._process is not None and not self._process.is_alive:
            self.close()
        if self._process is None or self._controller is None:
            self._process = EngineProcess(self._words, self._patience)
            self._controller = self._make(self._process)
            self._controller.start()
        if self._is_new:
            self._controller.begin(self._seed)
            self._is_new = False
        return self._controller

    @property
    def _who(self) -> str:
        known = f" ({self.name})" if self.name else ""
        return f"the engine {self._called or self._words[0]}{known}, by {self._protocol}"


def _controllers(
    game: Game, options: Mapping[str, Any]
) -> dict[str, Callable[[Channel], Controller]]:
    """Return what makes the controller of each protocol."""
    limits = EngineLimits(options.get("seconds"), options["grace"])
    seeded = options["seeded"] == "on"
    depth, simulations = options.get("depth"), options.get("sims")
    return {
        "gtp": lambda channel: GtpController(channel, game, limits),
        "piskvork": lambda channel: PiskvorkController(channel, game, limits, seeded=seeded),
        "nboard": lambda channel: NBoardController(channel, game, limits, depth, seeded=seeded),
        "json": lambda channel: JsonLinesController(channel, game, limits, simulations),
    }


class _Unconnected:
    """A channel without a program, to check whether a protocol can express a game."""

    def send(self, line: str) -> None:
        raise AssertionError("nothing is sent before the program is started")

    def receive(self, deadline: float, stop: Callable[[], bool] | None = None) -> str:
        raise AssertionError("nothing is received before the program is started")


def _analysis(position: Position, answer: EngineAnswer, seconds: float) -> Analysis:
    """Return what a program reported of its move, as an analysis."""
    actions = np.array(sorted({answer.action, *answer.visits}), dtype=np.int32)
    visits = np.array([answer.visits.get(int(action), 0) for action in actions], dtype=np.int64)
    total = int(visits.sum())
    policy = visits / total if total else (actions == answer.action)
    return Analysis(
        actions=actions,
        visits=visits,
        policy=np.asarray(policy, dtype=np.float32),
        value=None if answer.value is None else np.array(answer.value),
        principal_variation=(answer.action, *answer.principal_variation[1:]),
        simulations=answer.simulations,
        seconds=seconds,
    )


def _name(position: Position, action: int) -> str:
    try:
        return position.action_name(action)
    except (UsageError, LookupError):
        return str(action)
