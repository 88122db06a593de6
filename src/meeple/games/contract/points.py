"""Points, teams and the par: payoffs on a scale of the game's own, mapped to shares of one win.

Search, learning and tournaments know only shares: at least 0 for each seat, 1 together. A game that
declares `points` writes points instead, and its kernels are wrapped here, once for all callers.
"""

import functools
import hashlib
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from meeple import kernels
from meeple.kernels import CHANCE, Function, inlined, kernel, named_kernel
from meeple.options import whole_number

SCALED = (
    kernels.PAYOFFS, kernels.KNOWN_RESULT, kernels.HEURISTIC, kernels.SIMPLE_HEURISTIC
)  # fmt: skip
"""The kernels that write points in a game of points."""


@kernel
def payoffs(s: Any, out: Any) -> None:
    """The points of each seat, of a state with the field `points` and a file without `payoffs`."""
    for seat in range(len(s.points)):
        out[seat] = s.points[seat]


RANDOM_GAMES = 40  # by which the usual points of a game are known


class Scoring(NamedTuple):
    """How the points of a game become shares.

    The sides are the teams and the seats that play alone. With several sides, a side's share is an
    even one, and more by the lead of its points over the mean of all sides: a share is linear in
    the points, and 0 is at least the lowest possible lead. With one side, which plays against a
    par, its share is the place of its points in their range, and the rest is the par's. A team's
    seats have equal parts of its share.
    """

    points: tuple[float, float] | None  # the least and the most of a seat; None: payoffs are shares
    seats: int  # that move
    sides: tuple[tuple[int, ...], ...]  # the seats of each; that of the par is the last

    @property
    def has_par(self) -> bool:
        """Whether the last side is the par, which never moves."""
        return self.sides[-1] == (self.seats,)

    def wrapped(self, index: int, function: Function) -> Function:
        """Return a kernel of the game as callers use it: with shares, and blind for the par."""
        code: Any = getattr(function, "py_func", function)
        about = f"{code.__code__.co_filename} {code.__module__} {code.__qualname__} {self}"
        name = f"{kernels.KERNELS[index]}_{hashlib.sha256(about.encode()).hexdigest()[:16]}"
        if self.points is not None and index in SCALED:
            return self._shares(name, function)
        sees = index != kernels.OBSERVE or not self.has_par
        return function if sees else _blind(name, function, self.seats)

    def _shares(self, name: str, author: Function) -> Function:
        assert self.points is not None
        (low, high), seats, alone = self.points, self.seats, self.has_par
        span, sides = high - low, len(self.sides)
        size = tuple(len(side) for seat in range(seats) for side in self.sides if seat in side)

        @named_kernel(name)
        def shares(s: Any, out: Any) -> None:
            author(s, out)
            total = 0.0
            for seat in range(seats):
                out[seat] = bounded(out[seat], low, high)
                total += (out[seat] - low) / (span * size[seat])
            if alone:
                for seat in range(seats):
                    out[seat] = total / seats
                out[seats] = max(0.0, 1.0 - total)
            else:
                for seat in range(seats):
                    lead = (out[seat] - low) / span - total / sides
                    out[seat] = max(0.0, 1.0 / sides + lead / (sides - 1)) / size[seat]

        return shares


@inlined
def bounded(points: Any, low: Any, high: Any) -> Any:
    """Return points within their range; the least for those that are no number."""
    return min(points, high) if points > low else low


def _blind(name: str, author: Function, seats: int) -> Function:
    @named_kernel(name)
    def observe(s: Any, player: Any, out: Any) -> None:
        if player < seats:
            author(s, player, out)

    return observe


def scoring_of(
    points: Sequence[float] | None, seats: int, teams: Sequence[Sequence[int]]
) -> Scoring:
    """Return the scoring of what a game declares.

    Raises:
        ValueError: the declarations contradict each other; the message says how.
    """
    seats, given = whole_number(seats, "players", 1), [tuple(team) for team in teams]
    listed = [seat for team in given for seat in team]
    for team in given:
        if len(team) < 2:
            raise ValueError(
                f"`teams` has a team of {len(team)}: a team has two seats or more, and a seat that "
                "plays alone is in none"
            )
    if sorted(listed) != sorted(set(listed) & set(range(seats))):
        raise ValueError(f"`teams` holds each of the seats 0 to {seats - 1} once at most: {given}")
    sides = sorted([*given, *((seat,) for seat in range(seats) if seat not in listed)])
    scale = None if points is None else tuple(map(float, points))
    if scale is not None and not (
        len(scale) == 2 and all(map(math.isfinite, scale)) and scale[0] < scale[1]
    ):
        raise ValueError(f"`points` is the least and the most points of a player, not {points}")
    if len(sides) == 1:
        if scale is None:
            raise ValueError(
                "one player, or one team of all, has nobody to share a win with: set `points` to "
                "the least and the most points, and let `payoffs` write the points"
            )
        sides.append((seats,))
    return Scoring(None if scale is None else (scale[0], scale[1]), seats, tuple(sides))


def random_ends(game: Any) -> Iterator[Any]:
    """Yield the last positions of `RANDOM_GAMES` games with random moves."""
    for seed in range(RANDOM_GAMES):
        position, choice = game.start(seed), np.random.default_rng(seed)
        while not position.is_over:
            if position.to_move == CHANCE:
                position.play_chance()
            else:
                position.play(int(choice.choice(position.legal_actions())))
        yield position


@functools.lru_cache(maxsize=64)
def spread_of(game: Any) -> float:
    """Return how far the shares of seats differ in random games: of the middle nine in ten.

    By it a loss is large or small. In a game without points it is all that a seat can have.
    """
    sides = game.sides[: len(game.sides) - game.has_par]
    if game.points is None:
        return 1.0 / max(map(len, sides))
    shares = [end.payoffs[side[0]] for end in random_ends(game) for side in sides]
    low, high = np.quantile(shares, (0.05, 0.95))
    return float(high - low) or 1.0
