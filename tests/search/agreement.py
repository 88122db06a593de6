"""Comparison of a compiled search with the one of `examples/mcts.py`."""

import numpy as np
import pytest


def found(root):
    """Return visits and mean shares of the visited actions, by action."""
    tried = {action: child for action, child in root.children.items() if child.visits}
    return {
        action: (child.visits, child.value_sum / child.visits) for action, child in tried.items()
    }


def same(result, root):
    """Return whether a compiled search has the textbook's result."""
    expected = found(root)
    tried = {
        action: (visits, values)
        for action, visits, values in zip(
            result.actions.tolist(), result.visits.tolist(), result.values, strict=True
        )
        if visits
    }
    return tried.keys() == expected.keys() and all(
        visits == expected[action][0] and values == pytest.approx(expected[action][1])
        for action, (visits, values) in tried.items()
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
