"""Matches and tournaments of a game of dice for three."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from meeple.arena.figures.sprt import Hypotheses
from meeple.arena.games.conditions import Conditions
from meeple.arena.match import match
from meeple.arena.plan.openings import openings
from meeple.arena.topp import play_topp
from meeple.arena.tournament import play_tournament
from meeple.errors import UsageError
from meeple.games.contract.records import replay
from meeple.games.contract.registry import load_game_file
from tests.arena.test_match import Scripted
from tests.arena.test_topp import add_network

ROLL, HOLD = 6, 7
AGENTS = ["random", "uct:sims=1", "uct:sims=2", "uct:sims=3"]


@pytest.fixture(scope="module")
def pig():
    return load_game_file(Path(__file__).parent.parent / "cli" / "pig.py")(goal=12)


class Holder(Scripted):
    """Holds at once or never."""

    def choose(self, position, stop=None):
        return self.rule(0)


def test_three_agents_have_each_seat_equally_often_and_share_the_wins(pig):
    result = match(pig, AGENTS[:3], games=12, seed=2)
    assert result.uneven == 0
    for agent in result.agents:
        assert [seat.games for seat in agent.seats] == [4, 4, 4]
    assert sum(agent.wins for agent in result.agents) == 12
    assert sum(agent.share for agent in result.agents) == pytest.approx(1)
    assert result.p_value is None


def test_dice_are_recorded_and_replayed(pig):
    result = match(pig, AGENTS[:3], games=3, seed=2)
    for record in result.records:
        assert replay(record).is_over


def test_two_agents_share_three_seats(pig):
    result = match(pig, AGENTS[:2], games=12, seed=2)
    for agent in result.agents:
        assert [seat.games for seat in agent.seats] == [6, 6, 6]
        assert agent.games == 12
    assert sum(agent.share for agent in result.agents) == pytest.approx(1)


def test_agent_that_never_holds_never_wins(pig):
    agents = [
        Holder("never", lambda _: ROLL),
        Holder("once", lambda _: HOLD),
        Holder("again", lambda _: HOLD),
    ]
    result = match(pig, agents, games=30, seed=4)
    assert [agent.wins > 0 for agent in result.agents] == [False, True, True]


def test_tournament_of_four_agents_plays_every_group_of_three(pig):
    result = play_tournament(Conditions(pig, seed=1), AGENTS, games=6)
    assert len(result.standings.entries) == 4 * 6
    assert result.standings.games.tolist() == [18] * 4
    assert result.standings.points.sum() == pytest.approx(24 * 4 / 3)


def test_openings_of_a_dice_game_are_only_seeds(pig):
    found = openings(pig, 5, seed=1)
    assert [opening.actions for opening in found] == [()] * 5
    assert len({opening.seed for opening in found}) == 5


def test_networks_share_three_seats_in_every_arrangement(pig, tmp_path):
    for episode, rolls in ((0, 5.0), (10, -5.0)):  # always rolls, or holds at once
        preference = np.array([0.0] * 6 + [rolls, 0.0], dtype=np.float32)
        add_network(tmp_path, episode, preference, game=pig)
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


def test_uneven_arrangements_are_reported(pig, tmp_path):
    for episode in (0, 10):
        add_network(tmp_path, episode, np.zeros(8, dtype=np.float32), game=pig)
    result = play_topp(tmp_path, games=7, style="sample")
    assert result.uneven == 1
    assert "beyond an equal number in every seat: 1." in result.method()


@pytest.mark.slow
def test_two_agents_at_three_seats_are_compared_by_rounds_of_all_line_ups(pig):
    tested = Hypotheses(0, 100)
    result = match(pig, ["uct:sims=30", "random"], 1200, seed=2, sprt=tested)
    assert result.sprt is not None
    assert result.sprt.accepted == "high"
    assert result.games == 6 * result.sprt.rounds
    assert result.agents[0].share > 0.5
    with pytest.raises(UsageError, match="compares 2 agents, not 3; 2 of them share the 3 seats"):
        match(pig, AGENTS[:3], 12, sprt=tested)
