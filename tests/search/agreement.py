"""Comparison of a compiled search with the one of `examples/mcts.py`."""

import numpy as np
import pytest


def same(result, root):
    """Return whether a compiled search has visits and mean shares of the textbook's root."""
    expected = {a: child for a, child in root.children.items() if child.visits}
    rows = zip(result.actions.tolist(), result.visits.tolist(), result.values, strict=True)
    tried = {action: (visits, values) for action, visits, values in rows if visits}
    return tried.keys() == expected.keys() and all(
        visits == child.visits and values == pytest.approx(child.value_sum / child.visits)
        for child, (visits, values) in ((expected[a], tried[a]) for a in tried)
    )


def decision(game, seed, plies=0):
    """Return a decision of a player some random plies after the start."""
    position, choice = game.start(seed), np.random.default_rng(seed)
    while plies > 0 or position.to_move < 0:
        if position.to_move < 0:
            position.play_chance()
        else:
            position.play(int(choice.choice(position.legal_actions())))
        plies -= 1
    return position
