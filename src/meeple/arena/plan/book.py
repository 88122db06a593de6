"""Opening books: files of the positions from which the games of a match begin."""

from collections.abc import Sequence
from pathlib import Path

from meeple.arena.plan.openings import Opening
from meeple.errors import MeepleError, UsageError
from meeple.files import read_text
from meeple.games.contract.game import Game, Position
from meeple.games.contract.pasted import WrongMove, play_named, read_pasted
from meeple.games.contract.records import GameRecord, game_of, read_records

RECORDS = (".jsonl", ".json")  # endings of files of records
MAX_OPENINGS = 100_000  # of a book


def read_book(path: str | Path, game: Game, seed: int = 0) -> list[Opening]:
    """Return the openings of a file, in its order.

    A file that ends in .jsonl or .json has one game record a line. The opening is the record's
    `opening` first actions if it has some, else all its actions. Any other file is text: a line has
    the action names of one opening, separated by spaces, or by `;` if names contain spaces; `#`
    begins a comment.

    Args:
        path: the file.
        game: the game of the openings.
        seed: seed of the start position, for lines that have none.

    Raises:
        UsageError: A line cannot be read, is of another game, breaks the rules or ends the game.
            The error names the file and the line.
    """
    file = Path(path)
    lines: list[tuple[int, Opening]] = []
    try:
        if file.suffix in RECORDS:
            for number, record in enumerate(read_records(file), start=1):
                lines.append((number, _of_record(game, record, f"{path}, game {number}")))
        else:
            for number, text in enumerate(read_text(file).splitlines(), start=1):
                words = text.partition("#")[0].strip()
                if words:
                    lines.append((number, _of_line(game, words, seed, f"{path}, line {number}")))
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"cannot read the openings of {path}: {reason}") from None
    except UsageError:
        raise
    except MeepleError as error:
        raise UsageError(str(error)) from None
    if not 1 <= len(lines) <= MAX_OPENINGS:
        raise UsageError(f"{path} has {len(lines)} openings; a book has from 1 to {MAX_OPENINGS:,}")
    return [opening for _, opening in lines]


def _of_record(game: Game, record: GameRecord, place: str) -> Opening:
    played = game_of(record)
    if played.name != game.name or dict(played.options) != dict(game.options):
        raise UsageError(f"{place}: it is of another game, or of other options, than {game.name}")
    names = record.actions[: record.opening] if record.opening else record.actions
    return _played(game, names, record.seed, place)


def _of_line(game: Game, words: str, seed: int, place: str) -> Opening:
    if ";" in words:
        return _played(game, [word.strip() for word in words.split(";")], seed, place)
    try:
        return _opening(game, read_pasted(game.start(seed), words), place)
    except WrongMove as error:
        raise UsageError(f"{place}: {error}") from None


def _played(game: Game, names: Sequence[str], seed: int, place: str) -> Opening:
    position = game.start(seed)
    try:
        for name in names:
            play_named(position, name)
    except WrongMove as error:
        raise UsageError(f"{place}: {error}") from None
    return _opening(game, position, place)


def _opening(game: Game, position: Position, place: str) -> Opening:
    if position.game != game:
        raise UsageError(f"{place}: it has another board than the game; an opening has moves")
    if position.is_over:
        raise UsageError(f"{place}: these actions end the game; an opening leaves it open")
    return Opening(position.seed, tuple(int(action) for action in position.actions))
