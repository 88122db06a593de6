"""What an accelerator does for a network: `python -m bench.device`.

Positions a second by number format and size of batch, with captured graphs and without, with one,
two and three batches in flight; games of self-play a second, by threads that ask alone and jointly;
the time of a minibatch. Without an accelerator it says so, and
measures the processor.
"""

import argparse
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np

from meeple.agents.networks import shipped_networks
from meeple.games.contract.registry import make
from meeple.learn.config import parse_config
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.predictors import MAX_BATCH_POSITIONS, known_format
from meeple.nets.architecture import Weights
from meeple.nets.batching import Batching, PolicyValueFunction
from meeple.nets.checkpoint import load
from meeple.nets.devices import CPU, accelerators, choose_device, name_of
from meeple.nets.inference import DEVICE_FORMATS, Predictor
from meeple.nets.network import ActorNetwork
from meeple.nets.torch_engines import DeviceEngine
from meeple.nets.trainer import Trainer, random_batch
from meeple.nets.training import Recipe, TrainingBatch, flushing_subnormals

BATCHES = (1, 8, 64, 256, 1024)
IN_FLIGHT = (1, 2, 3)
EXAMPLES = 256  # of a minibatch
RECIPE = Recipe("adam", 1e-6)  # the weights hardly change
GAMES, SIMULATIONS = 16, 64  # of a wave of self-play, and of each move


def rate(work: Callable[[], int], seconds: float) -> float:
    """What `work` gives, a second, in about so many seconds after two calls that warm up."""
    work()
    work()
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        done += work()
    return done / (time.perf_counter() - began)


def clocks() -> Any:
    """Seconds of the clock, and of processors that this process had: of a busy machine too."""
    return np.array([time.perf_counter(), time.process_time()])


def inputs(weights: Weights, batch: int) -> tuple[Any, Any]:
    """Random observations, and all actions legal."""
    architecture = weights.architecture
    rng = np.random.default_rng(0)
    observations = rng.random((batch, *architecture.observation_shape), dtype=np.float32)
    return observations, np.ones((batch, architecture.num_actions), dtype=np.bool_)


def asked(call: Callable[..., Any], arguments: tuple[Any, ...], batch: int) -> int:
    call(*arguments)
    return batch


# ---------------------------------------------------------------- inference


def show_inference(weights: Weights, device: str, seconds: float) -> None:
    for format in DEVICE_FORMATS[1:]:  # without "auto"
        for batch in BATCHES if known_format(format, weights, device) == format else ():
            arguments = inputs(weights, batch)
            predictor = Predictor(weights, format, batch=batch, device=device)
            words = f"{rate(partial(asked, predictor, arguments, batch), seconds):,.0f}"
            if device != CPU:
                plain = DeviceEngine(
                    weights, device=device, format=format, batch=batch, graphs=False
                )
                speed = rate(partial(asked, plain, arguments[:1], batch), seconds)
                words += f" with a graph, {speed:,.0f} without"
            print(f"{format}, batches of {batch}: {words} positions/s", flush=True)


def show_in_flight(weights: Weights, device: str, seconds: float) -> None:
    """Four threads ask for a quarter of a batch each, and again at once."""
    clients = 4
    for batch in (64, 256, 1024):
        for lanes in IN_FLIGHT:
            predictors = [
                Predictor(weights, "float32", batch=batch, device=device) for _ in range(lanes)
            ]
            with closing(Batching(predictors, clients, batch)) as batching:
                speed = together(batching, inputs(weights, batch // clients), seconds)
                joined = batching.positions / max(1, batching.batches)
                print(
                    f"{lanes} in flight, {clients} threads with {batch // clients} positions each: "
                    f"{speed:,.0f} positions/s, {joined:,.0f} a batch",
                    flush=True,
                )


def together(batching: Batching, arguments: tuple[Any, Any], seconds: float) -> float:
    """Positions a second of all clients, each in a thread."""
    until = time.perf_counter() + seconds

    def ask(client: PolicyValueFunction) -> None:
        while time.perf_counter() < until:
            client(*arguments)

    began = time.perf_counter()
    threads = [threading.Thread(target=ask, args=(client,)) for client in batching.clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return batching.positions / (time.perf_counter() - began)


# ---------------------------------------------------------------- self-play


def show_selfplay(weights: Weights, device: str, game_name: str, options: Any, waves: int) -> None:
    """Waves of the AlphaZero way, as training plays them."""
    game = make(game_name, **options)
    game.compile()
    lines = [f'game.name="{game_name}"', *(f"game.options.{k}={v}" for k, v in options.items())]
    lines += ["search.mode=alphazero", "network.kind=conv", f"selfplay.games={GAMES}"]
    lines += [f"search.simulations={SIMULATIONS}", "search.considered=8"]
    config = parse_config("", lines)
    positions = min(MAX_BATCH_POSITIONS, GAMES * config.search.leaves)
    for workers in (1, 2, 4):
        make_one = partial(Predictor, weights, "float32", batch=positions, device=device)
        alone = [make_one() for _ in range(workers)]
        ways: dict[str, Sequence[PolicyValueFunction]] = {"each asks alone": alone}
        with closing(Batching([make_one(), make_one()], workers, positions)) as batching:
            if workers > 1:
                ways["asking together"] = batching.clients
            spent = {words: np.zeros(2) for words in ways}
            for wave in range(waves + 1):  # in turns, as a machine is not always equally busy
                for words, predictors in ways.items():
                    began = clocks()
                    play_wave(game, config, predictors, range(wave * GAMES, (wave + 1) * GAMES))
                    spent[words] += clocks() - began if wave else 0.0  # the first one compiles
            for words, seconds in spent.items():
                wall, processor = seconds / (waves * GAMES)
                print(
                    f"self-play, {workers} threads, {words}: {1 / wall:.2f} games/s, "
                    f"{processor:.3f} s of processors a game",
                    flush=True,
                )
            if workers > 1:
                joined = batching.requests / batching.batches
                print(f"  {joined:.2f} requests a batch")


# ---------------------------------------------------------------- training


def show_training(weights: Weights, device: str, seconds: float) -> None:
    """Print the shortest time of a minibatch, by number format and number of examples."""
    network = ActorNetwork.of(weights)
    for format in ("float32", "bfloat16"):
        optimizer = RECIPE.make_optimizer(network.parameters())
        trainer = Trainer(network, optimizer, RECIPE, device=device, format=format)
        times = [
            shortest(trainer, random_batch(weights.architecture, examples), seconds)
            for examples in (EXAMPLES, EXAMPLES // 2)
        ]
        figures = ", ".join(f"{1000 * time:.2f}" for time in times)
        print(f"minibatches of {EXAMPLES}, {EXAMPLES // 2}, {format}: {figures} ms", flush=True)


def shortest(trainer: Trainer, batch: TrainingBatch, seconds: float) -> float:
    times: list[float] = []
    until = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < until:
        began = time.perf_counter()
        trainer.step(batch)
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description="What an accelerator does for a network.")
    parser.add_argument("--network", default="hex7", help="one that ships")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, or cuda:1 and so on")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each figure, about")
    parser.add_argument("--waves", type=int, default=2, help="of self-play, of each figure")
    wanted = parser.parse_args()
    if not accelerators():
        print("There is no accelerator: PyTorch sees none here. These are the processor's figures.")
    device = choose_device(wanted.device, print)
    file = load(shipped_networks()[wanted.network])
    weights, parameters = file.weights, sum(t.size for t in file.weights.tensors.values())
    print(f"On {name_of(device)}: {wanted.network}, {parameters:,} parameters")
    show_inference(weights, device, wanted.seconds)
    show_in_flight(weights, device, wanted.seconds)
    show_selfplay(weights, device, file.game, dict(file.options), wanted.waves)
    with flushing_subnormals():
        show_training(weights, device, wanted.seconds)


if __name__ == "__main__":
    main()
