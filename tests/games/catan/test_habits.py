"""Habits of seats in a game, recounted from the changes of each ply."""

import json

import numpy as np
import pytest

from meeple.arena.match import match
from meeple.games.catan.game import Catan
from meeple.games.catan.habits import HABITS, MIN_LEADER_POINTS
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract import capabilities
from meeple.games.contract.records import replay
from tests.games.catan.playing import random_game


def public_points(s, seat):
    buildings = sum(1 + (b > 4) for b in s.vertex.tolist() if b > 0 and (b - 1) % 4 == seat)
    return buildings + 2 * (s.longest_road == seat) + 2 * (s.largest_army == seat)


def spared(s, tile, leaders):
    owners = {(int(s.vertex[v]) - 1) % 4 for v in TOPOLOGY.tile_vertices[tile] if s.vertex[v] > 0}
    return not owners & leaders


def counted(seed, **options):
    """Count the habits of a random game from its states."""
    found = {name: [0] * options.get("players", 4) for name in HABITS}
    before = None
    for position in random_game(seed, **options):
        now = position.copy().state
        if before is not None and before.to_move >= 0:
            mover = int(before.to_move)
            lost = int(before.hand[mover].sum()) - int(now.hand[mover].sum())
            if before.phase == c.DISCARD:
                found["cards discarded"][mover] += lost
            if before.phase == c.ROBBER:
                others = (seat for seat in range(before.players) if seat != mover)
                leaders = {
                    seat for seat in others if public_points(before, seat) >= MIN_LEADER_POINTS
                }
                found["robber moved while another leads"][mover] += bool(leaders)
                missed = bool(leaders) and spared(before, now.robber, leaders)
                found["robber kept off all who lead"][mover] += missed
            if now.phase == c.DRAW:
                found["development cards bought"][mover] += 1
            bank = (now.bank.astype(int) - before.bank).tolist()
            if before.phase == now.phase == c.MAIN and max(bank) > 1 and -1 in bank:
                found["trades with the bank"][mover] += sum(b < 0 for b in bank) == 1
            if (
                before.phase == c.OFFER
                and now.phase != c.OFFER
                and position.actions[-1] == c.PROPOSE
            ):
                found["offers"][mover] += 1
            if before.phase == c.CHOOSE:
                moved = (now.hand != before.hand).any()
                found["trades with players"][mover] += bool(moved)
        before = now
    for name, holder in (("longest road", now.longest_road), ("largest army", now.largest_army)):
        if holder >= 0:
            found[name][holder] = 1
    return found, position


@pytest.mark.parametrize(("seed", "players"), [(1, 4), (2, 3), (3, 2), (4, 4), (5, 3)])
def test_habits_agree_with_a_count_from_the_states(seed, players):
    found, position = counted(seed, players=players)
    assert capabilities.habits(position) == found


@pytest.mark.slow
def test_every_habit_occurs_in_some_game():
    games = [counted(seed, players=4)[0] for seed in range(6)]
    totals = {name: np.sum([game[name] for game in games]) for name in HABITS}
    assert min(totals.values()) > 0
    assert totals["robber kept off all who lead"] < totals["robber moved while another leads"]


@pytest.mark.slow
def test_match_reports_habits_of_each_agent_by_result():
    game = Catan(players=2, victory_points=5)
    result = match(game, ["weighted", "random"], games=8, seed=3)
    offers: dict[bool, list[float]] = {
        True: [],
        False: [],
    }  # the first agent's habits, in won and lost games
    for record, lineup in zip(result.records, result.lineups, strict=True):
        seat = lineup.index(0)
        position = replay(record)
        offers[position.payoffs[seat] == 1].append(capabilities.habits(position)["offers"][seat])
    first = result.agents[0].habits["offers"]
    assert first.mean == pytest.approx(np.mean(offers[True] + offers[False]))
    assert first.won == pytest.approx(np.mean(offers[True]))
    assert first.lost == (pytest.approx(np.mean(offers[False])) if offers[False] else None)
    told = json.loads(json.dumps(result.to_json()))
    assert told["agents"][0]["habits"]["offers"] == first._asdict()
