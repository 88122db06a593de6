"""Menus of Catan: every legal action is listed, and typed text selects it."""

import pytest

from meeple.errors import IllegalAction
from meeple.games.boards.menu import menu_of
from meeple.games.catan.rules import state as c
from meeple.games.catan.words.drawing import draw
from meeple.games.contract import capabilities
from tests.games.catan.positions import in_turn, plies

RICH = dict.fromkeys(c.RESOURCES, 4)


def titles(position):
    return list(capabilities.action_groups(position))


def line(position, typed):
    """Return the actions that a typed line selects, at least one."""
    actions = capabilities.parse_line(position, typed)
    assert actions is not None
    return actions


def test_last_group_of_a_turn_ends_it():
    position = in_turn({0: RICH, 1: {"ore": 1}})
    position.state.ports[0] = 0
    position.state.cards[0] = 1
    offer = "offer a trade (type it: 2 wood for 1 ore), or first give"
    assert titles(position) == [
        "build a city",
        "build a road",
        "buy a development card",
        "play a knight",
        "play road building",
        "play year of plenty",
        "play monopoly",
        "trade with the bank",
        offer,
        "end the turn",
    ]
    groups = capabilities.action_groups(position)
    assert list(groups[offer]) == list(c.RESOURCES)
    assert "4 wood for 1 ore" in groups["trade with the bank"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_groups_contain_every_legal_action_once_and_places_are_labelled_on_the_board(seed):
    """The board has labels for the mover: 12 is a settlement, r12 a road, c12 a city, tile 12."""
    prefix = {"settlement": "", "road": "r", "city": "c", "tile": "tile "}
    for before, _, _ in plies(seed, players=2 + seed):
        groups = capabilities.action_groups(before)
        listed = sorted(action for group in groups.values() for action in group.values())
        assert listed == (sorted(before.legal_actions().tolist()) if before.to_move >= 0 else [])
        signs = [
            f"{prefix[title.split()[-1]]}{label}"
            for title, group in groups.items()
            if title.split()[-1] in prefix
            for label in group
        ]
        if signs:
            board = draw(before).partition("bank")[0].replace("'", " ").replace(".", " ")
            assert [sign for sign in signs if sign not in board] == []


def test_seats_are_selected_by_their_numbers():
    position = in_turn({1: {"ore": 1}, 2: {"ore": 1}})
    position.state.phase = c.VICTIM
    position.state.vertex[:] = 0
    position.state.vertex[0], position.state.vertex[8] = 2, 3  # players 2 and 3 at tile 0
    position.state.robber = 0
    menu = menu_of(capabilities.action_groups(position))
    assert menu is not None
    assert menu.prompt == "rob player (2, 3)"


def test_partners_are_listed_with_their_trades():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 2}, 2: {"ore": 1}})
    for typed in ("2 wood for 1 ore", "1 ore for 1 wood", "accept"):
        for action in line(position, typed):
            position.play(action)
    assert titles(position) == [
        "trade with player 2: 1 wood for 1 ore",
        "trade with player 3: 2 wood for 1 ore",
        "withdraw the offer",
    ]


# ---------------------------------------------------------------- typed lines


def discarding(hand, left):
    position = in_turn({0: hand})
    s = position.state
    s.phase, s.discards[0], s.last = c.DISCARD, left, 0
    return position


def test_discard_is_typed_in_one_line_in_any_order():
    position = discarding({"wood": 4, "ore": 6}, 5)
    actions = line(position, "discard 2 ore and 3 wood")
    assert [a - c.DISCARD_ONE for a in actions] == [c.WOOD] * 3 + [c.ORE] * 2
    for action in actions:
        position.play(action)
    assert position.state.hand[0].tolist() == [1, 0, 0, 0, 4]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("5 wood", "player 1 holds 4 wood and cannot discard 5"),
        ("3 wood 3 ore", "3 wood, 3 ore is too much: 5 to discard"),
        ("1 ore 1 wood", "name all 5 cards at once"),
        ("ore 2", "no resource follows '2'"),
        ("1 ore, 4 gold", "'gold' is no resource"),
    ],
)
def test_impossible_discard_is_refused_in_a_sentence(typed, sentence):
    position = discarding({"wood": 4, "ore": 6}, 5)
    with pytest.raises(IllegalAction, match=sentence):
        capabilities.parse_line(position, typed)


def test_other_text_is_not_read_as_a_discard():
    assert capabilities.parse_line(discarding(RICH, 5), "save my game") is None


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("3 wood for 1 ore", "the bank takes 4 wood from player 1 for a card, not 3"),
        ("4 brick for ore", "player 1 holds 0 brick and cannot give 4"),
        ("4 gold for 1 ore", "the bank trades one of wood, brick"),
        ("4 wood for 1 wood", "for another"),
        ("4 wood for 1 wool", "the bank has no wool left"),
    ],
)
def test_refused_bank_trade_states_the_reason(typed, sentence):
    hands = {0: {"wood": 4}, 1: {"wool": 19}}
    alone, with_others = in_turn(hands, domestic_trade=False), in_turn(hands)
    for position, words in ((alone, typed), (with_others, f"bank {typed}")):
        position.state.ports[0] = 0
        with pytest.raises(IllegalAction, match=sentence):
            line(position, words)


def test_trade_is_tried_with_the_bank_first():
    position = in_turn({0: {"wood": 4}, 1: {"ore": 1}})
    position.state.ports[0] = 0
    bank = [c.MARITIME + c.WOOD * c.KINDS + c.ORE]
    assert line(position, "4 wood for 1 ore") == bank
    assert line(position, "bank 4 wood for 1 ore") == bank
    assert line(position, "offer 4 wood for 1 ore")[-1] == c.PROPOSE


def test_help_lists_costs_and_the_players_rates():
    position = in_turn({0: RICH})
    position.state.ports[0] = 1 << (c.ANY_PORT + 1 + c.ORE)
    text = capabilities.guide(position)
    assert "city: 2 grain, 3 ore" in text
    assert "4 grain, 2 ore" in text
    assert "offered to all" in text
    assert "offered to all" not in capabilities.guide(in_turn({}, domestic_trade=False))
