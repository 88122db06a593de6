"""`meeple nets` lists the networks that ship with what was measured, and describes others."""

import json
import re

import pytest

import meeple as package
from meeple.agents import evaluators
from meeple.agents.ladders import costs, rating_of
from meeple.agents.network_files import network_facts
from meeple.agents.networks import shipped_networks
from meeple.arena.tournament import play_tournament
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import save_patterns

KEYS = ["name", "game", "options", "kind", "architecture", "bytes", "spec", "ms", "rating"]


def test_every_network_that_ships_is_listed_with_its_measured_cost(meeple):
    code, out, _ = meeple("nets", "--json")
    found = json.loads(out)
    assert code == 0
    assert [one["name"] for one in found] == list(shipped_networks())
    for one in found:
        assert list(one) == [*KEYS, "interval", "training"]
        assert one["bytes"] == shipped_networks()[one["name"]].stat().st_size
        game = package.make(one["game"], **one["options"])
        assert one["rating"] == rating_of(game, one["spec"])
        assert one["training"]
        cost = costs().get(one["name"])
        assert one["ms"] == (cost and cost["ms"])


def test_costs_are_of_networks_that_ship_and_of_their_agents():
    shipped = shipped_networks()
    for name, cost in costs().items():
        assert cost["spec"] == network_facts(shipped[name]).kind.strongest.format(name)
        assert cost["ms"] > 0


def test_text_has_three_lines_for_a_network(meeple):
    out = meeple.done("nets", "hex7")
    what, measured, training = out.splitlines()
    assert what == "hex7: network for hex, tower of 64 channels and 5 blocks, 1,488 kB"
    assert measured.startswith("  puct:hex7,sims=400: ")
    assert re.fullmatch(r"  trained by [\d,]+ games, [\d.]+ hours", training)


def test_file_and_run_of_the_user_are_described_and_measured(meeple, tmp_path):
    game = package.make("reversi", size=4)
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    save_patterns(folder / "00000003.safetensors", game, PatternEvaluation(game), games=30)
    for path in (tmp_path, folder / "00000003.safetensors"):
        code, out, _ = meeple("nets", path, "--json")
        (found,) = json.loads(out)
        assert code == 0
        assert found["name"] == str(path)
        assert (found["game"], found["kind"]) == ("reversi", "pattern evaluation")
        assert found["spec"] == f"minimax:eval={path},depth=6"
        assert found["ms"] > 0
        assert found["rating"] is found["interval"] is None
        assert found["training"] == {"games": 30}


@pytest.mark.parametrize("name", ["nowhere", __file__])
def test_what_is_no_network_is_named_in_a_sentence(meeple, name):
    assert name in meeple.refused("nets", name, code=1)


# ------------------------------------------------------------ tournaments at equal time


def test_tournament_without_agents_is_between_all_that_search_the_game(meeple, monkeypatch):
    played = []

    def play(conditions, specs, *rest):
        played.append(list(specs))
        return play_tournament(conditions, ["random", "weighted"], 2)

    monkeypatch.setattr("meeple.cli.tournament.play_tournament", play)
    arguments = ("--games", 2, "--json")
    assert meeple("tournament", "catan-reduced", "--seconds", 0.2, *arguments)[0] == 0
    assert played[-1] == evaluators.contenders(package.make("catan-reduced"), 0.2)
    searches = {"uct:seconds=0.2", "minimax:seconds=0.2", "states:catan-reduced,seconds=0.2"}
    assert searches <= set(played[-1])
    agents = ("uct:sims=9", "minimax:depth=2", "random")
    assert meeple("tournament", "catan-reduced", *agents, "--seconds", 2, *arguments)[0] == 0
    assert played[-1] == ["uct:seconds=2", "minimax:seconds=2", "random"]
    code, _, err = meeple("tournament", "nim")
    wanted = "name agents, or give --seconds to let all built-in ones play\n"
    assert (code, err) == (2, wanted)
