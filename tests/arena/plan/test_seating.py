"""Seats rotate fairly for any number of agents and seats."""

from collections import Counter

import pytest

from meeple.arena.plan.seating import seating_plan, uneven

SIZES = [(2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (2, 5)]


def test_two_agents_take_turns_to_start():
    assert seating_plan(2, 2) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_plan_gives_every_agent_every_seat_equally_often(agents, players):
    plan = seating_plan(agents, players)
    for seat in range(players):
        assert len(set(Counter(lineup[seat] for lineup in plan).values())) == 1
    assert uneven(plan, agents) == 0


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_every_line_up_is_played_once(agents, players):
    plan = seating_plan(agents, players)
    assert len(set(plan)) == len(plan)
    for lineup in plan:
        held = Counter(lineup)
        assert len(held) == agents
        assert max(held.values()) - min(held.values()) <= 1


@pytest.mark.parametrize("agents", [3, 4])
def test_every_agent_has_every_next_neighbour_equally_often(agents):
    pairs = Counter(
        (lineup[seat], lineup[(seat + 1) % agents])
        for lineup in seating_plan(agents, agents)
        for seat in range(agents)
    )
    assert len(set(pairs.values())) == 1


def test_seats_of_four_agents_are_even_after_every_fourth_game():
    plan = seating_plan(4, 4)
    assert [uneven(plan[:games], 4) for games in (4, 8, 12, 24)] == [0, 0, 0, 0]


def test_uneven_games_are_counted():
    plan = seating_plan(2, 2)
    assert uneven(plan * 3, 2) == 0
    assert uneven((plan * 3)[:5], 2) == 1
    assert uneven([], 2) == 0
