"""Explanations of a position are checked: words, shape, seat, and spots of the board."""

import pytest

from meeple.games.boards.scene import rows
from meeple.games.check.looks import (
    MAX_PARSED,
    action_names_are_unique_and_parse_back,
    explanations_are_sentences_about_spots_of_the_scene,
    the_terminal_shows_a_seat_what_its_scene_shows,
)
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract.capabilities import LINE, Explanation
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make
from meeple.games.hex.game import Hex
from tests.search import coin


def test_of_many_actions_some_names_are_parsed(monkeypatch):
    parsed, parse = [], Hex.parse_action

    def counted(game, position, name):
        parsed.append(name)
        return parse(game, position, name)

    monkeypatch.setattr(Hex, "parse_action", counted)
    action_names_are_unique_and_parse_back(GameWalk(make("hex", size=19), seconds=0))
    assert 0 < len(parsed) <= MAX_PARSED


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


def seat_aware(**attributes):
    """Return `Coin`, in which seat 1 sees the coin, with a scene that shows it to that seat."""

    def scene(game, position, seat=None):
        known = seat == 1 and position.state.coin >= 0
        return rows({"coin": ["heads" if known else "?"]}, {})

    kind = type("Own", (coin.Coin,), {"scene": scene, "draw": Game.draw, **attributes})
    kind.__module__ = coin.__name__
    return kind()


@pytest.mark.parametrize("attributes", [{}, {"draw": coin.Coin.draw}])
def test_the_terminal_shows_a_seat_its_own_cards(attributes):
    game = seat_aware(**attributes)
    position = game.start()
    position.play(0)
    assert [game.view(position, seat) for seat in range(2)] == ["coin ?", "coin heads"]
    the_terminal_shows_a_seat_what_its_scene_shows(GameWalk(game))


def test_a_seat_aware_scene_without_resample_is_reported():
    with pytest.raises(CheckFailure, match="searches see the whole state"):
        the_terminal_shows_a_seat_what_its_scene_shows(GameWalk(seat_aware(hides=False)))


def test_seats_may_see_an_open_game_from_their_own_sides():
    game = seat_aware(perfect_information=True)
    the_terminal_shows_a_seat_what_its_scene_shows(GameWalk(game))
