"""The agent of the spec `engine:COMMAND`: another program that speaks one of four protocols."""

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

USUAL = {"hex": "gtp", "gomoku": "piskvork", "reversi": "nboard"}
"""The protocol that programs of a game speak, if none is named; for all others, `json`."""


class EngineAgent:
    """A program that plays; started when it is needed, ended by `close`."""

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
        """`called`: its name in messages, in place of the command; `seeded`: send it the game's
        seed, also by a command that is not of its protocol.

        Raises SpecError where there is no such program, or it cannot be told this game.
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
        self._is_new = True  # whether the game that comes has not been told
        try:
            self._make(_Unconnected())
        except UsageError as error:
            raise SpecError(f"engine: {error}") from None

    @property
    def name(self) -> str:
        """What the program says that it is called; "" before it was started."""
        return self._controller.name if self._controller else ""

    def begin(self, seed: int) -> None:
        """A new game; a program that has failed in the last one is started anew."""
        self.analysis = None
        self._seed, self._is_new = seed, True

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """The program's move.

        Raises EngineError where it fails: it is ended then, and the game is lost. Raises Stopped
        where `stop` says so, and the program cannot be told to answer at once.
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
        """The line to the program, which knows that this game is played."""
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
    """The agent of `engine:COMMAND`. Raises SpecError."""
    protocol = str(options["protocol"])
    if protocol == "auto":
        protocol = USUAL.get(game.name, "json")
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
    """By protocol, what makes the line to a program."""
    return {
        "gtp": lambda channel: GtpController(channel, game, limits),
        "piskvork": lambda channel: PiskvorkController(channel, game, limits, seeded=seeded),
        "nboard": lambda channel: NBoardController(channel, game, limits, depth, seeded=seeded),
        "json": lambda channel: JsonLinesController(channel, game, limits, simulations),
    }


class _Unconnected:
    """A line to nobody, to see whether a protocol has words for a game."""

    def send(self, line: str) -> None:
        raise AssertionError("nothing is said before the program is started")

    def receive(self, deadline: float, stop: Callable[[], bool] | None = None) -> str:
        raise AssertionError("nothing is heard before the program is started")


def _analysis(position: Position, answer: EngineAnswer, seconds: float) -> Analysis:
    """What a program tells of its move, as other agents report theirs."""
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
