"""Benchmarks of learning: waves of self-play, and the shares of their time."""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from bench.speed.games import game_speed
from bench.speed.measuring import Figures, best_and_median, in_turns, rate_of, ratios
from bench.speed.subjects import BenchOptions
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.learn.config import Config, load_config
from meeple.learn.selfplay.play import play_wave
from meeple.nets.architecture import Architecture
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.search.batch import StateBatch, start_states
from meeple.search.mcts.lockstep import Lockstep


def selfplay(options: BenchOptions) -> Figures:
    """`python -m bench selfplay`."""
    if options.config is None:
        raise UsageError("selfplay needs a training configuration: --config FILE")
    config, workers = load_config(options.config), options.threads or 1
    figures = (
        selfplay_speed(config, options.times)
        if workers == 1
        else selfplay_speedup(config, workers, options.times)
    )
    return {"config": str(options.config)} | figures


def selfplay_speed(config: Config, repeats: int) -> Figures:
    """Measure waves of self-play by an untrained network on one worker.

    Shares of the best wave's time: `network`, calls of the network; `tree`, descents, expansion
    and backup, without the moves played in them; `rules`, the moves of rollouts and descents,
    legal moves and observations; `python`, the rest. The moves of descents happen inside the
    tree's kernels: they are counted, and their cost is estimated from random games.
    `evaluations_per_second` is the rate of the whole wave, `network_alone_per_second` that of the
    same network on consecutive full batches.
    """
    game, games = config.make_game(), config.selfplay.games
    predict = _untrained(config, game, games)
    play_wave(game, config, [predict], range(games))
    ply_seconds = 1 / game_speed(game, 3)["plies_per_second"]
    waves = [
        _timed_wave(config, predict, range(repeat * games, (repeat + 1) * games), ply_seconds)
        for repeat in range(1, repeats + 1)
    ]
    best = max(waves, key=lambda wave: wave["episodes_per_second"])
    middle = statistics.median(wave["episodes_per_second"] for wave in waves)
    ratio = best["evaluations_per_second"] / best["network_alone_per_second"]
    return {
        "repeats": repeats,
        "games_in_lockstep": games,
        "engine": predict.engine,
        "format": predict.format,
        **{name: round(value, 3) for name, value in best.items()},
        "ratio_to_network_alone": round(ratio, 3),
        "episodes_per_second_median": round(middle, 3),
    }


def _timed_wave(
    config: Config, predict: Predictor, numbers: range, ply_seconds: float
) -> dict[str, float]:
    """Return the rates of a wave with the episodes of these numbers, and the shares of its time.

    `ply_seconds` is the cost of a move inside the tree's kernels.
    """
    game, games = config.make_game(), len(numbers)
    rules, tree, plies = Tally(), Tally(), Tally()
    with (
        rules.timing(StateBatch, "observe", "play", "payoffs"),
        tree.timing(Lockstep, "_gather", "_back_up", "_reroot"),
        plies.counting_descents(Lockstep),
    ):
        timing = play_wave(game, config, [predict], numbers).timing
    inside = min(plies.total * ply_seconds, tree.total)
    shares = {
        "network": timing.network / timing.total,
        "tree": (tree.total - inside) / timing.total,
        "rules": (rules.total + inside) / timing.total,
    }
    return {
        "episodes_per_second": games / timing.total,
        "simulations_per_second": timing.simulations / timing.total,
        "evaluations_per_second": timing.evaluations / timing.total,
        "network_alone_per_second": _alone(predict, game, games * config.search.leaves),
        **shares,
        "python": 1 - sum(shares.values()),
    }


def selfplay_speedup(config: Config, workers: int, repeats: int) -> Figures:
    """Measure the same waves of self-play on several workers and on one, in turns."""
    game, games = config.make_game(), config.selfplay.games
    alone = [_untrained(config, game, games)]
    shared = [_untrained(config, game, games // workers) for _ in range(workers)]

    def wave(predicts: list[Predictor]) -> Callable[[], float]:
        def once() -> float:
            began = time.perf_counter()
            play_wave(game, config, list(predicts), range(games))
            return games / (time.perf_counter() - began)

        return once

    together, one = in_turns([wave(shared), wave(alone)], repeats)
    return {
        "repeats": repeats,
        "games_in_lockstep": games,
        "workers": workers,
        "engine": shared[0].engine,
        "format": shared[0].format,
        **best_and_median("episodes_per_second", together, 3),
        **best_and_median("one_worker_episodes_per_second", one, 3),
        **ratios([together, one]),
    }


def _alone(predict: Predictor, game: Game, batch: int) -> float:
    """Return the positions a second of a network on consecutive full batches."""
    observations, legal = StateBatch(game, start_states(game, [0] * batch)).observe()

    def once() -> int:
        predict(observations, legal)
        return batch

    once()
    return rate_of(once)


def _untrained(config: Config, game: Game, games: int) -> Predictor:
    architecture = Architecture(
        kind=config.network.kind,
        hidden=config.network.hidden,
        channels=config.network.channels,
        blocks=config.network.blocks,
        activation=config.network.activation,
        critic=config.network.critic,
        observation_shape=game.observation_shape,
        num_actions=game.num_actions,
        players=game.players,
    )
    batch = max(1, games * config.search.leaves)
    return Predictor(
        ActorNetwork(architecture, seed=1).weights, config.selfplay.format, batch=batch
    )


class Tally:
    """A sum over the calls of functions, which are temporarily replaced by counting ones."""

    def __init__(self) -> None:
        self.total = 0.0

    @contextlib.contextmanager
    def timing(self, owner: Any, *names: str) -> Iterator[None]:
        """Sum the seconds spent in these functions of a module or class."""

        def timed(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any) -> Any:
                began = time.perf_counter()
                found = function(*arguments)
                self.total += time.perf_counter() - began
                return found

            return call

        with contextlib.ExitStack() as stack:
            for name in names:
                stack.enter_context(replaced(owner, name, timed(getattr(owner, name))))
            yield

    @contextlib.contextmanager
    def counting_descents(self, searches: Any) -> Iterator[None]:
        """Sum the moves played in descents to the evaluated leaves."""
        back_up = searches._back_up

        def call(self_: Any, count: int, judged: Any) -> None:
            self.total += float(self_._round.leaves.depths[:count].sum())
            back_up(self_, count, judged)

        with replaced(searches, "_back_up", call):
            yield


@contextlib.contextmanager
def replaced(owner: Any, name: str, by: Any) -> Iterator[None]:
    """Replace an attribute temporarily."""
    before = getattr(owner, name)
    setattr(owner, name, by)
    try:
        yield
    finally:
        setattr(owner, name, before)
