"""GGF, the Generic Game Format of the server GGS, for Othello: reading and writing.

The format is https://www.skatgame.net/mburo/ggsa/ggf: one node of properties between `(;` and `;)`,
the moves among them in their order, as `B[F5/1.50/2.31]`: the cell, the player's estimate of the
result, seconds. `TY[8]` is the board's size; `BO` is the board. Values have no escape for brackets.

A text may hold several games, such as a match or a synchro game (two games at once): each is read
on its own, and a number before them is ignored. Refused are games other than Othello, komi, and the
variant in which fewer discs win. GGF does not hold which first moves were preset, comments, event,
round, and brackets in names.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from meeple.errors import MeepleError
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, record_of, replay
from meeple.games.contract.registry import make_from
from meeple.games.contract.result import DECLARED, declared_shares, lost_by
from meeple.games.contract.set_up import board_of, board_text, four_discs
from meeple.protocols.records.found import FoundGames, check_total
from meeple.protocols.records.sgf_dialect import PASS, cell_of, options_of, special
from meeple.protocols.records.sgf_file import Move
from meeple.protocols.records.sgf_pieces import pieces
from meeple.protocols.records.sgf_set_up import COLOURS
from meeple.protocols.records.vocabulary import (
    NOTHING_GIVEN,
    by_action,
    outcome,
    seat_name,
    try_play,
)
from meeple.sentences import say

GAME = "reversi"
MAX_PROPERTIES = 2_000  # of a game; the largest board has 196 cells

_PROPERTY = re.compile(r"[\s;]*([A-Za-z]{1,2})\s*\[([^\]]*)\]")
_BOARD = re.compile(r"([*O-]{1,400})([*O])")
_END = re.compile(r"[\s;]*\)")
_NAMES_GAME = re.compile(r"\(\s*;[\s;]*GM\s*\[\s*[A-Za-z]")
_TYPE = re.compile(r"([a-z]{0,4})(\d{1,2})([a-z]{0,4})\d{0,4}")  # such as 8, s8r20, 8k
_RESULT = re.compile(r"([+-]?\d+(?:\.\d*)?)(?::([rts]))?")
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:\.\d{0,9})?")
_NOTES = {"PC": "place", "DT": "date", "TI": "time_limit"}
_LOST = {"r": "resigned", "t": "time"}
_SHOWN = 20  # characters of a wrong value that a message repeats


def has_game(text: str) -> bool:
    """Return whether a text begins with GGF, whose GM is a name; in SGF it is a number."""
    begin = re.search(r"\(\s*;", text)
    return begin is not None and _NAMES_GAME.match(text, begin.start()) is not None


# ---------------------------------------------------------------- writing


def write(record: GameRecord) -> str:
    """Return a record as a line. Raises MeepleError for another game or an illegal record."""
    if record.game != GAME:
        raise MeepleError(say("record.no_format", format="GGF", game=record.game, command=GAME))
    position = replay(record)
    notes, size = record.notes, int(position.game.options["size"])
    parts = ["(;GM[Othello]"]
    parts += [f"{key}[{_bare(notes[name])}]" for key, name in _NOTES.items() if name in notes]
    parts += [f"P{colour}[{_bare(name)}]" for colour, name in zip("BW", record.seats, strict=True)]
    ratings = notes.get("ratings")
    if isinstance(ratings, list) and len(ratings) == 2:
        parts += [f"R{colour}[{_bare(one)}]" for colour, one in zip("BW", ratings, strict=True)]
    begun = board_of(position.game, size) or four_discs(size)
    cells, _, mover = board_text(*begun).replace("X", "*").partition(" ")
    rows = " ".join(re.findall("." * size, cells))
    parts.append(f"TY[{size}]RE[{_result(position, notes)}]BO[{size} {rows} {mover}]")
    if position.game.options["payoff"] == "discs":
        parts.append("RU[discs]")  # our extension, which other programs ignore
    times, estimates = by_action(notes, "times"), by_action(notes, "estimates")
    for number, name in enumerate(record.actions, start=1):
        cell = "PA" if name.strip().lower() == PASS else name.strip().upper()
        said = _said(estimates.get(number)), _said(times.get(number))
        parts.append(
            f"{COLOURS[(begun.to_move + number - 1) % 2]}[{'/'.join((cell, *said)).rstrip('/')}]"
        )
    return "".join(parts) + ";)\n"


def _bare(value: Any) -> str:
    """Return a value without brackets, which would end it."""
    return " ".join(str(value).split()).replace("[", "(").replace("]", ")")


def _said(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:.2f}" if number and abs(value) < 1e9 else ""


def _result(position: Position, notes: Mapping[str, Any]) -> str:
    """Return the value of RE, in discs for Black; empty cells go to the winner."""
    cells = int(position.game.options["size"]) ** 2
    if position.is_over:
        black, white = (
            sum(int(word).bit_count() for word in side) for side in position.state.discs
        )
        empty = (cells - black - white) * ((black > white) - (black < white))
        return f"{black - white + empty:+.2f}"
    if found := lost_by(notes, 2):
        sign = "-" if found[1] == 0 else "+"
        return f"{sign}{cells}.00:{'t' if found[0] == 'time' else 'r'}"
    said = notes.get("result")
    if shares := declared_shares(notes, 2):
        lead = shares[0] - shares[1]
        given = _RESULT.fullmatch(said) if isinstance(said, str) else None
        if given and np.sign(float(given[1])) == np.sign(lead):
            return given[0]
        return f"{cells * lead:+.2f}"
    return _bare(said) if isinstance(said, str) else "?"


# ---------------------------------------------------------------- reading


def find(
    text: str, most: int | None = None, given: Mapping[str, Any] = NOTHING_GIVEN
) -> FoundGames:
    """Return the games of a text. Raises MeepleError if there are none or too many.

    `given`: options of the game that the user gave.
    """
    texts = pieces(text)
    if not texts:
        raise MeepleError(say("record.this_is_not_ggf"))
    check_total(len(texts), most)
    return FoundGames(len(texts), lambda number: _read_game(texts[number], given))


def _read_game(text: str, given: Mapping[str, Any]) -> GameRecord:
    values, moves = _properties(text)
    said = values.get("GM", "").lower()
    if said not in ("othello", "reversi"):
        raise MeepleError(
            say(
                "record.wrong_game",
                field=f"GM[{values.get('GM', '')[:_SHOWN]}]",
                command="GM[Othello]",
            )
        )
    size = _size_of(values)
    [options] = options_of(GAME, size, values.get("RU", ""), False, given)
    game = make_from(GAME, {**options, "board": _board_of(values, size)})
    position = game.start()
    times: dict[str, float] = {}
    estimates: dict[str, float] = {}
    for move in moves:
        cell, *more = (part.strip() for part in move.value.split("/"))
        before = len(position.actions)
        _play(position, move, cell, size)
        if len(position.actions) == before:
            continue  # a pass after the end
        for kept, number in zip((estimates, times), more, strict=False):
            if _NUMBER.fullmatch(number):
                kept[str(len(position.actions))] = float(number)
    notes: dict[str, Any] = {name: values[key] for key, name in _NOTES.items() if values.get(key)}
    if values.get("RB") and values.get("RW"):
        notes["ratings"] = [values["RB"], values["RW"]]
    notes |= _outcome(position, values.get("RE", ""))
    notes |= {name: kept for name, kept in (("times", times), ("estimates", estimates)) if kept}
    names = (values.get(f"P{colour}", "") for colour in COLOURS)
    seats = [seat_name(name, game.player_name(seat)) for seat, name in enumerate(names)]
    return record_of(position, seats, notes=notes)


def _properties(text: str) -> tuple[dict[str, str], list[Move]]:
    """Return a game's properties, the first of each name, and its moves."""
    values: dict[str, str] = {}
    moves: list[Move] = []
    begin = re.match(r"\(\s*;", text)
    at = begin.end() if begin else 0
    while found := _PROPERTY.match(text, at):
        at = found.end()
        name, value = found[1].upper(), " ".join(found[2].split())
        if name in COLOURS:
            moves.append(Move(len(moves) + 1, name, value))
        else:
            values.setdefault(name, value)
        if len(moves) + len(values) > MAX_PROPERTIES:
            raise MeepleError(say("record.this_ggf_has_more", n=MAX_PROPERTIES))
    if not _END.match(text, at):
        where = say("record.after_move", n=len(moves)) if moves else say("record.before_first_move")
        raise MeepleError(say("record.no_property", where=where, field="TY[8]"))
    return values, moves


def _size_of(values: Mapping[str, str]) -> int:
    said = values.get("TY", "8")
    found = _TYPE.fullmatch(said.lower())
    if not found:
        raise MeepleError(say("record.board_no_number", field=f"TY[{said[:_SHOWN]}]"))
    letters = found[1] + found[3]
    komi = {"KB", "KW"} & {*values} or values.get("KM", "0").strip("+-.0")
    what = (
        "komi" if "k" in letters or komi
        else "the fewer discs winning" if "a" in letters
        else say("record.random_board") if "r" in letters and "BO" not in values
        else "an unknown variant" if set(letters) - {*"sr"}
        else ""
    )  # fmt: skip
    if what:
        raise MeepleError(say("record.unsupported_game", field=f"TY[{said[:_SHOWN]}]", what=what))
    return int(found[2])


def _board_of(values: Mapping[str, str], size: int) -> str:
    """Return the option `board`; "" for the usual four discs and Black to move."""
    said = "".join(values.get("BO", "").split())
    found = _BOARD.fullmatch(said.removeprefix(str(size)))
    if said and (not found or len(found[1]) != size * size):
        raise MeepleError(say("record.no_board", field=f"BO[{said[:_SHOWN]}]", n=size))
    board = f"{found[1]} {found[2]}".replace("*", "X") if found else ""
    return "" if board == board_text(*four_discs(size)) else board


def _play(position: Position, move: Move, value: str, size: int) -> None:
    """Play a move. Raises MeepleError that names it."""
    passes = special(GAME, value) == PASS
    if position.is_over:
        if passes:
            return  # some programs end a game with passes
        raise move.wrong(say("record.it_comes_after_the"))
    turn = COLOURS[position.to_move]
    if turn != move.colour and not passes and try_play(position, PASS):
        turn = COLOURS[1 - COLOURS.index(turn)]  # forced passes are often omitted
    if turn != move.colour:
        raise move.wrong(
            say("record.it_is_the_turn", name=position.game.player_name(position.to_move))
        )
    if passes:
        if not try_play(position, PASS):
            raise move.wrong(say("record.a_player_who_can"))
        return
    cell = cell_of(GAME, value, size)
    if cell is None:
        raise move.wrong(say("record.there_is_no_such", n=size, n2=size))
    if not try_play(position, cell[0] * size + cell[1]):
        raise move.wrong(say("record.the_rules_do_not"))


def _outcome(position: Position, said: str) -> dict[str, Any]:
    """Return the result that the file declares, as notes of a record."""
    found = _RESULT.fullmatch(said)
    if not found:
        return {} if said in ("", "?") or position.is_over else {"result": said}
    lead = float(found[1])
    winner = None if lead == 0 else 0 if lead > 0 else 1
    notes = outcome(position, f"RE[{said}]", winner, _LOST.get(found[2], ""), abs(lead))
    return notes | ({"result": said} if DECLARED in notes else {})
