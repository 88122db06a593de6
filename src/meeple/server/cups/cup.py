"""A cup: its entrants, the games of each round, and the scores; without I/O."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from meeple.arena.plan.groups import Group, Swiss, usual_rounds
from meeple.server.cups.schedule import in_turns, is_full, packed, rounds_of
from meeple.server.play.seats import digest

SWISS = "swiss"


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
    table: str = ""  # its id, once it is open
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
    schedule: list[list[list[int]]] = field(default_factory=list)
    """The groups of each round, by numbers of entrants; of a Swiss cup, of the paired rounds."""

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Cup":
        """Return a cup from its JSON data."""
        entrants = [Entrant(**one) for one in data["entrants"]]
        games = [CupGame(**one) for one in data["games"]]
        cup = cls(**{**data, "entrants": entrants, "games": games})
        if cup.begun and not cup.schedule:  # stored by an older version
            cup.schedule = cup._completed()
        return cup

    def to_json(self) -> dict[str, Any]:
        """Return the cup as JSON data."""
        return asdict(self)

    def begin(self) -> None:
        """Close the list of entrants, and make the rounds that do not depend on scores."""
        self.begun = True
        if self.format != SWISS:
            self.schedule = _as_lists(rounds_of(len(self.entrants), self.players))

    @property
    def rounds(self) -> int:
        """The number of rounds, before the cup begins for the entrants of now."""
        count = len(self.entrants)
        if count < self.players:
            return 0
        if self.format == SWISS:
            return usual_rounds(count, self.players)
        return len(self.schedule) or len(rounds_of(count, self.players))

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

    def pair(self) -> list[CupGame]:
        """Add the games of the next round and return them; none while games are open."""
        if not self.begun or self.open_games or self.round == self.rounds:
            return []
        number = self.round
        if self.format == SWISS:
            begun = Counter(game.seats[0] for game in self.games)
            self.schedule += _as_lists([in_turns(self._replayed().pair(), begun)])
        made = [CupGame(number, list(group)) for group in self.schedule[number]]
        self.games += made
        return made

    def scores(self) -> list[float]:
        """Return the sum of each entrant's shares.

        Where some play fewer games than others, a round without a game is worth an equal share.
        """
        found = [0.0] * len(self.entrants)
        for game in self.games:
            for entrant, share in zip(game.seats, game.payoffs or (), strict=False):
                found[entrant] += share
        if self.format == SWISS or not is_full(len(self.entrants), self.players):
            for groups in self.schedule[: self.round]:
                seated = {entrant for group in groups for entrant in group}
                for entrant in set(range(len(found))) - seated:
                    found[entrant] += 1 / self.players
        return found

    def _replayed(self) -> Swiss:
        """Return the Swiss pairings after the paired rounds, with the scores so far."""
        swiss = Swiss(len(self.entrants), self.players, self.seed)
        for number, groups in enumerate(self.schedule):
            swiss.seat([tuple(group) for group in groups])
            for game in self.games:
                if game.round == number and game.payoffs is not None:
                    swiss.score(zip(game.seats, game.payoffs, strict=True))
        return swiss

    def _completed(self) -> list[list[list[int]]]:
        """Return the rounds that are paired, and without a Swiss cup what is left of the others."""
        paired: list[list[list[int]]] = [[] for _ in range(self.round)]
        for game in self.games:
            paired[game.round].append(game.seats)
        if self.format == SWISS:
            return paired
        met = {tuple(sorted(game.seats)) for game in self.games}
        made = rounds_of(len(self.entrants), self.players)
        left = (group for groups in made for group in groups if tuple(sorted(group)) not in met)
        return paired + _as_lists(packed(left))


def _as_lists(rounds: Iterable[Iterable[Group]]) -> list[list[list[int]]]:
    return [[list(group) for group in groups] for groups in rounds]
