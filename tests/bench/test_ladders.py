"""The shipped ladders cover all levels."""

from itertools import pairwise

import pytest

from bench.ladders import boards, find, missing, play, read, table, write
from meeple.agents.ladders import RANDOM, rating_of
from meeple.agents.levels import levels_for
from meeple.arena.ladder import rungs_of
from meeple.games.contract.registry import make_from

SHIPPED = read()


def name(ladder):
    return "-".join([ladder["game"], *map(str, ladder["options"].values())])


@pytest.mark.parametrize("ladder", SHIPPED, ids=name)
def test_shipped_ladder_has_every_level_and_network_in_order(ladder):
    game = make_from(ladder["game"], ladder["options"])
    assert {**game.unsaid, **ladder["options"]} == game.options
    rungs = {rung.spec: rung.name for rung in rungs_of(game)}
    rated = {agent["spec"]: agent["name"] for agent in ladder["agents"]}
    assert rated == rungs
    ratings = [agent["rating"] for agent in ladder["agents"]]
    assert ratings == sorted(ratings)
    assert ladder["anchor"] == RANDOM
    assert rating_of(game, RANDOM) == 0
    for agent in ladder["agents"]:
        low, high = agent["interval"]
        assert low <= agent["rating"] <= high
    pairs = len(rated) * (len(rated) - 1) // 2
    if game.players == 2:
        assert ladder["games"] == pairs * ladder["games_per_group"]


@pytest.mark.parametrize("ladder", SHIPPED, ids=name)
def test_no_level_is_significantly_weaker_than_the_one_before(ladder):
    game = make_from(ladder["game"], ladder["options"])
    agents = {agent["spec"]: agent for agent in ladder["agents"]}
    levels = [agents[level.spec] for level in levels_for(game).levels]
    for before, level in pairwise(levels):
        assert level["rating"] > before["rating"]


def test_every_board_has_a_ladder():
    assert missing(SHIPPED) == []
    assert len(SHIPPED) == len(list(boards()))


def test_ladder_is_played_stored_and_found(tmp_path):
    board, game = next(iter(boards()))
    found = play(board, game, 2, tmp_path)
    write([found], tmp_path / "ladders.json")
    kept = read(tmp_path / "ladders.json")
    assert kept == [found]
    assert find(kept, game) == found
    assert board not in missing(kept)
    assert len(table(kept)) == len(found["agents"])


def test_ladder_of_other_agents_is_missing_and_not_written(tmp_path):
    ladder = SHIPPED[0]
    game = make_from(ladder["game"], ladder["options"])
    stale = {**ladder, "agents": ladder["agents"][:-1]}
    assert find([stale], game) is None
    assert find([{**ladder, "networks": {"hex7": "000000000000"}}], game) is None
    assert find([ladder, stale], game) is ladder
    write([stale], tmp_path / "ladders.json")
    assert read(tmp_path / "ladders.json") == []
