"""Predictors of self-play: separate on the CPU, shared on a device."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from meeple.errors import Stopped
from meeple.learn.selfplay.predictors import (
    MAX_BATCH_POSITIONS,
    device_for,
    known_format,
    predictors_of,
    refresh_all,
    selfplay_format,
)
from meeple.nets.batching import Batching
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from tests.learn.accelerator import one_accelerator as one_accelerator
from tests.learn.small import config
from tests.nets.small import FLAT, TOWER, assert_near, random_batch

WEIGHTS = ActorNetwork(TOWER, seed=0).weights


def test_each_worker_on_the_cpu_has_its_own_predictor():
    batch = random_batch(TOWER)
    with predictors_of(WEIGHTS, "float32", workers=3) as predictors:
        assert len(set(predictors)) == 3
        for predictor in predictors:
            assert_near(predictor(*batch), Predictor(WEIGHTS, "float32")(*batch), 0)


@pytest.mark.usefixtures("one_accelerator")
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_workers_on_a_device_share_batches_and_follow_the_network(workers):
    network, batch = ActorNetwork(TOWER, seed=0), random_batch(TOWER)
    with predictors_of(
        network.weights, "float32", workers=workers, device="cuda:0", positions=64
    ) as predictors:
        assert len(predictors) == workers
        for seed in (0, 1):
            network.set_weights(ActorNetwork(TOWER, seed=seed).weights.tensors)
            refresh_all(predictors)
            expected = Predictor(network.weights, "float32")(*batch)
            with ThreadPoolExecutor(workers) as pool:
                for found in pool.map(lambda asked: asked(*batch), predictors):
                    assert_near(found, expected)
    if workers > 1:
        with pytest.raises(Stopped):
            predictors[0](*batch)


@pytest.mark.usefixtures("one_accelerator")
@pytest.mark.parametrize(
    ("wanted", "kind", "device"),
    [
        ("auto", "mlp", "cpu"),
        ("auto", "conv", "cuda:0"),
        ("cuda", "mlp", "cuda:0"),
        ("cpu", "conv", "cpu"),
    ],
)
def test_an_mlp_stays_on_the_cpu_unless_the_accelerator_is_named(wanted, kind, device):
    assert device_for(wanted, kind) == device


@pytest.mark.parametrize(
    ("format", "architecture", "known"),
    [
        ("float16", TOWER, "float32"),
        ("bfloat16", FLAT, "float32"),
        ("bfloat16", TOWER, "bfloat16"),
        ("int8", FLAT, "float32"),
        ("int8", TOWER, "int8"),
        ("float32", TOWER, "float32"),
        ("auto", TOWER, "auto"),
    ],
)
def test_a_number_format_unknown_to_a_device_is_float32_there(format, architecture, known):
    weights = ActorNetwork(architecture, seed=0).weights
    assert known_format(format, weights, "cpu") == known
    there = "float32" if format == "int8" else format
    assert known_format(format, weights, "cuda:0") == there


@pytest.mark.usefixtures("one_accelerator")
@pytest.mark.parametrize(
    ("changes", "format", "batch"),
    [
        (("selfplay.format=auto",), "bfloat16", 48),
        (("selfplay.format=auto", "selfplay.workers=2"), "bfloat16", 24),
        (("selfplay.format=auto", "selfplay.workers=4"), "bfloat16", 24),
        (("selfplay.format=auto", "selfplay.workers=6"), "bfloat16", 24),
        (("selfplay.format=auto", "selfplay.games=4096"), "bfloat16", MAX_BATCH_POSITIONS),
        (("selfplay.format=float16",), "float16", None),
        (("selfplay.format=int8",), "bfloat16", 48),  # int8 is for the processor
    ],
)
def test_the_number_format_of_a_device_is_measured_with_the_actual_batches(
    monkeypatch, changes, format, batch
):
    made = []

    class Watched:
        format = "bfloat16"

        def __init__(self, weights, **options):
            made.append(options)

    monkeypatch.setattr("meeple.learn.selfplay.predictors.Predictor", Watched)
    usual = ("network.kind=conv", "selfplay.games=12", "search.leaves=4")
    assert selfplay_format(config(*usual, *changes), WEIGHTS) == format
    assert made == ([] if batch is None else [{"batch": batch, "device": "cuda:0"}])


def test_shared_predictors_are_refreshed_once_and_separate_ones_each():
    class Network(Predictor):
        def __init__(self):
            self.refreshed = 0

        def refresh(self):
            self.refreshed += 1

    joined, alone = Network(), [Network(), Network()]
    with contextlib.closing(Batching([joined], 3, 8)) as batching:
        refresh_all([batching] * 3)
    refresh_all(alone)
    assert [joined.refreshed, *(network.refreshed for network in alone)] == [1, 1, 1]
