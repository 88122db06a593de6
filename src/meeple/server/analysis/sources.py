"""Where a position to look at comes from: a table, a pasted record, or moves that somebody types.

Each becomes a `Line`, a game that can be walked to and fro; the last ones asked for are kept.
"""

import contextlib
import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, play_recorded, replay
from meeple.games.contract.registry import make_from
from meeple.kernels import CHANCE
from meeple.server.schemas import MOST_PLIES, SEED_BITS, GameId, GameName, Options, Record, Strict

MOST_LINES = 64  # games kept ready
MOST_KEPT = 128_000_000  # bytes that they take, about
BYTES_TOLD = 400  # of a ply in words
MOST_WORDS = 8  # of an action's name, in typed moves

# "12." before a move. Few digits, and from their first: a search through many takes for ever.
_NUMBER = re.compile(r"(?<!\d)\d{1,5}\.+(?=\D|$)")

LONGEST_NAME = 300  # characters of an action's name

ActionName = Annotated[str, StringConstraints(max_length=LONGEST_NAME)]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES)]


class Source(Strict):
    """A game by exactly one of `table`, `record` or `game`; and a variation of it.

    Of the game, `keep` plies are played (all, if not given), and the actions `then` after them.
    """

    table: GameId | None = None
    record: Record | None = None
    game: GameName | None = None
    options: Options = {}
    seed: Annotated[int, Field(ge=0, lt=2**SEED_BITS)] = 0
    moves: Record | Annotated[list[ActionName], Field(max_length=MOST_PLIES)] = ""
    keep: Ply | None = None
    then: Annotated[list[ActionName], Field(max_length=MOST_PLIES)] = []

    @model_validator(mode="after")
    def _one_of_them(self) -> "Source":
        named = [self.table is not None, self.record is not None, self.game is not None]
        if sum(named) != 1:
            raise ValueError("a source names one of 'table', 'record' or 'game'")
        if self.game is None and (self.options or self.moves or self.seed):
            raise ValueError("'options', 'seed' and 'moves' belong to a source with a 'game'")
        return self


class Line:
    """A game from its opening to its last position; safe to use from several threads."""

    def __init__(
        self, position: Position, seats: Sequence[str] = (), *, opening: int = 0, more: int = 0
    ) -> None:
        """`position` is the last one, and the line's own from now on. Raises MeepleError for a
        game that is too long. `more` games came with it in the same text.
        """
        if len(position.actions) > MOST_PLIES:
            raise UsageError(f"games of more than {MOST_PLIES:,} plies cannot be looked at here")
        self.game: Game = position.game
        self.seed = position.seed
        self.actions = position.actions
        self.seats = tuple(seats) or tuple(map(self.game.player_name, range(self.game.players)))
        self.opening = opening
        self.more = more
        states = (step.before.view(self.game.State)["to_move"][0] for step in position.steps())
        self.movers = (*map(int, states), position.to_move)  # at every ply, the last one included
        self.payoffs = position.payoffs.tolist() if position.is_over else None
        self._position = position
        self._lock = threading.Lock()
        self._told: list[dict[str, Any]] | None = None

    @property
    def plies(self) -> int:
        """How many actions and outcomes there were."""
        return len(self.actions)

    @property
    def cost(self) -> int:
        """The bytes of its states and words, about."""
        return (self.plies + 1) * (self.game.state_bytes + BYTES_TOLD)

    def check(self, ply: int) -> None:
        """Raises UsageError in a sentence where there is no such ply."""
        if not 0 <= ply <= self.plies:
            raise UsageError(f"there is no ply {ply}: the game has {self.plies}")

    @contextlib.contextmanager
    def at(self, ply: int) -> Iterator[Position]:
        """The position after so many plies, to be left as it is; nobody else has it meanwhile."""
        self.check(ply)
        with self._lock:
            while len(self._position.actions) > ply:
                self._position.undo()
            for action in self.actions[len(self._position.actions) : ply]:
                play_recorded(self._position, action)
            yield self._position

    def twin(self, ply: int) -> Position:
        """A position of one's own after so many plies."""
        with self.at(ply) as position:
            return position.copy()

    def told(self) -> list[dict[str, Any]]:
        """Every ply with its seat (-1: chance), its name, and what it did in words."""
        if self._told is None:
            self._told = list(self._tell())
        return self._told

    def _tell(self) -> Iterator[dict[str, Any]]:
        before, after = self.game.start(self.seed), self.game.start(self.seed)
        for ply, action in enumerate(self.actions):
            play_recorded(after, action)
            seat, name = max(before.to_move, CHANCE), before.action_name(action)
            sentence = self.game.tell(before, action, after, None if seat < 0 else seat)
            text = name if sentence is None else sentence
            yield {"ply": ply, "seat": seat, "name": name, "text": text}
            play_recorded(before, action)


class Lines:
    """The games that were looked at last."""

    def __init__(self) -> None:
        self._lines: OrderedDict[bytes, Line] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: bytes, make: Callable[[], Line]) -> Line:
        """The game of that key, made where it is not there."""
        with self._lock:
            if key in self._lines:
                self._lines.move_to_end(key)
                return self._lines[key]
        line = make()
        with self._lock:
            self._lines[key] = line
            while len(self._lines) > MOST_LINES or (
                len(self._lines) > 1 and sum(one.cost for one in self._lines.values()) > MOST_KEPT
            ):
                self._lines.popitem(last=False)
        return line

    def of_text(self, source: Source) -> Line:
        """The game of a record or of typed moves. Raises MeepleError in a sentence."""
        base = source.model_copy(update={"keep": None, "then": []})
        key = _digest("text", base.model_dump_json())
        return self._varied(key, self.get(key, lambda: _read(base)), source)

    def of_table(
        self, id: str, actions: Sequence[int], make: Callable[[], Line], source: Source
    ) -> Line:
        """A table's game as it stands, or a variation of it."""
        key = _digest("table", id, repr(actions))
        return self._varied(key, self.get(key, make), source)

    def _varied(self, key: bytes, base: Line, source: Source) -> Line:
        if not source.then and source.keep in (None, base.plies):
            return base
        keep = base.plies if source.keep is None else source.keep
        base.check(keep)
        varied = _digest("varied", key.hex(), str(keep), str(source.then))
        return self.get(varied, lambda: _vary(base, keep, source.then))


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def _read(source: Source) -> Line:
    if source.record is not None:
        return _read_record(source.record)
    assert source.game is not None
    position = make_from(source.game, source.options).start(source.seed)
    if isinstance(source.moves, str):
        play_text(position, source.moves)
    else:
        play_names(position, source.moves)
    return Line(position)


def _read_record(text: str) -> Line:
    """The first game of a text: lines of JSON, or SGF. Raises MeepleError in a sentence."""
    if not text.strip():
        raise UsageError("there is no record: paste lines of JSON or SGF")
    if text.lstrip().startswith("{"):
        lines = [line for line in text.splitlines() if line.strip()]
        records = [GameRecord.from_json(lines[0])]
        more = len(lines) - 1
    else:
        from meeple.protocols import sgf

        records = sgf.read(text)
        more = len(records) - 1
    record = records[0]
    if len(record.actions) > MOST_PLIES:
        raise UsageError(f"games of more than {MOST_PLIES:,} plies cannot be looked at here")
    return Line(replay(record), record.seats, opening=record.opening, more=more)


def _vary(base: Line, keep: int, then: Sequence[str]) -> Line:
    position = base.twin(keep)
    for name in then:
        _play_named(position, name)
    return Line(position, base.seats, opening=min(base.opening, keep))


def play_names(position: Position, names: Sequence[str]) -> None:
    """Play actions by their names. What chance brings may be left out: then the seed decides.

    Raises IllegalAction that names the first that cannot be played.
    """
    for name in names:
        while position.to_move == CHANCE and _named(position, name) is None:
            position.play_chance()
        _play_named(position, name)


def play_text(position: Position, text: str) -> None:
    """Play actions from a text, parted by spaces, commas or ends of lines; move numbers are left
    out. Raises IllegalAction that names the first that cannot be played.
    """
    for row in text.splitlines():
        words = _NUMBER.sub(" ", row).replace(";", " ").split()
        if any(len(word) > LONGEST_NAME for word in words):
            raise UsageError(f"no move's name has more than {LONGEST_NAME} characters")
        first = 0
        while first < len(words):
            first += _play_words(position, words[first : first + MOST_WORDS])
            if len(position.actions) > MOST_PLIES:
                raise UsageError(f"at most {MOST_PLIES:,} moves can be typed")


def _play_words(position: Position, words: Sequence[str]) -> int:
    """Play the action that the first words name; how many they were."""
    while True:
        for count in range(1, min(MOST_WORDS, len(words)) + 1):
            action = _named(position, " ".join(words[:count]).strip(","))
            if action is not None:
                play_recorded(position, action)
                return count
        if position.to_move != CHANCE:
            break
        position.play_chance()
    count = 2 if words[0].isalpha() and len(words) > 1 else 1  # "take 9"
    _play_named(position, " ".join(words[:count]).strip(","))
    return count


def _named(position: Position, name: str) -> int | None:
    """The legal action or outcome of a name."""
    try:
        return position.parse_action(name)
    except IllegalAction:
        return None


def _play_named(position: Position, name: str) -> None:
    """Play one action. Raises IllegalAction that says which move it was, and whose."""
    try:
        play_recorded(position, position.parse_action(name))
    except IllegalAction as error:
        number = len(position.actions) + 1
        if position.is_over:
            raise IllegalAction(f"move {number}, '{name}', comes after the end") from None
        who = "chance" if position.to_move < 0 else position.game.player_name(position.to_move)
        raise IllegalAction(f"move {number}, {who} to move: {error}") from None


def valued(
    plies: Sequence[dict[str, Any]], values: Sequence[Sequence[float] | None]
) -> list[dict[str, Any]]:
    """Plies with what the agent that chose each expected for every player, where it said so."""
    found = []
    for ply in plies:
        value = values[ply["ply"]] if ply["ply"] < len(values) else None
        known = {} if value is None else {"value": [round(share, 4) for share in value]}
        found.append({**ply, **known})
    return found
