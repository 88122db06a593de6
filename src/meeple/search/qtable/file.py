"""Q-tables as files of safetensors, which are small and checked whole; as CSV: `csv_file.py`."""

from typing import Any

import numpy as np

from meeple.errors import CheckpointError, OptionError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.search.qtable.table import MAX_CAPACITY, Edges, QTable, key_of
from meeple.tensor_file import PathLike, read_metadata, read_tensors, write_tensors

__all__ = ["load", "save"]

KIND = "Meeple Q-table"  # in a file's metadata
TYPES = {"position": "uint64", "action": "int32", "visits": "int64", "value": "float32"}
"""The arrays of a file, with their types."""

STORED = frozenset({"U64", "I32", "I64", "F32"})  # in the words of safetensors
MAX_VISITS = 1 << 53  # of one action: what a float64 counts exactly


def save(path: PathLike, table: QTable) -> None:
    """Write a table, all or nothing; CheckpointError when the disk refuses."""
    game = table.game
    metadata = {
        "game": game.name,
        "options": dict(game.options),
        "start": opening_of(game),
        "games": table.games,
        "capacity": table.capacity,
    }
    write_tensors(path, KIND, table.edges._asdict(), metadata)


def load(path: PathLike, game: Game | None = None) -> QTable:
    """Read a table that `save` wrote.

    Args:
        path: the file.
        game: the game that the table must be of; None: any.

    Raises:
        CheckpointError: the file is missing, truncated, corrupt, no Q-table, of another game, other
            options or another version of the rules.
    """
    metadata, arrays = read_tensors(path, KIND, STORED)
    found = _game(path, metadata)
    if game is not None and found != game:
        raise CheckpointError(f"{path} is a Q-table of {found!r}, not of {game!r}")
    if metadata.get("start") != opening_of(found):
        raise CheckpointError(f"{path} is of another version of {found.name}: it must learn anew")
    edges = _edges(path, arrays, found.players)
    games, capacity = metadata.get("games"), metadata.get("capacity")
    if not (isinstance(games, int) and isinstance(capacity, int) and games >= 0):
        raise CheckpointError(f"{path} is corrupt: it does not say what it was learned from")
    if not len(edges.position) <= capacity <= MAX_CAPACITY:
        raise CheckpointError(f"{path} is corrupt: it holds more than its capacity of {capacity}")
    return QTable(found, edges, games=games, capacity=capacity)


def game_of(path: PathLike) -> Game:
    """The game of a table's file; CheckpointError as for `load`."""
    return _game(path, read_metadata(path, KIND))


def _game(path: PathLike, metadata: dict[str, Any]) -> Game:
    name, options = metadata.get("game"), metadata.get("options")
    if not isinstance(name, str) or not isinstance(options, dict):
        raise CheckpointError(f"{path} is corrupt: it does not say which game it is of")
    try:
        return make_from(name, options)
    except OptionError as error:
        raise CheckpointError(f"{path} is of a game that is not known here: {error}") from None


def opening_of(game: Game) -> str:
    """The key of a start position: another where the record of the state has changed."""
    return f"{key_of(game.start(seed=0)):016x}"


def _edges(path: PathLike, arrays: dict[str, Any], players: int) -> Edges:
    """The statistics of a file, checked: kernels trust their order and their ranges."""
    types = {name: array.dtype.name for name, array in arrays.items()}
    if types != TYPES:
        raise CheckpointError(f"{path} is corrupt: it holds {types}, not {TYPES}")
    edges = Edges(**arrays)
    count = len(edges.position)
    if edges.value.shape != (count, players) or any(
        array.shape != (count,) for array in (edges.position, edges.action, edges.visits)
    ):
        raise CheckpointError(f"{path} is corrupt: its columns differ in length")
    same = edges.position[1:] == edges.position[:-1]
    if not np.where(
        same, np.diff(edges.action) > 0, edges.position[1:] > edges.position[:-1]
    ).all():
        raise CheckpointError(f"{path} is corrupt: it is not in order")
    _check_ranges(str(path), edges)
    return edges


def _check_ranges(where: str, edges: Edges) -> None:
    if (edges.action < 0).any():
        raise CheckpointError(f"{where}: an action is a number from 0")
    if ((edges.visits < 1) | (edges.visits > MAX_VISITS)).any():
        raise CheckpointError(f"{where}: visits are a number from 1 to 2**53")
    if not ((edges.value >= 0) & (edges.value <= 1)).all():  # NaN is neither
        raise CheckpointError(f"{where}: values are shares from 0 to 1")
