"""The parts of a run are measured separately; no speed is tested."""

import pytest

from bench.scale_parts import at_start, learning, self_play
from tests.learn.small import config


@pytest.mark.slow
def test_each_part_of_a_small_run_has_a_cost():
    settings = config('search.mode="alphazero"')
    game = settings.make_game()
    found = {**learning(settings, game), **self_play(settings, game, 0.05)}
    assert min(found.values()) > 0
    assert found["network_share"] < 1
    assert 5 <= found["plies"] <= 9
    # 16 positions of four bit planes, each with nine probabilities and two shares.
    assert found["minibatch_bytes"] == 16 * 4 * 9 / 8 + 16 * (9 + 2) * 4


def test_simulations_are_those_of_the_first_move():
    assert at_start(64) == 64
    assert at_start([[0, 400], [10, 100]]) == 400


def test_short_wave_is_played_to_its_end():
    settings = config('search.mode="alphazero"', "search.simulations=2", "search.considered=2")
    found = self_play(settings, settings.make_game(), 60.0)
    assert found["seconds_per_evaluation"] > 0
    assert found["network_share"] == pytest.approx(0.5, abs=0.5)
