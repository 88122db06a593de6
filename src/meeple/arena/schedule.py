"""Which games a meeting of agents has: who sits where, from which seeds and opening.

Nothing is played here. Every schedule of the arena (match, round robin, gauntlet, Swiss, ladder) is
made of such meetings.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from meeple.arena.openings import Opening, opening_sequence
from meeple.arena.seating import seating_plan
from meeple.arena.seeds import seeds_of
from meeple.games.contract.game import Game


@dataclass(frozen=True)
class Fixture:
    """One game to be played; all of it follows from its meeting's seed and its place in there."""

    number: int  # from 0, no two of a run alike
    lineup: tuple[int, ...]  # the agent in every seat
    opening: Opening | None  # None: from the start
    seed: int  # of its meeting
    place: int  # from 0, in its meeting

    @property
    def seeds(self) -> list[int]:
        """Of the start, then of every seat's agent."""
        return seeds_of(self.seed, self.place, count=1 + len(self.lineup))


def schedule(
    game: Game,
    agents: Sequence[int],
    games: int,
    seed: int,
    *,
    first: int = 0,
    opened: bool | Sequence[Opening] = False,
) -> Iterator[Fixture]:
    """The games of one meeting in their order; its agents are named by their numbers.

    They come in rounds of all line-ups, `round_length` games each. `opened` gives each round an
    opening, of its own or of those given (again from the first where they are fewer), so that every
    opening is played from every seat. `first` is the number of the first game.
    """
    plan = seating_plan(len(agents), game.players)
    starts = _openings(game, seed, opened)
    opening: Opening | None = None
    for place in range(games):
        if place % len(plan) == 0:
            opening = next(starts)
        lineup = tuple(agents[index] for index in plan[place % len(plan)])
        yield Fixture(first + place, lineup, opening, seed, place)


def round_length(agents: int, players: int) -> int:
    """How many games of a meeting have the same opening: 2 of two players."""
    return len(seating_plan(agents, players))


def _openings(
    game: Game, seed: int, opened: bool | Sequence[Opening]
) -> Iterator[Opening] | Iterator[None]:
    if opened is True:
        return opening_sequence(game, seed)
    if not opened:
        return itertools.repeat(None)
    return itertools.cycle(opened)
