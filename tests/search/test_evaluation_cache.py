"""The cache of a network's predictions."""

import numpy as np
import pytest

from meeple.errors import NetworkError
from meeple.games.contract.registry import make
from meeple.nets.architecture import Architecture
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.search import evaluation_cache
from meeple.search.evaluation_cache import EvaluationCache

ACTIONS, PLAYERS = 5, 2
LEGAL = np.ones((1, ACTIONS), dtype=np.bool_)


class Network:
    """A stand-in whose policy and values are made of the observation; it notes what it computes."""

    def __init__(self, *, critic: bool = True) -> None:
        self.computed: list[list[float]] = []
        self.critic = critic
        self.fails = False

    def __call__(self, observations, legal):
        if self.fails:
            raise NetworkError
        self.computed.append(observations[:, 0].tolist())
        first = observations[:, :1]
        policy = np.where(legal, first + np.arange(ACTIONS), 0).astype(np.float32)
        return policy, np.concatenate([first, 1 - first], axis=1) if self.critic else None


def seen(*numbers):
    """Return observations [B, 3] that begin with these numbers."""
    return np.array([[number, 1, 0] for number in numbers], dtype=np.float32)


def all_legal(count):
    return np.repeat(LEGAL, count, axis=0)


def test_equal_positions_of_one_batch_and_of_later_ones_are_computed_once():
    network = Network()
    cache = EvaluationCache(network, ACTIONS, PLAYERS)
    for numbers in ((0.5, 0.25, 0.5), (0.25, 0.75), (0.75, 0.5, 0.25)):
        cache(seen(*numbers), all_legal(len(numbers)))
    legal = all_legal(2)  # with other legal actions it is another position
    legal[1, 3] = False
    policy, _ = cache(seen(0.5, 0.5), legal)
    assert policy[:, 3].tolist() == [3.5, 0.0]
    assert network.computed == [[0.5, 0.25], [0.75], [0.5]]


@pytest.mark.parametrize("slots", [1, 4, 1024])
@pytest.mark.parametrize("critic", [True, False])
def test_predictions_are_those_of_the_network_however_small_the_table(monkeypatch, slots, critic):
    monkeypatch.setattr(evaluation_cache, "MAX_SLOTS", slots)
    cache = EvaluationCache(Network(critic=critic), ACTIONS, PLAYERS)
    rng = np.random.default_rng(1)
    for _ in range(50):
        observations = seen(*rng.integers(0, 12, size=rng.integers(1, 9)) / 16)
        legal = all_legal(len(observations))
        policy, value = cache(observations, legal)
        expected, values = Network(critic=critic)(observations, legal)
        assert np.array_equal(policy, expected)
        assert (value is None) == (values is None)
        assert value is None or values is None or np.array_equal(value, values)


def test_table_stays_below_its_bytes(monkeypatch):
    monkeypatch.setattr(evaluation_cache, "MAX_BYTES", 1000)
    cache = EvaluationCache(Network(), ACTIONS, PLAYERS)
    arrays = [one for one in vars(cache).values() if isinstance(one, np.ndarray)]
    assert 500 < sum(array.nbytes for array in arrays) <= 1000


def test_failed_prediction_is_computed_again():
    network = Network()
    cache = EvaluationCache(network, ACTIONS, PLAYERS)
    network.fails = True
    with pytest.raises(NetworkError):
        cache(seen(0.5), LEGAL)
    network.fails = False
    assert cache(seen(0.5), LEGAL)[0][0, 0] == 0.5


@pytest.mark.parametrize("number_format", ["float32", "bfloat16", "int8"])
def test_openvino_computes_a_position_alike_in_every_batch(number_format):
    pytest.importorskip("openvino")
    game = make("hex", size=4)
    architecture = Architecture(
        kind="conv",
        channels=8,
        blocks=2,
        critic=True,
        observation_shape=game.observation_shape,
        num_actions=game.num_actions,
        players=2,
    )
    weights = ActorNetwork(architecture, seed=1).weights
    predict = Predictor(weights, number_format, engine="openvino")
    rng = np.random.default_rng(1)
    shape = (40, *game.observation_shape)
    observations = rng.integers(0, 2, size=shape).astype(np.float32)
    legal = np.ones((40, game.num_actions), dtype=np.bool_)
    policy, value = predict(observations, legal)
    assert value is not None
    for size in (1, 3, 17):
        again, values = predict(observations[-size:], legal[-size:])
        assert np.array_equal(again, policy[-size:])
        assert values is not None
        assert np.array_equal(values, value[-size:])
