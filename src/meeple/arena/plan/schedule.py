"""The games of a meeting of agents: line-ups, seeds and openings.

Every schedule of the arena (match, round robin, gauntlet, Swiss, ladder) consists of meetings.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from meeple.arena.plan.openings import Opening, deals, opening_sequence
from meeple.arena.plan.seating import team_lineups
from meeple.arena.plan.seeds import seeds_of
from meeple.games.contract.game import Game


@dataclass(frozen=True)
class Fixture:
    """One game to play; it depends only on the seed of its meeting and its place in the meeting."""

    number: int  # from 0, unique in a run
    lineup: tuple[int, ...]  # the agent in each seat
    opening: Opening | None  # None: from the start
    seed: int  # of its meeting
    place: int  # from 0, in its meeting

    @property
    def seeds(self) -> list[int]:
        """The seed of the start position, then of each seat's agent."""
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
    """Return the games of one meeting, in order; agents are given by number.

    Games come in rounds of all line-ups, `round_length` games each. With `opened`, each round has
    an opening, generated or from the given list (repeated if it is shorter), so that every opening
    is played from every seat. `first` is the number of the first game.
    """
    plan = team_lineups(len(agents), game.sides)
    starts = _openings(game, seed, opened)
    opening: Opening | None = None
    for place in range(games):
        if place % len(plan) == 0:
            opening = next(starts)
        lineup = tuple(agents[index] for index in plan[place % len(plan)])
        yield Fixture(first + place, lineup, opening, seed, place)


def round_length(agents: int, game: Game) -> int:
    """Return the number of games with the same opening: 2 for two players."""
    return len(team_lineups(agents, game.sides))


def _openings(
    game: Game, seed: int, opened: bool | Sequence[Opening]
) -> Iterator[Opening] | Iterator[None]:
    if opened is True:
        return opening_sequence(game, seed)
    if not opened and game.has_par:
        return deals(seed)  # agents play the same deals, one after the other
    if not opened:
        return itertools.repeat(None)
    return itertools.cycle(opened)
