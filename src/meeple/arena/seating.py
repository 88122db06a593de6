"""Who sits where in each game of a match, so that every agent has every seat equally often."""

import itertools


def seating_plan(agents: int, players: int) -> list[tuple[int, ...]]:
    """Line-ups to go through in turn: `lineup[seat]` is an agent's index.

    All line-ups in which the agents hold equally many seats, or as nearly so as the numbers allow,
    each once. They come in blocks that are closed under rotating the seats and the agents, so that
    after every block each agent has had each seat equally often; with two players that is after
    every second game. Over the whole plan each agent also has each neighbour equally often.
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


def uneven(lineups: list[tuple[int, ...]], agents: int) -> int:
    """How many of the last games leave the seats unequal; 0 where every agent had each equally."""
    counts = [[0] * agents for _ in (lineups[0] if lineups else ())]
    balanced = 0
    for games, lineup in enumerate(lineups, start=1):
        for seat, agent in enumerate(lineup):
            counts[seat][agent] += 1
        if all(min(seat) == max(seat) for seat in counts):
            balanced = games
    return len(lineups) - balanced
