"""Edge cases of Catan's cards and trade that random games beside the oracle seldom reach."""

import pytest

from meeple.games.catan.belief.events import NO_ONE, UNSEEN, event
from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.rules import state as c
from tests.games.catan.rules.islands import (
    deal,
    draw,
    end_of_round,
    events_of,
    hand,
    hands,
    in_turn,
    legal_names,
    play,
    put,
    roll,
    take_turn,
)  # fmt: skip
from tests.naive.catan_island import EDGE_VERTICES, TILE_VERTICES, VERTEX_EDGES
from tests.naive.catan_positions import DESERT, RING, SHORE

CARD = {"wool": 1, "grain": 1, "ore": 1}

# ---------------------------------------------------------------- development cards

PLAYABLE = {
    c.KNIGHT: "play knight",
    c.ROAD_BUILDING: "play road building",
    c.YEAR_OF_PLENTY: "play year of plenty",
    c.MONOPOLY: "play monopoly",
}


def test_largest_army_needs_three_played_knights_and_strictly_more_to_change_holder():
    position = in_turn()
    draw(position, 2, c.KNIGHT, c.KNIGHT, c.KNIGHT, c.KNIGHT)  # held, not played
    holders = []
    for seat in (0, 1, 0, 1, 0, 1, 1, 0, 0):
        position.state.card_played = False
        draw(position, seat, c.KNIGHT)
        tile = 0 if position.state.robber else DESERT
        take_turn(position, seat, "play knight", f"robber {tile}")
        holders.append(int(position.state.largest_army))
    assert holders == [-1, -1, -1, -1, 0, 0, 1, 1, 0]
    assert position.state.played[:2, c.KNIGHT].tolist() == [5, 4]


@pytest.mark.parametrize("card", PLAYABLE)
def test_card_is_not_playable_in_the_turn_of_its_purchase_unless_an_older_one_is_held(card):
    position = in_turn()
    put(position, 0, settlements=[TILE_VERTICES[DESERT][0]])
    deal(position, 0, **CARD)
    play(position, "buy card", f"drew {c.CARDS[card]}")
    assert hand(position, 0) == {}
    assert not legal_names(position, "play")
    older = position.copy()
    draw(older, 0, card)
    assert legal_names(older, PLAYABLE[card])
    end_of_round(position)
    assert legal_names(position, PLAYABLE[card])


@pytest.mark.parametrize("card", PLAYABLE)
def test_one_card_a_turn_is_playable_before_or_after_the_dice(card):
    position = in_turn()
    put(position, 0, settlements=[TILE_VERTICES[DESERT][0]])
    draw(position, 0, card, c.KNIGHT, c.MONOPOLY)
    position.state.phase, position.state.rolled = c.ROLL, False
    words = {c.YEAR_OF_PLENTY: " wood ore", c.MONOPOLY: " ore"}
    play(position, PLAYABLE[card] + words.get(card, ""))
    while position.state.phase in (c.FREE_ROADS, c.ROBBER):
        position.play(int(position.legal_actions()[0]))
    assert legal_names(position) == {"roll"}
    play(position, "roll", "rolled 12")
    assert not legal_names(position, "play")
    end_of_round(position)
    assert {"play knight", "play monopoly ore"} <= legal_names(position)


def test_road_building_places_the_last_piece_and_needs_one():
    position = in_turn(victory_points=20)
    draw(position, 0, c.ROAD_BUILDING, c.ROAD_BUILDING)
    assert not legal_names(position, "play")  # no site for a road
    put(position, 0, roads=RING[:14])
    play(position, "play road building", f"road {RING[14]}")
    assert (position.to_move, position.state.phase) == (0, c.MAIN)
    assert position.state.roads[0] == 0
    position.state.card_played = False
    assert not legal_names(position, "play")


def test_road_building_places_one_road_on_the_last_site():
    position = in_turn()
    draw(position, 0, c.ROAD_BUILDING)
    home = TILE_VERTICES[DESERT][0]
    far, *blocked = VERTEX_EDGES[home]
    put(position, 0, settlements=[home])
    put(position, 1, settlements=[sum(EDGE_VERTICES[far]) - home], roads=blocked)
    play(position, "play road building", f"road {far}")
    assert (position.state.phase, position.state.free_roads) == (c.MAIN, 0)


@pytest.mark.parametrize(
    ("bank", "taken"),
    [
        ([0, 1, 0, 2, 0], {"brick grain", "grain grain"}),
        ([1, 1, 0, 0, 0], {"wood brick"}),
        ([0, 0, 2, 0, 0], {"wool wool"}),
        ([0, 0, 0, 0, 1], {"ore"}),
        ([0, 0, 0, 0, 0], set()),
    ],
)
def test_year_of_plenty_takes_cards_that_the_bank_has(bank, taken):
    position = in_turn()
    draw(position, 0, c.YEAR_OF_PLENTY)
    deal(position, 3, **{name: 19 - n for name, n in zip(c.RESOURCES, bank, strict=True)})
    assert legal_names(position, "play") == {f"play year of plenty {cards}" for cards in taken}
    if taken == {"ore"}:
        play(position, "play year of plenty ore")
        assert hand(position, 0) == {"ore": 1}
        assert not position.state.bank.any()


def test_monopoly_takes_all_of_one_resource_publicly():
    position = in_turn()
    draw(position, 0, c.MONOPOLY)
    for seat, count in enumerate((1, 2, 0, 4)):
        deal(position, seat, wool=count, ore=1)
    for seen in events_of(position, "play monopoly wool"):
        assert seen.monopoly == c.WOOL
        assert seen.hands[:, c.WOOL].tolist() == [6, -2, 0, -4]
    assert position.state.hand[:4, c.WOOL].tolist() == [7, 0, 0, 0]
    assert position.state.hand[:4, c.ORE].tolist() == [1, 1, 1, 1]


def test_card_cannot_be_bought_from_an_empty_deck():
    position = in_turn()
    deal(position, 0, **CARD)
    assert "buy card" in legal_names(position)
    position.state.cards[3] += position.state.deck
    position.state.deck[:] = 0
    assert "buy card" not in legal_names(position)


def test_victory_point_card_is_visible_only_to_its_owner_and_never_played():
    position = in_turn()
    put(position, 0, settlements=[SHORE[0]])
    deal(position, 0, **CARD)
    play(position, "buy card")
    twins = {card: position.copy() for card in (c.VICTORY_POINT, c.KNIGHT)}
    for card, twin in twins.items():
        seen = events_of(twin, f"drew {c.CARDS[card]}")
        assert [e.drawn for e in seen] == [card, UNSEEN, UNSEEN, UNSEEN]
        assert {e.draws for e in seen} == {0}
    for seat in range(4):
        looks = {twin.observation(seat).tobytes() for twin in twins.values()}
        views = {twin.game.view(twin, seat) for twin in twins.values()}
        assert len(looks) == len(views) == (1 if seat else 2)
    position = twins[c.VICTORY_POINT]
    end_of_round(position)
    assert not legal_names(position, "play")
    roll(position, 11)
    assert position.state.cards[0, c.VICTORY_POINT] == 1


# ---------------------------------------------------------------- trade between players


def position_before_an_offer():
    """Return a position with two wood for player 1, and the ore it wants with players 2 and 4."""
    position = in_turn()
    for seat, cards in enumerate(({"wood": 2}, {"ore": 2}, {"grain": 1}, {"ore": 1, "wool": 1})):
        deal(position, seat, **cards)
    return position


def test_offerer_chooses_one_of_several_acceptances_or_none():
    position = position_before_an_offer()
    before = hands(position)
    play(position, "offer wood", "ask ore", "propose", "accept", "refuse", "accept")
    assert position.to_move == 0
    assert legal_names(position) == {"trade with player 2", "trade with player 4", "withdraw"}
    other = position.copy()
    play(position, "trade with player 4")
    assert hands(position) == [{"wood": 1, "ore": 1}, *before[1:3], {"wood": 1, "wool": 1}]
    play(other, "withdraw")
    assert hands(other) == before
    assert {position.state.phase, other.state.phase} == {c.MAIN}


def test_player_on_turn_can_accept_a_counter_offer_that_it_can_pay():
    position = position_before_an_offer()
    play(position, "offer wood", "ask ore", "propose")
    assert legal_names(position) == {"refuse", "accept", "offer ore"}
    play(position, "offer ore")
    assert legal_names(position) == {"offer ore", "refuse"} | {
        f"ask {name}" for name in ("wood", "brick", "wool", "grain")
    }
    play(position, "ask wood", "ask wood")
    assert legal_names(position) == {"propose", "refuse"}  # player 1 has only two cards
    play(position, "propose", "offer grain", "ask brick", "propose", "refuse")
    assert position.to_move == 0
    assert legal_names(position) == {"trade with player 2", "withdraw"}  # no brick for player 3
    play(position, "trade with player 2")
    assert hands(position)[:2] == [{"ore": 1}, {"wood": 2, "ore": 1}]


def test_number_of_offers_is_limited_per_turn():
    position = position_before_an_offer()
    for _ in range(c.MAX_OFFERS_PER_TURN):
        play(position, "offer wood", "withdraw")
    assert not legal_names(position, "offer")
    play(position, "end turn", "roll", "rolled 12")
    assert legal_names(position, "offer")


def test_offers_and_answers_are_public_and_an_acceptance_reveals_the_cards():
    position = position_before_an_offer()
    shown: list[tuple[int, tuple[int, ...]]] = []
    for name in ("offer wood", "ask ore", "propose", "refuse", "refuse", "accept"):
        seen = {(one.shows, tuple(one.shown)) for one in events_of(position, name)}
        shown += seen
        assert len(seen) == 1
    nothing = (NO_ONE, (0,) * 5)
    assert shown == [(0, (1, 0, 0, 0, 0)), *[nothing] * 4, (3, (0, 0, 0, 0, 1))]


def test_answers_of_other_seats_are_observed():
    position = position_before_an_offer()
    play(position, "offer wood", "ask ore", "propose", "accept", "refuse")
    other = position.copy()
    play(position, "accept")
    play(other, "refuse")
    for seat in range(4):
        assert (position.observation(seat) != other.observation(seat)).any()
        assert position.game.view(position, seat) != other.game.view(other, seat)


@pytest.mark.parametrize(("answer", "left"), [("accept", 1), ("refuse", 2)])
def test_acceptance_reveals_the_holder_of_a_stolen_card(answer, left):
    position = in_turn(players=3)
    put(position, 1, settlements=[SHORE[0]])
    belief, before = CatanBelief(2, 3), position.row.copy()
    for seat, cards in enumerate(({"wood": 1}, {"wool": 1, "ore": 1}, {"grain": 1})):
        deal(position, seat, **cards)
    belief.see(event(before, c.ROLL_DICE, position.row, 2))
    position.state.phase, position.state.to_move = c.STEAL, -1
    position.state.victim = 1
    turn = ("end turn", "roll", "rolled 12")
    for name in ("stole wool", *turn, *turn, "offer grain", "ask wool", "propose", answer):
        assert len(belief.joint_hands[0]) == (1 if name == "stole wool" else 2)
        belief.see(events_of(position, name)[2])
    assert len(belief.joint_hands[0]) == left
