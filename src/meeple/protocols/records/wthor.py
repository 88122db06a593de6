"""Reads `.wtb` files of WTHOR, the database of Othello tournament games.

The format (https://www.ffothello.org/wthor/, of the French Othello federation): numbers are
little-endian. The header has 16 bytes: the date of the file as century, year, month and day; the
number of games (u32); the number of names (u16); the year of the games (u16); the board's size (0
and 8 mean 8); 1 for problems; the depth of the theoretical scores. Each game has 68 bytes:
tournament, Black, White (u16); Black's discs, including the empty cells if Black won; the same
after perfect play; and 60 moves as 10 * row + column from 11 to 88, 0 for none, without passes.

Names are in two files beside it, `WTHOR.TRN` of 26 bytes a tournament and `WTHOR.JOU` of 20 bytes a
player, after the same header; without them, numbers replace the names.
"""

from dataclasses import dataclass
from pathlib import Path

from meeple.errors import MeepleError
from meeple.files import read_bounded
from meeple.games.boards.grid import cell_name
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.games.contract.registry import make
from meeple.protocols.records.found import FoundGames, check_total
from meeple.protocols.records.sgf_dialect import PASS
from meeple.protocols.records.vocabulary import outcome, try_play
from meeple.sentences import say

HEADER, GAME_BYTES, FIRST_MOVE = 16, 68, 8
SIZE = 8  # rows of the board
_PASS_ACTION = SIZE * SIZE
_PLAYER_BYTES, _TOURNAMENT_BYTES = 20, 26
_MAX_NAMES_BYTES = 4_000_000


@dataclass(frozen=True)
class Names:
    """The names of players and tournaments, by their numbers in a file of games."""

    players: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()

    def player(self, number: int) -> str:
        """Return a player's name."""
        return _at(self.players, number) or say("game.player", n=number)

    def tournament(self, number: int) -> str:
        """Return a tournament's name."""
        return _at(self.tournaments, number) or f"tournament {number}"


def has_game(content: bytes) -> bool:
    """Return whether bytes have a plausible WTHOR header and the length that it implies."""
    if len(content) < HEADER:
        return False
    games = int.from_bytes(content[4:8], "little")
    month, day, size, kind = content[2], content[3], content[12], content[13]
    plausible = month <= 12 and day <= 31 and size in (0, 8, 10) and kind <= 1
    return plausible and len(content) == HEADER + games * GAME_BYTES


def names_beside(folder: str | Path) -> Names:
    """Return the names in a folder's files of names; missing or unreadable ones are ignored."""
    names: dict[str, tuple[str, ...]] = {"jou": (), "trn": ()}
    sizes = {"jou": _PLAYER_BYTES, "trn": _TOURNAMENT_BYTES}
    try:
        paths = sorted(Path(folder).iterdir())
    except OSError:
        paths = []
    for path in paths:
        kind = path.suffix.lower().removeprefix(".")
        if kind in sizes and not names[kind]:
            try:
                names[kind] = _names(read_bounded(path, _MAX_NAMES_BYTES), sizes[kind])
            except OSError:
                continue  # games can be read without names
    return Names(names["jou"], names["trn"])


def _names(content: bytes, size: int) -> tuple[str, ...]:
    rows = range(HEADER, len(content) - size + 1, size)
    return tuple(" ".join(_text(content[at : at + size]).split()) for at in rows)


def _text(raw: bytes) -> str:
    text = raw.partition(b"\0")[0].decode("latin-1")
    return "".join(sign for sign in text if sign.isprintable())


def _at(names: tuple[str, ...], number: int) -> str:
    return names[number] if number < len(names) else ""


def find(content: bytes, most: int | None = None, names: Names | None = None) -> FoundGames:
    """Return the games of a file, each replayed on demand.

    Args:
        content: of the file.
        most: the largest number of games; None means no limit.
        names: of players and tournaments; None means numbers in place of names.

    Raises:
        MeepleError: the content is no such file, or has too many games.
    """
    if len(content) < HEADER:
        raise MeepleError(say("record.this_is_not_a"))
    total = int.from_bytes(content[4:8], "little")
    if content[12] not in (0, SIZE):
        size = content[12]
        raise MeepleError(say("record.this_wthor_file_is", n=size, n2=size))
    if content[13] == 1:
        raise MeepleError(say("record.this_wthor_file_holds"))
    if len(content) != HEADER + total * GAME_BYTES:
        raise MeepleError(
            say(
                "record.this_is_not_a_wthor",
                n=total,
                n2=HEADER + total * GAME_BYTES,
                n3=len(content),
            )
        )
    if total == 0:
        raise MeepleError(say("record.this_wthor_file_holds_no"))
    check_total(total, most)
    game, year = make("reversi", size=SIZE), int.from_bytes(content[10:12], "little")

    def read(number: int) -> GameRecord:
        at = HEADER + number * GAME_BYTES
        return _read_game(game, content[at : at + GAME_BYTES], year, names or Names())

    return FoundGames(total, read)


def _read_game(game: Game, row: bytes, year: int, names: Names) -> GameRecord:
    tournament, black, white = (int.from_bytes(row[at : at + 2], "little") for at in (0, 2, 4))
    position = game.start()
    actions: list[str] = []
    for number, value in enumerate(row[FIRST_MOVE:], start=1):
        if value == 0:
            break
        line, column = value // 10 - 1, value % 10 - 1
        if not (0 <= line < SIZE and 0 <= column < SIZE):
            raise MeepleError(
                say("record.move", n=number, field=value, reason=say("record.no_such_cell"))
            )
        if not try_play(position, line * SIZE + column):
            if not try_play(position, _PASS_ACTION):  # passes are not in the file
                over = position.is_over
                why = say("record.it_comes_after_the") if over else say("record.not_allowed")
                raise MeepleError(
                    say("record.move", n=number, field=cell_name(line, column), reason=why)
                )
            actions.append(PASS)
            if not try_play(position, line * SIZE + column):
                cell = cell_name(line, column)
                raise MeepleError(
                    say("record.move", n=number, field=cell, reason=say("record.not_allowed"))
                )
        actions.append(cell_name(line, column))
    notes: dict[str, object] = {"event": names.tournament(tournament), "black_score": row[6]}
    if year:
        notes["date"] = str(year)
    said, lead = f"{row[6]} - {SIZE * SIZE - row[6]}", 2 * row[6] - SIZE * SIZE
    notes |= outcome(position, said, None if lead == 0 else 0 if lead > 0 else 1)
    if not position.is_over:
        notes["result"] = said  # the result that the players agreed on
    return GameRecord(
        game=game.name,
        options=dict(game.options),
        seats=(names.player(black), names.player(white)),
        seed=0,
        actions=tuple(actions),
        payoffs=tuple(position.payoffs.tolist()) if position.is_over else None,
        notes=notes,
    )
