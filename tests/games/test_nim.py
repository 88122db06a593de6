"""Nim: effects of moves, and refused options."""

import pytest

from meeple.errors import OptionError
from meeple.games.contract.registry import make
from tests.games.moves import names_of


@pytest.mark.parametrize(
    ("options", "move", "before", "after"),
    [
        ({"stones": 5, "take": 3}, "take 3", "take 1,take 2,take 3", "take 1,take 2"),
        (
            {"heaps": "1,2"},
            "take 2 from b",
            "take 1 from a,take 1 from b,take 2 from b",
            "take 1 from a",
        ),
    ],
)
def test_move_takes_at_most_the_limit_and_the_stones_of_a_heap(options, move, before, after):
    position = make("nim", **options).start()
    assert names_of(position) == before.split(",")
    position.play(move)
    assert names_of(position) == after.split(",")


@pytest.mark.parametrize(("misere", "payoffs"), [(False, [0, 1]), (True, [1, 0])])
def test_last_stone_wins_or_loses_in_misere(misere, payoffs):
    position = make("nim", stones=3, misere=misere).start()
    for move in ("take 1", "take 2"):
        position.play(move)
    assert position.payoffs.tolist() == payoffs


@pytest.mark.parametrize("heaps", ["1,,2", "0,3", "a", "1001", "1," * 16 + "1"])
def test_invalid_heaps_are_refused_by_name(heaps):
    with pytest.raises(OptionError, match="heaps"):
        make("nim", heaps=heaps)


def test_limit_above_every_heap_is_refused():
    with pytest.raises(OptionError, match="at most the largest heap, 5"):
        make("nim", heaps="5,4", take=9)


def test_empty_option_is_accepted_as_it_is_displayed():
    assert make("nim", heaps="empty") == make("nim")
