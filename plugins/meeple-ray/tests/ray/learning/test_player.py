"""A network that one thread publishes and other threads adopt."""

import threading

import numpy as np
import pytest

from meeple.errors import RunError
from meeple_ray.learning import player
from meeple_ray.learning.player import LatestNetwork
from tests.learn.small import config


def latest(refresh=lambda: None):
    """Return weights without a network, and with nothing to refresh."""
    found = LatestNetwork(config())
    found.refresh = refresh
    return found


def network(generation):
    """Return a network whose numbers are its generation."""
    weights = LatestNetwork(config()).weights
    tensors = {name: np.full_like(array, generation) for name, array in weights.tensors.items()}
    return {"generation": generation, "tensors": tensors}


def test_the_newest_network_is_adopted_and_an_older_one_ignored():
    refreshed = []
    found: LatestNetwork = latest(lambda: refreshed.append(found.generation))
    for published in (3, 2):
        found.receive(network(published))
        assert found.switch(1) == 3
    assert len(refreshed) == 1
    assert all((array == 3).all() for array in found.weights.tensors.values())


def test_other_threads_adopt_networks_while_one_waits_for_a_later_one():
    found = latest()
    waiter = threading.Thread(target=found.switch, args=(5,))
    waiter.start()
    for generation in (3, 4):
        found.receive(network(generation))
        assert found.switch(generation) == generation
    assert waiter.is_alive()
    found.receive(network(5))
    waiter.join(60)
    assert not waiter.is_alive()
    assert found.generation == 5


def test_waiting_without_a_network_raises_after_the_timeout(monkeypatch):
    monkeypatch.setattr(player, "NETWORK_TIMEOUT_SECONDS", 0.01)
    with pytest.raises(RunError, match="no network came"):
        latest().switch(0)
