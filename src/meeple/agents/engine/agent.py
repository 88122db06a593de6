"""The agent of the spec `engine:COMMAND`: another program, by one of four protocols."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.agents.engine.process import EngineProcess, words_of
from meeple.errors import EngineError, SpecError, Stopped, UsageError
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

    def __init__(
        self,
        command: str,
        game: Game,
        protocol: str,
        limits: EngineLimits,
        *,
        depth: int | None = None,
        simulations: int | None = None,
        seeded: bool = False,
        called: str | None = None,
        seed: int = 0,
    ) -> None:
        """Make the agent; the program is not started yet.

        Args:
            command: the program and its arguments.
            game: the game to play.
            protocol: "gtp", "piskvork", "nboard" or "json".
            limits: seconds a move, and seconds of grace.
            depth: plies to search, for NBoard; None: the program's default.
            simulations: a move, for JSON lines; None: the program's default.
            seeded: send the game's seed, by a command that the protocol lacks.
            called: the name in messages; None: the command.
            seed: of the first game.

        Raises:
            SpecError: there is no such program, or the protocol cannot express this game.
        """
        self._called = called
        self.spec = f"engine:{command}"
        self.analysis: Analysis | None = None
        self._words = words_of(command)
        self._game = game
        self._make = _controllers(game, limits, depth, simulations, seeded)[protocol]
        self._patience = limits.grace
        self._protocol = protocol
        self._seed = seed
        self._process: EngineProcess | None = None
        self._controller: Controller | None = None
        self._is_new = True  # whether the program must be sent the next game
        try:
            self._make(_Unconnected())
        except UsageError as error:
            raise SpecError(f"engine: {error}") from None

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


def make_engine(game: Game, path: str, options: Mapping[str, Any], seed: int) -> EngineAgent:
    """Make the agent of `engine:COMMAND`. Raises SpecError as `EngineAgent`."""
    protocol = str(options["protocol"])
    if protocol == "auto":
        protocol = DEFAULT_PROTOCOLS.get(game.name, "json")
    limits = EngineLimits(options.get("seconds"), options["grace"])
    return EngineAgent(
        path,
        game,
        protocol,
        limits,
        depth=options.get("depth"),
        simulations=options.get("sims"),
        seeded=options["seeded"] == "on",
        called=options.get("name"),
        seed=seed,
    )


def _controllers(
    game: Game, limits: EngineLimits, depth: int | None, simulations: int | None, seeded: bool
) -> dict[str, Callable[[Channel], Controller]]:
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
