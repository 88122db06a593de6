"""Line-ups of a match in which every agent has every seat equally often."""

import itertools
from collections.abc import Sequence


def seating_plan(agents: int, players: int) -> list[tuple[int, ...]]:
    """Return the line-ups in order; `lineup[seat]` is an agent's index.

    They are all line-ups in which the agents' numbers of seats differ by at most one, each once.
    They come in blocks that are closed under rotation of the seats and of the agents, so that after
    each block every agent has had every seat equally often; for two players a block has two games.
    Over the whole plan every agent also has every neighbour equally often.
    """
    least = players // agents
    most = least + (players % agents > 0)
    plan: list[tuple[int, ...]] = []
    seen: set[tuple[int, ...]] = set()
    for lineup in itertools.product(range(agents), repeat=players):
        if lineup in seen or not all(least <= lineup.count(a) <= most for a in range(agents)):
            continue
        block = dict.fromkeys(
            tuple((lineup[(seat + turn) % players] + shift) % agents for seat in range(players))
            for shift in range(agents)
            for turn in range(players)
        )
        seen.update(block)
        plan.extend(block)
    return plan


def team_lineups(agents: int, sides: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the line-ups of a game whose teams are played by one agent each; see `Game.sides`."""
    side = {seat: number for number, seats in enumerate(sides) for seat in seats}
    plan = seating_plan(agents, len(sides))
    return [tuple(one[side[seat]] for seat in range(len(side))) for one in plan]


def uneven(lineups: list[tuple[int, ...]], agents: int) -> int:
    """Return the number of last games beyond an equal number for each agent in each seat."""
    counts = [[0] * agents for _ in (lineups[0] if lineups else ())]
    balanced = 0
    for games, lineup in enumerate(lineups, start=1):
        for seat, agent in enumerate(lineup):
            counts[seat][agent] += 1
        if all(min(seat) == max(seat) for seat in counts):
            balanced = games
    return len(lineups) - balanced
