"""One game at the server: its seats, its state, and the permitted actions; without I/O.

`History` has the plies; see `taking_back` for undo and `stored` for the database.
"""

import asyncio
import contextlib
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from meeple.errors import IllegalAction
from meeple.games.contract.game import Game, Position
from meeple.games.contract.result import DECLARED, LOST_BY, result_text, shares_without
from meeple.sentences import say
from meeple.server.errors import Forbidden, refusal
from meeple.server.play.chat import Chat
from meeple.server.play.clock import Clock
from meeple.server.play.history import History
from meeple.server.play.seats import Seat, seats_of, seats_with, substitute
from meeple.server.store import AGREED, OVER, PLAYING
from meeple.server.web.schemas import MAX_PLIES

DRAW_MARGIN = 0.02  # by which an agent's share may exceed an equal one when it agrees to a draw
BYTES_NOTED = 10  # estimated memory of a character of a record's notes

Result = dict[str, Any]
"""`payoffs` (None: broken off), `how` the game ended, and the `seat` that lost by it, if any."""


@dataclass(frozen=True)
class Agreed:
    """The terms of a game, fixed before the first move."""

    help: bool  # whether hints and analysis are allowed during the game
    pace: float  # minimum seconds between two moves of agents
    host: str  # hash of the creator's token, if the creator has no seat
    creator: int | None  # the creator's first seat
    cup: str  # id of its cup, whose agents play unwatched too
    opening: int  # plies before the first move of the game
    origin: str  # PLAYED or UPLOADED
    notes: dict[str, Any]  # of a record
    notes_length: int  # characters of `notes` as JSON


@dataclass(frozen=True)
class Request:
    """A person's request to the others: to take a move back, or to agree on a draw."""

    kind: str  # "undo" or "draw"
    seat: int
    agreed: frozenset[int]  # the seats that agree


@dataclass
class Choosing:
    """The agent that is choosing."""

    seat: int
    state: str = "waiting"  # "thinking", "preparing", "busy"
    step: str = ""  # what is being prepared
    since: float = field(default_factory=time.time)


@dataclass
class Upkeep:
    """The server's bookkeeping of a table in memory."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # held during a change and its storing
    agents: asyncio.Task[None] | None = None  # plays the agents' moves
    alarm: asyncio.TimerHandle | None = None  # fires when the time of a person is up
    used: float = field(default_factory=time.monotonic)


@dataclass(eq=False)
class Table:
    """A game in memory."""

    id: str
    agreed: Agreed
    seats: list[Seat]
    history: History
    clock: Clock | None
    status: str = PLAYING
    result: Result | None = None
    next: dict[str, Any] | None = None  # the rematch: its id, and the new seat of each old one
    paused: bool = False
    asks: Request | None = None
    thinking: Choosing | None = None
    version: int = 0  # number of changes, by which late answers are detected
    drawn: dict[Any, tuple[Any, dict[str, Any]]] = field(default_factory=dict)
    """Cached boards by viewer, each with the state that it shows."""
    chat: Chat = field(default_factory=Chat)
    upkeep: Upkeep = field(default_factory=Upkeep)

    # ------------------------------------------------------------ state

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.history.position.game

    @property
    def position(self) -> Position:
        """The current position."""
        return self.history.position

    @property
    def ply(self) -> int:
        """The number of actions and chance outcomes."""
        return self.history.ply

    @property
    def cost(self) -> int:
        """The estimated memory, in bytes."""
        return self.history.cost + BYTES_NOTED * self.agreed.notes_length + self.chat.cost

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.status == OVER

    @property
    def waits(self) -> bool:
        """Whether a seat is still open."""
        return not self.is_over and any(seat.kind == "open" for seat in self.seats)

    @property
    def mover(self) -> Seat | None:
        """The seat to move during the game."""
        if self.is_over or self.waits or self.position.to_move < 0:
            return None
        return self.seats[self.position.to_move]

    @property
    def people(self) -> int:
        """The number of seats of people who have not given up."""
        return sum(seat.is_person for seat in self.seats)

    def seats_of(self, tokens: Iterable[str]) -> frozenset[int]:
        """Return the seats that belong to the tokens."""
        return seats_of(self.seats, tokens)

    def is_host(self, held: Collection[str]) -> bool:
        """Return whether one of these hashes of tokens is of the creator's."""
        return bool(self.agreed.host) and self.agreed.host in held

    def seats_with(self, held: Collection[str]) -> frozenset[int]:
        """Return the seats that belong to tokens with these hashes."""
        return seats_with(self.seats, held)

    @property
    def has_agent(self) -> bool:
        """Whether an agent has a seat."""
        return any(seat.kind == "agent" for seat in self.seats)

    def others(self, you: frozenset[int]) -> bool:
        """Return whether a person has a seat other than `you`."""
        return any(seat.is_person for number, seat in enumerate(self.seats) if number not in you)

    def may_offer_draw(self, you: frozenset[int]) -> bool:
        """Return whether a person may offer a draw: agents answer if the rules allow one."""
        answers = self.game.can_be_drawn if self.has_agent else self.others(you)
        return bool(you) and not (self.is_over or self.waits) and answers

    def refuses_draw(self) -> Seat | None:
        """Return an agent that expected more than an equal share at its last move, or None.

        Each judges by its own search, which knows no hidden cards; one without a value refuses.
        """
        for number, seat in enumerate(self.seats):
            if seat.kind == "agent":
                value = self.history.last_value_of(number)
                if value is None or value[number] > 1 / self.game.players + DRAW_MARGIN:
                    return seat
        return None

    def may_remove(self, held: Collection[str]) -> bool:
        """Return whether these hashes of tokens are of all people of the game, or its creator's."""
        people = {seat.token for seat in self.seats if seat.is_person}
        own = bool(people) and people <= set(held)
        return not self.agreed.cup and (own or self.is_host(held))

    # ------------------------------------------------------------ playing

    def begin(self) -> None:
        """Draw the chance outcomes before the first move.

        Raises:
            MeepleError: The rules are at fault at the start.
        """
        self.position.ensure_sound()
        self._finish_turn()

    def play(self, you: frozenset[int], ply: int, actions: Sequence[int]) -> None:
        """Play all actions of a person, or none, and the chance outcomes after them.

        Raises:
            Forbidden: It is not the person's turn.
            IllegalAction: The rules forbid an action.
            MeepleError: The rules are at fault after an action.
        """
        self._check_turn(you, ply)
        seat, first = self.position.to_move, self.ply
        with self._whole_or_not():
            for action in actions:
                if self.position.to_move != seat:
                    raise refusal(IllegalAction, "line_goes_on")
                self.history.play(action)
        self.history.lines.append((first, seat))
        self._finish_turn()

    @contextlib.contextmanager
    def _whole_or_not(self) -> Iterator[None]:
        """Play what the block plays, and the outcomes after it, or nothing if that fails."""
        first = self.ply
        try:
            yield
            self.history.draw_chance()
        except Exception:  # also of the author's code
            self.history.cut(first)
            raise

    def choose(self, action: int, value: Sequence[float] | None = None) -> None:
        """Play an agent's action, with the shares it expects, and the chance outcomes after it."""
        with self._whole_or_not():
            self.history.play(action, None if value is None else tuple(value))
        self._finish_turn()

    def _check_turn(self, you: frozenset[int], ply: int) -> None:
        if self.is_over:
            raise refusal(Forbidden, "game_over")
        if self.waits:
            raise refusal(Forbidden, "seats_not_taken")
        if ply != self.ply:
            raise refusal(Forbidden, "position_changed")
        if self.position.to_move not in you:
            raise refusal(Forbidden, "not_your_turn")
        if self.clock and self.clock.remaining(self.position.to_move) <= 0:
            raise refusal(Forbidden, "time_up")

    def _finish_turn(self) -> None:
        """Draw chance outcomes until a player is to move, and detect the end of the game."""
        self.history.draw_chance()
        self.history.stamp(self.clock.times() if self.clock else None)
        if self.position.is_over and not self.is_over:
            payoffs = [round(float(share), 6) for share in self.position.payoffs]
            self.end({"payoffs": payoffs, "how": "rules", **self._tally})
        elif self.ply >= MAX_PLIES and not self.is_over:
            self.end({"payoffs": None, "how": "length"})
        self.note_change(moved=True)

    def note_change(self, moved: bool = False) -> None:
        """Count a change, which cancels a request; `moved`: switch the clock."""
        self.version += 1
        self.asks = None
        if moved and self.clock:
            self.clock.run_for(self._timed, moved=True)

    @property
    def _timed(self) -> int | None:
        """The seat whose time runs: that of the person to move."""
        return self.position.to_move if self.mover and self.mover.kind == "human" else None

    def start_clock(self) -> None:
        """Start the clock if it is stopped and a person is to move."""
        if self.clock and self.clock.running is None and self._timed is not None:
            self.clock.run_for(self._timed)

    def take_back(self, goal: int) -> None:
        """Return to a ply, and the clock to what it showed when that ply was chosen.

        A game that was over by its rules continues.
        """
        times = self.history.times[goal]
        self.history.take_back(goal)
        self.status, self.result = PLAYING, None
        self.note_change()
        if self.clock:
            self.clock.restore(times, self._timed)

    # ------------------------------------------------------------ the end

    def end(self, result: Result) -> None:
        """End the game with a result."""
        self.status, self.result = OVER, result
        self.note_change()
        if self.clock:
            self.clock.run_for(None)

    def give_up(self, seat: int, how: str) -> None:
        """Let a seat lose: `how` is "resigned", "time" (none left) or "forfeit" (program failed).

        In a game for two, the other player wins; for more, an agent continues for the seat.
        """
        if self.game.players == 2:
            shares = list(shares_without(seat, 2))
            self.end({"payoffs": shares, "how": how, "seat": seat, **self._tally})
            return
        self.seats[seat].leave_to(substitute(self.game))
        self.note_change(moved=True)

    def agree_on_draw(self) -> None:
        """End the game with equal shares of the win."""
        self.end({"payoffs": [1 / self.game.players] * self.game.players, "how": AGREED})

    @property
    def _tally(self) -> dict[str, Any]:
        return {"tally": self.position.tally} if self.position.tally else {}

    def result_text(self) -> str:
        """Return the result as text; empty during the game."""
        if self.result is None:
            return ""
        return stored_result_text(self.result, self.game.player_names)


def stored_result_text(result: Result, names: Sequence[str]) -> str:
    """Describe the result of a table, with what the seat did that ended the game early."""
    how = result["how"]
    loser = result.get("seat") if how in LOST_BY else None
    text = result_text(result["payoffs"], names, loser, LOST_BY.get(how, ""), result.get("tally"))
    code = {DECLARED: "server.declared", AGREED: "server.agreed"}.get(how)
    return say(code, result=text) if code else text
