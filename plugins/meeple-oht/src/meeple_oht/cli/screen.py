"""A tournament on the terminal: a live table, or plain lines without a terminal."""

import logging
import sys
from typing import Any, Self

from sqlalchemy.exc import SQLAlchemyError

from meeple.cli.shared.reports import print_standings
from meeple.cli.shared.terminal import console
from meeple_oht.standings import TournamentTable, ratings_of, table_of
from meeple_oht.store import LEAGUE, REGISTRATION, TournamentStore

LIVE_PAUSE, PLAIN_PAUSE = 1.0, 2.0  # seconds between two updates


class StderrHandler(logging.StreamHandler[Any]):
    """Writes to the current stderr; while a live table is shown, lines appear above it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        """The current stderr."""
        return sys.stderr


class TournamentScreen:
    """Shows the progress of a tournament repeatedly."""

    def __init__(self, store: TournamentStore) -> None:
        self._store = store
        self._live: Any = None
        self._said = ""
        self.pause = LIVE_PAUSE if sys.stdout.isatty() else PLAIN_PAUSE

    def __enter__(self) -> Self:
        if sys.stdout.isatty():
            from rich.live import Live

            self._live = Live(console=console(), auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self) -> None:
        """Update the live table, or print a line if the progress has changed."""
        try:
            table = table_of(self._store)
        except SQLAlchemyError:  # locked by another program: the next update tries again
            return
        if self._live is not None:
            self._live.update(drawn(table), refresh=True)
        elif (line := progress(table)) != self._said:
            self._said = line
            print(line, flush=True)


def progress(table: TournamentTable) -> str:
    """Return the progress of a tournament as a line."""
    here = sum(row.connected for row in table.rows)
    if table.phase == REGISTRATION:
        ready = sum(row.state == "ready" for row in table.rows)
        return f"registration: {ready} of {len(table.rows)} are ready, {here} connected"
    leader = f"; {table.rows[0].name} leads" if table.games_done and table.phase == LEAGUE else ""
    return f"{table.phase}: {table.games_done} of {table.games_all} games{leader}"


def drawn(table: TournamentTable) -> Any:
    """Return the table for a terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable

    found = RichTable(box=SIMPLE_HEAD, title=progress(table), title_justify="left")
    for head in ("", "player", "score", "games", "won", "drawn", "lost", "faults", "state"):
        right = head in ("", "score", "games", "won", "drawn", "lost", "faults")
        found.add_column(head, justify="right" if right else "left", no_wrap=head != "player")
    for row in table.rows:
        state = "agent" if row.spec else "connected" if row.connected else "away"
        if row.state != "ready":
            state = f"{row.state}, {state}"
        counts = (row.played, row.won, row.drawn, row.lost, row.faults)
        found.add_row(str(row.rank), row.name, f"{row.score:.1f}", *map(str, counts), state)
    return found


def print_table(store: TournamentStore) -> None:
    """Print the table of a tournament, and the ratings once enough games were played."""
    table = table_of(store)
    console().print(drawn(table))
    standings = ratings_of(store)
    if standings.entries:
        print_standings(standings, standings.names, "player", standings.ranking())
