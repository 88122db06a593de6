"""The output of `match`, `tournament` and `topp`: tables, saved games and reports."""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from meeple.arena.figures.columns import cells, heads
from meeple.arena.figures.ratings import Matrix
from meeple.arena.figures.standings import Standings
from meeple.cli.shared.terminal import console
from meeple.extras import install_hint, is_installed
from meeple.files import save
from meeple.games.contract.records import GameRecord, to_lines

GAMES, REPORT, PICTURE, RESULT = "games.jsonl", "report.html", "ratings.png", "result.json"
"""The files of an output folder."""

_MAX_COLUMNS = 12  # agents; a larger matrix does not fit a terminal


def save_games(path: Path, records: Iterable[GameRecord]) -> None:
    """Write records to a file atomically; raise RunError if that fails."""
    save(path, to_lines(records))


def drawn(
    standings: Standings,
    labels: Sequence[str],
    episodes: Sequence[int] | None = None,
    unit: str = "episode",
) -> bytes | None:
    """Return the picture of a report; without matplotlib, print a hint and return None."""
    if not is_installed("matplotlib"):
        print(f"No picture: {install_hint('matplotlib', 'it')}", file=sys.stderr)
        return None
    from meeple.arena.report.picture import picture

    return picture(standings, labels, episodes, unit)


def save_report(
    folder: Path,
    records: Iterable[GameRecord],
    page: str,
    png: bytes | None,
    result: dict[str, Any],
) -> None:
    """Write the files of a tournament into a folder: four, or three without a picture."""
    save_games(folder / GAMES, records)
    if png is None:
        (folder / PICTURE).unlink(missing_ok=True)  # the picture of an earlier tournament
    else:
        save(folder / PICTURE, png)
    save(folder / RESULT, json.dumps(result, indent=2) + "\n")
    save(folder / REPORT, page)


def print_standings(
    standings: Standings, labels: Sequence[str], what: str, order: Sequence[int]
) -> None:
    """Print the ratings in an order of agents and, if they fit, the shares of all pairs."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    screen = console()
    figures = standings.to_json()
    table = Table(box=SIMPLE_HEAD, collapse_padding=standings.scores is not None)  # 80 columns
    table.add_column(what, no_wrap=False, overflow="fold")
    for head in heads(figures[0], terminal=True):
        table.add_column(head, justify="right", no_wrap=True)
    for agent in order:
        table.add_row(labels[agent], *cells(figures[agent], terminal=True))
    screen.print(table)
    if len(labels) <= _MAX_COLUMNS:
        numbers = [str(number) for number, _ in enumerate(order, start=1)]
        title = "% of the points won by the row"
        screen.print(_table_of_shares(title, numbers, standings.matrix[:, order], labels, order))
    if standings.seat_names:
        title = "% of the win from each seat"
        screen.print(_table_of_shares(title, standings.seat_names, standings.seats, labels, order))


def _table_of_shares(
    title: str, heads: Sequence[str], shares: Matrix, labels: Sequence[str], order: Sequence[int]
) -> Any:
    """Return a table of percentages with ordered, numbered rows; NaN gives an empty cell."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("", overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for number, agent in enumerate(order, start=1):
        cells = ["" if np.isnan(share) else f"{100 * share:.0f}" for share in shares[agent]]
        table.add_row(f"{number}  {labels[agent]}", *cells)
    return table
