"""Openings differ while the game has different ones, and never end it."""

from collections import Counter

import numpy as np

import meeple
from meeple.arena.plan.openings import openings


def test_start_position_comes_first_then_single_moves_then_pairs():
    game = meeple.make("hex", size=3)
    found = [opening.actions for opening in openings(game, 40, seed=1)]
    assert found[0] == ()
    assert {len(actions) for actions in found[1:6]} == {1}
    assert {len(actions) for actions in found[6:]} == {2}
    assert len(set(found)) == 40
    assert sorted(Counter(actions[0] for actions in found[6:14]).values()) == [1, 1, 2, 2, 2]
    assert openings(game, 0, seed=1) == []


def test_openings_of_hex_are_different_under_its_rotation():
    game = meeple.make("hex", size=3)
    found = [opening.actions for opening in openings(game, 40, seed=1)]
    turned = [tuple(8 - action for action in actions) for actions in found]
    assert {min(actions[0], 8 - actions[0]) for actions in found[1:6]} == {0, 1, 2, 3, 4}
    assert [place for place, actions in enumerate(turned) if actions in found[:place]] == []


def test_every_position_of_reversi_up_to_symmetry_is_an_opening_once():
    game = meeple.make("reversi", size=6)
    positions = [game.start()]
    expected = {0: 1}
    for plies in range(1, 5):
        positions = [after(one, action) for one in positions for action in one.legal_actions()]
        expected[plies] = len({board_up_to_symmetry(one) for one in positions})
    count = sum(expected.values())
    found = Counter(len(opening.actions) for opening in openings(game, count + 1, seed=1))
    assert expected[3] == 14
    assert found == {**expected, 5: 1}


def after(position: meeple.Position, action: int) -> meeple.Position:
    changed = position.copy()
    changed.play(action)
    return changed


def board_up_to_symmetry(position: meeple.Position) -> bytes:
    board = position.observation(position.to_move)
    turned = [np.rot90(board, turns, (1, 2)) for turns in range(4)]
    return min(one.tobytes() for board in turned for one in (board, np.swapaxes(board, 1, 2)))


def test_positions_that_differ_by_the_last_stone_are_one_opening():
    game = meeple.make("gomoku", size=3, in_a_row=3)
    triples = [o.actions for o in openings(game, 60, seed=1) if len(o.actions) == 3]
    stones = [(frozenset(actions[::2]), actions[1]) for actions in triples]
    assert len(set(stones)) == len(stones) > 20


def test_order_of_openings_depends_only_on_the_seed():
    game = meeple.make("hex", size=5)
    assert openings(game, 9, seed=1) == openings(game, 9, seed=1) != openings(game, 9, seed=2)


def test_no_opening_ends_the_game_and_a_small_game_repeats_them():
    game = meeple.make("nim", stones=3, take=2)
    found = openings(game, 10, seed=1)
    assert len(found) == 10
    assert {opening.actions for opening in found} == {(), (0,), (1,), (0, 0)}
    assert not any(opening.position(game).is_over for opening in found)
