"""Texts about games and agents: chances, moves with their evaluation, results."""

import numpy as np

import meeple
from meeple.agents.agent import Analysis
from meeple.cli.shared import words


def analysis(position, value, line, simulations=1200):
    actions = position.legal_actions()
    return Analysis(
        actions=actions,
        visits=np.zeros(len(actions), dtype=np.int64),
        policy=np.full(len(actions), 1 / len(actions), dtype=np.float32),
        value=np.array(value),
        principal_variation=tuple(line),
        simulations=simulations,
        seconds=0.25,
    )


def test_a_move_is_printed_with_its_cost_your_chance_and_the_expected_line():
    position = meeple.make("nim", stones=9).start()
    told = words.describe_move(position, 0, "it", analysis(position, [0.3, 0.7], [0, 2, 1]), [1])
    assert told == (
        "it plays take 1 · 1,200 simulations, 0.25 s · your winning chance 70 % "
        "· expects take 3, take 2"
    )


def test_the_chance_is_the_movers_if_no_player_is_human():
    position = meeple.make("nim", stones=9).start()
    told = words.describe_move(position, 0, "it", analysis(position, [0.3, 0.7], [0]), [])
    assert "winning chance of player 1 30 %" in told
    assert "expects" not in told


def test_an_expected_line_ends_before_an_illegal_move():
    position = meeple.make("nim", stones=4).start()
    assert words.line_of_play(position, [0, 2, 2]) == "take 1, take 3"


def test_results_are_printed_with_names():
    position = meeple.make("nim", stones=1).start()
    position.play(0)
    assert words.describe_result(position, ["Ann", "Bob"]) == "Result: Ann wins."


def test_a_search_of_hidden_cards_is_described_to_no_other_player():
    game = meeple.make("catan", players=2)
    position = game.start()
    first = int(position.legal_actions()[0])
    searched = analysis(position, [0.3, 0.7], [first, first])
    told = words.describe_move(position, first, "it", searched, [1])
    assert told == f"it plays {position.action_name(first)} · 1,200 simulations, 0.25 s"
    assert "winning chance" in words.describe_move(position, first, "it", searched, [])
