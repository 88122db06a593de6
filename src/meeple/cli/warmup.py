"""`meeple warmup`: compile every kernel of every game and of search into the disk cache."""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game
from meeple.kernels import cache as kernel_cache

Array = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Payoffs = npt.NDArray[np.float64]


def warmup() -> None:
    """Compile every game and search once, into the cache."""
    if not kernels.COMPILED:
        print("Nothing to compile: NUMBA_DISABLE_JIT is set, and kernels run as plain Python.")
        return
    began = time.perf_counter()
    for name, work in steps():
        before, at = len(kernel_cache.newly_compiled()), time.perf_counter()
        work()
        count = len(kernel_cache.newly_compiled()) - before
        words = f"compiled {count}" if count else "there already"
        print(f"{name:<26}{words:<16}{time.perf_counter() - at:5.1f} s", flush=True)
    count, seconds = len(kernel_cache.newly_compiled()), time.perf_counter() - began
    print(f"{count} kernels compiled in {seconds:.1f} s; all are in {kernel_cache.cache_folder()}")


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the compilations by name: each game's rules, then the code for all games."""
    from meeple.games.contract.registry import game_class, make, working_games

    for name in working_games(lambda sentence: print(sentence, file=sys.stderr)):
        yield name, game_class(name)().compile
    small = make("nim", stones=3)
    yield "positions", partial(use_positions, small)
    yield "search by rollouts", partial(search_by_rollouts, make("reversi", size=4))
    yield "Q-table", partial(search_with_table, small)
    yield "search by networks", partial(search_by_networks, small)
    yield "search by values", search_by_values
    yield "labels of values", label_values
    yield "search by plies", partial(search_by_plies, small)
    yield "search by determinization", partial(search_by_determinization, make("catan"))
    yield "exact solver", partial(solve, small)
    yield "perft", partial(count_positions, small)
    yield "the page's boards", show_on_the_page


def use_positions(game: Game) -> Payoffs:
    """Play a random beginning, then first legal actions to the end; return the payoffs."""
    from meeple.search.random_games import play_random_games

    position = game.start()
    play_random_games(position, 1, seed=0)
    while not position.is_over:
        position.observation(0)
        position.play(position.legal_actions()[0])
    return position.payoffs


def search_by_rollouts(game: Game) -> None:
    """Compile UCT, and the batched evaluator by random rollouts."""
    from meeple.search.batch import StateBatch, start_states
    from meeple.search.evaluators import RandomRolloutEvaluator
    from meeple.search.mcts.search import TreeSearch
    from meeple.search.mcts.uct import OpenUct, UctSettings

    guides = (0.0, 0.5) if game.has(kernels.GUIDED_ROLLOUT) else (0.0,)
    for guided in guides:  # without and with the game's rollout heuristic
        for transpositions in (True, False):
            search = TreeSearch(
                OpenUct(game, UctSettings(guided=guided, transpositions=transpositions))
            )
            position = game.start()
            position.play(search.run(position, 20).best)
            search.run(position, 20)
    RandomRolloutEvaluator(0).evaluate(StateBatch(game, start_states(game, [0])))


def search_with_table(game: Game) -> None:
    """Compile UCT with a Q-table, and the table's learning."""
    from meeple.learn.qtable import learn
    from meeple.search.qtable.table import QTable

    learn(QTable(game), 1, simulations=20)


def search_by_networks(game: Game) -> None:
    """Compile all lockstep searches and actor rollouts, with a uniform policy."""
    from meeple.search.batch import (
        StateBatch,
        choose_by_probability,
        start_positions,
        start_states,
    )
    from meeple.search.evaluators import ActorRolloutEvaluator
    from meeple.search.mcts.lockstep import IMPROVED, PUCT, UCT, Lockstep, LockstepSettings

    def predict(observations: Array, legal: Mask) -> tuple[Array, None]:
        return (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32), None

    for rule in (UCT, PUCT, IMPROVED):
        search = Lockstep(game, 1, LockstepSettings(rule=rule, considered=2, room=20), seed=0)
        search.begin(start_positions(game, [0]))
        noise = np.ones((1, game.num_actions), dtype=np.float32)
        search.run(ActorRolloutEvaluator(predict, 0.5, 0), 10, noise=noise, noise_fraction=0.25)
        search.priors()
        best = search.visit_shares().argmax(axis=1).astype(np.int32)
        search.advance(best, search.live())

    rows, rng = np.zeros(1, dtype=np.int32), kernels.new_rng(0)
    batch = StateBatch(game, start_states(game, [0]))
    policy, legal = predict(*batch.observe())[0], batch.observe()[1]
    choose_by_probability(policy, legal, rng, rows)
    batch.draw_outcomes(rng, rows[:0])


def search_by_values() -> None:
    """Compile a game of Catan with a player that evaluates states by a network."""
    from meeple.arena.match import match
    from meeple.games.contract.registry import make

    match(make("catan"), ["states:catan", "weighted", "weighted", "weighted"], 1)


def label_values() -> None:
    """Compile the built-in runs that learn values."""
    from meeple.learn.config import ValuesConfig, load, ready_configs
    from meeple.learn.workers.labels import warm_up

    for file in ready_configs("values").values():
        config = load(file)
        assert isinstance(config, ValuesConfig)
        warm_up(config.make_games(), config.widths)


def search_by_plies(game: Game) -> None:
    """Compile alpha-beta and expectimax."""
    from meeple.search.minimax.alphabeta import AlphaBeta
    from meeple.search.minimax.deepening import MinimaxSettings
    from meeple.search.minimax.expectimax import Expectimax

    even = MinimaxSettings("even")
    AlphaBeta(game, even, slots=1 << 10).run(game.start(), 2)
    Expectimax(game, even).run(game.start(), 2)


def search_by_determinization(game: Game) -> None:
    """Compile the agents of games with hidden information."""
    from meeple.agents.spec import agent

    for spec in (
        "weighted",
        "greedy:determinizations=1",
        "uct:sims=20",
        "minimax:depth=1,determinizations=1",
    ):
        agent(spec, game).choose(game.start())


def show_on_the_page() -> None:
    """Compile a random game of each, as `meeple serve` shows it."""
    from meeple.server.play.precompile import precompile_all

    precompile_all()


def count_positions(game: Game) -> None:
    """Compile perft."""
    from meeple.search.perft import perft

    perft(game.start(), 2)


def solve(game: Game) -> None:
    """Compile the exact solver, and the growth of its table."""
    from meeple.search.exact import proof_number
    from meeple.search.exact.solver import solve as solve_position

    solve_position(game.start())
    proof_number.with_more_room(proof_number.new_search(game, game.max_plies, 16))
