"""What `meeple bench` measures of search with networks and of self-play, as functions.

Each returns its figures; nothing is printed. The best repeat says most of a program, the median
how much to trust it.
"""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from meeple.cli.measure import Figures, best_and_median, game_speed, in_turns, rate_of
from meeple.games.contract.game import Game
from meeple.learn.config import Config
from meeple.learn.selfplay import play_wave
from meeple.nets.architecture import Architecture
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.search.batch import StateBatch, start_states
from meeple.search.evaluators import UniformEvaluator
from meeple.search.mcts import lockstep as fleet
from meeple.search.mcts.lockstep import Fleet, FleetOptions


def puct_speed(game: Game, simulations: int, games: int, repeats: int) -> Figures:
    """Searches of openings in lockstep on one thread, by an evaluator that knows nothing.

    What PUCT costs without a network: descents, rules, observations and backing up.
    """
    searches = Fleet(game, games, FleetOptions(room=simulations), seed=0)
    openings, judge = start_states(game, list(range(games))), UniformEvaluator()

    def once() -> int:
        searches.begin(openings)
        return searches.run(judge, simulations)

    (rates,) = in_turns([lambda: rate_of(once)], repeats)
    return {
        "simulations": simulations,
        "games_in_lockstep": games,
        "repeats": repeats,
        **best_and_median("sims_per_second", rates),
    }


def selfplay_speed(config: Config, repeats: int) -> Figures:
    """Waves of self-play by an untrained network on one worker, and where their time goes.

    Shares of the best wave's time: `network`, calls of the network; `tree`, descents, expansion
    and backing up, less the moves played in them; `rules`, the moves of rollouts and descents,
    legal moves and observations; `python`, all that lies between. The moves of descents happen
    inside the tree's kernels: they are counted, and their cost is taken from random games.
    `evaluations_per_second` are of the whole wave, `network_alone_per_second` of the same network
    on one full batch after another.
    """
    game, games = config.make_game(), config.selfplay.games
    predict = _untrained(config, game, games)
    play_wave(game, config, [predict], range(games))
    ply_seconds = 1 / game_speed(game, 3)["plies_per_second"]
    waves = []
    for repeat in range(1, repeats + 1):
        rules, tree, plies = Tally(), Tally(), Tally()
        with (
            rules.timing(StateBatch, "observe", "play", "payoffs"),
            tree.timing(fleet, "_gather", "_apply", "_advance"),
            plies.counting_descents(Fleet),
        ):
            numbers = range(repeat * games, (repeat + 1) * games)
            timing = play_wave(game, config, [predict], numbers).timing
        inside = min(plies.total * ply_seconds, tree.total)
        waves.append(
            {
                "episodes_per_second": games / timing.total,
                "simulations_per_second": timing.simulations / timing.total,
                "evaluations_per_second": timing.evaluations / timing.total,
                "network_alone_per_second": _alone(predict, game, games * config.search.leaves),
                "network": timing.network / timing.total,
                "tree": (tree.total - inside) / timing.total,
                "rules": (rules.total + inside) / timing.total,
            }
        )
    best = max(waves, key=lambda wave: wave["episodes_per_second"])
    best["python"] = 1 - best["network"] - best["tree"] - best["rules"]
    figures = {name: round(value, 3) for name, value in best.items()}
    middle = statistics.median(wave["episodes_per_second"] for wave in waves)
    ratio = best["evaluations_per_second"] / best["network_alone_per_second"]
    return {
        "repeats": repeats,
        "games_in_lockstep": games,
        "engine": predict.engine,
        "format": predict.format,
        **figures,
        "ratio_to_network_alone": round(ratio, 3),
        "episodes_per_second_median": round(middle, 3),
    }


def selfplay_speedup(config: Config, workers: int, repeats: int) -> Figures:
    """The same waves of self-play shared out over workers, and by one alone, in turns."""
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
        **_rounded("episodes_per_second", together),
        **_rounded("one_worker_episodes_per_second", one),
        "ratio": round(max(together) / max(one), 2),
        "ratio_median": round(statistics.median(together) / statistics.median(one), 2),
    }


def _rounded(name: str, rates: list[float]) -> Figures:
    return {name: round(max(rates), 3), f"{name}_median": round(statistics.median(rates), 3)}


def _alone(predict: Predictor, game: Game, batch: int) -> float:
    """Positions a second of a network that is asked about one full batch after another."""
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
    return Predictor(ActorNetwork(architecture, seed=1), config.selfplay.format, batch=batch)


class Tally:
    """A sum over the calls of functions, which are replaced by counting ones for a while."""

    def __init__(self) -> None:
        self.total = 0.0

    @contextlib.contextmanager
    def timing(self, owner: Any, *names: str) -> Iterator[None]:
        """Add up the seconds spent in these functions of a module or class."""

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
    def counting_descents(self, fleet: Any) -> Iterator[None]:
        """Add up the moves played in descents to the leaves that were evaluated."""
        back_up = fleet._back_up

        def call(self_: Any, count: int, judged: Any) -> None:
            self.total += float(self_._depths[:count].sum())
            back_up(self_, count, judged)

        with replaced(fleet, "_back_up", call):
            yield


@contextlib.contextmanager
def replaced(owner: Any, name: str, by: Any) -> Iterator[None]:
    """An attribute with another value for a while."""
    before = getattr(owner, name)
    setattr(owner, name, by)
    try:
        yield
    finally:
        setattr(owner, name, before)
