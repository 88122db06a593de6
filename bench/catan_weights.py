"""Weights of Catan's heuristic, found again: `python bench/catan_weights.py [--generations N]`.

An evolution strategy: candidates are drawn around the mean, each plays games without trade as one
greedy player, who sees all hands, among three that draw by the weights of `prune`; the best third
move the mean. Prints each generation's shares of wins, and at the end the weights.
"""

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.catan.game import Catan
from meeple.games.catan.rules.legal import legal
from meeple.games.catan.rules.play import payoffs, play
from meeple.games.catan.strategy.heuristic import FEATURES, WEIGHTS, value_of
from meeple.games.catan.strategy.prune import prune
from meeple.kernels import CHANCE, OVER, kernel, uniform

CANDIDATES, BEST = 12, 4  # of a generation
KEPT = 0.85  # of the spread, from one generation to the next


@kernel
def draw(moves: Any, rng: Any) -> int:
    """One of the listed actions, by its weight."""
    total = 0.0
    for index in range(moves.count):
        total += moves.probabilities[index]
    mark = uniform(rng) * total
    index = 0
    while index < moves.count - 1:
        mark -= moves.probabilities[index]
        if mark < 0.0:
            break
        index += 1
    return int(np.int64(moves.actions[index]))


@kernel
def best(s: Any, twin: Any, moves: Any, weights: Any, rng: Any) -> int:
    """The action after which the mover's value is furthest ahead of the others' together."""
    seat = np.int64(s[0].to_move)
    chosen, greatest = np.int64(-1), -1e18
    for index in range(moves.count):
        action = np.int64(moves.actions[index])
        twin[0] = s[0]
        play(twin[0], action)
        mine = value_of(twin[0], seat, weights)
        others = 0.0
        for other in range(s[0].players):
            others += np.exp(value_of(twin[0], other, weights) - mine)
        value = -np.log(others) + 1e-6 * uniform(rng)
        if twin[0].to_move == OVER:
            value = 1e9
        if value > greatest:
            chosen, greatest = action, value
    return int(chosen)


@kernel
def play_out(s: Any, twin: Any, moves: Any, weights: Any, greedy: int, rng: Any, out: Any) -> None:
    """Play a game to its end, the one seat greedily, and leave the payoffs in `out`."""
    while s[0].to_move != OVER:
        listed = moves[0]
        listed.count = 0
        if s[0].to_move == CHANCE:
            legal(s[0], listed)
            action = draw(listed, rng[0])
        else:
            prune(s[0], listed)
            if s[0].to_move == greedy and listed.count > 1:
                action = best(s, twin, listed, weights, rng[0])
            else:
                action = draw(listed, rng[0])
        play(s[0], action)
    payoffs(s[0], out)


def share_of_wins(weights: npt.NDArray[np.float64], games: int, seed: int) -> float:
    """What the greedy player wins of so many games, its seat in turns."""
    game = Catan(domestic_trade=False)
    moves = np.zeros(1, dtype=kernels.moves_record(game.max_moves))
    state, twin = (np.zeros(1, dtype=game.State) for _ in range(2))
    rng, out, won = kernels.new_rng(seed), np.zeros(game.players), 0.0
    for index in range(games):
        state[:] = game.start(seed * 100_003 + index).row.view(game.State)
        play_out(state, twin, moves, weights, index % game.players, rng, out)
        won += out[index % game.players]
    return won / games


def main() -> None:
    """Search, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--games", type=int, default=480, help="of a candidate")
    parser.add_argument("--seed", type=int, default=1)
    where = "begin with the weights of the house, or with points and production alone"
    parser.add_argument("--start", choices=("here", "even"), default="here", help=where)
    chosen = parser.parse_args()
    rng = np.random.default_rng(chosen.seed)
    mean = WEIGHTS.copy()
    if chosen.start == "even":
        mean = np.where(np.arange(len(FEATURES)) < 2, 1.0, 0.0)
    spread = np.maximum(0.3 * np.abs(mean), 0.05 if chosen.start == "here" else 0.5)
    for generation in range(chosen.generations):
        began = time.perf_counter()
        drawn = mean + spread * rng.standard_normal((CANDIDATES, len(mean)))
        seed = 2000 + generation  # the same games for all
        shares = np.array([share_of_wins(weights, chosen.games, seed) for weights in drawn])
        elite = drawn[np.argsort(-shares)[:BEST]]
        spread = KEPT * spread + (1 - KEPT) * 1.2 * np.maximum(elite.std(axis=0), 0.02)
        mean = 0.5 * mean + 0.5 * elite.mean(axis=0)
        found = f"{shares.max():.3f} best, {shares.mean():.3f} mean"
        print(f"{generation + 1:3}  {found}, {time.perf_counter() - began:.0f} s", flush=True)
    print(f"the mean wins {share_of_wins(mean, 2000, 7):.3f} of 2000 games")
    for name, weight in zip(FEATURES, mean, strict=True):
        print(f"{weight:8.3f}  {name}")


if __name__ == "__main__":
    main()
