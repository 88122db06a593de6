"""A network that is told in one thread and taken over in others."""

import threading

import numpy as np
import pytest

from meeple.errors import RunError
from meeple.learn.workers import told
from meeple.learn.workers.told import ToldNetwork
from tests.learn.small import config


def network(generation):
    """One whose numbers are its generation."""
    weights = ToldNetwork(config()).weights
    tensors = {name: np.full_like(array, generation) for name, array in weights.tensors.items()}
    return {"generation": generation, "tensors": tensors}


def test_the_newest_is_taken_over_and_an_older_one_passed_over():
    found, refreshed = ToldNetwork(config()), []
    for told_now in (3, 2):
        found.take(network(told_now))
        found.take_over(1, lambda: refreshed.append(found.generation))
    assert found.generation == 3
    assert len(refreshed) == 1
    assert all((array == 3).all() for array in found.weights.tensors.values())


def test_others_take_over_while_one_waits_for_a_later_network():
    found = ToldNetwork(config())
    waiter = threading.Thread(target=found.take_over, args=(5, lambda: None))
    waiter.start()
    for generation in (3, 4):
        found.take(network(generation))
        found.take_over(generation, lambda: None)
        assert found.generation == generation
    assert waiter.is_alive()
    found.take(network(5))
    waiter.join(60)
    assert not waiter.is_alive()
    assert found.generation == 5


def test_who_waits_in_vain_is_told(monkeypatch):
    monkeypatch.setattr(told, "PATIENCE", 0.01)
    found = ToldNetwork(config())
    with pytest.raises(RunError, match="no network came"):
        found.take_over(0, lambda: None)
