"""Menus list every legal action once, by its effect, and typed text selects it."""

import pytest

import meeple
from meeple.games.boards.menu import Menu, menu_of, spans
from meeple.games.contract import capabilities


def menu(**groups):
    """Return the menu of a position with these groups of actions."""
    named = {title.replace("_", " "): actions for title, actions in groups.items()}
    return menu_of(named)


def test_a_game_without_groups_has_no_menu():
    assert menu_of(capabilities.action_groups(meeple.make("hex", size=3).start())) is None
    assert menu() is None


def test_groups_are_numbered_and_a_group_of_one_selects_its_action():
    shown = menu(build_a_road={"30": 4, "31": 5}, end_the_turn={"": 9}, build_a_city={"7": 2})
    assert shown.text(80).splitlines() == [
        "  1  build a road: 30, 31",
        "  2  end the turn",
        "  3  build a city: 7",
    ]
    assert shown.prompt == "your choice (1-3)"
    assert (shown.choose("2"), shown.choose("End  the turn"), shown.choose("3")) == (9, 9, 2)
    assert (shown.choose("4"), shown.choose("30"), shown.only) == (None, None, None)


def test_places_are_selected_by_their_numbers_on_the_board():
    roads = menu(build_a_road={"30": 4, "31": 5}, end={"": 9}).choose("1")
    assert isinstance(roads, Menu)
    assert roads.prompt == "build a road (30, 31)"
    assert roads.text(80) == ""
    assert (roads.choose("31"), roads.choose("1")) == (5, None)


def test_other_choices_are_selected_by_number_or_by_words():
    shown = menu(discard={"wood": 4, "ore": 8})  # with only one group, its choices are the menu
    assert shown.text(80) == "discard: (1) wood, (2) ore"
    assert (shown.choose("2"), shown.choose("Ore"), shown.choose("3")) == (8, 8, None)


def test_single_action_is_reported_as_the_only_one():
    assert menu(roll_the_dice={"": 3}).only == 3


def test_menu_lines_fit_the_width():
    many = {f"{n} wood for 1 ore": n for n in range(40)}
    shown = menu(trade=many, end={"": 50})
    for text in (shown.text(40), shown.choose("1").text(40)):
        assert max(map(len, text.splitlines())) <= 40


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([3], "3"), ([1, 2], "1, 2"), ([9, 0, 1, 2, 7], "0-2, 7, 9"), (range(54), "0-53")],
)
def test_consecutive_numbers_are_abbreviated(numbers, words):
    assert spans(numbers) == words
