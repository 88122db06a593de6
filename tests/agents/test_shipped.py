"""The built-in networks load, are small, and play well."""

import json
from pathlib import Path

import pytest

import meeple
from meeple.agents.networks import find_checkpoint, shipped_networks
from meeple.errors import CheckpointError
from meeple.nets.checkpoint import read_metadata
from meeple.search.values.file import KIND, load_network
from meeple.tensor_file import is_of_kind

MEGABYTES = 3
SOLVED = json.loads((Path(__file__).parents[2] / "tests" / "data" / "solved.json").read_text())
VALUES = {name for name, path in shipped_networks().items() if is_of_kind(path, KIND)}


@pytest.mark.parametrize("name", shipped_networks())
def test_built_in_network_is_small(name):
    assert shipped_networks()[name].stat().st_size < MEGABYTES * 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(shipped_networks()) - VALUES - {"tictactoe"}))
def test_built_in_network_without_search_beats_uct_of_500_simulations(name):
    metadata = read_metadata(shipped_networks()[name])
    game = meeple.make(metadata.game, **metadata.options)
    result = meeple.match(game, [f"policy:{name}", "uct:sims=500"], games=60, seed=1, workers=1)
    assert result.agents[0].share >= 0.65  # the weakest, reversi6, has about 0.79 of 400 games


@pytest.mark.slow
def test_hex7_with_search_wins_from_openings_as_theory_says():
    """Play the 49 first moves of Hex 7x7, which Hayward et al. solved (docs/results.md)."""
    game = meeple.make("hex", size=7)
    agents = [meeple.agent("puct:hex7,sims=400", game, seed) for seed in (1, 2)]
    winning = SOLVED["hex7_winning_openings"].replace("|", "")
    as_solved = 0
    for action, mark in enumerate(winning):
        position = game.start()
        position.play(action)
        for agent in agents:
            agent.begin(action)
        while not position.is_over:
            position.play(agents[position.to_move].choose(position))
        as_solved += (position.payoffs[0] == 1) == (mark == "B")
    assert as_solved >= 39


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(VALUES))
def test_built_in_value_network_beats_greedy_players(name):
    saved = load_network(shipped_networks()[name])
    game = meeple.make(saved.game, **saved.options)
    others = ["greedy"] * (game.players - 1)
    result = meeple.match(game, [f"states:{name}", *others], games=12, seed=1, workers=1)
    assert result.agents[0].wins >= 6  # it wins at least two thirds of many games; 3 would be even


def test_networks_of_the_wrong_kind_are_refused():
    for spec in ("policy:catan", "puct:catan,sims=10"):
        with pytest.raises(CheckpointError, match="a value network: play it as states:PATH"):
            meeple.agent(spec, meeple.make("catan"))
    with pytest.raises(CheckpointError, match="not a Meeple value network"):
        meeple.agent("states:hex7", meeple.make("hex", size=7))


@pytest.mark.parametrize("seat", [0, 1])
def test_tictactoe_network_loses_to_no_line_of_replies(seat):
    game = meeple.make("gomoku", size=3, in_a_row=3)
    agent = meeple.agent("policy:tictactoe", game)

    def worst(position):
        if position.is_over:
            return position.payoffs[seat]
        if position.to_move == seat:
            position.play(agent.choose(position))
            return worst(position)
        results = []
        for action in position.legal_actions():
            after = position.copy()
            after.play(int(action))
            results.append(worst(after))
        return min(results)

    assert worst(game.start()) == 0.5


def test_networks_of_the_readme_are_built_in():
    assert set(shipped_networks()) >= {
        "catan",
        "gomoku6",
        "gomoku8",
        "hex11",
        "hex7",
        "hex9",
        "reversi6",
        "reversi8",
        "tictactoe",
    }


def test_file_or_folder_precedes_a_built_in_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hex7").write_bytes(b"")
    assert find_checkpoint("hex7").read_bytes() == b""


def test_unknown_name_lists_the_built_in_networks():
    with pytest.raises(CheckpointError, match="hex7"):
        find_checkpoint("chess")
