"""The evaluation by patterns in C and here: its tables and positions as a file, and its kernel."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.agents.networks import find_checkpoint
from meeple.games.contract.game import Game
from meeple.kernels import invoke4, kernel
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import load_patterns

WEIGHTS = "reversi8-patterns"
GAMES, REPLIES = 40, 6  # games of random play, and replies to each of a position's actions


class Leaves(NamedTuple):
    """Positions two plies below those of games, siblings one after the other; N positions."""

    states: npt.NDArray[np.uint8]  # [N, state bytes]
    movers: npt.NDArray[np.int64]  # [N]


def leaves_of(game: Game, seed: int = 0) -> Leaves:
    """Return the positions that a search of two plies evaluates, in its order."""
    rng, states, movers = np.random.default_rng(seed), [], []
    for _ in range(GAMES):
        position = game.start()
        for _ in range(int(rng.integers(6, 50))):
            if not position.is_over:
                position.play(int(rng.choice(position.legal_actions())))
        for action in [] if position.is_over else position.legal_actions().tolist():
            child = position.copy()
            child.play(action)
            for reply in [] if child.is_over else child.legal_actions()[:REPLIES].tolist():
                leaf = child.copy()
                leaf.play(reply)
                if not leaf.is_over:
                    states.append(leaf.row.view(np.uint8).copy())
                    movers.append(leaf.to_move)
    return Leaves(np.array(states), np.array(movers, np.int64))


def shipped_evaluation(game: Game) -> PatternEvaluation:
    """Return the evaluation of the weights that ship."""
    return load_patterns(find_checkpoint(WEIGHTS), game)


def write_tables(path: Path, game: Game, evaluation: PatternEvaluation, leaves: Leaves) -> None:
    """Write what `limit_patterns.c` reads."""
    memory = evaluation.memory[0]
    stages, _, entries = memory["packed"].shape
    uses, count = memory["placed"].shape[1], len(leaves.movers)
    discs = [state.view(game.State)["discs"][0, :, 0] for state in leaves.states]
    sizes = np.array([len(evaluation.layout.groups), uses, entries, stages, count], np.int32)
    first = np.append(evaluation.layout.first_entry, 0).astype(np.uint32)
    arrays: list[npt.NDArray[Any]] = [
        sizes,
        memory["placed"],
        memory["power"],
        first,
        memory["stage_of"],
        memory["packed"],
        np.ascontiguousarray(evaluation.weights[:, -1]),
        np.array([memory["unit"]], np.float32),
        np.array(discs, np.uint64),
        leaves.movers.astype(np.int32),
    ]
    path.write_bytes(b"".join(array.tobytes() for array in arrays))


def mean_share(evaluation: PatternEvaluation, leaves: Leaves, rounds: int) -> float:
    """Return the mean share of the player to move over all positions."""
    shares = np.zeros(2)
    total = sum_of_shares(
        evaluation.kernel, evaluation.address, leaves.states, leaves.movers, shares, rounds
    )
    return float(total) / (rounds * len(leaves.movers))


@kernel
def sum_of_shares(
    evaluate: int, tables: int, states: Any, movers: Any, shares: Any, rounds: int
) -> float:
    """Evaluate all states, some rounds over."""
    total = 0.0
    for _ in range(rounds):
        for index in range(states.shape[0]):
            mover = movers[index]
            invoke4(evaluate, tables, states[index].ctypes.data, mover, shares.ctypes.data)
            total += shares[mover]
    return total
