"""Plies a second of environments with random legal actions, one thread.

`python -m bench.environments` measures `VectorEnv` in turns with PettingZoo's Connect Four and with
pgx's Connect Four and Hex, where `pettingzoo[classic]` and `pgx` are installed; and games of
OpenSpiel by the adapter (`openspiel:NAME`) with the same games by OpenSpiel itself.
"""

import functools
import importlib
import importlib.util
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.speed.measuring import best_and_median, in_turns, rate_of
from meeple.games.contract.registry import load_game_file, make
from meeple.interop.vector import VectorEnv
from meeple.kernels import new_rng
from meeple.search.batch import choose_epsilon_greedy
from meeple.search.moves import new_moves
from meeple.search.rollouts import uniform_rollout
from meeple_openspiel.states import random_action

GAMES = 256  # side by side
STEPS = 100  # between two looks at the clock
REPEATS = 7
ALWAYS = 1.0  # probability of a random action
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

Rate = Callable[[], int]  # plays, and returns the number of plies


def ours(game: Any) -> Rate:
    """Return games of `VectorEnv`, whose random actions are chosen by a kernel."""
    env, rngs, actions = VectorEnv(game, GAMES), new_rng(1), np.zeros(GAMES, np.int32)
    policy = np.zeros((GAMES, game.num_actions), np.float32)

    def play() -> int:
        for _ in range(STEPS):
            choose_epsilon_greedy(policy, env.legal, ALWAYS, rngs, actions)
            env.step(actions)
        return GAMES * STEPS

    return play


def pettingzoo(module: str) -> Rate:
    """Return games of an environment of PettingZoo."""
    env = importlib.import_module(f"pettingzoo.classic.{module}").env()
    generator = np.random.default_rng(1)

    def play() -> int:
        env.reset()
        plies = 0
        for _ in env.agent_iter():
            observed, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            legal = np.flatnonzero(observed["action_mask"])
            env.step(None if over else int(generator.choice(legal)))
            plies += not over
        return plies

    return play


def pgx(name: str) -> Rate:
    """Return games of pgx, compiled for the processor, that start anew when they end."""
    jax, games = importlib.import_module("jax"), importlib.import_module("pgx")
    auto_reset = importlib.import_module("pgx.experimental").auto_reset
    env = games.make(name)
    step = auto_reset(env.step, env.init)

    def once(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(key, logits, axis=-1)
        return jax.vmap(step)(state, actions, jax.random.split(key, GAMES)), None

    many = jax.jit(lambda state, key: jax.lax.scan(once, state, jax.random.split(key, STEPS))[0])
    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(1), GAMES))
    state = many(state, jax.random.PRNGKey(2))

    def play() -> int:
        nonlocal state
        state = jax.block_until_ready(many(state, jax.random.PRNGKey(3)))
        return GAMES * STEPS

    return play


def openspiel(name: str) -> Rate:
    """Return random games of OpenSpiel, played from Python."""
    game, choice = importlib.import_module("pyspiel").load_game(name), random.Random(1)

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random_action(state, choice))
            plies += 1
        return plies

    return play


def by_adapter(name: str) -> Rate:
    """Return the same games by the adapter, move by move as a search plays them."""
    game = make(f"openspiel:{name}")
    state, moves = np.zeros(game.state_bytes, np.uint8), new_moves(game)
    start, rngs = game.start(1).row.copy(), new_rng(1)

    def play() -> int:
        state[:] = start
        uniform_rollout(game.addresses, state, moves, rngs[0])
        return int(state.view(game.State)["count"][0])

    return play


def main() -> None:
    """Measure all environments in turns, and print a line on each."""
    four = load_game_file(EXAMPLES / "connect_four.py")()
    works = {
        "VectorEnv, Hex 7x7": ours(make("hex", size=7)),
        "VectorEnv, Hex 11x11": ours(make("hex", size=11)),
        "VectorEnv, Connect Four": ours(four),
    }
    if importlib.util.find_spec("pygame"):
        works["PettingZoo, Connect Four"] = pettingzoo("connect_four_v3")
    if importlib.util.find_spec("pgx"):
        works |= {"pgx, Hex 11x11": pgx("hex"), "pgx, Connect Four": pgx("connect_four")}
    if importlib.util.find_spec("pyspiel"):
        for name in ("breakthrough", "backgammon"):
            works[f"OpenSpiel from Python, {name}"] = openspiel(name)
            works[f"OpenSpiel by the adapter, {name}"] = by_adapter(name)
    rates = in_turns([functools.partial(rate_of, play) for play in works.values()], REPEATS)
    for name, found in zip(works, rates, strict=True):
        figures = {"environment": name, **best_and_median("plies_per_second", found)}
        sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
