"""PSQ, the format of Piskvork, the manager of the Gomocup's Gomoku tournaments: read and write.

The header, `Piskvorky 20x20, 11:11, 0`, has columns and rows of the board, two levels of strength,
and which of the two players named below moved first (0 or 1). Then follow a line for each move,
`x,y,milliseconds`, counted from 1 at the top left; in tournaments the names of the players; a
number for the end of the game, -1 by the rules; and in files of the Gomocup the winner (1 or 2)
with the rule, `1,Freestyle`. The specification is the code of Piskvork
(https://github.com/plastovicka/Piskvork, `source/game.cpp`).

A file holds one game, but a text of several is read. Only five in a row is supported. PSQ does not
hold comments, event, date, place, which first moves were preset, and how an unfinished game was
lost.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from meeple.errors import IllegalAction, MeepleError
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, record_of, replay
from meeple.games.contract.registry import make_from
from meeple.protocols.records.found import FoundGames, check_total
from meeple.protocols.records.vocabulary import (
    NOTHING_GIVEN,
    by_action,
    outcome,
    seat_name,
    stated_rule,
    try_play,
)
from meeple.sentences import say

GAME = "gomoku"
IN_A_ROW = 5
RULES = {
    "freestyle": "Freestyle",
    "standard": "Standard",
    "renju": "Renju",
}  # our names and the manager's
_UNNAMED = ("freestyle", "standard")  # the possible rules of a file that names none

_HEADER = re.compile(
    r"\s*Piskvorky\s+(\d{1,4})\s*x\s*(\d{1,4})\s*,\s*(-?\d{1,9})\s*:\s*(-?\d{1,9})\s*,\s*(\d{1,9})\s*"
)
_MOVE = re.compile(r"\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*(?:,\s*(-?\d{1,12})\s*)?")
_END = re.compile(r"\s*(-?\d{1,4})\s*,\s*([^\W\d].{0,60})")
_TOURNAMENT = re.compile(r"([A-Za-z]+)[ _]?(\d{1,2})?(?:_\d{1,2})?")
_TOURNAMENTS = {"freestyle": "freestyle", "fastgame": "freestyle", "standard": "standard",
                "renju": "renju"}  # fmt: skip
_LEAST_ROWS = 10  # a smaller number after a name is of a group
_RENJU_DRAW = 15 * 15 - 25  # moves, after which the Gomocup ends a game of Renju as a draw
_NUMBER = re.compile(r"-?\d{1,9}")
_WORD = "Piskvorky"
_MAX_LINES = 2_000  # of a game
_MILLISECONDS = 1000
_LEVEL = 11  # level of strength that the manager writes for a program


def has_game(text: str) -> bool:
    """Return whether a text begins like PSQ."""
    return text.lstrip().startswith(_WORD)


# ---------------------------------------------------------------- writing


def write(record: GameRecord) -> str:
    """Return a record as a file. Raises MeepleError if PSQ cannot hold it or it is illegal."""
    if record.game != GAME:
        raise MeepleError(say("record.no_format", format="PSQ", game=record.game, command=GAME))
    position = replay(record)
    options = position.game.options
    size, rule = int(options["size"]), str(options["rule"])
    if options["opening"] != "none":
        raise MeepleError(say("record.psq_has_no_choice"))
    if "board" in options:
        raise MeepleError(say("record.psq_has_no_set"))
    if options["in_a_row"] != IN_A_ROW or rule not in RULES:
        raise MeepleError(
            say(
                "record.psq_is_for_in",
                n=IN_A_ROW,
                command=", ".join(RULES),
                n2=options["in_a_row"],
                rule=rule,
            )
        )
    times = by_action(record.notes, "times")
    lines = [f"{_WORD} {size}x{size}, {_LEVEL}:{_LEVEL}, 0"]
    for number, action in enumerate(position.actions, start=1):
        row, column = divmod(action, size)
        lines.append(f"{column + 1},{row + 1},{_milliseconds(times.get(number))}")
    # Names are read to the end of the line; a name with a comma would look like a move.
    lines += [seat_name(name, "-").replace(",", ";") for name in record.seats]
    lines += ["-1", f"{_winner(record)},{RULES[rule]}"]
    return "\n".join(lines) + "\n"


def _milliseconds(seconds: Any) -> int:
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return round(seconds * _MILLISECONDS) if number and 0 <= seconds < 1e9 else 0


def _winner(record: GameRecord) -> int:
    """Return the winner, 1 or 2, or 0 for a draw or without a result."""
    shares = record.shares
    if shares is None or shares[0] == shares[1]:
        return 0
    return 1 if shares[0] > shares[1] else 2


# ---------------------------------------------------------------- reading


def find(
    text: str, most: int | None = None, given: Mapping[str, Any] = NOTHING_GIVEN
) -> FoundGames:
    """Return the games of a text. Raises MeepleError if there are none or too many.

    `given`: options of the game that the user gave.
    """
    games: list[list[str]] = []
    for line in text.splitlines():
        if line.lstrip().startswith(_WORD):
            games.append([])
        if games:
            games[-1].append(line)
    if not games:
        raise MeepleError(say("record.this_is_not_psq", field=_WORD))
    check_total(len(games), most)
    return FoundGames(len(games), lambda number: _read_game(games[number], given))


def _read_game(lines: list[str], given: Mapping[str, Any]) -> GameRecord:
    if len(lines) > _MAX_LINES:
        raise MeepleError(say("record.this_psq_has_more", n=_MAX_LINES))
    header = _HEADER.fullmatch(lines[0])
    if not header:
        raise MeepleError(say("record.psq_header", field=f"{_WORD} 20x20, 11:11, 0"))
    columns, rows = int(header[1]), int(header[2])
    if columns != rows:
        raise MeepleError(say("record.its_board_of_x", n=columns, n2=rows))
    moves = _moves_of(lines[1:])
    end = _End.of([line.strip() for line in lines[1 + len(moves) :]], rows, given)
    for kind in end.rules[:-1]:
        try:
            return _record(rows, kind, moves, end, int(header[5]))
        except IllegalAction:
            continue  # the other rule may have been meant
    return _record(rows, end.rules[-1], moves, end, int(header[5]))


def _moves_of(lines: list[str]) -> list[re.Match[str]]:
    moves = []
    for line in lines:
        move = _MOVE.fullmatch(line)
        if move is None:
            break
        moves.append(move)
    return moves


class _End(NamedTuple):
    """What stands after the moves."""

    rules: Sequence[str]  # the possible ones, the likeliest first
    winner: int  # 1 or 2, 0 for a draw, -1 if there is none
    names: Sequence[str]

    @classmethod
    def of(cls, tail: Sequence[str], size: int, given: Mapping[str, Any]) -> "_End":
        """Parse the lines after the moves. Raises MeepleError for an unknown rule."""
        names = [*itertools.takewhile(lambda line: not _NUMBER.fullmatch(line), tail)]
        ends = [found for line in tail if (found := _END.fullmatch(line))]
        if not ends:
            return cls([str(given["rule"])] if "rule" in given else _UNNAMED, -1, names)
        winner, word = int(ends[-1][1]), ends[-1][2].strip()
        return cls([_rule_of(word, size, given)], winner if winner in (0, 1, 2) else -1, names)


def _rule_of(word: str, size: int, given: Mapping[str, Any]) -> str:
    """Return the rule of a tournament such as `Standard`, or `Freestyle15_1`: 15 rows, group 1."""
    found = _TOURNAMENT.fullmatch(word)
    rule = _TOURNAMENTS.get(found[1].lower()) if found else None
    if found and found[2] and int(found[2]) >= _LEAST_ROWS and int(found[2]) != size:
        raise MeepleError(say("record.its_rule_is_but", field=word, n=size))
    return stated_rule(word, rule, RULES, given)


def _record(size: int, rule: str, moves: list[re.Match[str]], end: _End, first: int) -> GameRecord:
    """Replay the moves under a rule. Raises MeepleError that names the first illegal move."""
    game = make_from(GAME, {"size": size, "in_a_row": IN_A_ROW, "rule": rule})
    position = game.start()
    times: dict[str, float] = {}
    for number, move in enumerate(moves, start=1):
        _play(position, number, move, size)
        if int(move[3] or 0) > 0:
            times[str(number)] = int(move[3]) / _MILLISECONDS
    names = [*end.names, "", ""][:2]
    notes: dict[str, Any] = {"times": times} if times else {}
    said = f"player {end.winner} as the winner" if end.winner else "a draw"
    if end.winner > 0:
        winner = end.winner - 1 if first == 0 else 2 - end.winner
        notes |= outcome(position, said, winner ^ _counts_otherwise(names, moves, first))
    elif end.winner == 0 and rule == "renju" and len(moves) >= _RENJU_DRAW:
        notes |= outcome(position, said, None)
    if first == 1:  # the second named player moved first
        names.reverse()
    seats = [seat_name(name, game.player_name(seat)) for seat, name in enumerate(names)]
    return record_of(position, seats, notes=notes)


def _counts_otherwise(names: Sequence[str], moves: list[re.Match[str]], first: int) -> bool:
    """Return whether the winner's number counts the players in the other order.

    The judge of the Gomocup numbers them as its table does, and names Black first: these differ
    after an opening of an odd number of stones, which have no time
    (https://github.com/Gomocup/GomocupJudge, `end` in `server/server.py`).
    """
    opening = len([*itertools.takewhile(lambda move: int(move[3] or 0) == 0, moves)])
    judged = first == 0 and all(name.lower().endswith(".zip") for name in names)
    return judged and opening < len(moves) and opening % 2 == 1


def _play(position: Position, number: int, move: re.Match[str], size: int) -> None:
    column, row = int(move[1]) - 1, int(move[2]) - 1
    said = f"move {number}, {move[1]},{move[2]}"
    if not (0 <= row < size and 0 <= column < size):
        raise IllegalAction(
            say("record.at", where=said, reason=say("record.there_is_no_such", n=size, n2=size))
        )
    if position.is_over:
        raise IllegalAction(f"{said}: it comes after the end of the game")
    if not try_play(position, row * size + column):
        raise IllegalAction(f"{said}: the rules do not allow it there")
