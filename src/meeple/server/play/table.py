"""One game at the server: its position, who sits where, and what each may do; no input, no output.

Whoever has a seat's token acts for it. The server keeps the tokens' hashes only.
"""

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from meeple.errors import IllegalAction
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import play_recorded
from meeple.games.contract.registry import make_from
from meeple.kernels import CHANCE, HEURISTIC
from meeple.server.errors import Forbidden
from meeple.server.play.clock import Clock
from meeple.server.schemas import MOST_PLIES
from meeple.server.store import OVER, PLAYED, PLAYING, Ply, StoredGame, new_id, seat_words

TOKEN_BYTES = 18
BYTES_TOLD = 300  # in memory, of a ply's sentence for one reader
BYTES_NOTED = 10  # in memory, of a character of a record's notes: each may be a number
JUDGES = ("weighted", "greedy", "uct", "minimax")  # agents that keep to a game's `prune`


def new_token() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class Seat:
    """Who plays one seat: an agent, a person, or nobody yet ("open")."""

    kind: str  # "human", "agent", "open", or "record": of a game that was brought here
    name: str = ""
    spec: str = ""  # of an agent, as it is shown
    token: str = ""  # hash of its person's
    invite: str = ""  # hash of what lets a person take it
    gone: bool = False  # its person gave up, and an agent plays on

    @property
    def is_person(self) -> bool:
        """Whether it is somebody's to play, here or yet to come."""
        return self.kind in ("human", "open")

    @property
    def judges(self) -> bool:
        """Whether it is played by what a game says of sensible actions."""
        return self.kind == "agent" and not self.gone and self.spec.split(":")[0] in JUDGES


@dataclass(frozen=True)
class Told:
    """What an action did, in words: one text for all, or one for spectators and for each seat."""

    ply: int
    seat: int  # -1: chance
    texts: tuple[str, ...]
    said: bool  # whether it is a sentence, not an action's name

    def to(self, seat: int | None) -> str:
        """The words for one seat, or for anybody; empty where there are none."""
        return self.texts[0 if len(self.texts) == 1 or seat is None else seat + 1]


@dataclass
class Thinking:
    """The agent that is choosing."""

    seat: int
    state: str = "waiting"  # "thinking", "preparing", "busy"
    since: float = field(default_factory=time.time)


class Table:
    """A game, as it stands in memory."""

    def __init__(self, stored: StoredGame, plies: Sequence[Ply] = ()) -> None:
        """Replays what was played. Raises MeepleError for a game that is not known here."""
        self.id = stored.id
        self.origin = stored.origin
        self.game: Game = make_from(stored.game, stored.options)
        self.seats = [Seat(**seat) for seat in stored.seats]
        self.help = bool(stored.terms.get("help", True))
        self.pace = float(stored.terms.get("pace", 0.0))
        self.host = str(stored.terms.get("host", ""))  # hash of its maker's, without a seat
        clock = stored.terms.get("clock")
        self.clock = Clock.new(clock, self.game.players) if clock else None
        self.notes = dict(stored.notes)
        self._noted = len(json.dumps(stored.notes))
        self.result: dict[str, Any] | None = stored.result
        self.status = stored.status
        self.opening = stored.opening
        self.next: dict[str, Any] | None = stored.terms.get("next")
        """The rematch: its id, and where each seat went."""
        self.paused = False
        self.asks: int | None = None  # the seat that wishes to take a move back
        self.agreed: frozenset[int] = frozenset()  # the seats that have nothing against it
        self.thinking: Thinking | None = None
        self.cuts = 0  # times that moves were taken back
        self._lowest = [0]  # where each of those went back to
        self.version = 0  # counts changes, so that late answers are known
        self.drawn: dict[Any, tuple[Any, dict[str, Any]]] = {}  # boards by reader, and of when
        self.lock = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.used = time.monotonic()
        self.position: Position = self.game.start(stored.seed)
        self.told: list[Told] = []
        self.movers: list[int] = []  # of each ply; -1: chance
        self.values: list[tuple[float, ...] | None] = []  # what the agent that moved expected
        self._lines: list[tuple[int, int]] = []  # where each line of a person began, and whose
        before = self.game.start(stored.seed)  # walks behind: a copy a ply takes long in long games
        for ply in plies:
            play_recorded(self.position, ply.action)
            self._tell(before, ply.action, ply.value)
            play_recorded(before, ply.action)

    # ------------------------------------------------------------ how it stands

    @property
    def ply(self) -> int:
        """How many actions and outcomes there were."""
        return len(self.position.actions)

    @property
    def cost(self) -> int:
        """The bytes it takes in memory, about."""
        words = BYTES_TOLD * (self.game.players if self.game.hides else 1)
        return (self.ply + 1) * (self.game.state_bytes + words) + BYTES_NOTED * self._noted

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
        held = {digest(token) for token in tokens}
        return frozenset(
            number for number, seat in enumerate(self.seats) if seat.token and seat.token in held
        )

    def invited(self, invite: str) -> int | None:
        """The open seat that an invitation is for."""
        wanted = digest(invite)
        for number, seat in enumerate(self.seats):
            if seat.kind == "open" and seat.invite == wanted:
                return number
        return None

    def is_host(self, tokens: Iterable[str]) -> bool:
        """Whether a token is its maker's."""
        return bool(self.host) and self.host in {digest(token) for token in tokens}

    def reader(self, you: frozenset[int]) -> int | None:
        """The seat whose view somebody gets who acts for some: of the one to move, if it is theirs,
        or else of the last that moved.
        """
        if not you:
            return None
        moved = (mover for mover in reversed(self.movers) if mover in you)
        to_move = self.position.to_move
        return to_move if to_move in you else next(moved, min(you))

    # ------------------------------------------------------------ playing

    def play(self, you: frozenset[int], ply: int, actions: Sequence[int]) -> None:
        """Play actions of a person one after the other, all or none, and what chance adds.

        Raises Forbidden where it is not theirs to move, IllegalAction where the rules forbid one.
        """
        self._check_turn(you, ply)
        seat, first = self.position.to_move, self.ply
        try:
            for action in actions:
                if self.position.to_move not in you or self.position.to_move != seat:
                    raise IllegalAction("only the last action of a line may end a turn")
                self._do(action, None)
        except IllegalAction:
            self._cut(first)
            raise
        self._lines.append((first, seat))
        self._settle()

    def choose(self, action: int, value: Sequence[float] | None) -> None:
        """Play an agent's choice, which expected these shares, and what chance adds."""
        self._do(action, None if value is None else tuple(value))
        self._settle()

    def begin(self) -> None:
        """Draw what chance decides before the first move."""
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
        while self.position.to_move == CHANCE:
            before = self.position.copy()
            outcome = self.position.play_chance()
            self._tell(before, outcome, None)
        if self.position.is_over and not self.is_over:
            payoffs = [round(float(share), 6) for share in self.position.payoffs]
            self.end({"payoffs": payoffs, "how": "rules"})
        elif self.ply >= MOST_PLIES and not self.is_over:
            self.end({"payoffs": None, "how": "length"})
        self._moved()

    def _do(self, action: int, value: tuple[float, ...] | None) -> None:
        before = self.position.copy()
        self.position.play(action)
        self._tell(before, action, value)

    def _tell(self, before: Position, action: int, value: tuple[float, ...] | None) -> None:
        """Note what was done, in the words of everybody who may look on."""
        self.values.append(value)
        self.movers.append(before.to_move)
        viewers = [None, *range(self.game.players)] if self.game.hides else [None]
        sentences = [self.game.tell(before, action, self.position, seat) for seat in viewers]
        said = sentences[0] is not None
        if said:
            judges = before.to_move >= 0 and self.seats[before.to_move].judges
            reasons = [judges and self.game.reason(before, action, seat) for seat in viewers]
            texts = tuple(
                f"{sentence} ({reason})" if sentence and reason else sentence or ""
                for sentence, reason in zip(sentences, reasons, strict=True)
            )
        elif before.to_move == CHANCE and self.game.hides:
            texts = ("chance decided",)  # what, is for the game to tell
        else:
            texts = (before.action_name(action),)
        if len(set(texts)) == 1:
            texts = texts[:1]
        if any(texts):
            self.told.append(Told(len(before.actions), max(before.to_move, -1), texts, said))

    def _moved(self) -> None:
        self.version += 1
        self.asks = None
        if self.clock:
            mover = self.mover
            runs = self.position.to_move if mover and mover.kind == "human" else None
            self.clock.run_for(runs, moved=True)

    def start_clock(self) -> None:
        """Let it run, if it stands still and a person is to move."""
        mover = self.mover
        if self.clock and self.clock.running is None and mover and mover.kind == "human":
            self.clock.run_for(self.position.to_move)

    # ------------------------------------------------------------ taking back

    def undo_goal(self, you: frozenset[int]) -> int | None:
        """The ply where the last move of a person was made; None where there is none to undo."""
        movers = [step for step in self._lines if step[0] < self.ply and step[1] in you]
        if movers:
            return movers[-1][0]
        for ply in range(self.ply - 1, self.opening - 1, -1):
            if self.movers[ply] in you:
                return ply
        return None

    def undo_refusal(self, you: frozenset[int]) -> str | None:
        """Why the last move of a person cannot be taken back, in a sentence; None where it can.

        Whoever has seen a secret cannot unsee it: what showed it stands.
        """
        goal, hides = self.undo_goal(you), self.game.hides
        if goal is None:
            return "there is no move of yours to take back"
        if self.is_over and (hides or (self.result and self.result["how"] != "rules")):
            return "the game is over"
        if self.others(you) and (hides or self.is_over):
            return "with other people at the board this move stands"
        for told in reversed(self.told):
            if told.ply < goal:
                break
            if any(told.to(seat) != told.to(None) for seat in you):
                return "what was hidden has been seen since: this move stands"
        return None

    def others(self, you: frozenset[int]) -> bool:
        """Whether somebody else is at the board who could be asked."""
        return any(seat.is_person for number, seat in enumerate(self.seats) if number not in you)

    def take_back(self, goal: int) -> None:
        """Go back to a ply; a game that was over by its rules goes on."""
        self.cuts += 1
        self._lowest.append(goal)
        self._cut(goal)
        self._lines = [line for line in self._lines if line[0] < goal]
        self.status, self.result = PLAYING, None
        self._moved()

    def _cut(self, ply: int) -> None:
        while self.ply > ply:
            self.position.undo()
        del self.values[ply:], self.movers[ply:]
        self.told = [told for told in self.told if told.ply < ply]

    def unchanged_since(self, cuts: int) -> int:
        """Plies that have stayed since moves had been taken back so many times."""
        return min(self._lowest[cuts + 1 :], default=self.ply)

    # ------------------------------------------------------------ ends

    def end(self, result: dict[str, Any]) -> None:
        """Nobody moves any more."""
        self.status, self.result = OVER, result
        self.version += 1
        self.asks = None
        if self.clock:
            self.clock.run_for(None)

    def give_up(self, seat: int, how: str) -> None:
        """A seat resigns ("resigned") or has no time left ("time").

        Of two, the other wins; of more, an agent plays on for the seat.
        """
        if self.game.players == 2:
            payoffs = [1.0, 1.0]
            payoffs[seat] = 0.0
            self.end({"payoffs": payoffs, "how": how, "seat": seat})
            return
        leaving = self.seats[seat]
        leaving.kind, leaving.spec, leaving.gone = "agent", substitute(self.game), True
        leaving.token = leaving.invite = ""
        self._moved()

    def winner_words(self) -> str:
        """The result in words; empty while the game goes on."""
        if self.result is None:
            return ""
        how, payoffs = self.result["how"], self.result["payoffs"]
        if payoffs is None:
            return "the game was broken off"
        words = result_words(self.game, payoffs)
        if how in ("resigned", "time"):
            loser = self.game.player_name(self.result["seat"])
            words += f": {loser} " + ("resigned" if how == "resigned" else "ran out of time")
        return words

    # ------------------------------------------------------------ to the database

    def terms(self) -> dict[str, Any]:
        """What was agreed on, and the clock as it stands."""
        clock = self.clock.terms() if self.clock else None
        agreed = {"help": self.help, "pace": self.pace, "host": self.host}
        return {**agreed, "clock": clock, "next": self.next}

    def columns(self) -> dict[str, Any]:
        """What of the game may have changed, as columns of the database."""
        return {
            "seats": [asdict(seat) for seat in self.seats],
            "people": people_words(self.seats),
            "status": self.status,
            "result": self.result,
            "terms": self.terms(),
        }

    def plies(self, first: int) -> list[Ply]:
        """The plies from a number on, to be stored."""
        values = self.values[first:]
        actions = self.position.actions[first:]
        return [Ply(action, value) for action, value in zip(actions, values, strict=True)]


def result_words(game: Game, payoffs: Sequence[float]) -> str:
    """Who won by the rules, in words."""
    names = [game.player_name(seat) for seat in range(game.players)]
    if max(payoffs) == 1:
        return f"{names[payoffs.index(1)]} wins"
    if len(set(payoffs)) == 1:
        return "a draw"
    return ", ".join(f"{name} {share:.0%}" for name, share in zip(names, payoffs, strict=True))


def people_words(seats: Iterable[Seat]) -> str:
    """Everybody at the board, to be searched."""
    return " ".join(seat_words(asdict(seat)) for seat in seats).lower()


def substitute(game: Game) -> str:
    """The agent that plays on for somebody who left: quick, and not a fool where that is easy."""
    return "greedy" if game.has(HEURISTIC) else "random"


def new_stored(
    position: Position, seats: Sequence[Seat], terms: dict[str, Any], notes: dict[str, Any]
) -> StoredGame:
    """A game that begins at a position, for the database."""
    now = time.time()
    return StoredGame(
        id=new_id(),
        created=now,
        updated=now,
        game=position.game.name,
        options=dict(position.game.options),
        seed=position.seed,
        seats=[asdict(seat) for seat in seats],
        people=people_words(seats),
        status=PLAYING,
        origin=PLAYED,
        opening=len(position.actions),
        result=None,
        terms=terms,
        notes=notes,
    )
