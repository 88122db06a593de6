"""The library: uploads, downloads and replays of stored games, and the moves played in them."""

from collections.abc import Sequence
from typing import Any

from meeple.sentences import as_json
from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.sources import GameSource
from meeple.server.errors import Forbidden, refusal
from meeple.server.library.downloads import GameFile, file_of
from meeple.server.library.explore import explored, first_plies, played_games
from meeple.server.library.replays import replay_of
from meeple.server.library.uploads import read_games
from meeple.server.play.seats import digest
from meeple.server.play.tables import Tables
from meeple.server.resources import Resources
from meeple.server.work import most_plies


class Library:
    """The stored games of a server."""

    def __init__(self, resources: Resources, tables: Tables, analyst: Analyst) -> None:
        self._store, self._writer, self._work = resources.store, resources.writer, resources.work
        self._tables, self._analyst, self._limits = tables, analyst, resources.limits

    async def add(
        self, content: str | bytes, first: int | None, tokens: Sequence[str]
    ) -> tuple[list[str], Sequence[str]]:
        """Store all games of a file, or none; return their ids and notices, see `read_games`.

        The holder of the first token may delete them.
        """
        lane, most = self._work.on(most_plies(content)), self._limits.max_upload_games
        host = digest(tokens[0]) if tokens else ""
        games, notices = await lane.do(read_games, content, first, most, host)
        ids = [game.id for game, _ in games]
        await self._writer.do(self._store.add_all, games)
        return ids, notices

    async def file(self, ids: Sequence[str], format: str, name: str = "") -> GameFile:
        """Return games as one file, in this order; see `file_of`."""
        lane = self._work.on(await self._work.files.do(self._store.count_plies, ids))
        return await lane.do(
            file_of, self._store, ids, format, name, self._limits.max_download_plies
        )

    async def explore(self, source: GameSource, ply: int, tokens: Sequence[str]) -> dict[str, Any]:
        """Return the moves played from a position in the finished games."""
        asked = await self._analyst.ask(source, tokens)
        asked.check_looks()
        limits = self._limits
        game, line = asked.line.game, first_plies(asked.line, ply, limits.max_opening_plies)
        newest = limits.max_searched_games
        played = await self._work.files.do(played_games, self._store, game, len(line), newest)
        lane = self._work.on(sum(len(one.actions) for one in played))
        return await lane.do(explored, game, played, line, limits)

    async def replay(self, id: str) -> str:
        """Return the texts of a game's plies as JSON; raise Forbidden while they reveal cards."""
        table = await self._tables.get(id)
        if table.game.hides and not table.is_over:
            raise refusal(Forbidden, "hidden_no_replay")
        position, values = table.position.copy(), list(table.history.values)
        lane = self._work.on(len(values))
        return await lane.do(lambda: as_json(replay_of(table, position, values)))
