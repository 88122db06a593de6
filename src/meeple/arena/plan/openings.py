"""Openings: first moves that make the games of deterministic agents differ."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from meeple.arena.plan.seeds import seeds_of
from meeple.games.contract.game import Game, Position
from meeple.games.contract.images import (
    PositionKey,
    images_of,
    permutations_of,
    position_after,
)
from meeple.kernels import CHANCE
from meeple.kernels.random_numbers import numpy_rng


@dataclass(frozen=True)
class Opening:
    """A start: the seed of the position, and actions to play from there."""

    seed: int
    actions: tuple[int, ...] = ()

    def position(self, game: Game) -> Position:
        """Return the position after the opening."""
        return position_after(game, self.actions, self.seed)


def openings(game: Game, count: int, seed: int) -> list[Opening]:
    """Return the first `count` openings of `opening_sequence`."""
    return list(itertools.islice(opening_sequence(game, seed), count))


def deals(seed: int) -> Iterator[Opening]:
    """Yield openings without end that are only seeds."""
    return map(Opening, _seeds(seed))


def opening_sequence(game: Game, seed: int) -> Iterator[Opening]:
    """Yield openings without end, the shortest first.

    In a game of chance an opening is only a seed. In other games, the start position comes first,
    then all single moves in random order, then pairs of moves in random order, evenly over the
    first moves, and so on; no opening ends the game. Of positions that are equal by transposition
    or a symmetry, which deterministic agents would play alike, only the first is an opening. When
    all have been yielded, they repeat.
    """
    rng = numpy_rng(seed, 0)
    if _has_chance(game, rng):
        yield from deals(seed)
    found = level = [Opening(seeds_of(seed, 0, count=1)[0])]
    yield from level
    permutations = permutations_of(game)
    seen: set[PositionKey] = set()
    while level:
        longer = []
        for opening in _one_longer(game, level, rng):
            images = images_of(game, opening.actions, permutations, seed=opening.seed)
            if seen.isdisjoint(images):
                seen.update(images)
                longer.append(opening)
                yield opening
        level, found = longer, found + longer
    yield from itertools.cycle(found)


def opening_terms(openings: bool | Sequence[Opening]) -> bool | list[list[int]]:
    """Return openings as JSON: whether there are any, or the given ones."""
    if isinstance(openings, bool):
        return openings
    return [[opening.seed, *opening.actions] for opening in openings]


def _seeds(seed: int) -> Iterator[int]:
    """Yield random seeds without end."""
    given = 0
    while True:
        seeds = seeds_of(seed, 0, count=2 * given + 16)
        yield from seeds[given:]
        given = len(seeds)


def _has_chance(game: Game, rng: np.random.Generator) -> bool:
    """Return whether start positions depend on the seed, or a random game has a chance node."""
    position = game.start(0)
    if bytes(position.row) != bytes(game.start(1).row):
        return True
    while not position.is_over:
        if position.to_move == CHANCE:
            return True
        position.play(int(rng.choice(position.legal_actions())))
    return False


def _one_longer(
    game: Game, parents: Sequence[Opening], rng: np.random.Generator
) -> Iterator[Opening]:
    """Yield the openings that are one move longer, in random order, the parents in turn."""
    waiting = [
        (parent, rng.permutation(parent.position(game).legal_actions())) for parent in parents
    ]
    for place in range(max(len(moves) for _, moves in waiting)):
        for parent, moves in waiting:
            if place < len(moves):
                child = Opening(parent.seed, (*parent.actions, int(moves[place])))
                if not child.position(game).is_over:
                    yield child
