"""Reader of WTHOR files, the database of tournament games of Othello."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEADER, RECORD = 16, 68  # bytes


@dataclass(frozen=True)
class TournamentGame:
    """One game; passes are left out of the moves."""

    moves: tuple[int, ...]  # row * 8 + column
    black: int  # Black's score, with empty cells counted for the winner


def read(path: Path) -> Iterator[TournamentGame]:
    """Yield the games of a file."""
    data = path.read_bytes()
    games = int.from_bytes(data[4:8], "little")
    assert len(data) == HEADER + games * RECORD
    for at in range(HEADER, len(data), RECORD):
        record = data[at : at + RECORD]
        moves = [divmod(move, 10) for move in record[8:] if move]
        yield TournamentGame(tuple(8 * row + column - 9 for row, column in moves), record[6])
