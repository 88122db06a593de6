"""What was played at a table: the position, each ply in the words of all who look on, and back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from meeple.games.contract import capabilities
from meeple.games.contract.game import Position
from meeple.games.contract.records import retrace
from meeple.kernels import CHANCE
from meeple.server.play.seats import Seat
from meeple.server.store import Ply

BYTES_TOLD = 300  # in memory, of a ply's sentence for one reader

Value = tuple[float, ...] | None
"""What the agent that moved expected for every player, where one did."""


class Told(NamedTuple):
    """What an action did, in words: one text for all, or one for spectators and for each seat."""

    ply: int
    seat: int  # -1: chance
    texts: tuple[str, ...]
    said: bool  # whether it is a sentence, not an action's name

    def to(self, seat: int | None) -> str:
        """The words for one seat, or for anybody; empty where there are none."""
        return self.texts[0 if len(self.texts) == 1 or seat is None else seat + 1]


@dataclass
class History:
    """A position with all that led to it."""

    position: Position
    seats: Sequence[Seat]  # the table's: agents among them may give reasons
    told: list[Told] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)  # of each ply; -1: chance
    values: list[Value] = field(default_factory=list)  # of each ply
    lines: list[tuple[int, int]] = field(default_factory=list)
    """Where each line of actions that a person made at once began, and whose it was."""
    lowest: list[int] = field(default_factory=lambda: [0])
    """The plies that were gone back to, each time that moves were taken back; first the start."""

    @property
    def ply(self) -> int:
        """How many actions and outcomes there were."""
        return len(self.position.actions)

    @property
    def cuts(self) -> int:
        """How often moves were taken back."""
        return len(self.lowest) - 1

    @property
    def cost(self) -> int:
        """The bytes it takes in memory, about."""
        game = self.position.game
        words = BYTES_TOLD * (game.players if game.hides else 1)
        return (self.ply + 1) * (game.state_bytes + words)

    # ------------------------------------------------------------ forward

    def play(self, action: int, value: Value = None) -> None:
        """One action. Raises IllegalAction, nothing changed."""
        before = self.position.copy()
        self.position.play(action)
        self._tell(before, action, value)

    def draw_chance(self) -> None:
        """Draw outcomes until somebody is to move."""
        while self.position.to_move == CHANCE:
            before = self.position.copy()
            outcome = self.position.play_chance()
            self._tell(before, outcome, None)

    def replay(self, plies: Sequence[Ply]) -> None:
        """Play what was stored."""
        actions = [ply.action for ply in plies]
        for (before, action), ply in zip(retrace(self.position, actions), plies, strict=True):
            self._tell(before, action, ply.value)

    def _tell(self, before: Position, action: int, value: Value) -> None:
        """Note what was done, in the words of everybody who may look on."""
        self.values.append(value)
        self.movers.append(before.to_move)
        texts, said = self._texts(before, action)
        if len(set(texts)) == 1:
            texts = texts[:1]
        if any(texts):
            self.told.append(Told(len(before.actions), max(before.to_move, CHANCE), texts, said))

    def _texts(self, before: Position, action: int) -> tuple[tuple[str, ...], bool]:
        """An action in words for every viewer, and whether those are sentences."""
        game = before.game
        viewers = [None, *range(game.players)] if game.hides else [None]
        sentences = [
            capabilities.describe_action(before, action, self.position, viewer)
            for viewer in viewers
        ]
        if sentences[0] is None:
            if before.to_move == CHANCE and game.hides:
                return ("chance decided",), False  # what, is for the game to tell
            return (before.action_name(action),), False
        judges = before.to_move >= 0 and self.seats[before.to_move].judges
        reasons = [
            judges and capabilities.explain_action(before, action, viewer) for viewer in viewers
        ]
        texts = (
            f"{sentence} ({reason})" if sentence and reason else sentence or ""
            for sentence, reason in zip(sentences, reasons, strict=True)
        )
        return tuple(texts), True

    # ------------------------------------------------------------ back

    def cut(self, ply: int) -> None:
        """Forget the plies from a number on."""
        while self.ply > ply:
            self.position.undo()
        del self.values[ply:], self.movers[ply:]
        self.told = [told for told in self.told if told.ply < ply]
        self.lines = [line for line in self.lines if line[0] < ply]

    def take_back(self, goal: int) -> None:
        """Go back to a ply, as all are told who looked on."""
        self.lowest.append(goal)
        self.cut(goal)

    def unchanged_since(self, cuts: int) -> int:
        """Plies that have stayed since moves had been taken back so many times."""
        return min(self.lowest[cuts + 1 :], default=self.ply)

    def last_move_of(self, you: frozenset[int], opening: int) -> int | None:
        """The ply where the last move of a person began, after the opening; None without one."""
        begun = [first for first, seat in self.lines if first < self.ply and seat in you]
        if begun:
            return begun[-1]
        moved = (ply for ply in range(self.ply - 1, opening - 1, -1) if self.movers[ply] in you)
        return next(moved, None)

    def has_drawn_chance(self, since: int) -> bool:
        """Whether chance decided something, from a ply on."""
        return CHANCE in self.movers[since:]

    def has_shown_secrets(self, you: Iterable[int], since: int) -> bool:
        """Whether a seat was told more than anybody, from a ply on."""
        seats = list(you)
        recent = (told for told in self.told if told.ply >= since)
        return any(told.to(seat) != told.to(None) for told in recent for seat in seats)

    # ------------------------------------------------------------ looked at

    def reader(self, you: frozenset[int]) -> int | None:
        """The seat whose view somebody gets who acts for some: of the one to move, if it is theirs,
        or else of the last that moved.
        """
        if not you:
            return None
        moved = (mover for mover in reversed(self.movers) if mover in you)
        to_move = self.position.to_move
        return to_move if to_move in you else next(moved, min(you))

    def plies(self, first: int) -> list[Ply]:
        """The plies from a number on, to be stored."""
        pairs = zip(self.position.actions[first:], self.values[first:], strict=True)
        return [Ply(action, value) for action, value in pairs]
