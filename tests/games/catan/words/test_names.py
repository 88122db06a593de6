"""Names of actions: unique, parsed back, and abbreviated in typed text."""

import pytest

from meeple.errors import IllegalAction
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.words import names
from meeple.games.contract.records import record_of, replay
from tests.games.catan.positions import in_turn, plies


@pytest.mark.parametrize("options", [{}, {"players": 2, "hidden_hands": False}], ids=str)
@pytest.mark.slow
def test_names_of_actions_and_outcomes_are_unique_and_parse_back(options):
    for before, _, _ in plies(5, **options):
        legal = before.legal_actions().tolist()
        words = [before.action_name(action) for action in legal]
        assert len(set(words)) == len(words)
        assert all(word.isascii() and word == word.lower() for word in words)
        assert [before.parse_action(word) for word in words] == legal


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
    position.state.ports[0] = 0
    trade = c.MARITIME + c.WOOD * c.KINDS + c.ORE
    assert position.action_name(trade) == "4 wood for 1 ore"
    position.state.ports[0] = 1 << c.ANY_PORT
    assert position.action_name(trade) == "3 wood for 1 ore"
    position.state.ports[0] |= 1 << (c.ANY_PORT + 1 + c.WOOD)
    assert position.action_name(trade) == "2 wood for 1 ore"
    assert position.parse_action("2 wood for 1 ore") == trade


def test_recorded_game_replays_by_its_action_names():
    *_, (_, _, last) = plies(8, players=3)
    record = record_of(last, ("a", "b", "c"))
    assert replay(record).row.tobytes() == last.row.tobytes()


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
    with pytest.raises(IllegalAction, match="without trade"):
        names.parse_offer(in_turn(hands, domestic_trade=False), "wood for ore")
    position = in_turn(hands)
    position.state.offers = c.MAX_OFFERS_PER_TURN
    with pytest.raises(IllegalAction, match="begun 8 offers"):
        names.parse_offer(position, "wood for ore")
    with pytest.raises(IllegalAction, match="after the dice"):
        names.parse_offer(Catan().start(0), "wood for ore")
    position = played(in_turn(hands), "1 wood for 1 ore")
    with pytest.raises(IllegalAction, match="3 wood is too much: player 1 holds 2 cards"):
        names.parse_offer(position, "1 ore for 3 wood")
