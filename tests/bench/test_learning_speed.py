"""The bench of games a second that patterns learn from."""

import pytest

import meeple
from bench import learning_speed


def test_built_in_games_and_those_of_the_examples_are_measured() -> None:
    names = [game.name for game in learning_speed.games([])]
    assert {"hex", "catan", "connect-four", "ataxx", "tricks"} < set(names)
    assert len(names) == len(set(names))
    assert [game.name for game in learning_speed.games(["ataxx"])] == ["ataxx"]


def test_a_game_without_a_board_has_a_reason_in_its_row() -> None:
    assert "no board to place patterns on" in learning_speed.row(meeple.make("nim"), 0.01)


@pytest.mark.slow
def test_a_row_has_the_placements_and_the_speed() -> None:
    _, title, placements, weights, speed, _ = learning_speed.row(
        meeple.make("hex", size=3), 0.01
    ).split("|")
    assert title.strip() == "Hex, size=3"
    assert placements.endswith("drawn ")
    assert int(weights.replace(",", "")) > 0
    assert int(speed.replace(",", "")) > 0
