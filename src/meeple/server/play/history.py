"""The history of a table: its position, the text of each ply for every viewer, and undo."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from meeple.errors import MeepleError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Position
from meeple.games.contract.records import retrace
from meeple.kernels import CHANCE
from meeple.sentences import say
from meeple.server.play.seats import Seat
from meeple.server.store import Ply

BYTES_TOLD = 300  # estimated memory of a ply's sentence for one viewer

Value = tuple[float, ...] | None
"""The value that the moving agent expected for every player, if known."""
Times = tuple[float, ...] | None
"""Every player's remaining seconds, if known."""


class PlyTexts(NamedTuple):
    """The text of a ply: one for all viewers, or one for spectators and each seat."""

    ply: int
    seat: int  # -1: chance
    texts: tuple[str, ...]
    said: bool  # whether the text is a sentence, not an action's name

    def to(self, seat: int | None) -> str:
        """Return the text for a seat, or for spectators (None); may be empty."""
        return self.texts[0 if len(self.texts) == 1 or seat is None else seat + 1]


@dataclass
class History:
    """A position with the plies that led to it."""

    position: Position
    seats: Sequence[Seat]  # the table's seats: their agents may give reasons
    told: list[PlyTexts] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)  # [plies]; -1: chance
    values: list[Value] = field(default_factory=list)  # [plies]
    times: list[Times] = field(default_factory=list)  # [plies] when each ply was chosen
    lines: list[tuple[int, int]] = field(default_factory=list)
    """The first ply and the seat of each line of actions that a person sent together."""
    lowest: list[int] = field(default_factory=lambda: [0])
    """The ply after each undo; the first entry is the start of the game."""

    @property
    def ply(self) -> int:
        """The number of actions and chance outcomes."""
        return len(self.position.actions)

    @property
    def cuts(self) -> int:
        """The number of undos."""
        return len(self.lowest) - 1

    @property
    def cost(self) -> int:
        """The estimated memory, in bytes."""
        game = self.position.game
        words = BYTES_TOLD * (game.players if game.hides else 1)
        return (self.ply + 1) * (game.state_bytes + words)

    # ------------------------------------------------------------ forward

    def play(self, action: int, value: Value = None) -> None:
        """Play an action.

        Raises:
            IllegalAction: it is illegal; nothing is changed.
            MeepleError: no game may have the position that it leads to; nothing is changed.
        """
        before = self.position.copy()
        self.position.play(action)
        self._ensure_sound()
        self._record_text(before, action, value)

    def _ensure_sound(self) -> None:
        """Check the position; take back the ply that led to it, and raise, if it has a fault."""
        try:
            self.position.ensure_sound()
        except MeepleError:
            self.position.undo()
            raise

    def draw_chance(self) -> None:
        """Draw chance outcomes until a player is to move."""
        while self.position.to_move == CHANCE:
            before = self.position.copy()
            outcome = self.position.play_chance()
            self._ensure_sound()
            self._record_text(before, outcome, None)

    def replay(self, plies: Sequence[Ply]) -> None:
        """Play stored plies."""
        actions = [ply.action for ply in plies]
        for (before, action), ply in zip(retrace(self.position, actions), plies, strict=True):
            self._record_text(before, action, ply.value)
        self.times += [ply.times for ply in plies]

    def stamp(self, times: Times) -> None:
        """Record what the clock showed before the newest plies, which have no times yet."""
        self.times += [times] * (len(self.values) - len(self.times))

    def _record_text(self, before: Position, action: int, value: Value) -> None:
        """Record the text of the ply just played for all viewers."""
        self.values.append(value)
        self.movers.append(before.to_move)
        texts, said = self._texts(before, action)
        if len(set(texts)) == 1:
            texts = texts[:1]
        if any(texts):
            ply, seat = len(before.actions), max(before.to_move, CHANCE)
            self.told.append(PlyTexts(ply, seat, texts, said))

    def _texts(self, before: Position, action: int) -> tuple[tuple[str, ...], bool]:
        """Return the texts of an action for all viewers, and whether they are sentences."""
        game = before.game
        viewers = [None, *range(game.seats)] if game.hides else [None]
        sentences = [
            capabilities.describe_action(before, action, self.position, viewer)
            for viewer in viewers
        ]
        if sentences[0] is None:
            if before.to_move == CHANCE and game.hides:
                decided = (say("game.chance_decided"),)  # only the game may reveal the outcome
                is_said = bool(self.told) and self.told[-1].texts == decided
                return ("",) if is_said else decided, False
            return (before.action_name(action),), False
        judges = before.to_move >= 0 and self.seats[before.to_move].judges
        reasons = [
            judges and capabilities.explain_action(before, action, viewer) for viewer in viewers
        ]
        texts = (
            say("text.why", what=sentence, why=reason) if sentence and reason else sentence or ""
            for sentence, reason in zip(sentences, reasons, strict=True)
        )
        return tuple(texts), True

    # ------------------------------------------------------------ back

    def cut(self, ply: int) -> None:
        """Remove the plies from a number on."""
        while self.ply > ply:
            self.position.undo()
        del self.values[ply:], self.movers[ply:], self.times[ply:]
        self.told = [told for told in self.told if told.ply < ply]
        self.lines = [line for line in self.lines if line[0] < ply]

    def take_back(self, goal: int) -> None:
        """Return to a ply and record the undo."""
        self.lowest.append(goal)
        self.cut(goal)

    def unchanged_since(self, cuts: int) -> int:
        """Return the number of plies that did not change after the given number of undos."""
        return min(self.lowest[cuts + 1 :], default=self.ply)

    def last_move_of(self, you: frozenset[int], opening: int) -> int | None:
        """Return the first ply of a person's last move after the opening, or None."""
        begun = [first for first, seat in self.lines if first < self.ply and seat in you]
        if begun:
            return begun[-1]
        moved = (ply for ply in range(self.ply - 1, opening - 1, -1) if self.movers[ply] in you)
        return next(moved, None)

    def last_value_of(self, seat: int) -> Value:
        """Return what a seat expected at its last move, if known."""
        plies = reversed(range(self.ply))
        return next((self.values[ply] for ply in plies if self.movers[ply] == seat), None)

    def has_drawn_chance(self, since: int) -> bool:
        """Return whether a ply from a number on is a chance outcome."""
        return CHANCE in self.movers[since:]

    def has_shown_secrets(self, you: Iterable[int], since: int) -> bool:
        """Return whether a seat saw more than a spectator, from a ply on."""
        seats = list(you)
        recent = (told for told in self.told if told.ply >= since)
        return any(told.to(seat) != told.to(None) for told in recent for seat in seats)

    # ------------------------------------------------------------ reading

    def reader(self, you: frozenset[int]) -> int | None:
        """Return the seat whose view a client with the seats `you` gets.

        It is the seat to move, if the client has it, else the one of its seats that moved last.
        """
        if not you:
            return None
        moved = (mover for mover in reversed(self.movers) if mover in you)
        to_move = self.position.to_move
        return to_move if to_move in you else next(moved, min(you))

    def plies(self, first: int) -> list[Ply]:
        """Return the plies from a number on, to store."""
        columns = self.position.actions, self.values, self.times
        return [Ply(*row) for row in zip(*(column[first:] for column in columns), strict=True)]
