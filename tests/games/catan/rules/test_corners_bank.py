"""Edge cases of Catan's compiled rules: production and the bank, sevens and the robber."""

import itertools

import pytest

from meeple.games.catan.belief.events import UNSEEN, event
from meeple.games.catan.rules import state as c
from meeple.kernels import CHANCE
from tests.games.catan.rules.islands import deal, draw, hand, in_turn, legal_names, play, put, roll
from tests.naive.catan_island import EDGE_VERTICES, TILE_VERTICES
from tests.naive.catan_positions import DESERT, LAYOUT, PORTS, tile_of

WOOD_2, BRICK_3, WOOL_3 = (tile_of(*tile) for tile in ((c.WOOD, 2), (c.BRICK, 3), (c.WOOL, 3)))
BARE = [tile for tile in range(19) if tile != DESERT]


# ---------------------------------------------------------------- 1: the bank runs short


def with_wood_left(left):
    """Return a position with `left` wood in the bank, and the corners of the wood tile 2."""
    position = in_turn()
    deal(position, 3, wood=19 - left)
    return position, TILE_VERTICES[WOOD_2]


@pytest.mark.parametrize("left", [0, 1, 2])
def test_two_players_get_nothing_if_the_bank_lacks_cards_for_both(left):
    position, corners = with_wood_left(left)
    put(position, 1, cities=[corners[0]])
    put(position, 2, settlements=[corners[2]])
    roll(position, 2)
    assert (hand(position, 1), hand(position, 2)) == ({}, {})
    assert position.state.bank[c.WOOD] == left


def test_two_players_can_get_exactly_the_last_cards_of_the_bank():
    position, corners = with_wood_left(3)
    put(position, 1, cities=[corners[0]])
    put(position, 2, settlements=[corners[2]])
    roll(position, 2)
    assert (hand(position, 1), hand(position, 2)) == ({"wood": 2}, {"wood": 1})
    assert position.state.bank[c.WOOD] == 0


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_single_player_gets_the_rest_if_the_bank_lacks_cards(left):
    position, corners = with_wood_left(left)
    put(position, 1, settlements=[corners[0], corners[4]], cities=[corners[2]])
    roll(position, 2)
    assert hand(position, 1) == ({"wood": left} if left else {})
    assert position.state.bank[c.WOOD] == 0


def test_shortage_of_one_resource_does_not_affect_others_of_the_roll():
    position = in_turn()
    deal(position, 3, brick=18)
    put(position, 1, settlements=[TILE_VERTICES[BRICK_3][0], TILE_VERTICES[WOOL_3][1]])
    put(position, 2, settlements=[TILE_VERTICES[BRICK_3][4]])
    roll(position, 3)
    assert (hand(position, 1), hand(position, 2)) == ({"wool": 1}, {})


# ---------------------------------------------------------------- 2: production


def test_settlement_produces_one_a_city_two_and_the_robbers_tile_nothing():
    position, corners = in_turn(), TILE_VERTICES[WOOD_2]
    put(position, 1, settlements=[corners[0]])
    put(position, 2, cities=[corners[3]])
    roll(position, 2)
    assert (hand(position, 1), hand(position, 2)) == ({"wood": 1}, {"wood": 2})
    position.state.robber = WOOD_2
    roll(position, 2)
    assert (hand(position, 1), hand(position, 2)) == ({"wood": 1}, {"wood": 2})


def test_desert_never_produces_even_with_the_robber_elsewhere():
    position = in_turn()
    position.state.robber = WOOD_2
    home = TILE_VERTICES[DESERT][0]
    put(position, 1, settlements=[home])
    for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        roll(position, total)
    tiles = zip(LAYOUT.tiles, TILE_VERTICES, strict=True)
    lands = [c.RESOURCES[land] for land, at in tiles if land is not None and home in at]
    assert sorted(hand(position, 1)) == sorted(lands)
    assert sum(hand(position, 1).values()) == len(lands) == 2


# ---------------------------------------------------------------- 3: trade with the bank


@pytest.mark.parametrize(
    ("port", "held", "takes", "rate"),
    [
        (None, 3, 0, 4),
        (None, 4, 3, 4),
        ("any", 2, 0, 3),
        ("any", 3, 3, 3),
        ("wood", 1, 0, 2),
        ("wood", 2, 3, 2),
        ("brick", 3, 0, 4),  # a 2:1 port of another resource
    ],
)
def test_bank_trades_at_the_best_owned_rate_for_different_available_resources(
    port, held, takes, rate
):
    position = in_turn()
    kinds = {"any": None, "wood": c.WOOD, "brick": c.BRICK}
    if port:
        edge = next(edge for edge in PORTS if LAYOUT.ports[edge] == kinds[port])
        put(position, 0, settlements=[EDGE_VERTICES[edge][0]])
        put(position, 1, settlements=[EDGE_VERTICES[PORTS[-1]][0]])  # a port of another player
    deal(position, 0, wood=held)
    deal(position, 2, ore=19)
    trades = {f"{rate} wood for 1 {name}" for name in ("brick", "wool", "grain")}
    assert legal_names(position, str(rate)) == (trades if takes else set())
    if takes:
        play(position, f"{rate} wood for 1 grain")
        assert position.state.hand[0].tolist() == [held - rate, 0, 0, 1, 0]
        assert position.state.bank.tolist() == [19 - held + rate, 19, 19, 18, 0]


def test_two_to_one_port_applies_only_to_its_resource():
    position = in_turn()
    ends = [EDGE_VERTICES[edge][0] for edge in PORTS[:2]]  # a 3:1 port and the wood port
    put(position, 0, settlements=ends[:1], cities=ends[1:])
    deal(position, 0, wood=3, wool=3)
    assert legal_names(position, "2") == {
        f"2 wood for 1 {r}" for r in ("brick", "wool", "grain", "ore")
    }
    assert legal_names(position, "3") == {
        f"3 wool for 1 {r}" for r in ("wood", "brick", "grain", "ore")
    }


# ---------------------------------------------------------------- 4: seven


def test_hand_above_seven_discards_half_rounded_down_before_the_robber_moves():
    position = in_turn()
    position.state.on_turn = position.state.to_move = 1
    deal(position, 0, ore=9)
    deal(position, 1, wood=8)
    deal(position, 2, grain=7)
    roll(position, 7)
    order = []
    while position.state.phase == c.DISCARD:
        assert not legal_names(position, "robber")
        order.append(position.to_move)
        play(position, *legal_names(position))
    assert order == [1] * 4 + [0] * 4
    assert position.to_move == 1
    assert len(legal_names(position, "robber")) == len(legal_names(position)) == 18
    assert [sum(hand(position, seat).values()) for seat in range(4)] == [5, 4, 7, 0]
    assert position.state.bank.tolist() == [15, 19, 19, 12, 14]


@pytest.mark.parametrize(("limit", "held", "left"), [(5, 6, 3), (5, 5, 5), (9, 9, 9), (9, 11, 6)])
def test_hand_limit_is_an_option(limit, held, left):
    position = in_turn(discard_limit=limit)
    deal(position, 2, ore=held)
    roll(position, 7)
    while position.state.phase == c.DISCARD:
        play(position, "discard ore")
    assert hand(position, 2) == {"ore": left}


def test_any_cards_may_be_discarded_in_one_order_only():
    position = in_turn()
    deal(position, 0, wood=2, brick=1, grain=3, ore=3)
    roll(position, 7)
    found = []

    def discard(position):
        if position.state.phase != c.DISCARD:
            found.append(tuple(position.state.hand[0].tolist()))
            return
        for name in legal_names(position):
            twin = position.copy()
            play(twin, name)
            discard(twin)

    discard(position)
    ways = itertools.product(range(3), range(2), range(1), range(4), range(4))
    kept = {(2 - a, 1 - b, 0, 3 - d, 3 - e) for a, b, _, d, e in ways if a + b + d + e == 4}
    assert sorted(found) == sorted(kept)


def test_discards_are_public():
    position = in_turn()
    deal(position, 1, wood=8)
    roll(position, 7)
    before = position.row.copy()
    play(position, "discard wood")
    for seat in range(4):
        seen = event(before, position.actions[-1], position.row, seat)
        assert seen.hands[1].tolist() == [-1, 0, 0, 0, 0]


def test_seven_has_no_effect_without_the_robber():
    position = in_turn(robber=False)
    deal(position, 1, wood=9)
    roll(position, 7)
    assert position.state.phase == c.MAIN
    assert hand(position, 1) == {"wood": 9}


# ---------------------------------------------------------------- 5: the robber


def test_robber_moves_to_any_other_tile_including_the_desert():
    position = in_turn()
    roll(position, 7)
    assert legal_names(position) == {f"robber {tile}" for tile in BARE}
    play(position, "robber 3")
    roll(position, 7)
    assert legal_names(position) == {f"robber {tile}" for tile in range(19) if tile != 3}
    play(position, f"robber {DESERT}")
    assert position.state.robber == DESERT


def test_only_opponents_with_a_building_at_the_tile_and_a_card_are_robbed():
    position, corners = in_turn(), TILE_VERTICES[WOOD_2]
    put(position, 0, settlements=[corners[0]])
    put(position, 1, settlements=[corners[2]])
    put(position, 2, cities=[corners[4]])
    put(position, 3, settlements=[TILE_VERTICES[18][3]])  # far away
    for seat in (0, 2, 3):
        deal(position, seat, ore=1)
    roll(position, 7)
    play(position, f"robber {WOOD_2}")
    assert (position.to_move, position.state.phase) == (CHANCE, c.STEAL)
    play(position, "stole ore")
    assert [hand(position, seat) for seat in (0, 2)] == [{"ore": 2}, {}]
    position.state.robber = DESERT
    deal(position, 1, wool=1)
    deal(position, 2, wool=1)
    roll(position, 7)
    play(position, f"robber {WOOD_2}")
    assert legal_names(position) == {"rob player 2", "rob player 3"}


def test_stolen_card_is_uniform_over_the_victims_cards():
    position = in_turn()
    put(position, 1, settlements=[TILE_VERTICES[WOOD_2][0]])
    deal(position, 1, wood=1, wool=4, ore=2)
    roll(position, 7)
    play(position, f"robber {WOOD_2}")
    outcomes, chances = position.chance_outcomes()
    assert outcomes.tolist() == [c.WOOD, c.WOOL, c.ORE]
    assert chances.tolist() == pytest.approx([1 / 7, 4 / 7, 2 / 7])


def test_only_thief_and_victim_see_the_stolen_card():
    position = in_turn()
    put(position, 1, settlements=[TILE_VERTICES[WOOD_2][0]])
    deal(position, 1, wood=1, wool=1)
    roll(position, 7)
    play(position, f"robber {WOOD_2}")
    before = position.row.copy()
    views = []
    for name in ("wool", "wood"):
        twin = position.copy()
        play(twin, f"stole {name}")
        seen = [event(before, twin.actions[-1], twin.row, seat) for seat in range(4)]
        card = c.RESOURCES.index(name)
        assert [e.stolen for e in seen] == [card, card, UNSEEN, UNSEEN]
        assert {(e.thief, e.victim) for e in seen} == {(0, 1)}
        assert not any(e.hands.any() for e in seen)
        views.append([twin.observation(seat).tolist() for seat in range(4)])
    assert [one == two for one, two in zip(*views, strict=True)] == [False, False, True, True]


def test_friendly_robber_spares_players_with_two_public_points():
    position, corners = in_turn(friendly_robber=True), TILE_VERTICES[WOOD_2]
    put(position, 1, settlements=[corners[0], corners[2]])
    put(position, 2, settlements=[corners[4]], cities=[TILE_VERTICES[18][3]])
    draw(position, 1, c.VICTORY_POINT)  # a third point, but not a public one
    deal(position, 1, ore=1)
    deal(position, 2, ore=1)
    roll(position, 7)
    play(position, f"robber {WOOD_2}")
    assert (position.state.phase, position.state.victim) == (c.STEAL, 2)


# ---------------------------------------------------------------- 6: no victim, and the knight


def test_robber_steals_nothing_without_a_possible_victim():
    position = in_turn()
    put(position, 0, settlements=[TILE_VERTICES[WOOD_2][0]])
    put(position, 1, settlements=[TILE_VERTICES[WOOD_2][2]])  # this player has no card
    deal(position, 0, ore=1)
    deal(position, 2, ore=1)
    roll(position, 7)
    before = position.state.hand.copy()
    play(position, f"robber {WOOD_2}")
    assert (position.to_move, position.state.phase) == (0, c.MAIN)
    assert (position.state.hand == before).all()


@pytest.mark.parametrize(("rolled", "after"), [(False, c.ROLL), (True, c.MAIN)])
def test_knight_moves_the_robber_and_steals_without_discards(rolled, after):
    position = in_turn()
    position.state.phase, position.state.rolled = (c.MAIN if rolled else c.ROLL), rolled
    draw(position, 0, c.KNIGHT)
    put(position, 1, settlements=[TILE_VERTICES[WOOD_2][0]])
    deal(position, 1, wool=12)
    play(position, "play knight")
    assert legal_names(position) == {f"robber {tile}" for tile in BARE}
    play(position, f"robber {WOOD_2}", "stole wool")
    assert position.state.hand[:2].sum(axis=1).tolist() == [1, 11]
    assert (position.to_move, position.state.phase) == (0, after)
    assert "roll" in legal_names(position) or rolled
