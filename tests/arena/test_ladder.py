"""A ladder rates a game's agents on one scale with random play at 0."""

import pytest

import meeple
from meeple.agents import ladders
from meeple.agents.levels import levels_for
from meeple.arena.games.conditions import Conditions
from meeple.arena.ladder import play_ladder, rungs_of
from meeple.errors import UsageError

NIM = meeple.make("nim", stones=12)


def test_levels_networks_and_added_agents_take_part():
    game = meeple.make("gomoku", size=3, in_a_row=3)
    rungs = rungs_of(game, ["uct:sims=7", "random"])
    specs = [rung.spec for rung in rungs]
    levels = [level.spec for level in levels_for(game).levels]
    assert specs[: 1 + len(levels)] == ["random", *levels]
    assert specs[-3:] == ["policy:tictactoe", "puct:tictactoe,sims=400", "uct:sims=7"]
    assert [rung.name for rung in rungs][-3:] == [
        "Network tictactoe alone",
        "Network tictactoe",
        "uct:sims=7",
    ]
    assert len(set(specs)) == len(specs)


@pytest.mark.slow
def test_random_play_is_rated_zero_and_the_weakest_comes_first(tmp_path):
    conditions = Conditions(NIM, run=tmp_path)
    result = play_ladder(conditions, ["uct:sims=40"], games=10)
    figures = result.to_json()
    assert list(figures["agents"][0]) == ["name", "spec", "rating", "interval", "ms_per_move"]
    ratings = [agent["rating"] for agent in figures["agents"]]
    assert ratings == sorted(ratings)
    assert figures["anchor"] == "random"
    anchor = next(agent for agent in figures["agents"] if agent["spec"] == "random")
    assert (anchor["rating"], anchor["interval"]) == (0, [0, 0])
    perfect = next(agent for agent in figures["agents"] if agent["spec"] == "uct:sims=3000")
    assert perfect["interval"][0] > 0
    assert play_ladder(conditions, ["uct:sims=40"], games=10).to_json() == figures


def test_duplicate_agent_is_refused():
    with pytest.raises(UsageError, match="twice"):
        play_ladder(Conditions(NIM), ["uct:sims=9", "uct:sims=9"])


def test_rating_is_looked_up_by_board_and_spec(monkeypatch):
    measured = (
        {"game": "nim", "options": dict(NIM.options), "agents": [{"spec": "perfect", "rating": 9}]},
    )
    monkeypatch.setattr(ladders, "ladders", lambda: measured)
    assert ladders.rating_of(NIM, "perfect") == 9
    assert ladders.rating_of(NIM, "random") is None
    assert ladders.rating_of(meeple.make("nim", stones=13), "perfect") is None
