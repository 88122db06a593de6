"""How near a player of Pig is to the best: python -m bench.pig SPEC... [--goal 100].

The best policy is found by value iteration (Neller and Presser, "Optimal play of the dice game
Pig", The UMAP Journal 25, 2004: whoever begins and plays it wins 53.06 % to 100 points). A policy
is judged exactly: the chance to win against the best one, from both seats, over all positions.
"""

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from meeple.agents.agent import Agent
from meeple.agents.networks import load_predictor
from meeple.agents.spec import agent, parse
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import load_game_file
from meeple.search.evaluators import Predict

Chances = npt.NDArray[np.float64]  # [own points, the other's] to win, when one's turn begins
Holds = npt.NDArray[np.bool_]  # [own points, the other's, of the turn] whether they are kept

FILE = Path(__file__).resolve().parent.parent / "examples" / "pig.py"
CLOSE = 1e-10  # of chances to win, after which nothing changes any more
BATCH = 20_000
HOLD, ROLL = 0, 1  # the game's actions


def turn(theirs: Chances, holds: Holds | None) -> tuple[Chances, Holds]:
    """The chances of the player whose turn begins, and where he keeps a turn's points.

    `theirs` are the chances of the other when his turn begins. Without `holds`, points are kept
    wherever that is better.
    """
    goal = len(theirs)
    mine, points = np.arange(goal)[:, None], np.arange(goal)[None, :]
    after_one = 1 - theirs.T  # [own, other's]
    value = np.ones((goal, goal, goal + 6))  # by points of the turn; 1 where they reach the goal
    kept = np.zeros((goal, goal, goal), dtype=bool)
    for total in range(goal - 1, -1, -1):
        roll = (after_one + value[:, :, total + 2 : total + 7].sum(axis=2)) / 6
        hold = 1 - theirs[points, np.minimum(mine + total, goal - 1)]
        kept[:, :, total] = (hold > roll) if holds is None else holds[:, :, total]
        kept[:, :, total] &= total > 0  # a turn begins with a roll
        open_ = mine + total < goal
        value[:, :, total] = np.where(open_, np.where(kept[:, :, total], hold, roll), 1.0)
    return value[:, :, 0], kept


def best(goal: int) -> tuple[Chances, Holds]:
    """The chances of whoever begins a turn under best play, and where that keeps its points."""
    chances, before = np.full((goal, goal), 0.5), np.zeros((goal, goal))
    while np.abs(chances - before).max() > CLOSE:
        before = chances
        chances, holds = turn(before, None)
    return chances, holds


def against_best(holds: Holds, best_holds: Holds) -> tuple[float, float]:
    """The chance of a policy against the best one from the start, as first and as second player."""
    goal = len(holds)
    mine, theirs = np.full((goal, goal), 0.5), np.full((goal, goal), 0.5)
    before = np.zeros((goal, goal))
    while np.abs(mine - before).max() > CLOSE:
        before = mine
        mine, _ = turn(theirs, holds)
        theirs, _ = turn(mine, best_holds)
    return float(mine[0, 0]), float(1 - theirs[0, 0])


def holds_of(predict: Predict, game: Game) -> Holds:
    """Where a network would rather keep the points: [own, other's, of the turn]."""
    position, cases, holds = asked(game)
    legal = np.tile(position.legal_mask(), (BATCH, 1))
    for first in range(0, len(cases), BATCH):
        some = cases[first : first + BATCH]
        observations = np.stack([observation(position, case) for case in some])
        policy, _ = predict(observations, legal[: len(some)])
        own, other, at = some.T
        holds[own, other, at] = policy[:, HOLD] > policy[:, ROLL]
    return holds


def holds_of_agent(player: Agent, game: Game) -> Holds:
    """Where any agent keeps the points: asked position by position, which takes a minute or two."""
    position, cases, holds = asked(game)
    for case in cases:
        set_points(position, case)
        holds[tuple(case)] = player.choose(position) == HOLD
    return holds


def asked(game: Game) -> tuple[Position, npt.NDArray[np.int64], Holds]:
    """A decision whose points can be set, all [own, other's, of the turn], and room for answers."""
    goal = int(game.options["goal"])
    sums = np.argwhere(np.add.outer(np.arange(goal), np.arange(goal)) < goal)  # own, of the turn
    cases = np.array([(own, other, at) for own, at in sums if at > 1 for other in range(goal)])
    position = game.start(0)
    while position.to_move < 0:
        position.play_chance()
    return position, cases, np.zeros((goal, goal, goal), dtype=bool)


def set_points(position: Position, case: npt.NDArray[np.int64]) -> None:
    """Make a decision one of the player to move with so many points."""
    state, seat = position.state, position.to_move
    state.points[seat], state.points[1 - seat], state.turn = case


def observation(position: Position, case: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """What the player to move sees with so many points, the other's, and those of the turn."""
    set_points(position, case)
    return position.observation(position.to_move)


def main() -> None:
    """Judge policies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--goal", type=int, default=100)
    chosen = parser.parse_args()
    game = load_game_file(FILE)(goal=chosen.goal)
    chances, best_holds = best(chosen.goal)
    print(f"best play to {chosen.goal}: whoever begins wins {100 * chances[0, 0]:.2f} %")
    for spec in chosen.specs:
        if spec.startswith("policy:"):
            holds = holds_of(load_predictor(parse(spec).path or "", game), game)
        else:
            holds = holds_of_agent(agent(spec, game), game)
        first, second = against_best(holds, best_holds)
        print(
            f"{spec}: against it {100 * first:.2f} % as first, {100 * second:.2f} % as second, "
            f"{100 * (first + second) / 2:.2f} % on average (best: 50)"
        )


if __name__ == "__main__":
    main()
