"""Nim: effects of moves, and refused options."""

import pytest

from meeple.errors import OptionError
from meeple.games.contract.registry import make


def names(position):
    return [position.action_name(action) for action in position.legal_actions()]


def play(position, *moves):
    for move in moves:
        position.play(position.parse_action(move))
    return position


def test_move_takes_at_most_the_limit_and_the_stones_left():
    position = make("nim", stones=5, take=3).start()
    assert names(position) == ["take 1", "take 2", "take 3"]
    assert names(play(position, "take 3")) == ["take 1", "take 2"]


def test_last_stone_wins():
    assert play(make("nim", stones=3).start(), "take 1", "take 2").payoffs.tolist() == [0, 1]


def test_last_stone_loses_in_misere():
    position = play(make("nim", stones=3, misere=True).start(), "take 1", "take 2")
    assert position.payoffs.tolist() == [1, 0]


def test_move_takes_stones_from_one_heap():
    position = make("nim", heaps="1,2").start()
    assert names(position) == ["take 1 from a", "take 1 from b", "take 2 from b"]
    assert names(play(position, "take 2 from b")) == ["take 1 from a"]


@pytest.mark.parametrize("heaps", ["1,,2", "0,3", "a", "1001", "1," * 16 + "1"])
def test_invalid_heaps_are_refused_by_name(heaps):
    with pytest.raises(OptionError, match="heaps"):
        make("nim", heaps=heaps)


def test_limit_above_every_heap_is_refused():
    with pytest.raises(OptionError, match="at most the largest heap, 5"):
        make("nim", heaps="5,4", take=9)


def test_empty_option_is_accepted_as_it_is_displayed():
    assert make("nim", heaps="empty") == make("nim")
