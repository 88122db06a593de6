"""Openings differ while the game has different ones, and never end it."""

import meeple
from meeple.arena.plan.openings import openings


def test_start_position_comes_first_then_single_moves_then_pairs():
    game = meeple.make("hex", size=3)
    found = [opening.actions for opening in openings(game, 40, seed=1)]
    assert found[0] == ()
    assert sorted(found[1:10]) == [(cell,) for cell in range(9)]
    assert {len(actions) for actions in found[10:]} == {2}
    assert len(set(found)) == 40


def test_two_move_openings_are_spread_over_the_first_moves():
    game = meeple.make("hex", size=3)
    firsts = [opening.actions[0] for opening in openings(game, 28, seed=1)[10:]]
    assert sorted(firsts) == sorted([*range(9)] * 2)


def test_order_of_openings_depends_only_on_the_seed():
    game = meeple.make("hex", size=5)
    assert openings(game, 9, seed=1) == openings(game, 9, seed=1) != openings(game, 9, seed=2)


def test_no_opening_ends_the_game_and_a_small_game_repeats_them():
    game = meeple.make("nim", stones=3, take=2)
    found = openings(game, 10, seed=1)
    assert len(found) == 10
    assert {opening.actions for opening in found} == {(), (0,), (1,), (0, 0)}
    assert not any(opening.position(game).is_over for opening in found)


def test_zero_openings_are_an_empty_list():
    assert openings(meeple.make("nim"), 0, seed=1) == []
