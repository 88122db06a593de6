"""Names of actions: unique, parsed back, and abbreviated in typed text."""

import pytest

from meeple.errors import IllegalAction
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.words import names
from tests.games.catan.positions import in_turn


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("s 12", "settlement 12"),
        ("S12", "settlement 12"),
        (" c  12 ", "city 12"),
        ("r30", "road 30"),
        ("Robber 9", "robber 9"),
        ("rob 2", "rob player 2"),
        ("ROLL", "roll"),
        ("end", "end turn"),
        ("endturn", "end turn"),
        ("buy", "buy card"),
        ("knight", "play knight"),
        ("road building", "play road building"),
        ("play year of plenty ore wood", "play year of plenty wood ore"),
        ("plenty wheat sheep", "play year of plenty wool grain"),
        ("monopoly ore", "play monopoly ore"),
        ("4 wood for ore", "4 wood for 1 ore"),
        ("discard lumber", "discard wood"),
        ("trade with 2", "trade with player 2"),
        ("yes", "accept"),
        ("no", "refuse"),
    ],
)
def test_abbreviated_names_are_parsed(typed, name):
    position = Catan().start(0)
    action = names.parse_action(position, typed)
    assert action is not None
    assert position.action_name(action) == name


@pytest.mark.parametrize(
    "typed", ["", "settlement", "s 54", "s -1", "road 72", "3 wood for 1 ore", "2 gold for 1 ore"]
)
def test_unknown_names_are_rejected(typed):
    assert names.parse_action(Catan().start(0), typed) is None


def test_maritime_trade_is_named_with_the_rate_of_the_ports():
    position = in_turn({0: {"wood": 4}})
    trade = c.MARITIME + c.WOOD * c.KINDS + c.ORE
    wood_port = 1 << (c.ANY_PORT + 1 + c.WOOD)
    for rate, ports in ((4, 0), (3, 1 << c.ANY_PORT), (2, 1 << c.ANY_PORT | wood_port)):
        position.state.ports[0] = ports
        assert position.action_name(trade) == f"{rate} wood for 1 ore"
        assert position.parse_action(f"{rate} wood for 1 ore") == trade


# ---------------------------------------------------------------- offers typed at once


def played(position, text):
    """Return the position after a whole offer."""
    for action in names.parse_offer(position, text):
        position.play(action)
    return position


@pytest.mark.parametrize(
    ("typed", "give", "want"),
    [
        ("2 wood for 1 ore", [2, 0, 0, 0, 0], [0, 0, 0, 0, 1]),
        ("offer brick and 2 Lumber for ORE, wheat", [2, 1, 0, 0, 0], [0, 0, 0, 1, 1]),
        ("wood wood for 2ore", [2, 0, 0, 0, 0], [0, 0, 0, 0, 2]),
    ],
)
def test_offer_typed_in_one_line_is_composed_and_proposed(typed, give, want):
    position = in_turn({0: {"wood": 2, "brick": 1}, 1: {"ore": 2}})
    s = played(position, typed).state
    assert s.phase == c.ANSWER
    assert (s.give[0].tolist(), s.want[0].tolist()) == (give, want)


def test_answering_player_may_type_a_counter_offer():
    for text in ("counter 1 ore for 2 wood", "1 ore for 2 wood"):
        position = played(in_turn({0: {"wood": 2}, 1: {"ore": 2}}), "1 wood for 1 ore")
        s = played(position, text).state
        assert s.answers[1] == c.COUNTERED
        assert s.give[1].tolist() == [0, 0, 0, 0, 1]
        assert s.want[1].tolist() == [2, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("2 wood", "typed as '2 wood for 1 ore'"),
        ("wood for ore for brick", "typed as"),
        ("2 gold for 1 ore", "'gold' is no resource; resources: wood, brick, wool, grain, ore"),
        ("wood ! for ore", "'!' is no resource"),
        ("2 for 1 ore", "no resource follows '2'"),
        ("0 wood for 1 ore", "both sides"),
        ("for ore", "both sides"),
        ("3 wood for 1 ore", "player 1 holds 2 wood and cannot give 3"),
        ("9999 wood for 1 ore", "no player holds 9999 cards"),
        ("1 wood for 1 brick and 1 wood", "has wood on both sides"),
        ("1 wood for 3 ore", "3 ore is too much: every other player holds 2 cards or fewer"),
        ("counter 1 wood for 1 ore", "no offer to counter"),
    ],
)
def test_impossible_offer_is_refused_in_a_sentence(typed, sentence):
    position = in_turn({0: {"wood": 2}, 1: {"ore": 2}})
    before = position.row.tobytes()
    with pytest.raises(IllegalAction, match=sentence):
        names.parse_offer(position, typed)
    assert position.row.tobytes() == before


def test_offers_need_the_right_phase_and_the_option():
    hands = {0: {"wood": 2}, 1: {"ore": 2}}
    tired = in_turn(hands)
    tired.state.offers = c.MAX_OFFERS_PER_TURN
    cases = [
        (in_turn(hands, domestic_trade=False), "wood for ore", "without trade"),
        (tired, "wood for ore", "begun 8 offers"),
        (Catan().start(0), "wood for ore", "after the dice"),
        (
            played(in_turn(hands), "1 wood for 1 ore"),
            "1 ore for 3 wood",
            "3 wood is too much: player 1 holds 2 cards",
        ),
    ]
    for position, typed, sentence in cases:
        with pytest.raises(IllegalAction, match=sentence):
            names.parse_offer(position, typed)
