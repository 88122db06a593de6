"""Measure the parts of a run alone, in processor time, for configurations with slow waves.

Run: python -m bench.scale_parts hex7 reversi8 --seconds 30. Plays a part of a wave of self-play,
as a player on a cluster does, for this time; learns from batches of random steps; and computes the
costs of a game from its usual length. All in one thread and by processor time, which other work on
the machine affects little.
"""

import argparse
import contextlib
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from meeple.errors import Stopped
from meeple.games.contract.game import Game
from meeple.learn.config import Config, find_config, load_config
from meeple.learn.fit.learner import Learner, Update, network_and_optimizer, trainer_of
from meeple.learn.selfplay.play import play_wave
from meeple.learn.selfplay.replay import new_buffer
from meeple.learn.workers.wire import batches_to_plain, bytes_of, wave_to_plain
from meeple.nets.graph import weight_shapes
from meeple.nets.inference import Predictor
from meeple.nets.training import flushing_subnormals, torch_threads

STEPS = 8  # batches that are timed


class Timed:
    """A network, its processor time, and the number of positions that it evaluated."""

    def __init__(self, predict: Predictor) -> None:
        self._predict = predict
        self.seconds, self.positions = 0.0, 0

    def __call__(self, observations: Any, legal: Any) -> tuple[Any, Any]:
        began = time.process_time()
        found = self._predict(observations, legal)
        self.seconds += time.process_time() - began
        self.positions += len(observations)
        return found


def self_play(config: Config, game: Game, seconds: float) -> dict[str, float]:
    """Return the network's share of the time, and the seconds of a position, in self-play."""
    network, _ = network_and_optimizer(config, game)
    batch = config.selfplay.games * config.search.leaves
    predict = Predictor(network.weights, config.selfplay.format, batch=batch)

    def play(limit: float) -> dict[str, float]:
        timed, began = Timed(predict), time.process_time()

        def late() -> bool:
            return time.process_time() - began > limit

        with contextlib.suppress(Stopped):
            play_wave(game, config, [timed], range(config.selfplay.games), late)
        spent = time.process_time() - began
        return {
            "network_share": timed.seconds / spent,
            "seconds_per_evaluation": spent / timed.positions,
        }

    play(1.0)  # compiles
    return play(seconds)


def learning(config: Config, game: Game) -> dict[str, float]:
    """Return the seconds of learning from a batch and of drawing one, and all sizes in bytes."""
    small = config.model_copy(
        update={"search": config.search.model_copy(update={"simulations": 2, "considered": 2})}
    )
    network, optimizer = network_and_optimizer(small, game)
    predict = Predictor(network.weights, "float32", batch=8)
    wave = play_wave(game, small, [predict], range(8))
    buffer = new_buffer(config, game)
    for trajectory in wave.trajectories:
        buffer.add(trajectory)
    rng, size = np.random.default_rng(0), config.training.batch_size
    drawn = [buffer.sample(size, rng) for _ in range(STEPS)]
    trainer = trainer_of(config, network, optimizer, lambda sentence: None)
    learner = Learner(config, game, network, trainer)
    learner.begin(Update(0, 1, STEPS, 0.001))
    learner.learn_part(drawn[:1])
    shapes = weight_shapes(config.architecture(game)).values()
    plies = float(np.mean([len(one.actions) for one in wave.episodes]))
    return {
        "minibatch_seconds": timed_each(lambda: learner.learn_part(drawn), STEPS),
        "draw_seconds": timed_each(lambda: buffer.sample(size, rng), 1),
        "minibatch_bytes": bytes_of(batches_to_plain(drawn[:1])),
        "arrival_bytes_per_game": bytes_of(wave_to_plain(wave)) / len(wave.episodes),
        "weights_bytes": float(sum(4 * int(np.prod(shape)) for shape in shapes)),
        "plies": plies,
    }


def timed_each(work: Callable[[], Any], count: int) -> float:
    """Return the seconds of each of `count` things that some work does; the least of three runs."""
    found: list[float] = []
    for _ in range(3):
        began = time.process_time()
        work()
        found.append((time.process_time() - began) / count)
    return min(found)


def at_start(simulations: int | Sequence[Sequence[int]]) -> int:
    return simulations if isinstance(simulations, int) else simulations[0][1]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("configs", nargs="+", help="ready configurations, or files")
    parser.add_argument("--seconds", type=float, default=30.0, help="of self-play")
    parser.add_argument("--set", nargs="*", default=[], help="changes: section.field=value")
    arguments = parser.parse_args()
    for name in arguments.configs:
        changes = ("selfplay.workers=1", "training.threads=1", *arguments.set)
        config = load_config(find_config(name), changes)
        game = config.make_game()
        game.compile()
        with torch_threads(1), flushing_subnormals():
            found = {**learning(config, game), **self_play(config, game, arguments.seconds)}
        search = config.search
        full = search.full_share if search.fast_simulations else 1.0
        fast = (1 - full) * (search.fast_simulations or 0)
        simulations = full * at_start(search.simulations) + fast
        found["evaluations_per_game"] = found["plies"] * simulations
        found["lockstep"] = config.selfplay.games
        found["batches"] = config.training.batches
        words = {key: float(f"{value:.4g}") for key, value in found.items()}
        print(json.dumps({"config": name, **words}), flush=True)


if __name__ == "__main__":
    main()
