"""Measure by how much shallow and deep searches differ, for the margins of Multi-ProbCut."""

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.probcut import PROBED_FROM, probe_depth
from meeple.search.patterns.evaluation import MEASURED_PLIES, PatternEvaluation

OPENING = 8  # random moves of a game
EXPLORATION = 0.1  # probability of a random move later
CHOSEN = 0.5  # probability of searching a position
MAX_GAMES = 2  # per position of a stage


def measured_deviations(
    game: Game, evaluation: PatternEvaluation, positions: int, seed: int
) -> npt.NDArray[np.float32]:
    """Search positions of games at all depths, and compare the values with those of probes.

    `positions`: of each stage.

    Returns:
        [stages, MEASURED_PLIES] root mean squares of the differences, in shares; 0 for depths that
        are not probed. A stage without unproven positions has the figures of the nearest one.
    """
    stages = len(evaluation.deviations)
    squares, counts = np.zeros((stages, MEASURED_PLIES)), np.zeros(stages, np.int64)
    search, rng = AlphaBeta(game, patterns=evaluation), np.random.default_rng(seed)
    for _ in range(MAX_GAMES * positions):
        position = game.start(int(rng.integers(1 << 31)))
        while not position.is_over:
            stage = evaluation.stage(position)
            started = len(position.actions) >= OPENING
            if started and counts[stage] < positions and rng.random() < CHOSEN:
                values = _values_by_depth(search, evaluation, position)
                if values is not None:
                    squares[stage] += _differences(values) ** 2
                    counts[stage] += 1
            if not started or rng.random() < EXPLORATION:
                position.play(int(rng.choice(position.legal_actions())))
            else:
                position.play(search.run(position, depth=1).best)
        if counts.min() >= positions:
            break
    measured = np.flatnonzero(counts)
    if not len(measured):
        return np.zeros(squares.shape, np.float32)
    nearest = np.abs(np.arange(stages)[:, None] - measured).argmin(axis=1)
    deviations = np.sqrt(squares[measured] / counts[measured, None]).astype(np.float32)
    by_stage: npt.NDArray[np.float32] = deviations[nearest]
    return by_stage


def _values_by_depth(
    search: AlphaBeta, evaluation: PatternEvaluation, position: Position
) -> npt.NDArray[np.float64] | None:
    """Return [MEASURED_PLIES] the mover's value by depth; None if one is proven."""
    values = np.zeros(MEASURED_PLIES)
    values[0] = evaluation.shares(position)[position.to_move]
    for depth in range(1, MEASURED_PLIES):
        result = search.run(position, depth=depth)
        if result.proven:
            return None
        values[depth] = result.value[position.to_move]
    return values


def _differences(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return [MEASURED_PLIES] the difference of each depth's value from its probe's."""
    found = np.zeros(len(values))
    for depth in range(PROBED_FROM, len(values)):
        found[depth] = values[depth] - values[probe_depth(depth)]
    return found
