"""The options that self-play gives its searches, and its counts."""

from typing import Any

import numpy as np
import pytest

from meeple.learn.selfplay import play as selfplay
from meeple.learn.selfplay.play import root_noise, tempered
from meeple.search.batch import StateBatch
from meeple.search.mcts.lockstep import IMPROVED, PUCT, UCT, Lockstep
from tests.learn.selfplay.test_play import counting, replayed, wave
from tests.learn.small import HEX3, NIM, config


@pytest.fixture
def asked(monkeypatch):
    """The options of every lockstep search of a wave, and the arguments of each run."""
    seen: list[Any] = []

    class Watched(Lockstep):
        def __init__(self, game, games, options, seed):
            seen.append(options)
            super().__init__(game, games, options, seed)

        def run(
            self,
            evaluator,
            simulations=None,
            budget=None,
            noise=None,
            noise_fraction=0.0,
            gumbel_scale=None,
        ):
            seconds = None if budget is None else budget.seconds
            fractions = noise_fraction, gumbel_scale
            legal = np.zeros((len(self), self.game.num_actions), dtype=bool)
            live = self.live()
            legal[live] = StateBatch(self.game, self.roots).observe(live)[1]
            seen.append((simulations, seconds, noise, fractions, legal))
            return super().run(evaluator, simulations, budget, noise, *fractions)

    monkeypatch.setattr(selfplay, "Lockstep", Watched)
    return seen


ALPHAZERO = ("search.mode=alphazero", "search.simulations=6", "search.solve=false")


class Enough(Exception):
    """Stops a wave that need not be played."""


def test_the_search_has_the_options_of_the_configuration(asked, monkeypatch):
    def refuse(lockstep, states):
        raise Enough

    monkeypatch.setattr(Lockstep, "begin", refuse)
    told = ("search.c=0.7", "search.value_scale=0.25", "search.leaves=2", "search.considered=5")
    for changes in (
        told,
        (*ALPHAZERO, *told),
        (*ALPHAZERO, *told, "search.root=puct"),
        (*ALPHAZERO, *told, "search.rule=improved"),
        ("search.simulations=[[0, 4], [1, 5000]]", "search.solve=false", "search.c=classic"),
        (*ALPHAZERO, "search.c=classic"),
    ):
        with pytest.raises(Enough):
            wave(config(*changes, base=NIM), range(1), predict=counting([]))
    rollouts, gumbel, puct, improved, long, classic = asked
    assert [options.rule for options in asked[:4]] == [UCT, PUCT, PUCT, IMPROVED]
    assert [options.considered for options in asked[:4]] == [0, 5, 0, 5]
    assert {options.c for options in asked[:4]} == {0.7}
    assert [long.c, classic.c] == [pytest.approx(0.5**0.5), 2.5]
    assert {options.value_scale for options in asked[:4]} == {0.25}
    assert {options.leaves for options in asked[:4]} == {2}
    assert [options.solve for options in (rollouts, gumbel, puct)] == [True, False, False]
    assert [options.room for options in (rollouts, improved, long)] == [48, 18, 9000]


def test_noise_is_added_to_legal_actions_in_full_searches(asked):
    changes = (*ALPHAZERO, "search.root=puct", "search.noise_fraction=0.3")
    settings = config(*changes, "search.fast_simulations=2", "search.full_share=0.5", base=HEX3)
    wave(settings, range(6), predict=counting([]))
    mixed = 0
    for simulations, seconds, noise, (fraction, scale), legal in asked[1:]:
        assert (seconds, fraction, scale) == (None, 0.3, None)
        assert set(simulations.tolist()) <= {2, 6}
        for row, count in enumerate(simulations):
            noisy = count == 6 and legal[row].any()
            assert (noise[row] > 0)[~legal[row]].sum() == 0
            assert noise[row].sum() == pytest.approx(1.0 if noisy else 0.0, abs=1e-5)
            mixed += noisy
    assert mixed > 6


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_dirichlet_noise_requires_a_share_and_is_never_used_at_a_gumbel_root(root, asked):
    fraction = "search.noise_fraction=" + ("0" if root == "puct" else "0.25")
    wave(config(*ALPHAZERO, f"search.root={root}", fraction, base=NIM), predict=counting([]))
    assert all(noise is None for _, _, noise, _, _ in asked[1:])


def test_a_gumbel_root_explores_during_the_temperature_plies_only(asked):
    changes = ("selfplay.temperature=0.5", "selfplay.temperature_plies=2")
    wave(config(*ALPHAZERO, *changes, base=NIM), predict=counting([]))
    scales = [scale for _, _, _, (_, scale), _ in asked[1:]]
    assert len(scales) > 2
    assert [scale.tolist() for scale in scales[:2]] == [[0.5] * 4] * 2
    assert all(scale is None for scale in scales[2:])


def test_a_timed_search_visits_a_child_first(asked):
    changes = ("search.seconds=0.001", "search.solve=false")
    _, _, timing = wave(config(*changes, base=NIM), predict=counting([]))
    assert asked[0].room == 9000
    for first, second in zip(asked[1::2], asked[2::2], strict=True):
        assert (first[0], first[1]) == (2, None)
        assert (second[0], second[1]) == (None, 0.001)
    assert timing.simulations >= 2 * sum(legal.any(1).sum() for *_, legal in asked[1::2])


# ---------------------------------------------------------------- counts and schedules


def test_the_time_of_a_wave_is_the_sum_over_its_workers():
    calls: list[int] = []
    _, _, timing = wave(config("search.solve=false", base=NIM), range(4), counting(calls), 2)
    assert timing.evaluations == sum(calls)
    assert 0 < timing.network < timing.total


def test_sigma_follows_the_progress_of_the_run():
    """From rollouts only to the critic only, for which a leaf is at most one request."""
    settings = config("selfplay.sigma=[1.0, 0.0]", "search.solve=false", "run.episodes=8")
    asked = []
    for first in (0, 4, 7):
        calls: list[int] = []
        _, _, timing = wave(settings, range(first, first + 1), predict=counting(calls))
        asked.append(sum(calls) / timing.simulations)
    assert asked[0] > asked[1] > asked[2]


def test_the_drawn_number_of_random_plies_is_played_and_every_number_occurs():
    settings = config("selfplay.random_plies=2", "search.simulations=2", base=NIM)
    game, episodes, _ = wave(settings, range(30), predict=counting([]))
    drawn = np.bincount([episode.opening for episode in episodes]).tolist()
    assert drawn == pytest.approx([10, 10, 10], abs=8)
    assert len({tuple(e.actions[:2]) for e in episodes if e.opening == 2}) > 3
    for episode in episodes:  # they are not learned
        assert replayed(game, episode).is_over
        assert len(episode.moves) == len(episode.actions) - episode.opening


# ---------------------------------------------------------------- noise and temperature


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
    variance = (1 / count) * (1 - 1 / count) / (alpha + 1)  # of a symmetric Dirichlet
    assert drawn[:, legal].var() == pytest.approx(variance, rel=0.1)


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
    changes = (
        "search.mode=alphazero",
        "search.root=puct",
        f"selfplay.temperature={temperature}",
        "search.solve=false",
    )
    _, episodes, _ = wave(config(*changes, base=NIM), range(400), predict=counting([]))
    moves = [
        (move.policy.clip(0).astype(np.float64), action)  # of illegal actions: -1
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
