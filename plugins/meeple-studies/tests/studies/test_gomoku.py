"""Forced blocks in Gomoku, in positions made by hand."""

import copy

import pytest

import meeple
from meeple_studies.gomoku import STUDY, blocking_positions, must_block
from tests.naive.gomoku import NaiveGomoku

GOMOKU = meeple.make("gomoku", size=6, in_a_row=4)


def after(moves, game=GOMOKU):
    position = game.start()
    for move in moves.split():
        position.play(position.parse_action(move))
    return position


def test_three_with_one_open_end_is_blocked_there():
    position = after("a1 a6 b1 c6 c1")  # O to move; X threatens d1
    assert position.action_name(must_block(position)) == "d1"


def test_three_with_two_open_ends_cannot_be_blocked():
    assert must_block(after("b3 a6 c3 c6 d3")) is None


def test_player_who_can_win_need_not_block():
    assert must_block(after("a1 a6 b1 b6 c1 c6 f4")) is None


def test_start_needs_no_block():
    assert must_block(GOMOKU.start()) is None


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


def test_experiments_have_different_names():
    names = [experiment.name for experiment in STUDY.experiments]
    assert len(set(names)) == len(names)
