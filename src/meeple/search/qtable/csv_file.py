"""Q-tables as CSV, for people and other programs: one line an action, with the board as text."""

import csv
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from meeple.errors import CheckpointError
from meeple.files import open_text, reported, write_atomically
from meeple.games.boards.drawing import write_line
from meeple.games.contract.game import Game, Position
from meeple.search.qtable.file import MAX_VISITS
from meeple.search.qtable.table import CAPACITY, MAX_CAPACITY, Edges, QTable, key_of, merged
from meeple.tensor_file import PathLike

DESCRIPTIVE_COLUMNS = ("board", "to_move", "name", "visits", "q")
"""The columns for people: the player to move as "player 1" or "chance", the action's name, and the
mover's mean share. Empty if no path from the start to the position is in the table."""

COLUMNS = (*DESCRIPTIVE_COLUMNS, "position", "action")  # then value_0, value_1, ... by seat
_VISITS, _POSITION, _ACTION, _VALUES = 3, 5, 6, 7  # places of columns


def export_csv(path: PathLike, table: QTable) -> None:
    """Write a table; positions are keys of 16 hexadecimal digits.

    Lines are in the order of play: after a position come those that its most visited action leads
    to. Raises CheckpointError if the file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_columns(table.game.players))
    written = set()
    for position in _known(table):
        written.add(int(key_of(position)))
        _write(writer, table.at(position), position)
    edges = table.edges
    _write(writer, edges.at(~np.isin(edges.position, np.array([*written], dtype=np.uint64))), None)
    with reported(f"cannot save {path}", CheckpointError):
        write_atomically(path, text.getvalue())


def _known(table: QTable) -> Iterator[Position]:
    """Yield the positions of a table that its actions lead to from the start, each once."""
    waiting, seen = [table.game.start(seed=0)], set()
    while waiting:
        position = waiting.pop()
        key = int(key_of(position))
        edges = table.at(position)
        if key in seen or position.is_over or not len(edges.action):
            continue
        seen.add(key)
        yield position
        legal = set(position.legal_actions().tolist())
        for index in np.argsort(edges.visits, kind="stable").tolist():
            action = int(edges.action[index])
            if action in legal:
                after = position.copy()
                after.play(action)
                waiting.append(after)


def _write(writer: Any, edges: Edges, position: Position | None) -> None:
    """Write lines of actions, most visited first; `position` is that of all, if known."""
    board, mover, seat = "", "", -1
    if position is not None:
        seat = position.to_move
        board = write_line(position.game.scene(position))
        mover = position.game.player_name(seat) if seat >= 0 else "chance"
    names = {} if position is None else _names(position)
    for index in np.argsort(-edges.visits, kind="stable").tolist():
        action, value = int(edges.action[index]), edges.value[index]
        q = f"{value[seat]:.4f}" if seat >= 0 else ""
        key = f"{int(edges.position[index]):016x}"
        row = [board, mover, names.get(action, ""), int(edges.visits[index]), q, key, action]
        writer.writerow([*row, *value.astype("U").tolist()])


def _names(position: Position) -> dict[int, str]:
    """Return the names of the legal actions."""
    return {action: position.action_name(action) for action in position.legal_actions().tolist()}


def import_csv(path: PathLike, game: Game, capacity: int = CAPACITY) -> QTable:
    """Read a table of this game; lines may be in any order, and equal pairs are merged.

    The descriptive columns are ignored: a position is its key. Raises CheckpointError that names
    the first wrong line.
    """
    parts, rows = [], _rows(path, game.players)
    while block := list(itertools.islice(rows, 100_000)):
        position, action, visits, value = zip(*block, strict=True)
        edges = Edges(
            np.array(position, np.uint64),
            np.array(action, np.int32),
            np.array(visits, np.int64),
            np.array(value, np.float32),
        )
        parts.append(edges)
    if not parts:
        raise CheckpointError(f"{path} holds no line below its header")
    return QTable(game, merged(parts), capacity=capacity)


def _columns(players: int) -> list[str]:
    return [*COLUMNS, *(f"value_{seat}" for seat in range(players))]


def _rows(path: PathLike, players: int) -> Iterator[tuple[int, int, int, list[float]]]:
    columns = _columns(players)
    if not Path(path).is_file():
        raise CheckpointError(f"there is no file {path}")
    try:
        with open_text(path) as file:
            reader = csv.reader(file, strict=True)
            if next(reader, None) != columns:
                raise CheckpointError(f"{path} must begin with the line {','.join(columns)}")
            for row in reader:
                if reader.line_num > MAX_CAPACITY:
                    raise CheckpointError(f"{path} has more than {MAX_CAPACITY:,} lines")
                try:
                    yield _row(row, len(columns))
                except ValueError as error:
                    raise CheckpointError(f"{path}, line {reader.line_num}: {error}") from None
    except (OSError, UnicodeError, csv.Error) as error:
        raise CheckpointError(f"cannot read {path}: {error}") from error


def _row(row: list[str], columns: int) -> tuple[int, int, int, list[float]]:
    """A line's fields; ValueError says what is wrong with them."""
    if len(row) != columns:
        raise ValueError(f"there are {len(row)} fields, not {columns}")
    position = int(row[_POSITION], 16)
    action, visits = int(row[_ACTION]), int(row[_VISITS])
    value = [float(share) for share in row[_VALUES:]]
    if not 0 <= position < 1 << 64:
        raise ValueError("a position is a key of 16 hexadecimal digits")
    if not 0 <= action < 1 << 31:
        raise ValueError("an action is a number from 0")
    if not 1 <= visits <= MAX_VISITS:
        raise ValueError("visits are a number from 1 to 2**53")
    if not all(0 <= share <= 1 for share in value):
        raise ValueError("values are shares from 0 to 1")
    return position, action, visits, value
