"""Strengths of agents from shares at tables, by the plain iteration of Hunter's MM algorithms.

Hunter, "MM algorithms for generalized Bradley-Terry models", The Annals of Statistics 32 (2004).
"""

import math


def strengths(agents, tables, prior_games, steps=4000):
    """Return Elo points of each agent with mean 0; `tables` has (holders, shares) of games.

    The prior is `prior_games` drawn games of each agent against one of fixed strength 1.
    """
    strength = [1.0] * agents
    for _ in range(steps):
        won = [prior_games / 2] * agents
        expected = [prior_games / (strength[agent] + 1) for agent in range(agents)]
        for holders, shares in tables:
            total = sum(strength[holder] for holder in holders)
            for holder, share in zip(holders, shares, strict=True):
                won[holder] += share
                expected[holder] += sum(shares) / total
        strength = [w / e for w, e in zip(won, expected, strict=True)]
    elo = [400 * math.log10(one) for one in strength]
    average = sum(elo) / agents
    return [one - average for one in elo]
