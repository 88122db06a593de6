"""Sources of a position to analyse: a table, a pasted record, or typed moves.

Each becomes a `Replay`; the most recently used ones are cached.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.pasted import WrongMove, named, play_named, read_pasted
from meeple.games.contract.registry import make_from
from meeple.games.contract.replay import Replay
from meeple.kernels import CHANCE
from meeple.server.analysis.record_text import read_text
from meeple.server.errors import refusal
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.web.schemas import (
    MAX_PLIES,
    SEED_BITS,
    GameId,
    GameName,
    Options,
    Record,
    Strict,
)
from meeple.server.work import most_plies

MAX_NAME_CHARACTERS = 300  # in an action's name

ActionName = Annotated[str, StringConstraints(max_length=MAX_NAME_CHARACTERS)]
ActionNames = Annotated[list[ActionName], Field(max_length=MAX_PLIES, fail_fast=True)]
Ply = Annotated[int, Field(ge=0, le=MAX_PLIES)]


class GameSource(Strict):
    """A game given by exactly one of `table`, `record` or `game`; and a variation of it.

    The variation has the first `keep` plies of the game (default: all), then the actions `then`.
    """

    table: GameId | None = None
    record: Record | None = None
    game: GameName | None = None
    options: Options = {}
    seed: Annotated[int, Field(ge=0, lt=2**SEED_BITS)] = 0
    moves: Record | ActionNames = ""
    keep: Ply | None = None
    then: ActionNames = []

    @model_validator(mode="after")
    def _one_of_them(self) -> "GameSource":
        named = [self.table is not None, self.record is not None, self.game is not None]
        if sum(named) != 1:
            raise ValueError("a source names one of 'table', 'record' or 'game'")
        if self.game is None and (self.options or self.moves or self.seed):
            raise ValueError("'options', 'seed' and 'moves' belong to a source with a 'game'")
        return self

    @property
    def most_plies(self) -> int:
        """The maximum number of plies of a source without a table."""
        typed = most_plies(self.moves) if isinstance(self.moves, str) else len(self.moves)
        return most_plies(self.record) + typed + len(self.then)


class Lines:
    """A cache of the most recently used games."""

    def __init__(self, limits: ServerLimits = LIMITS) -> None:
        self._limits = limits
        self._lines: OrderedDict[bytes, Replay] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: bytes, make: Callable[[], Replay]) -> Replay:
        """Return the game of a key, made by `make` if it is not cached.

        Raises:
            UsageError: The game is too long.
        """
        with self._lock:
            if key in self._lines:
                self._lines.move_to_end(key)
                return self._lines[key]
        line = make()
        if line.plies > MAX_PLIES:
            raise refusal(UsageError, "game_too_long", most=MAX_PLIES)
        with self._lock:
            self._lines[key] = line
            while len(self._lines) > 1 and self._is_full():
                self._lines.popitem(last=False)
        return line

    def _is_full(self) -> bool:
        cost = sum(line.cost for line in self._lines.values())
        limits = self._limits
        return len(self._lines) > limits.max_analysed_games or cost > limits.max_analysed_bytes

    def of_text(self, source: GameSource) -> Replay:
        """Return the game of a record or of typed moves; raise MeepleError for invalid ones."""
        base = source.model_copy(update={"keep": None, "then": []})
        key = _digest("text", base.model_dump_json())
        return self._varied(key, self.get(key, lambda: _read(base)), source)

    def of_table(
        self, id: str, actions: Sequence[int], make: Callable[[], Replay], source: GameSource
    ) -> Replay:
        """Return a table's current game, or a variation of it."""
        key = _digest("table", id, repr(actions))
        return self._varied(key, self.get(key, make), source)

    def _varied(self, key: bytes, base: Replay, source: GameSource) -> Replay:
        if not source.then and source.keep in (None, base.plies):
            return base
        keep = base.plies if source.keep is None else source.keep
        base.check(keep)
        varied = _digest("varied", key.hex(), str(keep), str(source.then))
        return self.get(varied, lambda: _vary(base, keep, source.then))


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def _read(source: GameSource) -> Replay:
    if source.record is not None:
        return _read_record(source.record)
    assert source.game is not None
    position = make_from(source.game, source.options).start(source.seed)
    with _refusals():
        if isinstance(source.moves, str):
            position = read_pasted(position, source.moves, MAX_PLIES)
        else:
            play_names(position, source.moves)
    return Replay(position)


def _read_record(text: str) -> Replay:
    """Return the first game of a text of records; raise MeepleError if it is invalid."""
    found = read_text(text)
    record = next(found.records)
    if len(record.actions) > MAX_PLIES:
        raise refusal(UsageError, "game_too_long", most=MAX_PLIES)
    return Replay.of(record, more=found.total - 1)


def _vary(base: Replay, keep: int, then: Sequence[str]) -> Replay:
    position = base.copy_at(keep)
    with _refusals():
        for name in then:
            play_named(position, name)
    return Replay(position, base.seats, opening=min(base.opening, keep))


def play_names(position: Position, names: Sequence[str]) -> None:
    """Play actions by their names; the seed decides omitted chance outcomes.

    Raises:
        WrongMove: An action cannot be played; the message names it.
    """
    for name in names:
        while position.to_move == CHANCE and named(position, name) is None:
            position.play_chance()
        play_named(position, name)


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise a wrong move as a refusal with a code."""
    try:
        yield
    except WrongMove as error:
        number = error.number
        if not error.reason:
            raise refusal(IllegalAction, "move_after_end", number=number, move=error.move) from None
        who, why = error.player, error.reason
        raise refusal(
            IllegalAction, "move_refused", number=number, player=who, reason=why
        ) from None
