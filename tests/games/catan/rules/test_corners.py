"""Edge cases of Catan's compiled rules that random games beside the oracle seldom reach.

`test_oracle.py` compares legal actions and all facts after every ply of random games; here are the
short bank, the last pieces, awards after a cut, what each seat sees of the robber, and the end.
"""

import pytest

from meeple.games.catan.belief.events import UNSEEN
from meeple.games.catan.rules import state as c
from tests.games.catan.rules.islands import (
    deal,
    draw,
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
from tests.naive.catan_positions import DESERT, LAYOUT, PORTS, RING, SHORE, tile_of

WOOD_2, BRICK_3, WOOL_3 = (tile_of(*tile) for tile in ((c.WOOD, 2), (c.BRICK, 3), (c.WOOL, 3)))
CARD = {"wool": 1, "grain": 1, "ore": 1}
SETTLEMENT = {"wood": 1, "brick": 1, "wool": 1, "grain": 1}
INLAND = [i for i in range(30) if len(VERTEX_EDGES[SHORE[i]]) == 3]
"""Vertices of the coast that a road from inland reaches."""


# ---------------------------------------------------------------- the bank


@pytest.mark.parametrize(
    ("left", "cities", "settlements", "got"),
    [
        (0, {1: 1}, {2: 1}, {}),  # the bank lacks cards for both: nobody gets any
        (2, {1: 1}, {2: 1}, {}),
        (3, {1: 1}, {2: 1}, {1: 2, 2: 1}),  # exactly the last cards
        (0, {1: 1}, {1: 2}, {}),  # a single player gets the rest
        (3, {1: 1}, {1: 2}, {1: 3}),
        (4, {1: 1}, {1: 2}, {1: 4}),
    ],
)
def test_short_bank_pays_only_a_single_player_that_is_due(left, cities, settlements, got):
    position = in_turn()
    deal(position, 3, wood=19 - left)
    corners = iter(TILE_VERTICES[WOOD_2][::2])
    for seat in cities:
        put(position, seat, cities=[next(corners)])
    for seat, count in settlements.items():
        put(position, seat, settlements=[next(corners) for _ in range(count)])
    roll(position, 2)
    assert [hand(position, seat).get("wood", 0) for seat in (1, 2)] == [
        got.get(1, 0),
        got.get(2, 0),
    ]
    assert position.state.bank[c.WOOD] == left - sum(got.values())


def test_shortage_of_one_resource_does_not_affect_others_of_the_roll():
    position = in_turn()
    deal(position, 3, brick=18)
    put(position, 1, settlements=[TILE_VERTICES[BRICK_3][0], TILE_VERTICES[WOOL_3][1]])
    put(position, 2, settlements=[TILE_VERTICES[BRICK_3][4]])
    roll(position, 3)
    assert hands(position)[1:3] == [{"wool": 1}, {}]


@pytest.mark.parametrize(
    ("port", "held", "takes", "rate"),
    [
        (None, 3, 0, 4),
        (None, 4, 3, 4),
        ("any", 3, 3, 3),
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


# ---------------------------------------------------------------- seven, and the robber


def test_hand_above_seven_discards_half_rounded_down_before_the_robber_moves():
    position = in_turn()
    position.state.on_turn = position.state.to_move = 1
    for seat, cards in enumerate(({"ore": 9}, {"wood": 8}, {"grain": 7})):
        deal(position, seat, **cards)
    roll(position, 7)
    order = []
    while position.state.phase == c.DISCARD:
        assert not legal_names(position, "robber")
        order.append(position.to_move)
        (name,) = legal_names(position)
        (seen, *others) = events_of(position, name)
        assert all(other.hands.tolist() == seen.hands.tolist() for other in others)
        assert seen.hands[order[-1]].sum() == -1
    assert order == [1] * 4 + [0] * 4
    assert position.to_move == 1
    assert len(legal_names(position, "robber")) == len(legal_names(position)) == 18
    assert hands(position) == [{"ore": 5}, {"wood": 4}, {"grain": 7}, {}]
    assert position.state.bank.tolist() == [15, 19, 19, 12, 14]


def test_only_opponents_with_a_building_at_the_tile_and_a_card_are_robbed():
    position, corners = in_turn(), TILE_VERTICES[WOOD_2]
    put(position, 0, settlements=[corners[0]])
    put(position, 1, settlements=[corners[2]])
    put(position, 2, cities=[corners[4]])
    put(position, 3, settlements=[TILE_VERTICES[18][3]])  # far away
    for seat in (0, 2, 3):
        deal(position, seat, ore=1)
    roll(position, 7)
    play(position, f"robber {WOOD_2}", "stole ore")
    assert hands(position) == [{"ore": 2}, {}, {}, {"ore": 1}]
    position.state.robber = DESERT
    deal(position, 1, wool=1)
    deal(position, 2, wool=1)
    roll(position, 7)
    play(position, f"robber {WOOD_2}")
    assert legal_names(position) == {"rob player 2", "rob player 3"}


def test_only_thief_and_victim_see_the_stolen_card():
    position = in_turn()
    put(position, 1, settlements=[TILE_VERTICES[WOOD_2][0]])
    deal(position, 1, wood=1, wool=1)
    roll(position, 7)
    play(position, f"robber {WOOD_2}")
    views = []
    for name in ("wool", "wood"):
        twin = position.copy()
        seen, card = events_of(twin, f"stole {name}"), c.RESOURCES.index(name)
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


# ---------------------------------------------------------------- roads and pieces


def test_road_continues_an_own_road_or_building_but_not_past_an_opponents():
    position = in_turn()
    deal(position, 0, wood=1, brick=1)
    assert not legal_names(position, "road")
    put(position, 0, roads=[RING[0]])
    put(position, 1, settlements=[SHORE[1]])
    before = {f"road {edge}" for edge in VERTEX_EDGES[SHORE[0]] if edge != RING[0]}
    assert legal_names(position, "road") == before
    put(position, 0, roads=[RING[2]])  # reaches the same building from the other side
    assert f"road {RING[1]}" in legal_names(position, "road")
    put(position, 1, cities=[SHORE[2]])
    assert f"road {RING[1]}" not in legal_names(position, "road")
    put(position, 0, settlements=[SHORE[10]])
    assert {f"road {edge}" for edge in VERTEX_EDGES[SHORE[10]]} <= legal_names(position, "road")


def test_pieces_are_limited_and_a_city_returns_its_settlement():
    position = in_turn(victory_points=20)
    deal(position, 0, wood=4, brick=4, wool=4, grain=4, ore=3)
    put(position, 0, settlements=[SHORE[i] for i in (0, 2, 4, 6, 8)], roads=RING[8:22])
    assert legal_names(position, "road")
    assert not legal_names(position, "settlement")  # despite sites and cards
    put(position, 0, roads=RING[22:23])
    assert not legal_names(position, "road")
    play(position, f"city {SHORE[0]}")
    assert hand(position, 0) == {"wood": 4, "brick": 4, "wool": 4, "grain": 2}
    assert legal_names(position, "settlement")
    put(position, 0, cities=[SHORE[i] for i in (22, 24, 26)])
    deal(position, 0, grain=2, ore=3)
    assert position.state.cities[0] == 0
    assert not legal_names(position, "city")


def build_roads(position, seat, edges):
    for edge in edges:
        deal(position, seat, wood=1, brick=1)
        take_turn(position, seat, f"road {edge}")


def cut(position, seat, place):
    """Let the seat, coming from inland, settle on the coast within another player's road."""
    put(position, seat, roads=[edge for edge in VERTEX_EDGES[SHORE[place]] if edge not in RING])
    deal(position, seat, **SETTLEMENT)
    take_turn(position, seat, f"settlement {SHORE[place]}")


def award(position):
    """Return the lengths of all roads and the holder of the longest."""
    s = position.state
    return s.road_length[: s.players].tolist(), int(s.longest_road)


def test_longest_road_needs_five_and_its_holder_keeps_it_in_a_tie():
    position = in_turn(players=2)
    put(position, 0, settlements=[SHORE[0]])
    put(position, 1, settlements=[SHORE[15]])
    build_roads(position, 0, RING[:4])
    assert award(position) == ([4, 0], c.NO_SEAT)
    build_roads(position, 0, RING[4:5])
    build_roads(position, 1, RING[15:20])
    assert award(position) == ([5, 5], 0)
    build_roads(position, 1, RING[20:21])
    assert award(position) == ([5, 6], 1)


@pytest.mark.parametrize(
    ("own", "rivals", "holder"),
    [
        (5, {1: 5}, 0),  # the holder keeps it while among the longest
        (5, {1: 6}, 1),  # and loses it to a unique longer road
        (4, {1: 5, 2: 5}, c.NO_SEAT),  # nobody holds it in a tie of others
        (4, {1: 4}, c.NO_SEAT),  # nor without a road of five
        (4, {3: 6}, 3),  # the player who cuts the road may receive it
    ],
)
def test_award_after_a_cut_that_leaves_a_part_of_the_longest_road(own, rivals, holder):
    position = in_turn()
    place = next(i for i in INLAND if i >= 3)
    put(position, 0, settlements=[SHORE[0]])
    build_roads(position, 0, RING[: place + own])
    for start, (seat, length) in zip((12, 20), rivals.items(), strict=False):
        put(position, seat, settlements=[SHORE[start]])
        build_roads(position, seat, RING[start : start + length])
    assert position.state.longest_road == 0
    cut(position, 3, place)
    lengths = [own, *(rivals.get(seat, 0) for seat in (1, 2, 3))]
    assert award(position) == ([*lengths[:3], max(lengths[3], 1)], holder)
    if len(rivals) > 1:
        build_roads(position, 0, RING[place + own : place + own + 1])
        assert position.state.longest_road == c.NO_SEAT  # the former holder has no priority
        build_roads(position, 2, RING[25:26])
        assert position.state.longest_road == 2


# ---------------------------------------------------------------- winning


@pytest.mark.parametrize("drawn", ["victory point", "knight"])
@pytest.mark.parametrize("goal", [3, 4])
def test_victory_point_card_wins_in_the_turn_of_its_purchase_and_is_revealed(drawn, goal):
    position = in_turn(victory_points=goal)
    put(position, 0, settlements=[SHORE[0], SHORE[2]])
    deal(position, 0, **CARD)
    play(position, "buy card", f"drew {drawn}")
    won = goal == 3 and drawn == "victory point"
    assert position.is_over == won
    assert ("3 points" in position.game.view(position, 2)) == won


def test_awards_are_worth_two_points_at_once_even_before_the_dice():
    army, road = in_turn(victory_points=3), in_turn(victory_points=3)
    put(army, 0, settlements=[SHORE[0]])
    army.state.played[0, c.KNIGHT] = 2
    army.state.phase, army.state.rolled = c.ROLL, False
    draw(army, 0, c.KNIGHT)
    play(army, "play knight")
    put(road, 0, settlements=[EDGE_VERTICES[RING[0]][0]], roads=RING[:4])
    deal(road, 0, wood=1, brick=1)
    play(road, f"road {RING[4]}")
    for position in (army, road):
        assert position.payoffs.tolist() == [1, 0, 0, 0]


def test_points_gained_in_anothers_turn_win_at_the_start_of_the_own_turn():
    position = in_turn(players=3, victory_points=3)
    put(position, 0, settlements=[SHORE[0]], roads=RING[:4])
    put(position, 2, settlements=[SHORE[15]], roads=RING[15:20])
    position.state.longest_road = 0
    place = next(i for i in INLAND if 1 <= i < 4)
    put(position, 1, roads=[edge for edge in VERTEX_EDGES[SHORE[place]] if edge not in RING])
    position.state.on_turn = position.state.to_move = 1
    deal(position, 1, **SETTLEMENT)
    play(position, f"settlement {SHORE[place]}")  # cuts player 1's road
    assert position.state.longest_road == 2
    assert (position.to_move, position.is_over) == (1, False)  # player 3 has three points
    play(position, "end turn")
    assert position.payoffs.tolist() == [0, 0, 1]


def test_points_lost_before_the_own_turn_do_not_win():
    position = in_turn(players=3, victory_points=3)
    put(position, 2, settlements=[SHORE[15]])
    position.state.longest_road = 2
    play(position, "end turn")
    assert (position.to_move, position.is_over) == (1, False)
    position.state.longest_road = c.NO_SEAT
    play(position, "roll", "rolled 12", "end turn")
    assert (position.to_move, position.is_over) == (2, False)


def test_win_is_shared_by_points_after_the_last_turn_unless_the_next_seat_has_won():
    for longest_road, shares in ((c.NO_SEAT, [1 / 3, 2 / 3]), (1, [0, 1])):
        position = in_turn(players=2, max_turns=1, victory_points=4)
        put(position, 0, settlements=[SHORE[0]])
        put(position, 1, cities=[SHORE[4]])
        position.state.longest_road = longest_road
        play(position, "end turn")
        assert position.payoffs.tolist() == pytest.approx(shares)


def test_points_payoff_includes_hidden_points():
    position = in_turn(players=2, victory_points=3, payoff="points")
    put(position, 0, settlements=[SHORE[0]])
    put(position, 1, cities=[SHORE[4]], settlements=[SHORE[8]])
    draw(position, 0, c.VICTORY_POINT)
    play(position, "end turn")
    assert position.payoffs.tolist() == pytest.approx([2 / 5, 3 / 5])
