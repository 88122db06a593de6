"""The engine of accelerators: on the processor everywhere, and on an accelerator if there is one.

Except for graphs, which need an accelerator, both have the same code: padding, buffers, and the
copying of weights.
"""

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.nets import inference
from meeple.nets.devices import accelerators
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.nets.numpy_engine import NumpyEngine
from meeple.nets.torch_engines import DeviceEngine, padded_sizes
from tests.learn.accelerator import one_accelerator as one_accelerator
from tests.nets.fake_cuda import Engine
from tests.nets.fake_cuda import fake_cuda as fake_cuda
from tests.nets.small import FLAT, TOWER, assert_near, learned, random_batch, train
from tests.nets.test_inference import HEADS

on_devices = pytest.mark.parametrize("device", ["cpu", *(["cuda:0"] if accelerators() else [])])


def engine(network, device="cpu", format="float32", batch=32, **options):
    return DeviceEngine(network.weights, device=device, format=format, batch=batch, **options)


def of_rows(logits, rows):
    return [None if one is None else one[rows] for one in logits]


@on_devices
@pytest.mark.parametrize("architecture", [FLAT, *HEADS])
def test_logits_are_those_of_the_numpy_engine(architecture, device):
    network = ActorNetwork(architecture, seed=0)
    observations, _ = random_batch(architecture, size=20)
    assert_near(engine(network, device)(observations), NumpyEngine(network.weights)(observations))


@on_devices
@pytest.mark.parametrize("format", ["bfloat16", "float16"])
def test_shorter_formats_agree_to_their_precision(format, device):
    network, (observations, _) = learned(TOWER), random_batch(TOWER)
    expected = NumpyEngine(network.weights)(observations)
    assert_near(engine(network, device, format)(observations), expected, 0.1)


@on_devices
def test_batches_of_any_size_give_each_row_its_own_result(device):
    """Sizes below, at and above the padded sizes, in any order; earlier results stay."""
    network, (observations, _) = learned(TOWER), random_batch(TOWER, size=70)
    whole = NumpyEngine(network.weights)(observations)
    asked = engine(network, device, batch=20)
    rows = [slice(size) for size in (70, 1, 24, 25, 8, 0, 48, 3)] + [slice(None, None, -1)]
    found = [asked(observations[some]) for some in rows]  # the last is not contiguous
    for some, logits in zip(rows, found, strict=True):
        assert_near(logits, of_rows(whole, some))


@on_devices
@pytest.mark.parametrize("format", ["float32", "bfloat16"])
def test_refresh_copies_into_the_existing_weights(format, device):
    """A graph computes with the memory of its capture."""
    network, (observations, _) = ActorNetwork(TOWER, seed=0), random_batch(TOWER)
    asked = engine(network, device, format)
    addresses = [parameter.data_ptr() for parameter in asked._network.parameters()]
    before = asked(observations)
    train(network)
    assert_near(asked(observations), before, 0)
    asked.refresh()
    after = asked(observations)
    assert np.abs(after[0] - before[0]).max() > 0.01
    assert_near(after, engine(network, device, format)(observations), 1e-6)
    assert [parameter.data_ptr() for parameter in asked._network.parameters()] == addresses


@pytest.mark.skipif(not accelerators(), reason="there is no accelerator")
def test_a_captured_graph_gives_the_results_of_plain_calls():
    network, (observations, _) = learned(TOWER), random_batch(TOWER)
    plain = engine(network, "cuda:0", graphs=False)(observations)
    assert_near(engine(network, "cuda:0")(observations), plain, 1e-5)


@pytest.mark.parametrize("format", ["float32", "bfloat16"])
def test_each_size_is_captured_once_the_largest_first_and_then_only_replayed(fake_cuda, format):
    network, (observations, _) = learned(TOWER), random_batch(TOWER, size=40)
    asked = Engine(network.weights, device="cpu", format=format, batch=40)
    assert [len(graph.outputs[0]) for graph in fake_cuda] == [40, 32, 16, 8]
    tolerance = 1e-4 if format == "float32" else 0.1
    for _ in range(2):
        whole = NumpyEngine(network.weights)(observations)
        for size in (3, 8, 9, 40, 17):
            assert_near(asked(observations[:size]), of_rows(whole, slice(size)), tolerance)
        train(network)
        asked.refresh()
    assert [graph.replays for graph in fake_cuda] == [2, 2, 2, 4]


@pytest.mark.parametrize(
    "sizes", [(8,), (8, 16), (8, 16, 32, 64), (8, 16, 32, 64, 72)], ids=lambda sizes: sizes[-1]
)
def test_padded_sizes_double_up_to_the_largest_batch(sizes):
    assert padded_sizes(sizes[-1]) == padded_sizes(sizes[-1] - 7) == sizes


# ---------------------------------------------------------------- as a predictor


@pytest.fixture(autouse=True)
def measured_anew():
    inference.fastest_format.cache_clear()
    yield
    inference.fastest_format.cache_clear()


@pytest.mark.usefixtures("one_accelerator")
@pytest.mark.parametrize("architecture", [FLAT, TOWER])
def test_a_predictor_on_a_device_gives_the_usual_results(architecture):
    network, batch = ActorNetwork(architecture, seed=0), random_batch(architecture)
    there = Predictor(network.weights, "float32", batch=8, device="cuda:0")
    here = Predictor(network.weights, "float32")
    assert there.engine == "torch"
    for _ in range(2):
        assert_near(there(*batch), here(*batch))
        train(network)
        there.refresh()
        here.refresh()


@pytest.mark.usefixtures("one_accelerator")
@pytest.mark.parametrize(
    ("float32", "bfloat16", "chosen"), [(1.0, 0.5, "bfloat16"), (1.0, 0.95, "float32")]
)
def test_format_of_a_device_is_measured_on_the_device(monkeypatch, float32, bfloat16, chosen):
    times = {"float32": float32, "bfloat16": bfloat16}
    measured = []

    def seconds(forward, observations):
        measured.append(len(observations))
        return times[str(forward._dtype).removeprefix("torch.")]

    monkeypatch.setattr(inference, "_seconds", seconds)
    weights = ActorNetwork(TOWER, seed=0).weights
    assert Predictor(weights, batch=24, device="cuda:0").format == chosen
    assert measured == [24, 24]


@pytest.mark.usefixtures("one_accelerator")
def test_accelerator_supports_float16_and_not_int8():
    weights = ActorNetwork(TOWER, seed=0).weights
    assert Predictor(weights, "float16", device="cuda:0").format == "float16"
    with pytest.raises(UsageError, match=r"'int8' .*float16\)"):
        Predictor(weights, "int8", device="cuda:0")
