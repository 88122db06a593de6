"""The evaluator of a game is the strongest agent measured on its board, and says how strong."""

import pytest

import meeple
from meeple.agents import evaluators, ladders
from meeple.agents.evaluators import (
    contenders,
    described,
    evaluator_for,
    results,
    second_evaluator,
    strength_of,
)
from meeple.agents.levels import LEVELS, levels_for
from meeple.agents.network_files import NETWORK, NetworkFacts
from meeple.agents.networks import shipped_networks
from meeple.agents.spec import agent, network_in, within_seconds
from meeple.games.contract.registry import make_from
from meeple.kernels.table import compilation_deferred
from tests.search.toys import Paper
from tests.tiers import few_quick

HEX7 = meeple.make("hex", size=7)


def measured(monkeypatch, specs, matrix, seconds=0.5, **agents):
    """Replace the shipped tournaments by one on Hex 7x7; the last agent is the best."""
    listed = [
        {"spec": spec, "rating": float(100 * at), "interval": [0, 1], "ms_per_move": 100.0}
        for at, spec in enumerate(specs)
    ]
    for spec, change in agents.items():
        next(one for one in listed if one["spec"] == spec).update(change)
    result = {
        "game": "hex",
        "options": dict(HEX7.options),
        "seconds": seconds,
        "games_per_group": 40,
        "agents": listed,
        "matrix": matrix,
    }
    monkeypatch.setattr(evaluators, "results", lambda: (result,))


def test_winner_of_the_tournament_evaluates_with_the_time_that_it_gets(monkeypatch):
    specs = ["policy:hex7", "puct:hex7,seconds=0.5", "uct:seconds=0.5"]
    measured(monkeypatch, specs, [[None, 0.5, 0.5], [0.5, None, 0.1], [0.5, 0.9, None]])
    assert evaluator_for(HEX7, 2) == "uct:seconds=2"
    assert described(HEX7, "uct:seconds=2") == (
        "tree search with rollouts, 2 s a move; won 90 % of 40 games against tree search with the "
        "network hex7 at 0.5 s a move"
    )
    assert strength_of(HEX7, "puct:hex7,sims=9").startswith("won 10 % of 40 games against tree")


def test_agent_that_is_too_slow_or_no_longer_ships_does_not_evaluate(monkeypatch):
    specs = ["uct:seconds=0.5", "policy:hex7", "puct:gone,seconds=0.5"]
    slow = {"policy:hex7": {"ms_per_move": 700.0}}
    measured(monkeypatch, specs, [[None] * 3] * 3, **slow)
    assert evaluator_for(HEX7, 0.5) == "uct:seconds=0.5"
    assert described(HEX7, "uct:seconds=0.5") == "tree search with rollouts, 0.5 s a move"
    assert evaluator_for(HEX7, 1) == "policy:hex7"


def test_board_without_a_tournament_has_the_strongest_level_with_its_rating(monkeypatch):
    monkeypatch.setattr(evaluators, "results", lambda: ())
    agents = [{"spec": "puct:hex7,sims=200", "rating": 2970.5, "interval": [2614.4, 3326.7]}]
    rated = ({"game": "hex", "options": dict(HEX7.options), "agents": agents},)
    monkeypatch.setattr(ladders, "ladders", lambda: rated)
    assert strength_of(HEX7, "puct:hex7,seconds=3") == (
        "rated 2,970 Elo points above random play (95 % interval 2,614 to 3,327) with 200 "
        "simulations a move"
    )
    assert strength_of(HEX7, "uct:seconds=1") == ""
    board = meeple.make("hex", size=8)
    strongest = within_seconds(levels_for(board).strongest, 1)
    assert evaluator_for(board, 1) == strongest


def test_network_of_the_user_evaluates_a_game_without_levels():
    assert evaluator_for(Paper(), 1) == "uct:seconds=1"
    mine = {"mine": NetworkFacts(NETWORK, "paper", {})}
    assert evaluator_for(Paper(), 1, mine) == "puct:mine,seconds=1"
    assert "mine" not in evaluator_for(HEX7, 1, mine)


@pytest.mark.parametrize("table", few_quick(LEVELS, 6), ids=lambda table: table.name)
def test_contenders_of_every_board_play_it_with_equal_time(table):
    for options in table.measured:
        game = make_from(table.game, options)
        found = contenders(game, 0.3)
        assert "uct:seconds=0.3" in found
        assert within_seconds(table.strongest, 0.3) in found
        assert len(set(found)) == len(found)
        with compilation_deferred():
            for spec in found:
                agent(spec, game)


@pytest.mark.parametrize("result", results(), ids=lambda one: f"{one['game']}{one['options']}")
def test_shipped_tournament_has_agents_of_today(result):
    game = make_from(result["game"], result["options"])
    assert dict(game.options) == result["options"]
    for one in result["agents"]:
        assert network_in(one["spec"]) in {None, *shipped_networks()}
        assert one["interval"][0] <= one["rating"] <= one["interval"][1]


def test_second_evaluator_is_the_best_other_agent(monkeypatch):
    specs = ["policy:hex7", "puct:hex7,seconds=0.5", "uct:seconds=0.5"]
    measured(monkeypatch, specs, [[None] * 3] * 3)
    assert second_evaluator(HEX7, 2, "uct:seconds=1") == "puct:hex7,seconds=2"
    assert second_evaluator(HEX7, 2, "puct:hex7,seconds=9") == "uct:seconds=2"
    monkeypatch.setattr(evaluators, "results", lambda: ())
    first = evaluator_for(HEX7, 1)
    second = second_evaluator(HEX7, 1, first)
    assert second in contenders(HEX7, 1)
    assert second != first
    assert second_evaluator(Paper(), 1, "uct:seconds=1") is None
    assert second_evaluator(Paper(), 1, "puct:mine,seconds=1") == "uct:seconds=1"
