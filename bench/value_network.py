"""How fast networks in kernels are: evaluations a second of one core, beside other ways.

`python bench/value_network.py` measures two networks of two dense layers, inputs all or a third not
0: by the kernels that searches ask, by NumPy one at a time, by OpenVINO in batches, and what the
processor could do (as many multiplications as NumPy's product of large matrices makes). Then, on
positions of Catan, their features, and these with an untrained value network. The positions follow
each other in a game, so that most seats stay as they are. Seconds are the process's own time on one
thread; each figure is the best of some turns.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import openvino as ov
from openvino import opset13 as op
from threadpoolctl import threadpool_limits

import meeple
from meeple.agents.spec import agent
from meeple.games.catan.features import Features
from meeple.kernels import CHANCE, SEAT_FEATURES, invoke2, invoke3, kernel
from meeple.search.layers import add_products, copy_values, product, rectify
from meeple.search.values.network import ValueNetwork, Widths, untrained

NETWORKS = ((100, 64, 64), (400, 128, 64))  # inputs, and units of both layers
BATCH = 256  # of OpenVINO
LARGE = 1024  # rows and columns of matrices
Layers = tuple[npt.NDArray[Any], ...]


@kernel
def run_layers(inputs: Any, layers: Any, memory: Any, found: Any, count: int) -> float:
    """Two layers and a sum, so many times."""
    total = 0.0
    first, second = memory
    for _ in range(count):
        copy_values(layers[1], first)
        add_products(inputs, layers[0], first, found)
        rectify(first)
        copy_values(layers[3], second)
        add_products(first, layers[2], second, found)
        rectify(second)
        total += product(second, layers[4])
    return total


@kernel
def run_features(rules: Any, states: Any, parts: Any, count: int) -> None:
    """Features of states, one after the other."""
    for index in range(count):
        state = states[index % states.shape[0]]
        invoke2(rules[SEAT_FEATURES], state.ctypes.data, parts.ctypes.data)


@kernel
def run_network(
    rules: Any, judge: int, network: int, states: Any, parts: Any, shares: Any, count: int
) -> None:
    """Features of states, and what a network says of them."""
    for index in range(count):
        state = states[index % states.shape[0]]
        invoke2(rules[SEAT_FEATURES], state.ctypes.data, parts.ctypes.data)
        invoke3(judge, network, parts.ctypes.data, shares.ctypes.data)


def speed(work: Callable[[int], object], count: int, turns: int) -> float:
    """Rounds a second, the best of some turns."""
    work(1)
    best = 0.0
    for _ in range(turns):
        began = time.process_time()
        work(count)
        best = max(best, count / (time.process_time() - began))
    return best


class Speeds(NamedTuple):
    """Evaluations a second of one network."""

    dense: float  # in a kernel, no input 0
    sparse: float  # in a kernel, 30 % of the inputs not 0
    numpy: float
    openvino: float
    limit: float


def speeds(sizes: tuple[int, int, int], turns: int) -> Speeds:
    """Of a network with so many inputs, and units of both layers."""
    inputs, first, second = sizes
    rng = np.random.default_rng(1)
    shapes = ((inputs, first), (first,), (first, second), (second,), (second,))
    layers: Layers = tuple(rng.normal(size=shape).astype(np.float32) for shape in shapes)
    full = rng.random(inputs).astype(np.float32)
    some = (full * (rng.random(inputs) < 0.3)).astype(np.float32)
    memory = (np.zeros(first, np.float32), np.zeros(second, np.float32))
    found = np.zeros(inputs, np.int64)

    def by_numpy(count: int) -> None:
        for _ in range(count):
            hidden = np.maximum(full @ layers[0] + layers[1], 0)
            np.maximum(hidden @ layers[2] + layers[3], 0) @ layers[4]

    return Speeds(
        speed(lambda n: run_layers(full, layers, memory, found, n), 20_000, turns),
        speed(lambda n: run_layers(some, layers, memory, found, n), 20_000, turns),
        speed(by_numpy, 2_000, turns),
        BATCH * speed(by_openvino(layers, np.tile(full, (BATCH, 1))), 100, turns),
        products_per_second(turns) / (inputs * first + first * second + second),
    )


def by_openvino(layers: Layers, inputs: npt.NDArray[np.float32]) -> Callable[[int], None]:
    """The same network in OpenVINO, in float32 on one thread: a function that runs n batches."""
    x = op.parameter(inputs.shape, np.float32)
    flow = x
    for weights, bias in ((layers[0], layers[1]), (layers[2], layers[3])):
        flow = op.relu(op.add(op.matmul(flow, weights, False, False), bias))
    flow = op.matmul(flow, layers[4][:, None], False, False)
    settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    request = ov.Core().compile_model(ov.Model([flow], [x]), "CPU", settings).create_infer_request()

    def run(count: int) -> None:
        for _ in range(count):
            request.infer([inputs])

    return run


def products_per_second(turns: int) -> float:
    """Multiplications in float32, each with its sum, of one thread."""
    square = np.random.default_rng(1).random((LARGE, LARGE), dtype=np.float32)
    with threadpool_limits(1):
        return LARGE**3 * speed(lambda n: [square @ square for _ in range(n)], 2, turns)


def catan_states() -> Any:
    """The decisions of a game among `weighted` players: [N, state bytes], and the game."""
    game = meeple.make("catan")
    position, player, rows = game.start(1), agent("weighted", game, 1), []
    while not position.is_over:
        if position.to_move == CHANCE:
            position.play_chance()
        else:
            rows.append(position.row.copy())
            position.play(player.choose(position))
    return game, np.stack(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=10)
    turns = parser.parse_args().turns
    for sizes in NETWORKS:
        found = speeds(sizes, turns)
        print(
            f"{sizes[0]} inputs, layers of {sizes[1]} and {sizes[2]}, evaluations/s: in a kernel "
            f"{found.dense:,.0f}, {found.sparse:,.0f} with 30 % of the inputs not 0; NumPy "
            f"{found.numpy:,.0f}; OpenVINO by {BATCH} {found.openvino:,.0f}; "
            f"limit {found.limit:,.0f}"
        )
    game, states = catan_states()
    game.compile(SEAT_FEATURES)
    parts, shares = np.zeros(1, Features), np.zeros(game.players)
    network = ValueNetwork(untrained(Features, Widths(), 1), Features, game.players)
    judge, address = network.kernel, network.address
    alone = speed(lambda n: run_features(game.rules, states, parts, n), 20_000, turns)
    judged = speed(
        lambda n: run_network(game.rules, judge, address, states, parts, shares, n), 20_000, turns
    )
    print(f"features of Catan: {alone:,.0f} positions/s; with a network: {judged:,.0f}")


if __name__ == "__main__":
    main()
