"""Nim: what a move does, and which options are refused."""

import pytest

from meeple.errors import OptionError
from meeple.games.contract.registry import make


def names(position):
    return [position.action_name(action) for action in position.legal_actions()]


def play(position, *moves):
    for move in moves:
        position.play(position.parse_action(move))
    return position


def test_a_move_takes_up_to_the_limit_and_never_more_than_are_left():
    position = make("nim", stones=5, take=3).start()
    assert names(position) == ["take 1", "take 2", "take 3"]
    assert names(play(position, "take 3")) == ["take 1", "take 2"]


def test_the_last_stone_wins():
    assert play(make("nim", stones=3).start(), "take 1", "take 2").payoffs.tolist() == [0, 1]


def test_the_last_stone_loses_in_misere():
    position = play(make("nim", stones=3, misere=True).start(), "take 1", "take 2")
    assert position.payoffs.tolist() == [1, 0]


def test_stones_come_from_one_named_heap():
    position = make("nim", heaps="1,2").start()
    assert names(position) == ["take 1 from a", "take 1 from b", "take 2 from b"]
    assert names(play(position, "take 2 from b")) == ["take 1 from a"]


@pytest.mark.parametrize("heaps", ["1,,2", "0,3", "a", "1001", "1," * 16 + "1"])
def test_heaps_that_are_none_are_refused_by_name(heaps):
    with pytest.raises(OptionError, match="heaps"):
        make("nim", heaps=heaps)


def test_a_limit_above_every_heap_is_refused():
    with pytest.raises(OptionError, match="at most the largest heap, 5"):
        make("nim", heaps="5,4", take=9)


def test_an_empty_option_may_be_written_as_it_is_shown():
    assert make("nim", heaps="empty") == make("nim")
