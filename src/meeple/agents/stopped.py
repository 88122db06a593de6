"""Saves a game that a broken network stopped, and names the file in the error."""

import contextlib
import datetime
import tempfile
from collections.abc import Iterator
from pathlib import Path

from meeple.errors import NetworkError
from meeple.files import write_atomically
from meeple.games.contract.game import Position
from meeple.games.contract.records import record_of, to_lines


@contextlib.contextmanager
def saved_if_stopped(position: Position, spec: str) -> Iterator[None]:
    """Save the game if a NetworkError ends the block; the error then names the agent and the file.

    `spec` is that of the agent to move. The file is a game record, which `meeple watch` shows.
    """
    try:
        yield
    except NetworkError as error:
        seats = [spec if seat == position.to_move else "?" for seat in range(position.game.players)]
        record = record_of(position, seats, notes={"stopped": str(error)})
        raise NetworkError(f"{spec}: {error}; {_save(to_lines([record]))}") from error


def _save(line: str) -> str:
    """Write the line to a new file here, or else in the temporary folder; return where it is."""
    name = f"meeple-stopped-{datetime.datetime.now():%Y%m%d-%H%M%S-%f}.jsonl"
    problem: OSError | None = None
    for folder in (Path(), Path(tempfile.gettempdir())):
        try:
            write_atomically(folder / name, line)
        except OSError as error:
            problem = error
        else:
            return f"the game so far is saved in {folder / name}"
    return f"the game so far could not be saved ({problem})"
