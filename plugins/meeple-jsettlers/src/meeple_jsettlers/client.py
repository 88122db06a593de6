"""A client of a JSettlers server: a robot that the server invites, or a player at one table."""

import contextlib
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from meeple.errors import MeepleError
from meeple_jsettlers.seat import PATIENCE, MakeAgent, Seat
from meeple_jsettlers.state import State
from meeple_jsettlers.wire import NAMES, Connection, Kind, Message, parse, text_of

LOG = logging.getLogger(__name__)
PORT = 8880
VERSION, VERSION_NAME, BUILD = 2700, "2.7.00", "JM20260517"
"""The version that the client reports: the one whose protocol it follows."""
MIN_VERSION = 2500
"""The oldest server that reports robberies and cards in the messages read here."""
ROBOT_CLASS = "meeple.Robot"
_PAUSE = 0.02  # seconds without a message, after which the client acts
_IDLE = 1.0  # seconds of waiting outside of games
_MAX_WELCOME_SECONDS = 30.0  # for a server to name its version
_NO_PASSWORD = "\t"
_NEWS = ("0", "20", "21", "25")  # codes of a status that refuses nothing
_ALREADY_EXISTS, _SHUTDOWN = "11", "23"
_PROTOCOL = range(999, 1109)
"""Types of messages of version 2.7, of which many are for people or for other games."""
_MAX_UNKNOWN_NAMED = 10


@dataclass
class GameResult:
    """A finished game."""

    game: str
    won: bool
    points: int
    scores: dict[str, int] = field(default_factory=dict)  # by name

    def __str__(self) -> str:
        others = ", ".join(f"{name} {points}" for name, points in self.scores.items())
        return f"{self.game}: {'won' if self.won else 'lost'} with {self.points} points ({others})"


class Client:
    """Plays games on a server until `games` are finished."""

    def __init__(
        self,
        nick: str,
        make_agent: MakeAgent,
        *,
        host: str = "127.0.0.1",
        port: int = PORT,
        cookie: str | None = None,
        table: str | None = None,
        start: bool = False,
        games: int | None = None,
        retry: float = 60.0,
        patience: float = PATIENCE,
        seed: int = 1,
        transcript: Path | None = None,
        say: Callable[[str], None] = print,
    ) -> None:
        """Create the client.

        Args:
            nick: our name.
            make_agent: makes the agent of a game.
            host: the server.
            port: of the server.
            cookie: the server's word for robots; the client then waits to be invited.
            table: else, the game to join; a new one if the server has none of this name.
            start: begin the game at once, with robots in the other chairs.
            games: number of games to play; by default one at a table, without a cookie.
            retry: seconds to try again after a lost connection.
            patience: seconds for which an offer waits for answers.
            seed: of the agent; games have seeds derived from it.
            transcript: a file for all messages.
            say: called with a line for each event.

        Raises:
            MeepleError: the protocol cannot carry a name, or a player asks for several games.
        """
        if cookie is None and (games or 1) > 1:
            raise MeepleError("a player plays one game; as a robot, with the server's cookie, many")
        for word in (nick, table or "", cookie or ""):
            if any(mark in word for mark in ",|\t\n") or len(word) > 30:
                raise MeepleError(
                    f"names have at most 30 characters, and no commas or bars: {word!r}"
                )
        self.nick, self._make_agent = nick, make_agent
        self._host, self._port, self._cookie = host, port, cookie
        self._table, self._start = table, start
        self._games = games if games is not None or cookie is not None else 1
        self._retry, self._patience, self._seed, self._say = retry, patience, seed, say
        self._transcript_path = transcript
        self._transcript: TextIO | None = None
        self.results: list[GameResult] = []
        self._seats: dict[str, Seat] = {}
        self._options: dict[str, str] = {}  # of games, by name
        self._chairs: dict[str, int] = {}  # where we were invited to sit
        self._began = 0
        self._asked_for_table = False
        self._sat: int | None = None  # our chair, to return to
        self._until: float | None = None  # when to give up a connection that was lost
        self._interrupted = False  # whether a game of ours had begun before
        self._unknown: set[int] = set()  # types of messages that were reported as unknown

    def run(self) -> list[GameResult]:
        """Play until all games are finished.

        Raises:
            MeepleError: no server answers, or it refuses us.
        """
        if self._transcript_path is not None:
            self._transcript = self._transcript_path.open("w")
        try:
            while not self._finished:
                try:
                    self._connect()
                    self._play()
                except ConnectionError as error:
                    self._wait_to_retry(str(error))
                except MeepleError:  # such as our name in use by the connection that was lost
                    if self._until is None or time.monotonic() > self._until:
                        raise
                    time.sleep(_IDLE)
        finally:
            if self._transcript is not None:
                self._transcript.close()
        return self.results

    @property
    def _finished(self) -> bool:
        return self._games is not None and len(self.results) >= self._games

    def _wait_to_retry(self, reason: str) -> None:
        """Forget the games: the server sends the state of ours again, and a robot's are lost."""
        begun = [name for name, seat in self._seats.items() if seat.player is not None]
        self._seats.clear()
        if self._until is None:
            self._until = time.monotonic() + self._retry
            self._say(f"connection lost ({reason}): trying again for {self._retry:g} s")
        if self._cookie is None:
            self._interrupted = self._interrupted or bool(begun)
        else:
            for name in begun:
                self._count(GameResult(name, False, 0))
        if time.monotonic() > self._until:
            raise MeepleError(f"the connection was lost: {reason}")
        time.sleep(_IDLE)

    # ------------------------------------------------------------ the connection

    def _connect(self) -> None:
        self._connection = Connection(self._host, self._port)
        self._asked_for_table = False
        self._welcome_by = time.monotonic() + _MAX_WELCOME_SECONDS
        self._send(text_of(Kind.VERSION, VERSION, VERSION_NAME, BUILD, ";6pl;sb;", "en_US"))
        if self._cookie is not None:
            self._send(text_of(Kind.I_AM_A_ROBOT, self.nick, self._cookie, ROBOT_CLASS))

    def _send(self, text: str) -> None:
        self._note(">", text)
        self._connection.send(text)

    def _note(self, mark: str, text: str) -> None:
        if self._transcript is not None:
            self._transcript.write(f"{mark} {text}\n")
            self._transcript.flush()

    def _play(self) -> None:
        """Follow messages until all games are finished."""
        with contextlib.closing(self._connection):
            while not self._finished:
                active = any(seat.player is not None for seat in self._seats.values())
                text = self._connection.receive(_PAUSE if active else _IDLE)
                if text is None:
                    if time.monotonic() > self._welcome_by:
                        raise MeepleError(
                            f"what answers at {self._host}:{self._port} does not greet as a server "
                            "of JSettlers"
                        )
                    self._act()
                else:
                    self._note("<", text)
                    self._follow(parse(text))

    def _act(self) -> None:
        """Send what each game waits for."""
        for seat in list(self._seats.values()):
            with self._named_faults(seat):
                for answer in seat.act():
                    self._send(answer)

    def _follow(self, message: Message) -> None:
        if message.kind not in NAMES and message.kind not in _PROTOCOL:
            self._name_unknown(message)
        handler = getattr(self, f"_on_{NAMES.get(message.kind, '').lower()}", None)
        try:
            if handler is not None:
                handler(message)
        except (ValueError, IndexError, KeyError):
            raise MeepleError(f"the server sent a malformed message: {message}") from None
        seat = self._seats.get(message.fields[0]) if message.fields else None
        if seat is None:
            return
        with self._named_faults(seat):
            for answer in seat.hear(message):
                self._send(answer)
        if message.kind == Kind.SIT_DOWN and self._cookie is None and seat.number is None:
            taken = int(message.fields[2])
            if taken == seat.asked:  # another player was faster
                self._choose_chair(seat)
        if seat.scores is not None and seat.game in self._seats:
            self._finish(seat)

    def _name_unknown(self, message: Message) -> None:
        """Report a type of messages that version 2.7 does not have, once."""
        if message.kind not in self._unknown and len(self._unknown) < _MAX_UNKNOWN_NAMED:
            self._unknown.add(message.kind)
            self._say(f"ignored messages that JSettlers {VERSION_NAME} does not have: {message}")

    @contextlib.contextmanager
    def _named_faults(self, seat: Seat) -> Any:
        """Leave a game in which the server contradicts our rules; others go on."""
        try:
            yield
        except (MeepleError, AssertionError) as error:
            self._say(f"{seat.game}: left the game: {error}")
            LOG.debug("left %s", seat.game, exc_info=True)
            self._seats.pop(seat.game, None)
            self._send(text_of(Kind.LEAVE_GAME, self.nick, "-", seat.game))
            self._count(GameResult(seat.game, False, 0))

    def _finish(self, seat: Seat) -> None:
        assert seat.scores is not None
        points = seat.scores[seat.number] if seat.number is not None else 0
        names = {name: seat.scores[other] for other, name in sorted(seat.names.items())}
        self._seats.pop(seat.game)
        self._count(GameResult(seat.game, points == max(seat.scores), points, names))
        self._send(text_of(Kind.LEAVE_GAME, self.nick, "-", seat.game))

    def _count(self, result: GameResult) -> None:
        self.results.append(result)
        self._say(str(result))

    # ------------------------------------------------------------ messages outside of games

    def _on_version(self, message: Message) -> None:
        self._welcome_by = math.inf
        version = int(message.fields[0]) if message.fields[0].isdigit() else 0
        if version < MIN_VERSION:
            raise MeepleError(
                f"the server has version {'.'.join(message.fields[1:2]) or version}; this client "
                "needs 2.5 or newer"
            )
        if version // 100 != VERSION // 100:
            LOG.warning("the server has version %s; this client is written for 2.7", version)

    def _on_reject_connection(self, message: Message) -> None:
        raise MeepleError(f"the server refuses the connection: {','.join(message.fields)}")

    def _on_server_ping(self, message: Message) -> None:
        self._send(text_of(Kind.SERVER_PING, *message.fields))

    def _on_status(self, message: Message) -> None:
        code = message.fields[0] if message.fields and message.fields[0].isdigit() else "0"
        words = ",".join(message.fields[1:] if code != "0" else message.fields)
        if code == _ALREADY_EXISTS and self._cookie is None:
            self._join(self._own_table)  # somebody was faster
        elif code == _SHUTDOWN:
            raise ConnectionError(words)
        elif code not in _NEWS:
            raise MeepleError(f"the server refuses: {words}")

    def _on_games_with_options(self, message: Message) -> None:
        """Take down the list of games, which ends the welcome, and ask for our table."""
        self._options = {name: ",".join(options) for name, *options in _games(message.fields)}
        if self._cookie is None and not self._asked_for_table:
            self._ask_for_table()

    def _on_new_game_with_options(self, message: Message) -> None:
        self._options[message.fields[0]] = ",".join(message.fields[2:])

    def _on_bot_join_game_request(self, message: Message) -> None:
        game, chair, *options = message.fields
        self._options[game] = ",".join(options)
        self._chairs[game] = int(chair)
        self._join(game)

    @property
    def _own_table(self) -> str:
        return self._table or f"{self.nick}'s table"

    def _join(self, game: str) -> None:
        self._send(text_of(Kind.JOIN_GAME, self.nick, _NO_PASSWORD, _NO_PASSWORD, game))

    def _ask_for_table(self) -> None:
        self._asked_for_table = True
        table = self._own_table
        if self._interrupted and table not in self._options:
            self._say(f"{table}: the server has this game no more")
            self._count(GameResult(table, False, 0))
        elif table in self._options:
            self._join(table)
        else:
            fields = (self.nick, _NO_PASSWORD, _NO_PASSWORD, table, "PL=4")
            self._send(text_of(Kind.NEW_GAME_WITH_OPTIONS_REQUEST, *fields))

    def _on_update_robot_params(self, message: Message) -> None:
        self._until = None  # we are welcome as a robot

    def _on_join_game_auth(self, message: Message) -> None:
        self._until = None
        game = message.fields[0]
        self._began += 1
        try:
            self._seats[game] = Seat(
                game,
                self.nick,
                self._options.get(game, ""),
                self._make_agent,
                seed=self._seed + self._began,
                patience=self._patience,
            )
        except MeepleError as error:
            self._send(text_of(Kind.LEAVE_GAME, self.nick, "-", game))
            if self._cookie is None:
                raise
            self._say(f"{game}: {error}")
            return
        if game in self._chairs:
            self._sit(game, self._chairs.pop(game))

    def _on_game_members(self, message: Message) -> None:
        """Take a free chair once those that are taken are known."""
        seat = self._seats.get(message.fields[0])
        if seat is not None and self._cookie is None and seat.number is None:
            self._choose_chair(seat)

    def _choose_chair(self, seat: Seat) -> None:
        chair = self._sat if self._sat in seat.robots else seat.chair()
        if chair is None:
            raise MeepleError(f"no chair is free at the table {seat.game}")
        self._sat = seat.asked = chair
        self._sit(seat.game, chair)

    def _sit(self, game: str, chair: int) -> None:
        robot = self._cookie is not None
        self._send(text_of(Kind.SIT_DOWN, game, self.nick, chair, robot))
        if self._start and not robot:
            self._send(text_of(Kind.START_GAME, game))

    def _on_robot_dismiss(self, message: Message) -> None:
        game = message.fields[0]
        if self._seats.pop(game, None) is not None:
            self._send(text_of(Kind.LEAVE_GAME, self.nick, "-", game))

    def _on_delete_game(self, message: Message) -> None:
        seat = self._seats.get(message.fields[0]) if message.fields else None
        self._options.pop(message.fields[0], None)
        if seat is not None:
            self._seats.pop(seat.game)
            if seat.state != State.NEW:
                self._count(GameResult(seat.game, False, 0))


def _games(fields: tuple[str, ...]) -> list[list[str]]:
    """Split the list of games into names with their options."""
    found: list[list[str]] = []
    for word in fields:
        if "=" in word and found:
            found[-1].append(word)
        elif word not in ("", "-"):
            found.append([word])
    return found
