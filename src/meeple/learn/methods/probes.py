"""Measure by how much shallow and deep searches differ, for Multi-ProbCut."""

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.games.contract.patterns import HasPatterns
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.probcut import PROBED_FROM, probe_depth
from meeple.search.patterns.evaluation import MEASURED_PLIES, PatternEvaluation

OPENING = 8  # random moves of a game
EXPLORATION = 0.1  # probability of a random move later
CHOSEN = 0.5  # probability of searching a position
MAX_GAMES = 2  # per position of a stage
LEAST_SHARE = 0.05  # and 0.95: beyond them, differences do not count
LEAST_DEVIATION = 0.03  # logits over 4: positions of games hold few of the wins that come suddenly
TEMPO_DEVIATION = 0.2  # logits, of the tempo of a number of occupied cells, before it is measured


def measure(game: Game, evaluation: PatternEvaluation, positions: int, seed: int) -> None:
    """Set an evaluation's tempo and deviations, from searches of positions of games at all depths.

    The weights of a stage are those of several numbers of occupied cells, by which the player to
    move has more or less of an advantage. Values of searches whose leaves are occupied differently
    thus differ by a constant. The tempo takes most of it away, and the deviations are those that
    remain: root mean squares of the differences of values from those of probes, in logits over 4.
    They are 0 for depths that are not probed, and at least `LEAST_DEVIATION` for the others. A
    stage without unproven positions has the figures of the nearest one. Weights for boards of every
    size get no tempo, nor do those of which a tempo from one half of the games does not make
    searches of the other half agree better.

    Args:
        game: a game of two players.
        evaluation: whose weights are learned.
        positions: of each stage.
        seed: of the games.
    """
    evaluation.deviations[:] = evaluation.tempo[:] = 0.0
    games, occupied, logits = _searched(game, evaluation, positions, seed)
    if not len(occupied):
        return
    stages, cells = evaluation.layout.stage_of, len(evaluation.tempo) - 1
    leaves = np.minimum(occupied[:, None] + np.arange(MEASURED_PLIES), cells)  # most fill a cell
    signs: npt.NDArray[np.float64] = np.where(np.arange(MEASURED_PLIES) % 2, -1.0, 1.0)
    anywhere = isinstance(game, HasPatterns) and game.patterns().anywhere
    if len(evaluation.deviations) > 1 and not (anywhere and evaluation.drawn is None):
        corrected = logits.copy()
        for half in (games % 2 == 0, games % 2 == 1):
            tempo = _fitted_tempo(leaves[~half], signs, logits[~half], cells)
            corrected[half] += signs * tempo[leaves[half]]
        if _squares(corrected).sum() < _squares(logits).sum():
            evaluation.tempo[:] = _fitted_tempo(leaves, signs, logits, cells)
            logits = corrected
    measured, place = np.unique(stages[occupied], return_inverse=True)
    squares = np.zeros((len(measured), MEASURED_PLIES))
    np.add.at(squares, place, _squares(logits))
    deviations = np.sqrt(squares / np.bincount(place)[:, None]) / 4.0
    every = np.arange(len(evaluation.deviations))
    nearest = np.abs(every[:, None] - measured).argmin(axis=1)
    deviations[:, PROBED_FROM:] = np.maximum(deviations[:, PROBED_FROM:], LEAST_DEVIATION)
    evaluation.deviations[:] = deviations[nearest]


def _searched(
    game: Game, evaluation: PatternEvaluation, positions: int, seed: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return [n] games, [n] occupied cells, [n, MEASURED_PLIES] logits of the mover by depth."""
    counts, games, occupied, values = np.zeros(len(evaluation.deviations), np.int64), [], [], []
    search, rng = AlphaBeta(game, patterns=evaluation), np.random.default_rng(seed)
    for number in range(MAX_GAMES * positions):
        position = game.start(int(rng.integers(1 << 31)))
        while not position.is_over:
            stage = evaluation.stage(position)
            started = len(position.actions) >= OPENING
            if started and counts[stage] < positions and rng.random() < CHOSEN:
                found = _values_by_depth(search, evaluation, position)
                if found is not None:
                    games.append(number)
                    occupied.append(evaluation.occupied(position))
                    values.append(found)
                    counts[stage] += 1
            if not started or rng.random() < EXPLORATION:
                position.play(int(rng.choice(position.legal_actions())))
            else:
                position.play(search.run(position, depth=1).best)
        if counts.min() >= positions:
            break
    shares = np.clip(np.reshape(values, (-1, MEASURED_PLIES)), LEAST_SHARE, 1.0 - LEAST_SHARE)
    logits = np.log(shares / (1.0 - shares))
    return np.array(games, np.int64), np.array(occupied, np.int64), logits


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


def _differences(logits: npt.NDArray[np.float64], depth: int) -> npt.NDArray[np.float64]:
    """Return [n] the differences of the values at a depth from those of its probe."""
    differences: npt.NDArray[np.float64] = logits[:, depth] - logits[:, probe_depth(depth)]
    return differences


def _squares(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return [n, MEASURED_PLIES] the squared differences from probes; 0 for depths without one."""
    squares = np.zeros(logits.shape)
    for depth in range(PROBED_FROM, MEASURED_PLIES):
        squares[:, depth] = _differences(logits, depth) ** 2
    return squares


def _fitted_tempo(
    leaves: npt.NDArray[np.int64],
    signs: npt.NDArray[np.float64],
    logits: npt.NDArray[np.float64],
    cells: int,
) -> npt.NDArray[np.float64]:
    """Return [cells + 1] the tempo that makes searches of all depths agree best, by least squares.

    Args:
        leaves: [n, MEASURED_PLIES] occupied cells of the leaves, by depth.
        signs: [MEASURED_PLIES] 1 where the root's player is to move in the leaves, else -1.
        logits: [n, MEASURED_PLIES] values for the root's player.
        cells: of the board.
    """
    normal = np.eye(cells + 1) / TEMPO_DEVIATION**2
    target = np.zeros(cells + 1)
    if not len(logits):
        return target
    for depth in range(PROBED_FROM, MEASURED_PLIES):
        probe, differences = probe_depth(depth), _differences(logits, depth)
        factors = np.eye(cells + 1)[leaves[:, depth]] * signs[depth]
        factors -= np.eye(cells + 1)[leaves[:, probe]] * signs[probe]
        weight = 1.0 / max(float(np.mean(differences**2)), 1e-6)
        normal += weight * factors.T @ factors
        target -= weight * factors.T @ differences
    return np.asarray(np.linalg.solve(normal, target), np.float64)
