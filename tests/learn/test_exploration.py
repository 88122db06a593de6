"""Noise and temperature follow their formulas, alone and in the waves that use them."""

import numpy as np
import pytest

from meeple.learn.selfplay.play import _Worker, play_wave, root_noise, tempered
from meeple.search.batch import StateBatch
from tests.learn.small import NIM, config

PUCT = ("search.mode=alphazero", "search.root=puct")


def indifferent(observations, legal):
    """A network with uniform output."""
    policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
    return policy, np.full((len(observations), 2), 0.5, dtype=np.float32)


def variance(alpha, count):
    """Return the variance of each of `count` parts of a symmetric Dirichlet with total `alpha`."""
    return (1 / count) * (1 - 1 / count) / (alpha + 1)


@pytest.mark.parametrize("alpha", [2.0, 10.0])
@pytest.mark.parametrize("count", [3, 12])
def test_the_noise_parameters_sum_to_alpha_for_any_number_of_actions(alpha, count):
    legal = np.zeros(15, dtype=np.bool_)
    legal[2 : 2 + count] = True
    rng = np.random.default_rng(1)
    drawn = np.array([root_noise(legal, alpha, rng) for _ in range(4000)])
    assert drawn.sum(axis=1) == pytest.approx(1)
    assert not drawn[:, ~legal].any()
    assert drawn[:, legal].mean(axis=0) == pytest.approx(1 / count, abs=0.02)
    assert drawn[:, legal].var() == pytest.approx(variance(alpha, count), rel=0.1)


def test_a_wave_uses_the_noise_of_its_configuration():
    games = 2000
    settings = config(*PUCT, "search.noise_alpha=4", f"selfplay.games={games}")
    worker = _Worker(settings.make_game(), settings, indifferent, range(games))
    worker._begin()
    noise = worker._noise(np.arange(games) % 2 == 0)
    assert noise is not None
    assert noise[::2].var() == pytest.approx(variance(4, 9), rel=0.1)
    assert not noise[1::2].any(), "those that are not searched in full have none"
    _, legal = StateBatch(worker.game, worker.lockstep.roots).observe()
    assert legal.all(), "on an empty board of Hex"


SHARES = np.array([0.5, 0.25, 0.25, 0.0], dtype=np.float32)


@pytest.mark.parametrize(
    ("temperature", "probabilities"),
    [
        (1.0, [1 / 2, 1 / 4, 1 / 4, 0]),
        (0.5, [4 / 6, 1 / 6, 1 / 6, 0]),  # shares squared
        (2.0, [2**0.5 / (2**0.5 + 2), 1 / (2**0.5 + 2), 1 / (2**0.5 + 2), 0]),  # their roots
        (0.001, [1, 0, 0, 0]),
    ],
)
def test_a_temperature_raises_shares_to_its_inverse_power(temperature, probabilities):
    assert tempered(SHARES, temperature) == pytest.approx(probabilities, abs=1e-6)


@pytest.mark.parametrize("temperature", [0.4, 2.5])
def test_a_wave_plays_the_most_visited_move_as_often_as_its_temperature_implies(temperature):
    changes = (*PUCT, f"selfplay.temperature={temperature}", "search.solve=false")
    settings = config(*changes, base=NIM)
    episodes = play_wave(settings.make_game(), settings, [indifferent], range(400)).episodes
    moves = [
        (move.policy.astype(np.float64), action)
        for episode in episodes
        for move, action in zip(episode.moves, episode.actions, strict=True)
    ]
    expected = [
        policy.max() ** (1 / temperature) / (policy ** (1 / temperature)).sum()
        for policy, _ in moves
    ]
    played = [policy[action] == policy.max() for policy, action in moves]
    ties = [(policy == policy.max()).sum() for policy, _ in moves]
    chances = np.array(expected) * ties
    error = np.sqrt((chances * (1 - chances)).sum()) / len(moves)
    assert np.mean(played) == pytest.approx(chances.mean(), abs=4 * error)
