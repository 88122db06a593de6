"""A client for tournaments: six handlers to fill in, in a class that does the rest.

from meeple.oht.client import Client

class Mine(Client):
    def handle_get_action(self, state):
        return row, column

print(Mine(token="...", host="127.0.0.1", port=4040).run())
"""

import logging
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.oht.certificate import client_context
from meeple.oht.connection import DIALECTS, NEW, Connection, ConnectionEnded, connect
from meeple.protocols.oht.messages import (
    Authentication,
    Failure,
    Finish,
    GameOver,
    GameStart,
    IllegalMove,
    Notice,
    Question,
    RequestAction,
    SeriesOver,
    SeriesStart,
    ServerMessage,
    TournamentOver,
    is_text,
)

LOG = logging.getLogger(__name__)
PORT = 4040
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0  # seconds before trying to connect again, doubled each time
RETRY_SECONDS = 300.0  # without a connection, until it is given up


class Client:
    """One player of a tournament. Subclass it, and fill in what you need of the six handlers."""

    def __init__(
        self,
        token: str,
        host: str = "127.0.0.1",
        port: int = PORT,
        *,
        tls: bool = True,
        certificate: str | Path | None = None,
        dialect: str = NEW,
        practice: bool = False,
        retry: float = RETRY_SECONDS,
        name: str = "player",
    ) -> None:
        """`certificate`: a file with the server's, which is then the only one trusted; the name of
        the host is never checked. `practice`: play for practice, where nothing counts. `retry`:
        seconds to try to connect again after the connection has broken. `name`: of 2020's login.

        Raises UsageError for a dialect that there is not, and a token or name that is not text;
        MeepleError for a wrong certificate.
        """
        for what, text in (("token", token), ("name", name)):
            if not is_text(text):
                raise UsageError(f"the {what} is not text that UTF-8 can hold")
        if dialect not in DIALECTS:
            raise UsageError(f"dialects are {' and '.join(DIALECTS)}, not '{dialect}'")
        self._token, self._name = token, name
        self._place = host, port
        pinned = None if certificate is None else Path(certificate)
        self._tls = client_context(pinned) if tls else None
        self._dialect, self._practice, self._retry = dialect, practice, retry
        self._score: float | None = None

    # ------------------------------------------------------------ the six handlers

    def handle_series_start(
        self,
        unique_player_id: int,
        series_id: int,
        player_id_map: Sequence[tuple[int, int]],
        num_games: int,
        game_params: Sequence[Any],
    ) -> None:
        """A series begins, in which you are player `series_id`, 1 or 2.

        `player_id_map` has (unique id, 1 or 2) of both players; `game_params` of Hex is [size].
        """

    def handle_game_start(self, start_player: int) -> None:
        """A game begins, with this player, 1 or 2."""

    def handle_get_action(self, state: Sequence[int]) -> Sequence[int] | None:
        """Your move as (row, column): `state` is who is to move (you), then each cell, row by row:
        0 where it is empty, 1 or 2 where that player has a stone.
        """
        raise NotImplementedError("a client needs the method handle_get_action")

    def handle_game_over(self, winner: int, end_state: Sequence[int]) -> None:
        """A game is over; `winner` is 1 or 2, or 0 in a draw."""

    def handle_series_over(self, stats: Sequence[tuple[int, int, int, int]]) -> None:
        """A series is over: of each player (unique id, 1 or 2, games won, games lost)."""

    def handle_tournament_over(self, score: float) -> None:
        """All is over; your score is from 0 to 100."""

    # ------------------------------------------------------------ what may be heard besides

    def handle_message(self, message: str, level: str) -> None:
        """A sentence of the server for people; `level` is info, warning or error."""
        LOG.log({"error": logging.ERROR, "warning": logging.WARNING}.get(level, 20), message)

    # ------------------------------------------------------------ running

    def run(self) -> float | None:
        """Take part until the tournament is over; the score, or None where none was told.

        A connection that breaks is made again, with growing pauses. Raises MeepleError where the
        server refuses, or cannot be reached for as long as `retry` says.
        """
        pause, since = FIRST_PAUSE, time.monotonic()
        while True:
            connection = None
            try:
                connection = connect(*self._place, self._tls, self._dialect)
                self._serve(connection)
                return self._score
            except ConnectionEnded as error:
                if self._score is not None:
                    return self._score
                if connection is not None:  # it was there: the time begins anew
                    pause, since = FIRST_PAUSE, time.monotonic()
                if time.monotonic() - since + pause > self._retry:
                    raise
                self.handle_message(f"{error}; trying again in {pause:.1f} s", "warning")
            finally:
                if connection is not None:
                    connection.close()
            time.sleep(pause * (1 + random.Random().random() / 4))  # not all clients at once
            pause = min(2 * pause, LONGEST_PAUSE)

    def _serve(self, connection: Connection) -> None:
        """Answer what the server asks, until it says that all is over."""
        while True:
            message = connection.next()
            if isinstance(message, Finish):
                return
            self._answer(connection, message)

    def _answer(self, connection: Connection, message: ServerMessage) -> None:
        """Hear a message, and answer one that asks."""
        match message:
            case Authentication():
                connection.answer_text(self._token)
            case Question(question="name"):
                connection.answer_text(self._name)
            case Question():
                connection.answer_yes(not self._practice)
            case RequestAction():
                connection.answer_action(self._action(message.state))
            case Failure():
                raise MeepleError(f"the server ends the session: {message.error}")
            case _:
                self._hear(message)

    def _action(self, state: Sequence[Any]) -> Sequence[int] | None:
        action = self.handle_get_action(state)
        return None if action is None else [int(part) for part in action]

    def _hear(self, message: ServerMessage) -> None:
        match message:
            case Notice():
                self.handle_message(message.message, message.level)
            case IllegalMove():
                self.handle_message(f"the action {list(message.action)} is illegal", "error")
            case SeriesStart():
                self.handle_series_start(
                    message.unique_player_id,
                    message.series_id,
                    message.player_id_map,
                    message.num_games,
                    message.game_params,
                )
            case GameStart():
                self.handle_game_start(message.start_player)
            case GameOver():
                self.handle_game_over(message.winner, message.end_state)
            case SeriesOver():
                self.handle_series_over(message.stats)
            case TournamentOver():
                self._score = message.score
                self.handle_tournament_over(message.score)
