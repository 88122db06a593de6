"""Matches and tournaments of a game of dice for three."""

import itertools

import numpy as np
import pytest

from meeple.arena.figures.sprt import Hypotheses
from meeple.arena.games.conditions import Conditions
from meeple.arena.match import match
from meeple.arena.topp import play_topp
from meeple.arena.tournament import play_tournament
from meeple.errors import UsageError
from meeple.games.contract.records import replay
from meeple.games.contract.registry import load_game_file
from tests.arena.test_topp import add_network
from tests.games import race

AGENTS = ["random", "uct:sims=1", "uct:sims=2", "uct:sims=3"]


@pytest.fixture(scope="module")
def dice():
    return load_game_file(race.__file__)(goal=12)


def test_two_or_three_agents_have_each_seat_equally_often_and_share_the_wins(dice):
    result = match(dice, AGENTS[:3], games=12, seed=2)
    assert result.uneven == 0
    for agent in result.agents:
        assert [seat.games for seat in agent.seats] == [4, 4, 4]
    assert sum(agent.wins for agent in result.agents) == 12
    assert sum(agent.share for agent in result.agents) == pytest.approx(1)
    assert result.p_value is None
    assert all(replay(record).is_over for record in result.records)  # dice are recorded
    result = match(dice, AGENTS[:2], games=12, seed=2)
    for agent in result.agents:
        assert [seat.games for seat in agent.seats] == [6, 6, 6]
        assert agent.games == 12
    assert sum(agent.share for agent in result.agents) == pytest.approx(1)


def test_tournament_of_four_agents_plays_every_group_of_three(dice):
    result = play_tournament(Conditions(dice, seed=1), AGENTS, games=6)
    assert len(result.standings.entries) == 4 * 6
    assert result.standings.games.tolist() == [18] * 4
    assert result.standings.points.sum() == pytest.approx(24 * 4 / 3)


def test_networks_share_three_seats_in_every_arrangement(dice, tmp_path):
    for episode, stays in ((0, 5.0), (10, -5.0)):  # never moves its runner, or always
        preference = np.array([stays] + [0.0] * 5, dtype=np.float32)
        add_network(tmp_path, episode, preference, game=dice)
    assert "beyond an equal number in every seat: 1." in play_topp(tmp_path, games=7).method()
    result = play_topp(tmp_path, games=12)
    lineups = [entry.lineup for entry in result.standings.entries]
    assert sorted(lineups) == sorted([*itertools.product((0, 1), repeat=3)][1:-1] * 2)
    assert result.uneven == 0
    assert result.standings.ranking() == [1, 0]
    assert "share the 3 seats" in result.method()
    shares = result.standings.seats
    assert shares.shape == (2, 3)
    first = [entry.record for entry in result.standings.entries if entry.lineup[0] == 1]
    assert shares[1, 0] == pytest.approx(sum((one.payoffs or (0,))[0] for one in first) / 6)
    assert result.to_json()["networks"][1]["seats"] == pytest.approx(shares[1].tolist())


@pytest.mark.slow
def test_two_agents_at_three_seats_are_compared_by_rounds_of_all_line_ups(dice):
    tested = Hypotheses(0, 100)
    result = match(dice, ["uct:sims=30", "random"], 1200, seed=2, sprt=tested)
    assert result.sprt is not None
    assert result.sprt.accepted == "high"
    assert result.games == 6 * result.sprt.rounds
    assert result.agents[0].share > 0.5
    with pytest.raises(UsageError, match="compares 2 agents, not 3; 2 of them share the 3 seats"):
        match(dice, AGENTS[:3], 12, sprt=tested)
