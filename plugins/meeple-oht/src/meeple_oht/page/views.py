"""The table, boards and games of a tournament, as JSON data for its page."""

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from meeple.games.contract.game import Position
from meeple.server.errors import NotFound
from meeple_oht.standings import game_line, table_of
from meeple_oht.store import StoredSeries, StoredSeriesGame, TournamentStore
from meeple_oht.wire.boards import WireBoard

Json = dict[str, Any]

MAX_BOARDS = 12  # games in progress that are drawn beside the standings
MAX_LISTED_GAMES = 200  # in one answer
MAX_CACHED_POSITIONS = 64  # drawn ones, so that pages that poll do not replay the games


class TournamentViews:
    """The views of a tournament's file; thread-safe."""

    def __init__(self, file: Path) -> None:
        """Open the file; raise MeepleError if it is not a tournament's."""
        self._store = TournamentStore.open(file)
        self._board = WireBoard(self._store.game())
        self._cache: OrderedDict[tuple[int, int], Json] = OrderedDict()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def table(self) -> Json:
        """Return the standings, with the boards of games in progress."""
        found = table_of(self._store).to_json()
        names = self._names()
        found["boards"] = [
            {**game_line(game, series, names), **self._position(game, series, game.plies)}
            for game, series in self._store.playing()[:MAX_BOARDS]
        ]
        found["title"] = self._board.title
        return found

    def games(self, player: int | None, before: int | None) -> Json:
        """Return the newest games, of one player or of all, and whether there are older ones."""
        names = self._names()
        most = MAX_LISTED_GAMES
        rows = self._store.newest(most + 1, player, before)
        found = [game_line(game, series, names) for game, series in rows]
        return {"games": found[:most], "more": len(found) > most}

    def game(self, id: int, ply: int | None) -> Json:
        """Return a game after `ply` plies, by default all; raise NotFound."""
        found = self._store.games(id=id)
        if not found:
            error = NotFound(f"there is no game {id} in this tournament")
            error.code, error.fields = "oht.no_game", {"id": id}
            raise error
        game = found[0]
        series = self._store.series(id=game.series)[0]
        at = game.plies if ply is None else max(0, min(ply, game.plies))
        line = game_line(game, series, self._names())
        return {**line, **self._position(game, series, at), "title": self._board.title}

    def _names(self) -> dict[int, str]:
        return {one.uid: one.name for one in self._store.players()}

    def _position(self, game: StoredSeriesGame, series: StoredSeries, ply: int) -> Json:
        """Return the board after `ply` plies, the players by seat, and the moves."""
        with self._lock:
            cached = self._cache.get((game.id, ply))
        if cached is not None:
            return cached
        position = self._board.begun_by(game.starter).start(game.seed)
        names: list[str] = []
        for action in self._store.moves(game.id)[:ply]:
            names.append(position.action_name(action))
            position.play(action)
        made = self._board_data(position, game, series) | {"ply": len(names), "moves": names}
        with self._lock:
            self._cache[game.id, ply] = made
            if len(self._cache) > MAX_CACHED_POSITIONS:
                self._cache.popitem(last=False)
        return made

    def _board_data(self, position: Position, game: StoredSeriesGame, series: StoredSeries) -> Json:
        names = self._names()
        seats = [names[series.uids[self._board.player(seat, game.starter) - 1]] for seat in (0, 1)]
        scene = position.game.scene(position)
        return {
            "scene": {"game": position.game.name, **scene.to_json()},
            "seats": seats,
            "to_move": position.to_move,
        }
