"""One game at the server: who sits there, how it stands, and what each may do; no input, no output.

What was played is in its `History`; taking back is in `taking_back`, the database in `stored`.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from meeple.errors import IllegalAction
from meeple.games.contract.game import Game, Position
from meeple.games.contract.result import result_text
from meeple.protocols.records.vocabulary import LOST_BY
from meeple.server.errors import Forbidden
from meeple.server.play.clock import Clock
from meeple.server.play.history import History
from meeple.server.play.seats import Seat, digest, seats_of, substitute
from meeple.server.schemas import MAX_PLIES
from meeple.server.store import OVER, PLAYING

BYTES_NOTED = 10  # in memory, of a character of a record's notes: each may be a number

Result = dict[str, Any]
"""`payoffs` (None: broken off), `how` it ended, and the `seat` that gave up, if one did."""


@dataclass(frozen=True)
class Agreed:
    """What was agreed on before the first move."""

    help: bool  # whether hints are given, and the game analysed, while it goes on
    pace: float  # seconds from one move of an agent to the next
    host: str  # hash of its maker's token, where they have no seat
    opening: int  # plies that were there already
    origin: str  # played here, or brought
    notes: dict[str, Any]  # of a record
    notes_length: int  # characters


@dataclass(frozen=True)
class UndoRequest:
    """A person asks the others whether a move may be taken back."""

    seat: int
    agreed: frozenset[int]  # the seats that have nothing against it


@dataclass
class Thinking:
    """The agent that is choosing."""

    seat: int
    state: str = "waiting"  # "thinking", "preparing", "busy"
    since: float = field(default_factory=time.time)


@dataclass
class Upkeep:
    """What the server does for a table in memory."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while it is changed and stored
    agents: asyncio.Task[None] | None = None  # lets them move
    alarm: asyncio.TimerHandle | None = None  # rings when the time of a person is up
    used: float = field(default_factory=time.monotonic)


@dataclass(eq=False)
class Table:
    """A game, as it stands in memory."""

    id: str
    agreed: Agreed
    seats: list[Seat]
    history: History
    clock: Clock | None
    status: str = PLAYING
    result: Result | None = None
    next: dict[str, Any] | None = None  # the rematch: its id, and where each seat went
    paused: bool = False
    undo: UndoRequest | None = None
    thinking: Thinking | None = None
    version: int = 0  # counts changes, so that late answers are known
    drawn: dict[Any, tuple[Any, dict[str, Any]]] = field(default_factory=dict)
    """Boards by reader, and of when."""
    upkeep: Upkeep = field(default_factory=Upkeep)

    # ------------------------------------------------------------ how it stands

    @property
    def game(self) -> Game:
        """What is played."""
        return self.history.position.game

    @property
    def position(self) -> Position:
        """The position now."""
        return self.history.position

    @property
    def ply(self) -> int:
        """How many actions and outcomes there were."""
        return self.history.ply

    @property
    def cost(self) -> int:
        """The bytes it takes in memory, about."""
        return self.history.cost + BYTES_NOTED * self.agreed.notes_length

    @property
    def is_over(self) -> bool:
        """Whether nobody moves any more."""
        return self.status == OVER

    @property
    def waits(self) -> bool:
        """Whether a seat is still to be taken."""
        return not self.is_over and any(seat.kind == "open" for seat in self.seats)

    @property
    def mover(self) -> Seat | None:
        """Who is to move, while the game goes on."""
        if self.is_over or self.waits or self.position.to_move < 0:
            return None
        return self.seats[self.position.to_move]

    @property
    def people(self) -> int:
        """Seats of people who have not given up."""
        return sum(seat.is_person for seat in self.seats)

    def seats_of(self, tokens: Iterable[str]) -> frozenset[int]:
        """The seats that the holder of some tokens acts for."""
        return seats_of(self.seats, tokens)

    def is_host(self, tokens: Iterable[str]) -> bool:
        """Whether a token is its maker's."""
        host = self.agreed.host
        return bool(host) and host in {digest(token) for token in tokens}

    @property
    def has_agent(self) -> bool:
        """Whether an agent has a seat."""
        return any(seat.kind == "agent" for seat in self.seats)

    def others(self, you: frozenset[int]) -> bool:
        """Whether somebody else is at the board who could be asked."""
        return any(seat.is_person for number, seat in enumerate(self.seats) if number not in you)

    # ------------------------------------------------------------ playing

    def begin(self) -> None:
        """Draw what chance decides before the first move."""
        self._settle()

    def play(self, you: frozenset[int], ply: int, actions: Sequence[int]) -> None:
        """Play actions of a person one after the other, all or none, and what chance adds.

        Raises Forbidden where it is not theirs to move, IllegalAction where the rules forbid one.
        """
        self._check_turn(you, ply)
        seat, first = self.position.to_move, self.ply
        try:
            for action in actions:
                if self.position.to_move != seat:
                    raise IllegalAction("only the last action of a line may end a turn")
                self.history.play(action)
        except IllegalAction:
            self.history.cut(first)
            raise
        self.history.lines.append((first, seat))
        self._settle()

    def choose(self, action: int, value: Sequence[float] | None = None) -> None:
        """Play an agent's choice, which expected these shares, and what chance adds."""
        self.history.play(action, None if value is None else tuple(value))
        self._settle()

    def _check_turn(self, you: frozenset[int], ply: int) -> None:
        if self.is_over:
            raise Forbidden("the game is over")
        if self.waits:
            raise Forbidden("the game begins when all seats are taken")
        if ply != self.ply:
            raise Forbidden("the position has changed meanwhile")
        if self.position.to_move not in you:
            raise Forbidden("it is not your turn")
        if self.clock and self.clock.remaining(self.position.to_move) <= 0:
            raise Forbidden("your time is up")

    def _settle(self) -> None:
        """Draw outcomes until somebody is to move, and see whether the game is over."""
        self.history.draw_chance()
        if self.position.is_over and not self.is_over:
            payoffs = [round(float(share), 6) for share in self.position.payoffs]
            self.end({"payoffs": payoffs, "how": "rules"})
        elif self.ply >= MAX_PLIES and not self.is_over:
            self.end({"payoffs": None, "how": "length"})
        self.note_change(moved=True)

    def note_change(self, moved: bool = False) -> None:
        """Count a change, which ends a request to take back; `moved`: the clock goes on."""
        self.version += 1
        self.undo = None
        if moved and self.clock:
            mover = self.mover
            runs = self.position.to_move if mover and mover.kind == "human" else None
            self.clock.run_for(runs, moved=True)

    def start_clock(self) -> None:
        """Let it run, if it stands still and a person is to move."""
        mover = self.mover
        if self.clock and self.clock.running is None and mover and mover.kind == "human":
            self.clock.run_for(self.position.to_move)

    # ------------------------------------------------------------ ends

    def end(self, result: Result) -> None:
        """Nobody moves any more."""
        self.status, self.result = OVER, result
        self.note_change()
        if self.clock:
            self.clock.run_for(None)

    def give_up(self, seat: int, how: str) -> None:
        """A seat resigns ("resigned"), has no time left ("time"), or its program fails ("forfeit").

        Of two, the other wins; of more, an agent plays on for the seat.
        """
        if self.game.players == 2:
            payoffs = [1.0, 1.0]
            payoffs[seat] = 0.0
            self.end({"payoffs": payoffs, "how": how, "seat": seat})
            return
        self.seats[seat].leave_to(substitute(self.game))
        self.note_change(moved=True)

    def result_text(self) -> str:
        """The result in words; empty while the game goes on."""
        if self.result is None:
            return ""
        how = self.result["how"]
        loser = self.result["seat"] if how in LOST_BY else None
        return result_text(
            self.result["payoffs"], self.game.player_names, loser, LOST_BY.get(how, "")
        )
