"""A played game with access to every position, and the text of every ply."""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from meeple.errors import UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, replay, retrace
from meeple.kernels import CHANCE
from meeple.sentences import say

TEXT_BYTES = 400  # estimated memory of a ply's text


class PlyText(NamedTuple):
    """What happened in a ply, as the player who moved may see it."""

    ply: int  # from 0
    seat: int  # -1: chance
    name: str  # of the action
    text: str  # the game's sentence, or the action's name


class Replay:
    """A game from its opening to its last position; thread-safe.

    Attributes:
        game: the game.
        seed: of the opening position.
        seats: names of the players.
        actions: all actions and chance outcomes.
        movers: [plies + 1] the seat to move before each ply, and after the last one.
        opening: number of plies before the game.
        more: number of further games in the text from which this one was read.
        payoffs: each seat's share of the win; None if the game is not over.
        tally: the `tally` of the last position.
    """

    def __init__(
        self, position: Position, seats: Sequence[str] = (), *, opening: int = 0, more: int = 0
    ) -> None:
        """Take over the last position of a game, which the caller must not change any more."""
        self.game: Game = position.game
        self.seed = position.seed
        self.seats = tuple(seats) or tuple(self.game.player_names)
        self.actions = position.actions
        states = (step.before.view(self.game.State)["to_move"][0] for step in position.steps())
        self.movers = (*map(int, states), position.to_move)
        self.opening = opening
        self.more = more
        self.payoffs = position.payoffs.tolist() if position.is_over else None
        self.tally = position.tally
        self._position = position
        self._lock = threading.Lock()
        self._texts: list[PlyText] | None = None
        self._statistics: Sequence[capabilities.StatisticsTable] | None = None

    @classmethod
    def of(cls, record: GameRecord, more: int = 0) -> "Replay":
        """Return the game of a record; raise MeepleError if the rules forbid it."""
        return cls(replay(record), record.seats, opening=record.opening, more=more)

    @property
    def plies(self) -> int:
        """The number of actions and chance outcomes."""
        return len(self.actions)

    @property
    def cost(self) -> int:
        """The estimated memory of its states and texts, in bytes."""
        return (self.plies + 1) * (self.game.state_bytes + TEXT_BYTES)

    def check(self, ply: int) -> None:
        """Raise UsageError if the game has no such ply."""
        if not 0 <= ply <= self.plies:
            raise UsageError(say("game.there_is_no_ply", n=ply, n2=self.plies))

    @contextlib.contextmanager
    def at(self, ply: int) -> Iterator[Position]:
        """Lend the position after `ply` plies, locked; the caller must not change it."""
        self.check(ply)
        with self._lock:
            while len(self._position.actions) > ply:
                self._position.undo()
            for action in self.actions[len(self._position.actions) : ply]:
                self._position.play(action)
            yield self._position

    def copy_at(self, ply: int) -> Position:
        """Return a copy of the position after `ply` plies."""
        with self.at(ply) as position:
            return position.copy()

    def texts(self) -> list[PlyText]:
        """Return the text of every ply."""
        if self._texts is None:
            self._texts = list(self._described())
        return self._texts

    def is_part(self, ply: int) -> bool:
        """Return whether a ply is a part of a longer action of its seat, such as an offer.

        Then there is nothing to report yet, and the same seat moves next.
        """
        mover = self.movers[ply]
        return (
            ply < self.plies and self.movers[ply + 1] == mover >= 0 and not self.texts()[ply].text
        )

    def statistics(self) -> Sequence[capabilities.StatisticsTable]:
        """Return the tables of the whole game, which show what was hidden from seats."""
        if self._statistics is None:
            with self.at(self.plies) as position:
                self._statistics = capabilities.statistics(position)
        return self._statistics

    def _described(self) -> Iterator[PlyText]:
        after = self.game.start(self.seed)
        for ply, (before, action) in enumerate(retrace(after, self.actions)):
            seat, name = max(before.to_move, CHANCE), before.action_name(action)
            viewer = None if seat < 0 else seat
            sentence = capabilities.describe_action(before, action, after, viewer)
            yield PlyText(ply, seat, name, name if sentence is None else sentence)
