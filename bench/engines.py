"""The engines of networks beside each other, on the networks that ship, by processor time.

`OMP_NUM_THREADS=1 python -m bench.engines`: positions a second of each engine, for batches of
several sizes, in turns; and a minibatch of training with subnormal numbers and without them.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from meeple.agents.networks import shipped_networks
from meeple.nets.architecture import Weights
from meeple.nets.checkpoint import load
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.nets.training import flushing_subnormals, optimizer, train_step
from meeple.search.values.file import KIND as VALUES
from meeple.tensor_file import is_of_kind

ENGINES = ("openvino", "torch", "numpy")
BATCHES = (1, 8, 64)
CASES = 64  # of a minibatch


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def inputs(weights: Weights, batch: int) -> tuple[Any, Any]:
    """Random observations, and all actions legal."""
    architecture = weights.architecture
    rng = np.random.default_rng(0)
    observations = rng.random((batch, *architecture.observation_shape), dtype=np.float32)
    return observations, np.ones((batch, architecture.num_actions), dtype=bool)


def speeds(weights: Weights, batch: int, repeats: int) -> dict[str, float]:
    """Positions a second of each engine, the median of times in turns."""
    asked = inputs(weights, batch)
    predictors = {name: Predictor(weights, "float32", engine=name) for name in ENGINES}
    times: dict[str, list[float]] = {name: [] for name in ENGINES}
    for predictor in predictors.values():
        predictor(*asked)
    for _ in range(repeats):
        for name, predictor in predictors.items():
            times[name].append(seconds(partial(predictor, *asked)))
    return {name: batch / statistics.median(found) for name, found in times.items()}


def minibatch(weights: Weights, repeats: int) -> float:
    """Seconds of a minibatch, at best; the weights hardly change."""
    network = ActorNetwork.of(weights)
    chosen = optimizer("sgd", network.parameters(), learning_rate=1e-6, weight_decay=1e-4)
    observations, legal = inputs(weights, CASES)
    policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
    step = partial(train_step, network, chosen, observations, policy)
    step()
    return min(seconds(step) for _ in range(repeats))


def main() -> None:
    parser = argparse.ArgumentParser(description="The engines of networks beside each other.")
    parser.add_argument("--repeats", type=int, default=15)
    asked = parser.parse_args()
    for name, path in shipped_networks().items():
        if is_of_kind(path, VALUES):
            continue
        weights = load(path).weights
        if weights.architecture.kind == "mlp":
            continue
        for batch in BATCHES:
            found = speeds(weights, batch, asked.repeats)
            words = ", ".join(f"{engine} {speed:,.0f}" for engine, speed in found.items())
            print(f"{name}, batches of {batch}: {words} positions/s", flush=True)
        slow = minibatch(weights, asked.repeats)
        with flushing_subnormals():
            fast = minibatch(weights, asked.repeats)
        print(f"{name}, a minibatch of {CASES}: {slow:.3f} s, without subnormals {fast:.3f} s")


if __name__ == "__main__":
    main()
