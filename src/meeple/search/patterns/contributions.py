"""What each pattern contributes to an evaluation."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Position
from meeple.search.patterns.contents import contents_of
from meeple.search.patterns.evaluation import PatternEvaluation


def contributions(
    evaluation: PatternEvaluation, positions: Sequence[Position]
) -> npt.NDArray[np.float64]:
    """Return [patterns] the share of each in the variance of the movers' logits.

    The shares add up to 1; that of a pattern which others counteract may be negative.

    Args:
        evaluation: the patterns with their weights.
        positions: positions with a player to move, over which logits vary.
    """
    layout, game = evaluation.layout, positions[0].game
    found = contents_of(game, layout.contents, positions).astype(np.int64)
    stages = layout.stage_of[np.count_nonzero(found, axis=1)]
    movers = np.array([position.to_move for position in positions])
    views = movers if game.players == len(layout.weight_of) else movers * (game.players + 1)
    sums = np.zeros((max(layout.pattern_of) + 1, len(positions)))
    for pattern, group, first in zip(
        layout.pattern_of, layout.groups, layout.first_entry, strict=True
    ):
        entries = first + found[:, group] @ layout.contents.count ** np.arange(len(group))
        sums[pattern] += evaluation.weights[stages, layout.weight_of[views, entries]]
    sums -= sums.mean(axis=1, keepdims=True)
    shared: npt.NDArray[np.float64] = sums @ sums.sum(axis=0)
    return shared / max(float(shared.sum()), 1e-12)
