"""A cup: its entrants, the games of each round, and the scores; without I/O."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from meeple.arena.plan.groups import Group, Swiss, round_robin, usual_rounds
from meeple.server.play.seats import digest

ROUND_ROBIN, SWISS = "round-robin", "swiss"


@dataclass
class Entrant:
    """A person, or an agent."""

    name: str
    spec: str = ""  # of an agent
    token: str = ""  # hash of the person's token


@dataclass
class CupGame:
    """A game of a round."""

    round: int
    seats: list[int]  # the entrants' numbers
    table: str = ""  # its id
    payoffs: list[float] | None = None  # None: not over


@dataclass
class Cup:
    """The state of a cup, as it is stored."""

    id: str
    game: str
    options: dict[str, Any]
    players: int  # seats of the game
    terms: dict[str, Any]  # of the games
    format: str
    seed: int
    host: str  # hash of the creator's token
    entrants: list[Entrant] = field(default_factory=list)
    games: list[CupGame] = field(default_factory=list)
    begun: bool = False

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Cup":
        """Return a cup from its JSON data."""
        entrants = [Entrant(**one) for one in data["entrants"]]
        games = [CupGame(**one) for one in data["games"]]
        return cls(**{**data, "entrants": entrants, "games": games})

    def to_json(self) -> dict[str, Any]:
        """Return the cup as JSON data."""
        return asdict(self)

    @property
    def rounds(self) -> int:
        """The number of rounds, for the entrants of now."""
        count = len(self.entrants)
        if count < self.players:
            return 0
        if self.format == SWISS:
            return usual_rounds(count, self.players)
        return len(all_rounds(count, self.players))

    @property
    def round(self) -> int:
        """The number of rounds that have been paired."""
        return max((game.round for game in self.games), default=-1) + 1

    @property
    def is_over(self) -> bool:
        """Whether all games of all rounds are over."""
        return self.begun and self.round == self.rounds and not self.open_games

    @property
    def open_games(self) -> list[CupGame]:
        """The games that are not over."""
        return [game for game in self.games if game.payoffs is None]

    def you(self, tokens: Iterable[str]) -> int | None:
        """Return the entrant of a token."""
        held = {digest(token) for token in tokens}
        found = (n for n, one in enumerate(self.entrants) if one.token and one.token in held)
        return next(found, None)

    def next_round(self) -> list[CupGame]:
        """Return the games of the next round; none while games are open, or after the last one."""
        if not self.begun or self.open_games or self.round == self.rounds:
            return []
        if self.format == SWISS:
            groups = self._replayed().pair()
        else:
            groups = all_rounds(len(self.entrants), self.players)[self.round]
        return [CupGame(self.round, self._seated(group)) for group in groups]

    def scores(self) -> list[float]:
        """Return the sum of each entrant's shares; a bye of a Swiss cup is an equal share."""
        if self.format == SWISS and self.begun:
            return [float(score) for score in self._replayed().scores]
        found = [0.0] * len(self.entrants)
        for game in self.games:
            for entrant, share in zip(game.seats, game.payoffs or (), strict=False):
                found[entrant] += share
        return found

    def _replayed(self) -> Swiss:
        """Return the Swiss tournament after the paired rounds, with the scores so far."""
        swiss = Swiss(len(self.entrants), self.players, self.seed)
        for number in range(self.round):
            swiss.pair()
            for game in self.games:
                if game.round == number and game.payoffs is not None:
                    swiss.score(zip(game.seats, game.payoffs, strict=True))
        return swiss

    def _seated(self, group: Group) -> list[int]:
        """Return a group by seats: who began the fewest games begins."""
        begun = [game.seats[0] for game in self.games]
        return sorted(group, key=lambda entrant: (begun.count(entrant), entrant))


def all_rounds(entrants: int, players: int) -> list[list[Group]]:
    """Return the games of a round robin in rounds, in which each entrant plays at most once."""
    left, found = round_robin(entrants, players), []
    while left:
        busy: set[int] = set()
        now = []
        for group in left:
            if busy.isdisjoint(group):
                now.append(group)
                busy.update(group)
        left = [group for group in left if group not in now]
        found.append(now)
    return found
