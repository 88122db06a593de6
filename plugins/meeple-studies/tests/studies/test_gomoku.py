"""Forced blocks in Gomoku, in positions made by hand."""

import copy

import pytest

import meeple
from meeple_studies.gomoku import blocking_positions, must_block
from tests.naive.gomoku import NaiveGomoku

GOMOKU = meeple.make("gomoku", size=6, in_a_row=4)


def after(moves, game=GOMOKU):
    position = game.start()
    for move in moves.split():
        position.play(position.parse_action(move))
    return position


@pytest.mark.parametrize(
    ("moves", "block"),
    [
        ("a1 a6 b1 c6 c1", "d1"),  # O to move; X threatens d1
        ("b3 a6 c3 c6 d3", None),  # two open ends cannot be blocked
        ("a1 a6 b1 b6 c1 c6 f4", None),  # a player who can win need not block
        ("", None),
    ],
)
def test_a_three_with_one_open_end_is_blocked_there(moves, block):
    position = after(moves)
    found = must_block(position)
    assert (None if found is None else position.action_name(found)) == block


def after_action(naive, action):
    twin = copy.deepcopy(naive)
    twin.play(action)
    return twin


@pytest.mark.slow
def test_found_positions_agree_with_the_naive_rules():
    found = blocking_positions(GOMOKU, 10, seed=3)
    assert len(found) == 10
    for position, block in found:
        naive = NaiveGomoku(6, 4, exact=False)
        for action in position.actions:
            naive.play(action)
        mover = naive.to_move
        for action in naive.legal():
            mine = after_action(naive, action)
            assert mine.winner() != mover
            loses = any(after_action(mine, reply).winner() == 1 - mover for reply in mine.legal())
            assert loses == (action != block)
