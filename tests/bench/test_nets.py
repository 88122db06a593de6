"""Tournaments at equal time are played once for each board, and saved for the evaluators."""

import json

import pytest

import meeple
from bench import nets
from meeple.agents import evaluators
from meeple.agents.networks import shipped_networks


def test_boards_are_those_of_levels_and_networks_without_duplicates():
    found = dict(nets.boards())
    assert {"hex size=11", "hex", "gomoku", "reversi", "catan", "gomoku size=6 in_a_row=4"} <= set(
        found
    )
    assert len({repr(game) for game in found.values()}) == len(found)


@pytest.mark.nightly("tournaments of networks are saved for hints and analyses")
def test_tournament_is_saved_in_the_place_of_the_one_before(tmp_path, monkeypatch):
    game, file = meeple.make("gomoku", size=3, in_a_row=3), tmp_path / "evaluators.json"
    file.write_text("[]")
    monkeypatch.setattr(evaluators, "contenders", lambda *_: ["random", "uct:seconds=0.01"])
    result = nets.play("tictactoe", game, 0.01, 4, tmp_path / "runs")
    for games in (2, 4):
        nets.save({**result, "games": games}, file)
    (saved,) = json.loads(file.read_text())
    assert saved["games"] == 4
    assert saved["seconds"] == 0.01
    assert (tmp_path / "runs" / "tictactoe" / "report" / "report.html").is_file()
    monkeypatch.setattr(evaluators, "results", lambda: (saved,))
    assert evaluators.evaluator_for(game, 1) == "uct:seconds=1"


def test_costs_of_the_named_networks_are_measured_and_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(nets, "cost_of", lambda *_: 1.234)
    nets.measure(["hex7"], tmp_path / "costs.json")
    saved = json.loads((tmp_path / "costs.json").read_text())
    assert saved["hex7"] == {"spec": "puct:hex7,sims=400", "ms": 1.23}
    assert set(saved) <= set(shipped_networks())
