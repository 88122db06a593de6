"""Trades as data convert to actions and back, and impossible ones are refused."""

import pytest

from meeple.errors import IllegalAction
from meeple.games.catan.rules import state as c
from meeple.games.catan.words.names import parse_offer
from meeple_studies.catan_trades import apply, to_actions, to_mapping
from tests.games.catan.positions import in_turn, plies

RICH = dict.fromkeys(c.RESOURCES, 4)
HANDS = {0: {"wool": 1}, 1: {"wood": 2}, 2: {"brick": 1, "ore": 1}}
FIRST = {"road": c.ROAD_AT, "settlement": c.SETTLEMENT_AT, "city": c.CITY_AT}


@pytest.mark.parametrize("seed", range(6))
def test_trades_of_random_games_convert_back_and_move_the_stated_cards(seed):
    found = set()
    for before, action, after in plies(seed, players=2 + seed % 3):
        if before.to_move < 0:
            continue
        trade = to_mapping(before, action)
        if trade is None:
            continue
        if action in (c.PLAY_KNIGHT, c.PLAY_ROADS):
            continue  # they have no effect before their choices
        pieces = [name for name in next(iter(trade.values())) if name in FIRST]
        at = action - FIRST[pieces[0]] if pieces else None
        assert to_actions(before, trade, at) == [action]
        for side, changes in trade.items():
            if side == "bank":
                change = (after.state.bank - before.state.bank).tolist()
            else:
                seat = int(side[1:])
                change = (after.state.hand[seat] - before.state.hand[seat]).tolist()
            assert change == [changes.get(resource, 0) for resource in c.RESOURCES]
        for resource in c.RESOURCES:
            assert sum(changes.get(resource, 0) for changes in trade.values()) == 0
        found |= {*trade} & {"bank"} | {*next(iter(trade.values()))} - {*c.RESOURCES}
        found |= {"seat"} if "bank" not in trade else set()
    assert found >= {"bank", "road", "settlement", "development card"}


def test_every_kind_of_trade_has_a_mapping():
    position = in_turn({0: RICH, 1: {"ore": 1}})
    position.state.cards[0, c.YEAR_OF_PLENTY] = 1
    maritime = {"P0": {"wood": -4, "ore": 1}, "bank": {"wood": 4, "ore": -1}}
    position.state.ports[0] = 0
    assert to_mapping(position, position.parse_action("4 wood for 1 ore")) == maritime
    assert to_mapping(position, c.BUY_CARD) == {
        "P0": {"wool": -1, "grain": -1, "ore": -1, "development card": 1},
        "bank": {"wool": 1, "grain": 1, "ore": 1},
    }
    assert to_mapping(position, position.parse_action("play year of plenty wood wood")) == {
        "P0": {"wood": 2, "year of plenty": -1},
        "bank": {"wood": -2},
    }
    for action in (*parse_offer(position, "2 wood for 1 ore"), c.ACCEPT):
        position.play(action)
    swap = {"P0": {"wood": -2, "ore": 1}, "P1": {"wood": 2, "ore": -1}}
    assert to_mapping(position, c.TRADE_WITH + 1) == swap
    assert to_mapping(position, c.WITHDRAW) is None


def test_trade_between_seats_is_offered_answered_and_executed():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 1}, 2: {"ore": 1}})
    apply(position, {"P0": {"wood": -2, "ore": +1}, "P2": {"wood": +2, "ore": -1}})
    assert position.state.hand[:3].tolist() == [[0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [2, 0, 0, 0, 0]]
    assert position.state.phase == c.MAIN


def test_purchase_defaults_to_its_cost_and_the_only_place():
    position = in_turn({0: {"grain": 2, "ore": 3}})
    position.state.vertex[position.state.vertex == 1] = [1, 0]  # one settlement remains
    apply(position, {"P0": {"city": 1}})
    assert position.state.hand[0].sum() == 0
    assert (position.state.vertex == 5).sum() == 1


def test_road_is_built_at_the_stated_edge():
    position = in_turn({0: {"wood": 1, "brick": 1}})
    site = int(position.legal_actions()[1]) - c.ROAD_AT
    apply(position, {"P0": {"road": 1}, "bank": {"wood": 1, "brick": 1}}, at=site)
    assert position.state.edge[site] == 1


def test_bought_card_is_drawn_by_chance():
    position = in_turn({0: RICH})
    apply(position, {"P0": {"development card": 1}})
    assert position.state.phase == c.DRAW


REFUSED = [
    ([("P0", "wood")], "a trade is a mapping of each side to what it gains or loses"),
    ({"P0": None}, "what P0 gains or loses is a mapping, not None"),
    ({"P0": {"wood": -1, "ore": 1}, "P1": "2 wood"}, "what P1 gains or loses is a mapping"),
    ({"P0": {"wood": None}}, "whole numbers of wood, not None"),
    ({"P0": {"wood": -(10**30), "ore": 1}, "P1": {"wood": 10**30, "ore": -1}}, "P0 holds 4 wood"),
    ({"P3": {"wood": 1}}, "'P3' is not a side of a trade; sides: P0, P1, P2, bank"),
    ({"P0": {"gold": 1}}, "P0 cannot trade 'gold', only wood, brick"),
    ({"P0": {"road": 1}, "bank": {"road": -1}}, "bank cannot trade 'road'"),
    ({"P0": {"wood": 0.5}}, "whole numbers of wood, not 0.5"),
    ({"P0": {"wood": True}}, "whole numbers"),
    ({}, "between P0, who is on turn, and one other side"),
    ({"P1": {"wood": -1}, "P2": {"wood": 1}}, "between P0"),
    ({"P0": {"wood": -2}, "P1": {"wood": 1}, "P2": {"wood": 1}}, "one other side"),
    ({"P0": {"wood": -2, "ore": 1}, "P1": {"wood": 1, "ore": -1}}, "wood does not balance"),
    ({"P0": {"wood": -4, "ore": 1}}, "wood does not balance: P0 -4, bank [+]0"),
    ({"P0": {"wood": -5, "ore": 1}, "P1": {"wood": 5, "ore": -1}}, "P0 holds 4 wood and cannot"),
    ({"P0": {"wood": -999, "ore": 1}, "P1": {"wood": 999, "ore": -1}}, "P0 holds 4 wood"),
    ({"P0": {"wood": -1, "ore": 2}, "P1": {"wood": 1, "ore": -2}}, "P1 holds 1 ore and cannot pay"),
    ({"P0": {"wood": -1}, "P1": {"wood": 1}}, "both sides of a trade give at least one card"),
    ({"P0": {"wood": -3, "ore": 1}, "bank": {"wood": 3, "ore": -1}}, "the bank takes 4 wood"),
    ({"P0": {"wood": -4, "ore": 2}, "bank": {"wood": 4, "ore": -2}}, "the bank gives one card"),
    ({"P0": {"wood": -4, "wool": 1}, "bank": {"wood": 4, "wool": -1}}, "bank holds 0 wool"),
    ({"P0": {"road": 2}}, "a purchase is of one piece or card, from the bank"),
    ({"P0": {"road": 1, "city": 1}}, "a purchase is of one piece"),
    ({"P0": {"road": 1, "wood": -1, "brick": -1}, "P1": {"wood": 1, "brick": 1}}, "from the bank"),
    ({"P0": {"road": 1, "wood": -2}}, "a road costs 1 wood, 1 brick"),
    ({"P0": {"road": 1}, "bank": {"wood": 2}}, "wood does not balance: P0 -1, bank [+]2"),
    ({"P0": {"road": 1}}, "say where for the road of P0; sites: "),
    ({"P0": {"city": 1}}, "P0 holds 0 grain and cannot pay 2"),
    ({"P0": {"year of plenty": -1, "ore": 1}, "bank": {"ore": -1}}, "holds no year of plenty card"),
]


@pytest.mark.parametrize(("trade", "sentence"), REFUSED, ids=str)
def test_impossible_trade_is_refused_in_a_sentence_without_effect(trade, sentence):
    position = in_turn({0: {"wood": 4, "brick": 4, "ore": 1}, 1: {"ore": 1}})
    position.state.ports[0] = 0
    position.state.bank[c.WOOL] = 0
    before = position.row.tobytes(), position.actions
    with pytest.raises(IllegalAction, match=sentence):
        apply(position, trade)
    assert (position.row.tobytes(), position.actions) == before


def refusal(position, trade, at=None):
    with pytest.raises(IllegalAction) as caught:
        to_actions(position, trade, at)
    return str(caught.value)


def test_trades_respect_stock_phase_and_options():
    position = in_turn({0: RICH, 1: RICH})
    road, swap = {"P0": {"road": 1}}, {"P0": {"wood": -1, "ore": 1}, "P1": {"wood": 1, "ore": -1}}
    assert "99 is no site for the road of P0" in refusal(position, road, 99)
    assert "settlement of P0; sites: none" in refusal(position, {"P0": {"settlement": 1}})
    assert "bought at a place" in refusal(position, swap, 3)
    position.state.roads[0] = 0
    assert refusal(position, road) == "P0 has no road left"
    position.state.deck[:] = 0
    assert "the deck has no development card left" in refusal(
        position, {"P0": {"development card": 1}}
    )
    position.state.offers = c.MAX_OFFERS_PER_TURN
    assert "begun 8 offers" in refusal(position, swap)
    position.state.phase = c.ROLL
    assert refusal(position, swap) == "before the dice, nothing is bought or traded"
    position.state.phase = c.ROBBER
    assert refusal(position, swap) == "P0 cannot trade while the game is at: robber"
    assert "without trade" in refusal(in_turn({0: RICH, 1: RICH}, domestic_trade=False), swap)
    assert "without development cards" in refusal(
        in_turn({0: RICH}, development_cards=False), {"P0": {"development card": 1}}
    )


def test_open_offer_is_settled_first_and_only_as_agreed():
    position = in_turn({0: RICH, 1: {"ore": 1}, 2: {"ore": 1}})
    for action in (*parse_offer(position, "2 wood for 1 ore"), c.ACCEPT, c.REFUSE):
        position.play(action)
    assert "an offer is open" in refusal(position, {"P0": {"development card": 1}})
    other = {"P0": {"wood": -1, "ore": 1}, "P1": {"wood": 1, "ore": -1}}
    assert refusal(position, other) == "P1 has not agreed to this trade"
    agreed = {"wood": -2, "ore": 1}
    assert to_actions(position, {"P0": agreed, "P1": {"wood": 2, "ore": -1}}) == [c.TRADE_WITH + 1]
    assert "P2 has not" in refusal(position, {"P0": agreed, "P2": {"wood": 2, "ore": -1}})


# ---------------------------------------------------------------- deals


ROUND = {"P0": {"wool": -1, "ore": 1}, "P1": {"wool": 1, "wood": -1}, "P2": {"wood": 1, "ore": -1}}


def test_mapping_of_several_players_is_played_as_a_deal():
    position = in_turn(HANDS, deals=True)
    actions = to_actions(position, ROUND)
    composed = position.copy()
    for action in actions[:-1]:
        composed.play(action)
    changes = composed.state.want.astype(int) - composed.state.give
    for seat in range(3):
        gains = dict(zip(c.RESOURCES, changes[seat].tolist(), strict=True))
        assert {name: gain for name, gain in gains.items() if gain} == ROUND[f"P{seat}"]
    apply(position, ROUND)
    composed.play(actions[-1])
    assert position.row.tobytes() == composed.row.tobytes()


def test_mapping_can_build_with_cards_of_other_players():
    position = in_turn(HANDS, deals=True)
    for action in (c.DEAL_GIVE + c.KINDS + c.WOOD, c.DEAL_GIVE + 2 * c.KINDS + c.BRICK):
        position.play(action)
    site = next(a for a in position.legal_actions().tolist() if c.ROAD_AT <= a < c.ROBBER_TO)
    mapping = {
        "P0": {"road": 1}, "P1": {"wood": -1}, "P2": {"brick": -1}, "bank": {"wood": 1, "brick": 1},
    }  # fmt: skip
    position = in_turn(HANDS, deals=True)
    apply(position, mapping, at=site - c.ROAD_AT)
    assert position.state.edge[site - c.ROAD_AT] == 1


@pytest.mark.parametrize(
    ("mapping", "more", "says"),
    [
        ({**ROUND, "P2": {"ore": -1}}, {}, "wood does not balance"),
        (
            {**ROUND, "P1": {"wool": 1, "wood": -2}, "bank": {"wood": 1}},
            {},
            "wood does not balance",
        ),
        ({"P0": {"wood": 1}, "P1": {"wood": -1}}, {"robber": 99}, "no place 99 for a robber"),
        (
            {"P0": {"wood": 1}, "P1": {"wood": -1}},
            {"robber": 3},
            "'robber 3' does not match the cards",
        ),
        ({"P0": {"wool": 1}, "P1": {"wool": -1}}, {"robber": 3}, "P1 holds 0 wool and cannot pay"),
        ({"P0": {"road": 1}, "P1": {"wood": -1}, "P2": {"brick": -1}}, {}, "and says where"),
        ({"P1": {"road": 1, "wood": -1}, "P2": {"brick": -1}}, {"at": 3}, "one road of P0"),
        ({"P0": {"city": 1, "road": 1}, "P1": {"wood": -1}, "P2": {}}, {"at": 3}, "has one of"),
    ],
)
def test_impossible_mapping_is_refused_without_effect(mapping, more, says):
    position = in_turn(HANDS, deals=True)
    before = position.copy()
    with pytest.raises(IllegalAction, match=says):
        apply(position, mapping, **more)
    assert position.row.tobytes() == before.row.tobytes()


def test_mapping_is_between_two_players_without_the_option():
    with pytest.raises(IllegalAction, match="one other side"):
        to_actions(in_turn(HANDS), ROUND)
    with pytest.raises(IllegalAction, match="only a deal or a knight moves the robber"):
        to_actions(in_turn(HANDS), {"P0": {"wool": -1}, "P1": {"wool": 1}}, robber=3)
