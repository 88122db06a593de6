"""The columns of tables of agents, for the terminal, reports and notebooks.

A table shows those fields of its rows, the agents as JSON, that are columns.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from meeple.arena.figures.ratings import signed


class Column(NamedTuple):
    """A column: its head, and the text of a value."""

    head: str
    text: Callable[[Any], str] = str
    in_terminal: bool = True  # else it is left out there, for lines of 80 characters


def _milliseconds(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


COLUMNS = {
    "score": Column("score", "{:.2f}".format),
    "byes": Column("byes"),
    "rating": Column("rating", signed),
    "interval": Column("95 % interval", lambda ends: " to ".join(map(signed, ends))),
    "share": Column("share", lambda share: f"{100 * share:.1f} %"),
    "share_interval": Column(
        "95 % interval", lambda ends: " to ".join(f"{100 * end:.1f}" for end in ends), False
    ),
    "points": Column("points", "{:.2f}".format),
    "points_interval": Column(
        "95 % interval", lambda ends: " to ".join(f"{end:.2f}" for end in ends), False
    ),
    "games": Column("games"),
    "wins": Column("won"),
    "draws": Column("drawn"),
    "losses": Column("lost"),
    "ms_per_move": Column("ms a move", _milliseconds),
    "simulations_per_move": Column("simulations a move", "{:,.0f}".format),
}
"""The columns by field, in the order of tables."""


def heads(row: Mapping[str, Any], *, terminal: bool = False) -> list[str]:
    """Return the heads of the columns of a table whose rows have the fields of `row`."""
    return [column.head for column, _ in _columns(row, terminal)]


def cells(row: Mapping[str, Any], *, terminal: bool = False) -> list[str]:
    """Return the texts of a row."""
    return [column.text(value) for column, value in _columns(row, terminal)]


def _columns(row: Mapping[str, Any], terminal: bool) -> list[tuple[Column, Any]]:
    return [
        (column, row[field])
        for field, column in COLUMNS.items()
        if field in row and (column.in_terminal or not terminal)
    ]
