"""Balanced openings differ, and the judge gives the player to move about half of the win."""

import itertools

import pytest

import meeple
from bench.balanced import MARGIN, balanced
from meeple.errors import UsageError


def test_openings_are_balanced_by_their_judge():
    game = meeple.make("gomoku", size=7, in_a_row=4)
    found = list(itertools.islice(balanced(game, "minimax:depth=2", "random", 4, 1), 5))
    assert len({position.row.tobytes() for position in found}) == 5
    for position in found:
        assert len(position.actions) == 4
        judge = meeple.agent("minimax:depth=2", game, seed=0)
        judge.choose(position)
        assert judge.analysis is not None
        assert judge.analysis.value is not None
        assert abs(judge.analysis.value[position.to_move] - 0.5) <= MARGIN
    again = list(itertools.islice(balanced(game, "minimax:depth=2", "random", 4, 1), 5))
    assert [p.actions for p in again] == [p.actions for p in found]


def test_an_agent_that_does_not_evaluate_is_refused():
    with pytest.raises(UsageError, match="random does not evaluate positions"):
        next(balanced(meeple.make("hex", size=3), "random", "random", 1, 1))
