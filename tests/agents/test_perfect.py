"""The perfect player keeps what the solver says is sure."""

import pytest

import meeple
from meeple.agents.perfect import PerfectAgent
from meeple.errors import TooLarge


def test_it_never_loses_nim_from_the_winning_side():
    game = meeple.make("nim", stones=21, take=3)  # 21 is won: no multiple of 4
    result = meeple.match(game, ["perfect", "random"], games=20, seed=1, workers=1)
    assert result.agents[0].seats[0].share == 1.0


def test_it_reports_the_exact_value_of_the_position():
    position = meeple.make("nim", stones=20, take=3).start()
    perfect = meeple.agent("perfect", position.game)
    perfect.choose(position)
    assert perfect.analysis is not None
    assert perfect.analysis.value is not None
    assert perfect.analysis.value.tolist() == [0.0, 1.0]


def test_it_refuses_a_game_too_large_to_solve():
    position = meeple.make("hex", size=11).start()
    with pytest.raises(TooLarge):
        PerfectAgent(limit=1000).choose(position)
