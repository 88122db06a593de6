"""SGF, the Smart Game Format, FF[4] (https://www.red-bean.com/sgf/): reading and writing.

For Hex (GM[11]), Gomoku (GM[4]) and Reversi (GM[2]). The library sgfmill parses and writes the
grammar; this module converts it to records and back. Reading accepts several dialects and takes the
main line of a game with variations; an illegal move is an error that names it. GGF, which looks
similar, is read in `ggf.py`.

SGF does not hold the seed (these games have no chance), which first moves were preset, and times.
"""

import contextlib
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sgfmill import sgf_grammar

from meeple.errors import MeepleError, UsageError
from meeple.files import version
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, record_of, replay
from meeple.games.contract.registry import make_from
from meeple.games.contract.result import DECLARED, declared_shares, lost_by
from meeple.games.contract.set_up import board_of
from meeple.games.contract.variations import Mark, common_length, marks_text, parse_marks
from meeple.protocols.records.found import FoundGames, check_total
from meeple.protocols.records.sgf_dialect import (
    DIALECTS,
    PASS,
    RESIGN,
    SWAP,
    SWAP_SIDES,
    cell_of,
    options_of,
    special,
)
from meeple.protocols.records.sgf_file import MARKS, Move, SgfFile, text_of
from meeple.protocols.records.sgf_pieces import pieces
from meeple.protocols.records.sgf_set_up import COLOURS
from meeple.protocols.records.vocabulary import (
    MAX_RULE_CHARS,
    NOTHING_GIVEN,
    by_action,
    outcome,
    seat_name,
    try_play,
)
from meeple.sentences import say

Properties = dict[str, list[bytes]]  # of a node

GAMES = tuple(DIALECTS)  # the supported games
MAX_NODES = 200_000  # of a game; a node takes some hundred bytes of memory

_INFO = {
    "EV": "event",
    "RO": "round",
    "DT": "date",
    "PC": "place",
    "GN": "name",
    "SO": "source",
    "GC": "about",
}
_NO_GAME = say("record.not_sgf")
_NOTHING = ("", "null")  # Little Golem writes "null" for a missing event
_ENDS = {"R": "resigned", "T": "time", "F": "forfeit"}  # of RE
_LETTER = {how: letter for letter, how in _ENDS.items()}
_WINNER = re.compile(
    r"(?i)(B|W)(?:lack|hite)?(?:\s+wins?\b.*|\s*\+?\s*(\d+(?:\.\d+)?|[RTF]?)[a-z]*)?"
)
_ZERO = re.compile(r"[+-]?0*(?:[.,]0*)?")
_DRAWS = ("0", "draw", "jigo")


def has_game(text: str) -> bool:
    """Return whether a text contains the start of a game in SGF; text before it is ignored."""
    return re.search(r"\(\s*;", text) is not None


# ---------------------------------------------------------------- writing


def write(record: GameRecord) -> str:
    """Return a record as a collection of one game, declared as UTF-8.

    Raises:
        MeepleError: the game is not supported, or the record is illegal.
    """
    text: bytes = sgf_grammar.serialise_game_tree(_tree(record))
    return text.decode("utf-8")


def _tree(record: GameRecord) -> Any:
    position = replay(record)
    nodes = [root_of(record, position)]
    for name, step in zip(record.actions, position.steps(), strict=True):
        mover = int(step.before.view(position.game.State)["to_move"][0])
        nodes.append(move_of(position.game, name, step.action, mover))
    marks = by_action(record.notes, "marks")
    comments = by_action(record.notes, "comments")
    for place, node in enumerate(nodes):
        node |= annotations_of(position.game, comments.get(place), marks.get(place))
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    return tree


def root_of(record: GameRecord, position: Position) -> Properties:
    """Return the properties of the first node of a game, whose last position is given.

    Raises:
        MeepleError: there is no SGF for the game or its options.
    """
    dialect = DIALECTS.get(record.game)
    if dialect is None:
        raise MeepleError(
            say("record.no_format", format="SGF", game=record.game, command=", ".join(GAMES))
        )
    options = position.game.options
    if options.get("first", 1) != 1:
        raise MeepleError(say("record.there_is_no_sgf"))
    if options.get("opening", "none") != "none":
        raise MeepleError(say("record.there_is_no_sgf_of"))
    first: Properties = {
        "FF": [b"4"],
        "GM": [str(dialect.number).encode()],
        "CA": [b"UTF-8"],
        "AP": [f"Meeple:{version()}".encode()],
        "SZ": [str(options["size"]).encode()],
        "PB": [_escaped(record.seats[0])],
        "PW": [_escaped(record.seats[1])],
        "RE": [_result(position, record.notes)],
    }
    if rules := dialect.rules(options):
        first["RU"] = [rules.encode()]
    first |= _set_up_of(position.game)
    for key, name in _INFO.items():
        if isinstance(said := record.notes.get(name), str):
            first[key] = [_escaped(said)]
    return first


def _set_up_of(game: Game) -> Properties:
    """Return the stones from which a game begins, if they are not the usual ones."""
    size = int(game.options["size"])
    board = board_of(game, size)
    if board is None:
        return {}
    found: Properties = {"PL": [COLOURS[board.to_move].encode()]}
    for cell, owner in enumerate(board.owners):
        if owner >= 0:
            point = DIALECTS[game.name].write(*divmod(cell, size))
            found.setdefault(f"A{COLOURS[owner]}", []).append(point.encode())
    return found


def move_of(game: Game, name: str, action: int, mover: int) -> Properties:
    """Return the properties of a move, given by its name and number."""
    size = int(game.options["size"])
    cell = divmod(action, size)
    value = DIALECTS[game.name].write(*cell) if cell[0] < size else _special_words(name)
    return {COLOURS[mover]: [value.encode()]}


def annotations_of(game: Game, comment: Any, marks: Any) -> Properties:
    """Return the properties of a node's comment and marks, which are texts or missing."""
    size = int(game.options["size"])
    found: Properties = {}
    known: Sequence[Mark] = ()
    with contextlib.suppress(UsageError):  # a note of another program
        known = parse_marks(marks) if isinstance(marks, str) else ()
    if isinstance(comment, str) and comment:
        found["C"] = [_escaped(comment)]
    for mark in known:
        if mark.spot.isdecimal() and int(mark.spot) < size * size:
            cell = DIALECTS[game.name].write(*divmod(int(mark.spot), size))
            found.setdefault(MARKS[mark.shape], []).append(cell.encode())
    return found


def _special_words(name: str) -> str:
    return {"swap": "swap-pieces", "pass": "PA"}[name.strip().lower()]


def score(position: Position) -> str:
    """Return the result of a finished game, such as "B+" or "W+12" (discs); "0" is a draw."""
    payoffs = position.payoffs
    if payoffs[0] == payoffs[1]:
        return "0"
    winner = COLOURS[payoffs.argmax()]
    discs = getattr(position.state, "discs", None)
    if discs is None:
        return f"{winner}+"
    black, white = (sum(int(word).bit_count() for word in side) for side in discs)
    return f"{winner}+{abs(black - white)}"


def _result(position: Position, notes: Mapping[str, Any]) -> bytes:
    """Return the value of RE."""
    if position.is_over:
        return score(position).encode()
    if found := lost_by(notes, position.game.players):
        return f"{COLOURS[1 - found[1]]}+{_LETTER.get(found[0], 'R')}".encode()
    said = notes.get("result")
    if shares := declared_shares(notes, position.game.players):
        sign = "0" if shares[0] == shares[1] else f"{COLOURS[shares[1] > shares[0]]}+"
        if isinstance(said, str) and re.fullmatch(re.escape(sign) + r"[0-9.]*", said):
            return said.encode()
        return sign.encode()
    return _escaped(said) if isinstance(said, str) else b"?"


def _escaped(text: str) -> bytes:
    escaped: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return escaped


# ---------------------------------------------------------------- reading


def find(
    text: str, most: int | None = None, given: Mapping[str, Any] = NOTHING_GIVEN
) -> FoundGames:
    """Return the games of a text. Raises MeepleError if there are none or too many.

    `given`: options of the game that the user gave.
    """
    texts = _texts(text)
    if texts is None:  # unbalanced brackets, perhaps of a value that is not escaped
        trees = _trees(text)
        check_total(len(trees), most)
        return FoundGames(len(trees), lambda number: _read_tree(trees[number], given))
    check_total(len(texts), most)
    return FoundGames(len(texts), lambda number: _read_tree(_trees(texts[number])[0], given))


def first_tree(text: str) -> Any:
    """Return the first game of a text, as sgfmill parses it. Raises MeepleError."""
    texts = _texts(text)
    return _trees(texts[0] if texts else text)[0]


def _texts(text: str) -> list[str] | None:
    """Return the text of each game; None if brackets are unbalanced."""
    texts = pieces(text)
    if texts == []:
        raise MeepleError(_NO_GAME)
    return texts


def _trees(text: str) -> list[Any]:
    if text.count(";") + text.count("(") > MAX_NODES:
        raise MeepleError(say("record.this_sgf_has_more", n=MAX_NODES))
    for attempt in (text, _with_escaped_values(text)):
        try:
            return list(sgf_grammar.parse_sgf_collection(attempt.encode("utf-8", "replace")))
        except ValueError as error:
            reason = str(error)
    if "no SGF data" in reason:
        raise MeepleError(_NO_GAME)
    raise MeepleError(say("record.this_sgf_cannot_be", command=reason.partition(": ")[2] or reason))


_VALUE_END = re.compile(r"\](?=\s*(?:[\[;()]|[A-Z]{1,2}\s*\[|\Z))")


def _with_escaped_values(text: str) -> str:
    """Escape the brackets in values, which Little Golem does not: a player is `Shumacher;]`.

    A bracket ends a value only before text that may follow a value.
    """
    parts, at = [], 0
    while (start := text.find("[", at)) >= 0 and (end := _VALUE_END.search(text, start)):
        inside = text[start + 1 : end.start()].replace("\\", "\\\\").replace("]", "\\]")
        parts.append(f"{text[at:start]}[{inside}]")
        at = end.end()
    return "".join(parts) + text[at:]


def _read_tree(tree: Any, given: Mapping[str, Any]) -> GameRecord:
    return records_of([SgfFile.of(list(sgf_grammar.main_sequence_iter(tree)))], given)[0]


def records_of(
    lines: Sequence[SgfFile], given: Mapping[str, Any] = NOTHING_GIVEN
) -> list[GameRecord]:
    """Return the records of the lines of one game, all with the options under which they are legal.

    Raises:
        MeepleError: a line is illegal; the message names the move.
    """
    file = lines[0]
    moves = (move for line in lines for move in line.moves)
    swapped = any(special(file.game, move.value) in (SWAP, SWAP_SIDES) for move in moves)
    _check_even(file)
    rules = text_of(file.root, "RU")
    choices = options_of(file.game, file.size, rules, swapped or file.golem, given)
    if board := file.set_up.board:
        begun = [{**options, "board": board} for options in choices]
        choices = [*choices, *begun] if file.set_up.stones else begun
    for options in choices[:-1]:
        with contextlib.suppress(MeepleError):  # another rule may have been meant
            return _replayed(lines, options)
    return _replayed(lines, choices[-1])


def _check_even(file: SgfFile) -> None:
    """Raise MeepleError for a game of points with komi, or with a handicap that is not set up.

    Editors for Go write komi into games of all kinds.
    """
    placed = file.set_up.stones or file.set_up.board
    for key, what, matters in (
        ("KM", "komi", file.game == "reversi"),
        ("HA", "a handicap", not placed),
    ):
        said = text_of(file.root, key)
        if said and not _ZERO.fullmatch(said) and matters:
            raise MeepleError(
                say("record.unsupported", field=f"{key}[{said[:MAX_RULE_CHARS]}]", what=what)
            )


def _replayed(lines: Sequence[SgfFile], options: Mapping[str, Any]) -> list[GameRecord]:
    game = make_from(lines[0].game, options)
    if "board" in options and any(line.set_up.board != options["board"] for line in lines):
        raise MeepleError(say("record.its_variations_begin_with"))
    replay = _Replay(lines[0], game)
    return [replay.record_of_line(line) for line in lines]


class _Replay:
    """Replays the lines of a game under the rules; what two lines in turn share is played once."""

    def __init__(self, file: SgfFile, game: Game) -> None:
        """Begin with the first line."""
        self.file = file
        self.position = game.start()
        self.sides_swapped = False  # whether the players exchanged colours, with the stone in place
        self.resigned: int | None = None
        self.comments: dict[str, str] = {}
        self.marks: dict[str, str] = {}
        self._reached: list[tuple[int, bool]] = []
        """Actions and `sides_swapped`, after the set-up and after each move."""

    def record_of_line(self, file: SgfFile) -> GameRecord:
        """Return the record of a line. Raises MeepleError that names the first illegal move."""
        del self._reached[self._shared(file) :]
        self.file, self.resigned = file, None
        self.comments, self.marks = {}, {}
        set_up, begun = file.set_up, "board" in self.position.game.options
        self.first, self.stones = ("B", ()) if begun else (set_up.first, set_up.stones)
        self._restore()
        moves = file.moves[len(self._reached) - 1 :]
        for move, following in itertools.zip_longest(moves, moves[1:]):
            self._play(move, following)
            self._annotate(move.number, len(self.position.actions))
            if special(file.game, move.value) == RESIGN:
                break
            self._reached.append((len(self.position.actions), self.sides_swapped))
        return self._record()

    def _shared(self, file: SgfFile) -> int:
        """Return how many entries of `_reached` hold for a line.

        How a move is played depends on the next one, so that the last shared move does not hold.
        """
        if file.set_up != self.file.set_up:
            return 0
        return max(1, common_length(file.moves, self.file.moves))

    def _restore(self) -> None:
        """Go back to the last entry of `_reached`, or play the set-up; annotate up to there."""
        actions, self.sides_swapped = self._reached[-1] if self._reached else (0, False)
        while len(self.position.actions) > actions:
            self.position.undo()
        if not self._reached:
            for cell in self.stones:
                if not try_play(self.position, self._turned(cell)):
                    raise MeepleError(say("record.the_rules_do_not_allow"))
            self._reached.append((len(self.position.actions), False))
        for number, (actions, swapped) in enumerate(self._reached):
            self.sides_swapped = swapped
            self._annotate(number, actions)

    def _record(self) -> GameRecord:
        """Return the record: moves, names of the players, and notes."""
        root, game = self.file.root, self.position.game
        said = {name: text_of(root, key) for key, name in _INFO.items()}
        notes: dict[str, Any] = {name: text for name, text in said.items() if text not in _NOTHING}
        notes |= self._outcome()
        if self.comments:
            notes["comments"] = self.comments
        if self.marks:
            notes["marks"] = self.marks
        names = [text_of(root, key) for key in ("PB", "PW")]
        if self.first == "W" and not self.file.golem:
            names.reverse()
        seats = [seat_name(name, game.player_name(seat)) for seat, name in enumerate(names)]
        return record_of(self.position, seats, len(self.stones), notes)

    def _play(self, move: Move, following: Move | None) -> None:
        what, position = special(self.file.game, move.value), self.position
        if what == RESIGN:
            self.resigned = self._seat(move.colour)
            return
        if position.is_over:
            if what == PASS:
                return  # some programs end a game with passes
            raise move.wrong(say("record.it_comes_after_the"))
        turn = position.to_move == self._seat(move.colour) or self.sides_swapped
        if not turn and not try_play(position, PASS):  # forced passes are often omitted
            raise move.wrong(
                say("record.it_is_the_turn", name=position.game.player_name(position.to_move))
            )
        if what == PASS:
            if not try_play(position, PASS):
                raise move.wrong(say("record.a_player_who_can"))
        elif what in (SWAP, SWAP_SIDES):
            if not try_play(position, SWAP):
                raise move.wrong(say("record.only_the_first_stone"))
            # Programs of the Computer Olympiad write swap-pieces, and White's next move.
            again = following is not None and following.colour == move.colour
            self.sides_swapped = what == SWAP_SIDES or again
        else:
            self._place(move)

    def _annotate(self, moves: int, actions: int) -> None:
        """Take the comment and the marks after a number of moves of the file, and of actions."""
        place = str(actions if moves else 0)
        if moves in self.file.comments:
            self.comments[place] = self.file.comments[moves]
        marked = self.file.marks.get(moves, ())
        marks = [Mark(shape, str(self._turned(cell))) for shape, cell in marked]
        if marks:
            self.marks[place] = marks_text(marks)

    def _place(self, move: Move) -> None:
        size = self.file.size
        cell = self._cell(move.value)
        if cell is None:
            raise move.wrong(say("record.there_is_no_such", n=size, n2=size))
        if not try_play(self.position, cell):
            raise move.wrong(say("record.the_rules_do_not"))

    def _cell(self, value: str) -> int | None:
        """Return the number of a cell, or None if there is no such cell."""
        file = self.file
        cell = cell_of(file.game, value, file.size)
        if cell is None:
            return None
        return self._turned(cell[0] * file.size + cell[1])

    def _turned(self, cell: int) -> int:
        """Return a cell of the file as a cell of the game.

        White connects columns, but our first player connects rows: if White moves first in Hex, the
        board is mirrored.
        """
        file = self.file
        white_first = file.game == "hex" and self.first == "W" and not file.golem
        if white_first == self.sides_swapped:
            return cell
        row, column = divmod(cell, file.size)
        return column * file.size + row

    def _seat(self, colour: str) -> int:
        return 0 if (colour == self.first) != self.sides_swapped else 1

    def _outcome(self) -> dict[str, Any]:
        """Return the result that the file declares, as notes of a record."""
        said, over = text_of(self.file.root, "RE"), self.position.is_over
        if self.resigned is not None and not over:
            return {"resigned": self.resigned}
        found = _WINNER.fullmatch(said)
        if found:
            winner, how = found[1].upper(), (found[2] or "").upper()
            won = COLOURS.index(winner) if self.file.golem else self._seat(winner)
            margin = float(how) if how[:1].isdigit() else None
            notes = outcome(self.position, f"RE[{said}]", won, _ENDS.get(how, ""), margin)
        elif said.lower() in _DRAWS:
            notes = outcome(self.position, f"RE[{said}]", None, margin=0.0)
        else:
            notes = {}
        keeps = DECLARED in notes or (not notes and not over and said not in ("", "?"))
        return notes | ({"result": said} if keeps else {})
