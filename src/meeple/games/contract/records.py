"""Records of played games: one JSON object per line, read and replayed under the rules."""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from meeple.errors import IllegalAction, MeepleError, OptionError
from meeple.files import open_text
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make_from
from meeple.games.contract.result import checked_tally, declared_shares, lost_by, shares_without
from meeple.kernels import CHANCE
from meeple.options import OptionValue
from meeple.sentences import say
from meeple.tables import data_frame

_PAYOFF_TOLERANCE = 1e-6  # other programs may round payoffs
TALLY = "tally"  # the note with the `tally` of the last position
_MAX_NESTING = 50  # levels of lists and objects in a record


@dataclass(frozen=True)
class GameRecord:
    """One game, finished or not, as data."""

    game: str
    options: Mapping[str, OptionValue]
    seats: tuple[str, ...]  # the players: a spec or a name each
    seed: int  # of the opening position
    actions: tuple[str, ...]  # names of all actions and chance outcomes, in order
    payoffs: tuple[float, ...] | None  # each seat's share; None: unfinished
    opening: int = 0  # number of first actions that were set before the game
    notes: Mapping[str, Any] = field(default_factory=dict)  # added by the writer
    board: Any = None  # of `capabilities.layout`; None: the options determine it

    @property
    def lost_by(self) -> tuple[str, int] | None:
        """How (a key of `LOST_BY`) and by which seat the game was lost early; None if not."""
        return None if self.payoffs is not None else lost_by(self.notes, len(self.seats))

    @property
    def shares(self) -> tuple[float, ...] | None:
        """Each seat's share of the win, by the rules, by an early loss, or as declared; or None."""
        if self.payoffs is not None:
            return self.payoffs
        if self.lost_by is not None:
            return shares_without(self.lost_by[1], len(self.seats), self.tally)
        return declared_shares(self.notes, len(self.seats))

    @property
    def tally(self) -> Mapping[str, Any]:
        """The `tally` of the last position, as its writer saved it."""
        return checked_tally(self.notes.get(TALLY), len(self.seats))

    @property
    def is_declared(self) -> bool:
        """Whether the shares are only declared: the game neither ended nor was lost early."""
        return self.payoffs is None and self.lost_by is None and self.shares is not None

    def to_json(self) -> str:
        """Return the record as one line of JSON, without a line end."""
        fields: dict[str, Any] = {
            "game": self.game,
            "options": dict(self.options),
            "seats": list(self.seats),
            "seed": self.seed,
            "actions": list(self.actions),
            "payoffs": None if self.payoffs is None else list(self.payoffs),
        }
        if self.board is not None:
            fields["board"] = self.board
        if self.opening:
            fields["opening"] = self.opening
        if self.notes:
            fields["notes"] = dict(self.notes)
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "GameRecord":
        """Return the record of a line of JSON.

        Raises:
            MeepleError: the line is not a record; the message says why.
        """
        try:
            fields = json.loads(line)
        except ValueError:
            raise MeepleError(say("game.this_is_not_a_game_record_the")) from None
        except RecursionError:
            raise MeepleError(say("game.this_is_not_a_game_record_it")) from None
        _check_plain(fields)
        match fields:
            case {
                "game": str(game),
                "options": dict(options),
                "seats": list(seats),
                "seed": int(seed),
                "actions": list(actions),
                "payoffs": payoffs,
            }:
                opening, notes = fields.get("opening", 0), fields.get("notes", {})
            case _:
                needed = "game, options, seats, seed, actions, payoffs"
                raise MeepleError(say("game.this_is_not_a_game_record_it_needs", command=needed))
        if not all(isinstance(word, str) for word in (*seats, *actions)):
            raise MeepleError(say("game.this_is_not_a_game"))
        if not isinstance(opening, int) or not isinstance(notes, dict):
            raise MeepleError(say("game.this_is_not_a_game_record"))
        if not 0 <= opening <= len(actions):
            raise MeepleError(say("game.this_is_not_a_game_record_opening", n=len(actions)))
        shares = None if payoffs is None else _shares(payoffs)
        board = fields.get("board")
        return cls(game, options, tuple(seats), seed, tuple(actions), shares, opening, notes, board)


def _check_plain(fields: Any) -> None:
    """Raise MeepleError unless the values can be written as JSON again."""
    layer, depth = [fields], 0
    while layer:
        if depth > _MAX_NESTING:
            raise MeepleError(say("game.this_is_not_a_game_record_it"))
        depth += 1
        inner: list[Any] = []
        for value in layer:
            if isinstance(value, dict):
                inner += [*value, *value.values()]
            elif isinstance(value, list):
                inner += value
            elif isinstance(value, str) and not value.isascii():
                try:
                    value.encode()
                except UnicodeEncodeError:
                    raise MeepleError(say("game.this_is_not_a_game_record_half")) from None
        layer = inner


def _shares(payoffs: Any) -> tuple[float, ...]:
    numbers = isinstance(payoffs, list) and all(
        isinstance(share, int | float) and not isinstance(share, bool) for share in payoffs
    )
    if not numbers:
        raise MeepleError(say("game.this_is_not_a"))
    try:
        return tuple(float(share) for share in payoffs)
    except OverflowError:
        raise MeepleError(say("game.this_is_not_a_game_record_payoffs")) from None


def action_names(position: Position) -> list[str]:
    """Return the names of all actions that led to a position, in order."""
    names = []
    walk = position.copy()  # the name of an action may depend on the position
    for action in reversed(position.actions):
        walk.undo()
        names.append(walk.action_name(action))
    return names[::-1]


def record_of(
    position: Position,
    seats: Iterable[str],
    opening: int = 0,
    notes: Mapping[str, Any] | None = None,
) -> GameRecord:
    """Return the record of a game so far.

    Args:
        position: the game.
        seats: the player of each seat: a spec or a name.
        opening: number of first actions that were set before the game.
        notes: JSON data to save with the record.
    """
    names = tuple(seats)
    if position.game.has_par and len(names) == position.game.seats:
        names = (*names, str(say("game.par")))
    return GameRecord(
        game=position.game.name,
        options=dict(position.game.options),
        seats=names,
        seed=position.seed,
        actions=tuple(action_names(position)),
        payoffs=tuple(position.payoffs.tolist()) if position.is_over else None,
        opening=opening,
        notes={**(notes or {}), **({TALLY: position.tally} if position.tally else {})},
        board=capabilities.layout(position),
    )


def read_records(path: str | os.PathLike[str]) -> list[GameRecord]:
    """Return all records of a file.

    Raises:
        MeepleError: a line is not a record, or the file cannot be read; the message names both.
    """
    records = []
    try:
        with open_text(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    records.append(_read_line(path, number, line))
    except FileNotFoundError:
        raise MeepleError(f"there is no file {os.fspath(path)}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise MeepleError(f"cannot read game records from {os.fspath(path)}: {error}") from None
    return records


def _read_line(path: str | os.PathLike[str], number: int, line: str) -> GameRecord:
    try:
        return GameRecord.from_json(line)
    except MeepleError as error:
        raise MeepleError(f"{os.fspath(path)}, line {number}: {error}") from None


def to_lines(records: Iterable[GameRecord]) -> str:
    """Return records as the text of a file."""
    return "".join(record.to_json() + "\n" for record in records)


def to_pandas(records: Iterable[GameRecord]) -> Any:
    """Return records as a `pandas.DataFrame`, a row for each game.

    Columns: the options and the notes by their names; `game`, `seed`, `plies`; `player_1`, ... and
    `share_1`, ..., the player of each seat and its share of the win; `lost_by`, how the game
    was lost early; `points_1`, ... in a game of points; and `declared`, whether the result is only
    declared by a file.

    Raises:
        UsageError: pandas is not installed.
    """
    return data_frame(map(_row, records))


def _row(record: GameRecord) -> dict[str, Any]:
    shares = record.shares or (math.nan,) * len(record.seats)
    row = {
        "game": record.game,
        "seed": record.seed,
        "plies": len(record.actions),
        **{f"player_{seat}": name for seat, name in enumerate(record.seats, 1)},
        **{f"share_{seat}": share for seat, share in enumerate(shares, 1)},
        **{f"points_{seat}": one for seat, one in enumerate(record.tally.get("points", ()), 1)},
        "lost_by": record.lost_by and record.lost_by[0],
        "declared": record.is_declared,
    }
    notes = {name: value for name, value in record.notes.items() if name != TALLY}
    return {**row, **record.options, **notes, **row}  # in this order, the row last


def game_of(record: GameRecord) -> Game:
    """Return the game of a record.

    Raises:
        OptionError: there is no such game, or it does not have these options.
    """
    try:
        return make_from(record.game, record.options)
    except TypeError:
        raise OptionError(say("game.the_options_of_a", field=record.options)) from None


def opening_of(record: GameRecord) -> Position:
    """Return the opening position of a record, on the record's board.

    If the seed does not deal that board (an older version shuffled differently), the position is of
    the game with that board as an option.

    Raises:
        OptionError: the game, its options or its board do not exist.
        MeepleError: the number of seats is not the game's number of players.
    """
    game = game_of(record)
    if len(record.seats) != game.players:
        raise MeepleError(
            say("game.the_record_names_seats", n=len(record.seats), game=game.name, n2=game.players)
        )
    position = game.start(record.seed)
    if record.board is None or record.board == capabilities.layout(position):
        return position
    return capabilities.with_layout(game, record.board).start(record.seed)


def positions(record: GameRecord, start: Position | None = None) -> Iterator[Position]:
    """Yield the opening position, then the same position after each action, for viewers.

    Args:
        record: the game.
        start: its position after some of its actions, to continue from there.

    Raises:
        OptionError: the game, its options or its board do not exist.
        IllegalAction: the rules forbid an action; the message has its number and the player.
    """
    position = opening_of(record) if start is None else start
    yield position
    done = len(position.actions)
    for ply, name in enumerate(record.actions[done:], start=done + 1):
        try:
            position.play(position.parse_action(name))
        except IllegalAction as error:
            raise IllegalAction(_first_wrong(position, ply, name, str(error))) from None
        yield position


def retrace(position: Position, actions: Iterable[int]) -> Iterator[tuple[Position, int]]:
    """Play recorded actions on `position` and yield the position before each with the action.

    The yielded position is one object that is updated in place; callers must not change it. (A copy
    per ply is slow in long games.)
    """
    before = position.copy()
    for action in actions:
        position.play(action)
        yield before, action
        before.play(action)


def legal_line(position: Position, actions: Iterable[int]) -> Iterator[tuple[Position, int]]:
    """Yield the actions of a line with the position before each, up to the first illegal one.

    The yielded position is one object that is updated in place; callers must not change it.
    """
    walk = position.copy()
    for action in actions:
        if action not in walk.legal_actions():
            return
        yield walk, action
        walk.play(action)


def _first_wrong(position: Position, ply: int, name: str, reason: str) -> str:
    """Return the error message for the first action of a record that breaks the rules."""
    if position.is_over:
        return say("game.action_of_the_record_comes", n=ply, field=name)
    seat = position.to_move
    who = "chance" if seat == CHANCE else position.game.player_name(seat)
    return say("game.action_of_the_record", n=ply, name=who, reason=reason)


def replay(record: GameRecord, start: Position | None = None) -> Position:
    """Return the last position of a recorded game, with its whole history.

    Args:
        record: the game.
        start: its position after some of its actions, which is played on.

    Raises:
        MeepleError: the record cannot be replayed (as in `positions`), or the rules give other
            payoffs.
    """
    for position in positions(record, start):
        last = position
    if record.payoffs is None:
        return last
    if not last.is_over:
        raise MeepleError(say("game.the_record_gives_payoffs"))
    true = tuple(last.payoffs.tolist())
    same = len(true) == len(record.payoffs) and all(
        abs(a - b) <= _PAYOFF_TOLERANCE for a, b in zip(true, record.payoffs, strict=True)
    )
    if not same:
        given = ", ".join(f"{share:g}" for share in record.payoffs)
        right = ", ".join(f"{share:g}" for share in true)
        raise MeepleError(say("game.the_record_gives_payoffs_but", field=given, command=right))
    return last
