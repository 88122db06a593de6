"""What is to be blocked, in positions known by eye."""

import copy

import meeple
from meeple.studies.gomoku import STUDY, blocking_positions, must_block
from tests.naive.gomoku import NaiveGomoku

GOMOKU = meeple.make("gomoku", size=6, in_a_row=4)


def after(moves, game=GOMOKU):
    position = game.start()
    for move in moves.split():
        position.play(position.parse_action(move))
    return position


def test_a_three_that_is_open_at_one_end_is_blocked_there():
    position = after("a1 a6 b1 c6 c1")  # O to move; X threatens d1
    assert position.action_name(must_block(position)) == "d1"


def test_a_three_open_at_both_ends_cannot_be_blocked():
    assert must_block(after("b3 a6 c3 c6 d3")) is None


def test_who_can_win_need_not_block():
    assert must_block(after("a1 a6 b1 b6 c1 c6 f4")) is None


def test_nothing_is_to_block_at_the_start():
    assert must_block(GOMOKU.start()) is None


def after_action(naive, action):
    twin = copy.deepcopy(naive)
    twin.play(action)
    return twin


def test_found_positions_are_so_by_the_rule_book():
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


def test_its_experiments_are_told_apart_by_name():
    names = [experiment.name for experiment in STUDY.experiments]
    assert len(set(names)) == len(names)
