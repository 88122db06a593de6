"""Drives a program that speaks JSON lines, in any game, without what its seat must not know."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from meeple.errors import EngineError, shown
from meeple.games.contract.game import Game, Position
from meeple.protocols.controller import (
    MAX_LINES,
    Channel,
    EngineAnswer,
    EngineLimits,
    action_named,
    refused,
    unexpected_line,
)
from meeple.protocols.json_lines.language import (
    MAX_SIMULATIONS,
    VERSION,
    WANTS,
    Malformed,
    counts_in,
    decode,
    encode,
    shares_in,
    whole_in,
)
from meeple.protocols.json_lines.positions import Teller

_STOP_SECONDS = 2.0  # in which a program must choose after `stop`


class JsonLinesController:
    """A program that plays any game by JSON lines."""

    def __init__(
        self, channel: Channel, game: Game, limits: EngineLimits, simulations: int | None = None
    ) -> None:
        """Create the controller. Raises UsageError if a game with hidden state has no sampler."""
        self.name = ""
        self._channel, self._game, self._limits = channel, game, limits
        self._simulations = simulations
        self._teller, self._seed = Teller(game), 0
        self._wants: frozenset[str] = frozenset(WANTS) - {"seen"}

    def start(self) -> None:
        """Exchange `hello`: learn the program's name and the fields that it wants."""
        deadline = self._limits.answer_deadline()
        message = self._ask(encode("hello", protocol=VERSION), "hello", deadline)
        self.name = str(message.get("name", ""))[:100]
        wants = message.get("wants")
        if isinstance(wants, list):
            self._wants = frozenset(want for want in wants if isinstance(want, str)) & set(WANTS)

    def begin(self, seed: int) -> None:
        """Send the game, its options and the seed."""
        self._seed = seed
        self._teller.begin(seed)
        game = encode("game", game=self._game.name, options=dict(self._game.options), seed=seed)
        self._ask(game, "ready", self._limits.answer_deadline())

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> EngineAnswer:
        """Return the program's move; after `stop`, the best move so far."""
        if position.game != self._game:  # another board size or starting player
            self._game, self._teller = position.game, Teller(position.game)
            self.begin(self._seed)
        self._channel.send(encode("position", **self._teller.fields(position, self._wants)))
        stopped_at: list[float] = []  # the time of `stop`, once it was sent

        def must_stop() -> bool:
            if not stopped_at and stop is not None and stop():
                stopped_at.append(time.monotonic())
                self._channel.send(encode("stop"))
            return bool(stopped_at) and time.monotonic() > stopped_at[0] + _STOP_SECONDS

        go = encode("go", seconds=self._limits.seconds, simulations=self._simulations)
        message = self._ask(go, "bestmove", self._limits.deadline(), must_stop)
        return self._answer(position, message)

    def farewell(self) -> tuple[str, ...]:
        return (encode("quit"),)

    def _answer(self, position: Position, message: Mapping[str, Any]) -> EngineAnswer:
        name = message.get("action")
        if not isinstance(name, str):
            raise EngineError(f"its move is {shown(name)}, which is no text", "rubbish")
        action = action_named(position, name)
        message = {field: value for field, value in message.items() if value is not None}
        try:
            return EngineAnswer(
                action,
                value=shares_in(message, "value", self._game.players),
                simulations=whole_in(message, "simulations", 0, MAX_SIMULATIONS, 0),
                visits=_visits(position, counts_in(message, "visits")),
            )
        except Malformed as error:
            raise EngineError(f"its move is malformed: {error}", "rubbish") from None

    def _ask(
        self, line: str, expected: str, deadline: float, stop: Callable[[], bool] | None = None
    ) -> dict[str, Any]:
        """Send a message and return the next one of the expected type; skip others but errors."""
        self._channel.send(line)
        for _ in range(MAX_LINES):
            reply = self._channel.receive(deadline, stop)
            if not reply.strip():
                continue
            try:
                message = decode(reply)
            except Malformed:
                raise unexpected_line(reply, f"a message of the type {expected!r}") from None
            if message["type"] == "error":
                raise refused(repr(decode(line)["type"]), str(message.get("error", "")))
            if message["type"] == expected:
                return message
        raise EngineError(f"it writes {MAX_LINES:,} lines and no {expected!r}", "rubbish")


def _visits(position: Position, counts: Mapping[str, int]) -> dict[int, int]:
    """Return the visits of the legal actions."""
    named = {position.action_name(action): action for action in position.legal_actions().tolist()}
    return {named[name]: count for name, count in counts.items() if name in named}
