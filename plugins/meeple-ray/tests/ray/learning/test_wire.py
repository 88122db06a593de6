"""Messages between the processes of a run survive encoding."""

from dataclasses import replace

import numpy as np
import pytest

from meeple.learn.config import Config
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.replay import new_buffer
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple_ray.learning import wire
from tests.learn.small import HEX3, NIM, config


def arrived(settings):
    game = settings.make_game()
    network = ActorNetwork(settings.architecture(game), seed=1)
    wave = play_wave(game, settings, [Predictor(network.weights)], range(3))
    episodes = tuple(one.without_moves() for one in wave.episodes)
    return replace(wave, episodes=episodes, generation=7, worker="self-play-1")


def equal(left, right):
    """Return whether two trees of arrays are equal, with types and names."""
    if isinstance(left, np.ndarray):
        return np.array_equal(left, right) and left.dtype == right.dtype
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(left[name], right[name]) for name in left)
    return len(left) == len(right) and all(map(equal, left, right))


@pytest.mark.parametrize(
    ("base", "changes"),
    [(HEX3, ()), (NIM, ()), (HEX3, ("training.ownership=0.5", "network.kind=conv"))],
)
def test_waves_and_batches_survive_encoding(base, changes):
    few = ("network.channels=4", "network.blocks=1")
    settings = config(*changes, *few, base=base)
    assert Config.model_validate(settings.model_dump(mode="json")) == settings
    sent = arrived(settings)
    back = wire.of_plain(wire.to_plain(sent))
    assert list(back.numbers) == list(sent.numbers)
    assert (back.timing, back.generation, back.worker) == (sent.timing, 7, "self-play-1")
    for ours, theirs in zip(sent.episodes, back.episodes, strict=True):
        assert (ours.seed, ours.actions, ours.opening) == (
            theirs.seed,
            theirs.actions,
            theirs.opening,
        )
        assert np.array_equal(ours.payoffs, theirs.payoffs)
    assert len(back.trajectories) == len(sent.trajectories) == 3
    assert equal(sent.trajectories, back.trajectories)
    buffer = new_buffer(settings, settings.make_game())
    for trajectory in sent.trajectories:
        buffer.add(trajectory)
    drawn = [buffer.sample(5, np.random.default_rng(1)) for _ in range(2)]
    again = wire.of_plain(wire.to_plain(drawn))
    assert equal(drawn, again)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (3, 5), (2, 3, 3, 3)])
def test_binary_observations_are_sent_as_bits(shape):
    rng = np.random.default_rng(0)
    planes = rng.integers(2, size=shape).astype(np.float32)
    sent = wire.pack(planes)
    assert wire.bytes_of(sent) == -(-planes.size // 8)
    assert equal([wire.unpack(sent)], [planes])
    for odd in (0.5, -1.0, 2.0, np.nan, -0.0 if planes.size else 0.0):
        if planes.size:
            planes.flat[0] = odd
            back = wire.unpack(wire.pack(planes))
            assert back.tobytes() == planes.tobytes() or odd == 0
