"""The engine of JSON lines: `meeple engine json`, for every game and every agent."""

import re
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from meeple.agents.agent import Analysis
from meeple.engines.session import EngineSession, sentence
from meeple.errors import MeepleError, UsageError
from meeple.files import version
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import legal_line
from meeple.games.contract.registry import game_names, make_from
from meeple.games.contract.seat_position import SeatPosition
from meeple.protocols.json_lines.language import (
    VERSION,
    Malformed,
    decode,
    encode,
    seconds_in,
    text_in,
    whole_in,
)
from meeple.protocols.json_lines.positions import Listener

_INFO_SECONDS = 1.0  # between two `info` messages with the elapsed time
_MAX_SIMULATIONS = 100_000_000
_TYPE = re.compile(r'"type"\s*:\s*"(\w+)"')
_SEARCHED_CHARS = 1000  # characters of a line that are searched for the message's type


class JsonLinesEngine:
    """An agent that answers JSON lines."""

    def __init__(self, spec: str, game: Game, seed: int = 0) -> None:
        """Create the engine with a first game. Raises SpecError for a spec."""
        self.ended = False
        self._session = EngineSession(spec, game, seed)
        self._listener = Listener(game)

    def handle(self, line: str) -> Iterator[str]:
        """Yield the answers to a message; a refused message gives `error` and changes nothing."""
        if not line.strip():
            return
        try:
            for message in self._answers(decode(line)):
                yield f"{message}\n"
        except MeepleError as error:
            yield f"{encode('error', error=sentence(error))}\n"

    def look_ahead(self, line: str) -> None:
        """Make the agent choose at once after `stop` or `quit`."""
        found = _TYPE.search(line[:_SEARCHED_CHARS])
        if found and found[1] in ("stop", "quit"):
            self._session.hurry.set()
        elif found and found[1] == "go":
            self._session.hurry.clear()

    def input_ended(self) -> None:
        """Make the agent choose at once, as no caller waits for a better move."""
        self._session.hurry.set()

    def _answers(self, message: dict[str, Any]) -> Iterator[str]:
        match message["type"]:
            case "hello":
                whole_in(message, "protocol", 1, VERSION, VERSION)
                yield encode(
                    "hello",
                    protocol=VERSION,
                    name=f"Meeple {version()}",
                    agent=self._session.spec,
                    games=list(game_names()),
                    wants=["seen"],
                )
            case "game":
                self._set_game(message)
                yield encode("ready", players=self._session.game.players)
            case "position":
                self._session.position = self._listener.follow(message)
            case "go":
                yield from self._go(message)
            case "show":
                yield encode("board", text=self._board())
            case "ping":
                yield encode("pong", id=message.get("id"))
            case "stop":
                pass  # handled by `look_ahead`
            case "quit":
                self.ended = True
            case other:
                raise Malformed(f"there is no message of the type {other[:40]!r}")

    def _set_game(self, message: dict[str, Any]) -> None:
        name, options = text_in(message, "game"), message.get("options", {})
        if not isinstance(options, dict):
            raise Malformed("'options' must be an object")
        seed = whole_in(message, "seed", 0, 2**63 - 1, self._session.seed)
        session = self._session
        if name != session.game.name or any(
            session.game.options.get(key) != value for key, value in options.items()
        ):
            self._session = EngineSession(
                session.spec, make_from(name, options), seed, session.hurry
            )
        else:
            session.restart(seed=seed)
        self._listener = Listener(self._session.game)

    def _board(self) -> str:
        position = self._session.position
        if isinstance(position, SeatPosition):
            return position.game.view(position, position.seat)
        return str(position)

    def _go(self, message: dict[str, Any]) -> Iterator[str]:
        """Yield `info` messages and the agent's choice."""
        seconds = seconds_in(message, "seconds")
        simulations = whole_in(message, "simulations", 1, _MAX_SIMULATIONS, 1)
        if self._session.game.hides and not isinstance(self._session.position, SeatPosition):
            raise UsageError("there is no position yet: a message 'position' comes first")
        agent: Any = self._session.agent
        usual = getattr(agent, "simulations", None)
        if "simulations" in message and hasattr(agent, "simulations"):
            agent.simulations = simulations
        started = time.monotonic()
        try:
            with ThreadPoolExecutor(1) as pool:
                search = pool.submit(self._session.think, seconds)
                while not wait([search], _INFO_SECONDS).done:
                    yield encode("info", elapsed=round(time.monotonic() - started, 2))
                action = _result(search, self._session.position)
        finally:
            if hasattr(agent, "simulations"):
                agent.simulations = usual
        position, found = self._session.position, self._session.analysis
        fields = {} if found is None else _analysis_fields(position, found)
        if fields:
            yield encode("info", **fields)
        yield encode("bestmove", action=position.action_name(action), **fields)


def _result(search: "Future[int]", position: Position) -> int:
    """Return the chosen action. Raises Malformed if the messages contradict the rules."""
    try:
        return search.result()
    except (AssertionError, LookupError, ArithmeticError, ValueError) as error:
        if isinstance(error, MeepleError) or not isinstance(position, SeatPosition):
            raise
        # The position consists of steps that the controller sent, which may be impossible.
        raise Malformed("the steps in 'seen' cannot happen in this game") from error


def _analysis_fields(position: Position, found: Analysis) -> dict[str, Any]:
    names = [position.action_name(action) for action in found.actions.tolist()]
    fields: dict[str, Any] = {
        "simulations": found.simulations,
        "seconds": round(found.seconds, 4),
        "value": None if found.value is None else [round(x, 5) for x in found.value.tolist()],
        "policy": {
            name: round(share, 5)
            for name, share in zip(names, found.policy.tolist(), strict=True)
            if share > 0
        },
    }
    if found.depth is not None:
        fields["depth"] = found.depth
    if found.visits.any():
        fields["visits"] = {
            name: count for name, count in zip(names, found.visits.tolist(), strict=True) if count
        }
    line = legal_line(position, found.principal_variation)
    fields["expected"] = [walk.action_name(action) for walk, action in line]
    return fields
