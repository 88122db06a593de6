"""The rounds of a cup in which all entrants meet; without I/O."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from meeple.arena.plan.groups import Group, round_robin

MAX_FULL_GAMES = 20
"""Games of a full round robin of tables for more than two: 10 rounds of six entrants in threes."""


def is_full(entrants: int, players: int) -> bool:
    """Return whether every possible group meets, so that all entrants play equally often."""
    return players == 2 or math.comb(entrants, players) <= MAX_FULL_GAMES


@cache
def rounds_of(entrants: int, players: int) -> list[list[Group]]:
    """Return the games of each round, in the order of seats; an entrant plays at most once in each.

    Two meet once. Tables for more are all played if there are at most `MAX_FULL_GAMES`; otherwise
    every entrant sits at about as many tables as it needs to meet each other one once.
    """
    if entrants < players:
        return []
    if players == 2:
        return list(_circle(entrants))
    full = is_full(entrants, players)
    rounds = packed(round_robin(entrants, players)) if full else _mixed(entrants, players)
    begun: Counter[int] = Counter()
    return [in_turns(groups, begun) for groups in rounds]


def in_turns(groups: Iterable[Group], begun: Counter[int]) -> list[Group]:
    """Return groups in the order of seats: who began the fewest games, `begun`, begins."""
    seated = [tuple(sorted(group, key=lambda one: (begun[one], one))) for group in groups]
    begun.update(group[0] for group in seated)
    return seated


def packed(groups: Iterable[Group]) -> list[list[Group]]:
    """Return groups in rounds: each in the first round in which its entrants are free."""
    rounds: list[list[Group]] = []
    for group in groups:
        free = (one for one in rounds if all(set(group).isdisjoint(other) for other in one))
        found = next(free, None)
        if found is None:
            rounds.append([group])
        else:
            found.append(group)
    return rounds


def _circle(entrants: int) -> Iterator[list[Group]]:
    """Yield rounds of pairs by the circle method; of an odd number, one is free in each.

    Each begins half of its games: of the pairs of a round every other one is turned around, and the
    first pair, with the entrant that stays, in every other round.
    """
    ring = [*[-1] * (entrants % 2), *range(entrants)]
    half = len(ring) // 2
    for number in range(len(ring) - 1):
        pairs = enumerate(zip(ring[:half], ring[: half - 1 : -1], strict=True))
        turned = (pair[::-1] if (at or number) % 2 else pair for at, pair in pairs)
        yield [pair for pair in turned if -1 not in pair]
        ring = [ring[0], ring[-1], *ring[1:-1]]


def _mixed(entrants: int, players: int) -> Iterator[list[Group]]:
    """Yield rounds of tables filled with entrants that have met the fewest at it."""
    tables = entrants // players
    met = [[0] * entrants for _ in range(entrants)]
    played = [0] * entrants
    games_each = math.ceil((entrants - 1) / (players - 1))
    for number in range(math.ceil(entrants * games_each / (players * tables))):
        turn = sorted(range(entrants), key=lambda one: (played[one], (one + number) % entrants))
        left, groups = turn[: tables * players], list[Group]()
        while left:
            table = [left.pop(0)]
            while len(table) < players:
                least = min(left, key=lambda one: sum(met[one][other] for other in table))
                table.append(least)
                left.remove(least)
            for one, other in itertools.permutations(table, 2):
                met[one][other] += 1
            groups.append(tuple(table))
        for one in itertools.chain(*groups):
            played[one] += 1
        yield groups
