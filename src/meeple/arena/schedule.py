"""Which games a match has: who sits where, from which seeds and opening. Nothing is played here."""

from dataclasses import dataclass

from meeple.arena.openings import Opening, openings
from meeple.arena.seating import seating_plan
from meeple.arena.seeds import seeds_of
from meeple.games.contract.game import Game


@dataclass(frozen=True)
class Fixture:
    """One game of a match, to be played; all of it follows from its number and the match's seed."""

    number: int  # from 0
    lineup: tuple[int, ...]  # the agent in every seat
    opening: Opening | None  # None: from the start
    match_seed: int

    @property
    def seeds(self) -> list[int]:
        """Of the start, then of every seat's agent."""
        return seeds_of(self.match_seed, self.number, count=1 + len(self.lineup))


def schedule(game: Game, agents: int, games: int, seed: int, *, opened: bool) -> list[Fixture]:
    """The games of a match in their order; `opened` gives each round of line-ups an opening."""
    plan = seating_plan(agents, game.players)
    rounds = -(-games // len(plan))
    starts = openings(game, rounds, seed) if opened else [None] * rounds
    return [
        Fixture(number, plan[number % len(plan)], starts[number // len(plan)], seed)
        for number in range(games)
    ]
