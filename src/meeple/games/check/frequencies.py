"""Check that determinizations draw hidden values about as often as they occur in random games."""

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.check.looks import samples
from meeple.games.check.walk import LONG_GAME_PLIES, GameWalk, expect
from meeple.games.contract.game import Game

GAMES = 200  # each gives one position of each seat
DRAWS = 31  # determinizations of a position
TOLERANCE = 4.0  # factor of the odds: the play may say something of a value
FALSE_ALARMS = 1e-6  # probability that a check reports a `resample` within the tolerance
EXTRA_SECONDS = 6.0  # beyond the time limit
LENGTHS = 3  # games whose shortest length bounds the plies before a position


class _Value(NamedTuple):
    """A value of an item of a field, which a seat cannot know."""

    seat: int
    field: str
    item: int
    value: Any


class _Seen(NamedTuple):
    """A position in which a seat cannot know whether an item has a value."""

    is_true: bool
    alike: int  # states with the value, of the true one and its determinizations


def hidden_values_are_drawn_about_as_often_as_they_occur(walk: GameWalk) -> None:
    """Check that determinizations have no value far too seldom.

    A seat cannot tell the state of a random game from its determinizations. So if k of these
    DRAWS + 1 states have a value, the true one is among them with probability k / (DRAWS + 1), or
    up to TOLERANCE times these odds. A value is reported if the true states have it more often.
    """
    game = walk.game
    if not samples(game):
        return
    seen: dict[_Value, list[_Seen]] = defaultdict(list)
    for value, one in _positions(walk):
        seen[value].append(one)
    for value, found in seen.items():
        count, true = len(found), sum(one.is_true for one in found)
        share = sum(one.alike - one.is_true for one in found) / (DRAWS * count)
        item = f"[{value.item}]" if game.State[value.field].shape else ""
        expect(
            _probability(found) * len(seen) > FALSE_ALARMS,
            f"`resample` gives `{value.field}{item}` the value {value.value} far too seldom: of "
            f"{count} random positions in which {game.player_name(value.seat)} cannot know it, "
            f"{true} have this value, and {share:.1%} of their determinizations",
            "resample",
            "belief",
        )


def _positions(walk: GameWalk) -> Iterator[tuple[_Value, _Seen]]:
    """Yield what each seat cannot know in a position of each of many random games."""
    game, plies = walk.game, _shortest(walk)
    for seed in range(GAMES):
        if time.monotonic() > walk.ends + EXTRA_SECONDS:
            return
        position, choice = walk.start(seed), np.random.default_rng([seed, 1])
        target = int(choice.integers(plies))  # independent of the game
        while not position.is_over and len(position.actions) < target:
            walk.step(choice)
        if position.to_move < 0:  # a belief is drawn from where a player decides
            continue
        for seat in range(game.seats):
            belief, rng = game.belief(seat), kernels.new_rng(19, seed, seat)
            belief.follow(position)
            rows = np.tile(position.row, (1 + DRAWS, 1))
            for row in rows[1:]:
                belief.sample(row, rng)
            yield from _unknown(game, seat, rows)


def _shortest(walk: GameWalk) -> int:
    """Return the length of the shortest of a few random games."""
    lengths = []
    for seed in range(GAMES, GAMES + LENGTHS):
        position, choice = walk.start(seed), np.random.default_rng(seed)
        while not position.is_over and len(position.actions) < LONG_GAME_PLIES:
            walk.step(choice)
        lengths.append(len(position.actions))
    return max(1, *lengths) if min(lengths) == 0 else min(lengths)


def _unknown(game: Game, seat: int, rows: npt.NDArray[np.uint8]) -> Iterator[tuple[_Value, _Seen]]:
    """Yield the values that some states [1 + DRAWS, bytes] have and others not; first, the true."""
    states = rows.view(game.State)[:, 0]
    for field in (states.dtype.names or ())[1:]:
        items = states[field].reshape(len(rows), -1)
        for item in np.flatnonzero((items != items[0]).any(axis=0)).tolist():
            values, counts = np.unique(items[:, item], return_counts=True)
            for value, count in zip(values.tolist(), counts.tolist(), strict=True):
                is_true = bool(items[0, item] == value)
                yield _Value(seat, field, item, value), _Seen(is_true, count)


def _probability(found: list[_Seen]) -> float:
    """Return the probability of so many true values or more, in positions with these counts."""
    least = sum(one.is_true for one in found)
    chances = np.zeros(least + 1)  # of each number of true values; the last: of all from there on
    chances[0] = 1.0
    for one in found:
        odds = TOLERANCE * one.alike / (1 + DRAWS - one.alike)
        moved = odds / (1 + odds) * chances
        moved[-1] = 0.0
        chances -= moved
        chances[1:] += moved[:-1]
    return float(chances[-1])
