"""The bench of endgames: what it saves, and that it continues from there."""

import json
import sys

import pytest

from bench import endgames
from meeple.agents.networks import find_checkpoint
from meeple.games.contract.registry import make
from meeple.games.reversi.endgame import ReversiSolver
from meeple.search.patterns.file import load_patterns


@pytest.mark.nightly("the bench of endgames resumes where it ended")
def test_a_later_run_solves_only_the_positions_that_are_missing(tmp_path, monkeypatch, capsys):
    results = tmp_path / "results.jsonl"
    for positions in ("2", "3"):
        command = ["endgames", "--empty", "8", "--positions", positions, "--results", str(results)]
        monkeypatch.setattr(sys, "argv", command)
        endgames.main()
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("2 positions: ")
    assert second.startswith("3 positions: ")
    found = [json.loads(line) for line in results.read_text().splitlines()]
    assert [one["seed"] for one in found] == [0, 1, 2]
    assert all(-64 <= one["score"] <= 64 and one["nodes"] > 0 for one in found)


@pytest.mark.parametrize("payoff", ["discs", "win"])
def test_a_position_is_solved_for_every_payoff(payoff):
    game = make("reversi", payoff=payoff)
    patterns = load_patterns(find_checkpoint(endgames.WEIGHTS), game)
    seed, position = next(endgames.positions_of(game, patterns, 8))
    found = endgames.solved(ReversiSolver(8, payoff == "discs"), position)
    assert seed == 0
    assert found["score"] in ((-64, 0, 64) if payoff == "win" else range(-64, 65))
