"""Explanations of a position are checked: words, shape, seat, and spots of the board."""

import pytest

from meeple.games.check.looks import explanations_are_sentences_about_spots_of_the_scene
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract.capabilities import LINE, Explanation
from meeple.games.contract.registry import make
from meeple.games.hex.game import Hex


def check(monkeypatch, explain):
    monkeypatch.setattr(Hex, "explanations", lambda game, position, seat: [explain(position)])
    explanations_are_sentences_about_spots_of_the_scene(GameWalk(make("hex", size=3)))


def test_an_explanation_of_spots_on_the_board_is_accepted(monkeypatch):
    check(monkeypatch, lambda position: Explanation("row", "a row", ("0", "8"), 1, LINE, at="4"))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Explanation("", "a row"), "no kind or no sentence"),
        (Explanation("row", " "), "no kind or no sentence"),
        (Explanation("row", "a row", ("9",)), r"not on the board: \['9'\]"),
        (Explanation("row", "a row", at="c9"), r"not on the board: \['c9'\]"),
        (
            Explanation("row", "a row", shape="arrow"),
            "one of marks, line, area, numbers, not 'arrow'",
        ),
        (Explanation("row", "a row", player=2), "of the seat 2: it must be 0 to 1, or None"),
    ],
)
def test_a_wrong_explanation_is_reported(wrong, words, monkeypatch):
    with pytest.raises(CheckFailure, match=words):
        check(monkeypatch, lambda position: wrong)


def test_an_explanation_that_changes_the_position_is_reported(monkeypatch):
    def change(position):
        position.state.moves += 1
        return Explanation("row", "a row")

    with pytest.raises(CheckFailure, match="changes the state"):
        check(monkeypatch, change)
