"""The result of a game as one sentence."""

import pytest

from meeple.games.contract.result import outcome_of, percent, result_text, winners

NAMES = ["Ann", "Bob", "Cid"]
CASES = {
    (0.0, 1.0, 0.0): ("Bob wins", ["loss", "win", "loss"]),
    (0.4, 0.4, 0.2): ("Ann 40 %, Bob 40 %, Cid 20 %", ["shared", "shared", "loss"]),
    (1 / 3, 1 / 3, 1 / 3): ("a draw", ["draw", "draw", "draw"]),
    (0.996, 0.004, 0.0): ("Ann >99 %, Bob <1 %, Cid 0 %", ["win", "loss", "loss"]),
    (0.5, 0.3, 0.2): ("Ann 50 %, Bob 30 %, Cid 20 %", ["win", "loss", "loss"]),
}


@pytest.mark.parametrize("payoffs", CASES)
def test_text_and_outcomes_follow_the_payoffs(payoffs):
    text, outcomes = CASES[payoffs]
    assert result_text(payoffs, NAMES) == text
    assert [outcome_of(payoffs, seat) for seat in range(3)] == outcomes


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (0.001, "<1 %"),
        (0.43, "43 %"),
        (0.9999, ">99 %"),
        (1, "100 %"),
        (float("nan"), "-"),
    ],
)
def test_only_certain_results_are_printed_as_0_or_100_percent(share, text):
    assert percent(share) == text


def test_shares_that_differ_by_rounding_count_as_equal():
    assert winners([0.1 + 0.2, 0.3, 0.4 - 1e-16]) == [2]
    assert winners([1 / 3, 1 - 2 / 3, 1 / 3]) == [0, 1, 2]


def test_equal_names_are_distinguished_by_seat():
    assert result_text([0.0, 1.0], ["uct", "uct"]) == "uct (seat 2) wins"


def test_game_that_ended_outside_the_rules_names_the_reason():
    assert result_text([1.0, 0.0], NAMES[:2], 1, "resigned") == "Ann wins: Bob resigned"
    assert result_text(None, NAMES) == "broken off"
