"""Benchmark of belief: the cost of tracking what one seat of Catan can infer."""

import time
from typing import Any

import numpy as np

from bench.speed.measuring import Figures
from bench.speed.subjects import BenchOptions, about
from meeple import kernels
from meeple.agents.spec import agent
from meeple.errors import UsageError
from meeple.games.catan.belief.events import NO_ONE, UNSEEN, Event, event
from meeple.games.catan.belief.joint_hands import CAPACITY
from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.game import Catan
from meeple.games.catan.rules.state import KINDS, MAX_SEATS
from meeple.games.contract.game import Game

STEALS = 300  # steals at the largest number of joint hands, to measure the highest cost
WATCHER = 0  # the seat whose belief is measured


def belief(options: BenchOptions) -> Figures:
    """`python -m bench belief`."""
    game = options.open("catan")
    return about(game) | belief_cost(game, options.times)


def belief_cost(game: Game, games: int) -> Figures:
    """Measure a belief's update and sample, in microseconds, after each ply of `weighted` games.

    An update converts a ply to what seat 0 observes of it, and conditions the belief on that. The
    last figures are of a seat that observes a series of steals: it has the maximum number of joint
    hands, and each steal branches all of them. Times are of this thread alone, and include half a
    microsecond for reading the clock.

    Raises:
        UsageError: The game has no such belief.
    """
    if not isinstance(game, Catan):
        raise UsageError(f"belief is measured on catan, not on {game.name}")
    _timed_game(game, 0)  # compiles
    _timed_steals(game)
    played = [_timed_game(game, 1 + number) for number in range(games)]
    updates, samples, joint_hands = (np.concatenate(part) for part in zip(*played, strict=True))
    steals, many = _timed_steals(game)
    return {
        "games": games,
        "updates": len(updates),
        **_in_microseconds("update", updates),
        **_in_microseconds("sample", samples),
        "joint_hands_mean": round(float(joint_hands.mean()), 1),
        "joint_hands_p99": int(np.quantile(joint_hands, 0.99)),
        "joint_hands_max": int(joint_hands.max()),
        "most_joint_hands": CAPACITY,
        **_in_microseconds("update_of_most_joint_hands", steals),
        **_in_microseconds("sample_of_most_joint_hands", many),
    }


def _in_microseconds(name: str, nanoseconds: Any) -> Figures:
    quantiles = {"median": 0.5, "p99": 0.99, "max": 1.0}
    values = {word: np.quantile(nanoseconds, share) / 1000 for word, share in quantiles.items()}
    return {f"{name}_us_{word}": round(float(value), 1) for word, value in values.items()}


def _timed_game(game: Catan, seed: int) -> tuple[Any, Any, Any]:
    """Play a game; return the nanoseconds of each update and sample, and the joint hands after."""
    position, belief = game.start(seed), game.belief(WATCHER)
    seats = [agent("weighted", game, seed) for _ in range(game.players)]
    rng = kernels.new_rng(seed)
    updates, samples, joint_hands = [], [], []
    while not position.is_over:
        before = position.row.copy()
        if position.to_move == kernels.CHANCE:
            action = position.play_chance()
        else:
            action = seats[position.to_move].choose(position)
            position.play(action)
        after = position.row.copy()
        began = time.thread_time_ns()
        belief.see(event(before, action, after, WATCHER))
        seen = time.thread_time_ns()
        belief.sample(after, rng)
        samples.append(time.thread_time_ns() - seen)
        updates.append(seen - began)
        joint_hands.append(len(belief.joint_hands[0]))
    return updates, samples, joint_hands


def _timed_steals(game: Catan) -> tuple[Any, Any]:
    """Return the nanoseconds of steals among three opponents with full hands."""
    belief = CatanBelief(WATCHER, MAX_SEATS)
    nothing = np.zeros((MAX_SEATS, KINDS), dtype=np.int8)
    hands = nothing.copy()
    hands[1:] = 3
    quiet = Event(
        hands=nothing, monopoly=UNSEEN, thief=NO_ONE, victim=NO_ONE, stolen=UNSEEN, shows=NO_ONE,
        shown=nothing[0], draws=NO_ONE, drawn=UNSEEN, cards=nothing, checked=NO_ONE, points=0,
    )  # fmt: skip
    belief.see(quiet._replace(hands=hands))
    row, rng = game.start(0).row, kernels.new_rng(0)
    updates, samples = [], []
    for number in range(STEALS):
        thief, victim = 1 + number % 3, 1 + (number + 1) % 3
        began = time.thread_time_ns()
        belief.see(quiet._replace(thief=thief, victim=victim))
        seen = time.thread_time_ns()
        belief.sample(row, rng)
        if not belief.exact:
            samples.append(time.thread_time_ns() - seen)
            updates.append(seen - began)
    return updates, samples
