"""A tournament client: a base class with six handlers to override.

from meeple_oht.client import Client

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
from meeple_oht.certificate import client_context
from meeple_oht.connection import DIALECTS, NEW, ConnectionEnded, ServerConnection, connect
from meeple_oht.wire.messages import (
    Authentication,
    ClientQuestion,
    Failure,
    Finish,
    GameOver,
    GameStart,
    IllegalMove,
    Notice,
    RequestAction,
    SeriesOver,
    SeriesStart,
    ServerMessage,
    TournamentOver,
    is_text,
)

LOG = logging.getLogger(__name__)
PORT = 4040
FIRST_PAUSE, MAX_PAUSE = 0.25, 10.0  # seconds before a new attempt to connect; doubled each time
RETRY_SECONDS = 300.0  # without a connection, after which the client gives up


class Client:
    """One player of a tournament. Subclass it and override the handlers that you need."""

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
        """Create the client; `run` connects it.

        Args:
            token: the player's token.
            host: name or address of the server.
            port: TCP port of the server.
            tls: whether the server uses TLS.
            certificate: file of the only certificate to trust; None trusts any. The host name is
                never checked.
            dialect: one of `DIALECTS`.
            practice: play practice series, which do not count, instead of the tournament.
            retry: seconds during which a lost connection is retried.
            name: the user name in the login of the 2020 dialect.

        Raises UsageError for an unknown dialect or a token or name that is not text, MeepleError
        for a certificate that cannot be used.
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
        """Handle the start of a series in which this client is player `series_id`, 1 or 2.

        Args:
            unique_player_id: this client's id in the whole tournament.
            series_id: this client's number in the series, 1 or 2.
            player_id_map: (unique id, 1 or 2) of both players.
            num_games: games of the series.
            game_params: of Hex [size].
        """

    def handle_game_start(self, start_player: int) -> None:
        """Handle the start of a game in which player `start_player`, 1 or 2, moves first."""

    def handle_get_action(self, state: Sequence[int]) -> Sequence[int] | None:
        """Return the client's move as (row, column).

        Args:
            state: the number of the player to move (this client), then a code for each cell, row
                by row: 0 for an empty cell, 1 or 2 for a stone of that player.
        """
        raise NotImplementedError("a client needs the method handle_get_action")

    def handle_game_over(self, winner: int, end_state: Sequence[int]) -> None:
        """Handle the end of a game; `winner` is 1 or 2, or 0 for a draw."""

    def handle_series_over(self, stats: Sequence[tuple[int, int, int, int]]) -> None:
        """Handle the end of a series.

        Args:
            stats: for each player (unique id, 1 or 2, games won, games lost).
        """

    def handle_tournament_over(self, score: float) -> None:
        """Handle the end of the tournament; the client's `score` is from 0 to 100."""

    # ------------------------------------------------------------ messages for people

    def handle_message(self, message: str, level: str) -> None:
        """Handle a sentence for people; `level` is info, warning or error. By default: log it."""
        LOG.log({"error": logging.ERROR, "warning": logging.WARNING}.get(level, 20), message)

    # ------------------------------------------------------------ running

    def run(self) -> float | None:
        """Play until the tournament is over; return the score, or None if none was sent.

        A lost connection is retried with growing pauses.

        Raises:
            MeepleError: the server refuses the client, or cannot be reached for `retry` seconds.
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
                if connection is not None:  # a connection existed: restart the retry period
                    pause, since = FIRST_PAUSE, time.monotonic()
                if time.monotonic() - since + pause > self._retry:
                    raise
                self.handle_message(f"{error}; trying again in {pause:.1f} s", "warning")
            finally:
                if connection is not None:
                    connection.close()
            # A random part, so that clients do not all retry at once.
            time.sleep(pause * (1 + random.Random().random() / 4))
            pause = min(2 * pause, MAX_PAUSE)

    def _serve(self, connection: ServerConnection) -> None:
        """Answer the server's requests until it sends `Finish`."""
        while True:
            message = connection.next()
            if isinstance(message, Finish):
                return
            self._answer(connection, message)

    def _answer(self, connection: ServerConnection, message: ServerMessage) -> None:
        """Answer a request, or call the handler of any other message."""
        match message:
            case Authentication():
                connection.answer_text(self._token)
            case ClientQuestion(question="name"):
                connection.answer_text(self._name)
            case ClientQuestion():
                connection.answer_yes(not self._practice)
            case RequestAction():
                action = self.handle_get_action(message.state)
                connection.answer_action(None if action is None else [int(part) for part in action])
            case Failure():
                raise MeepleError(f"the server ends the session: {message.error}")
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
