"""Edge cases of Catan's compiled rules: building, the setup, and the longest road."""

import pytest

from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from tests.games.catan.rules.islands import BOARD, deal, hand, in_turn, legal_names, play, put
from tests.naive.catan_island import EDGE_VERTICES, TILE_VERTICES, VERTEX_EDGES, VERTEX_VERTICES
from tests.naive.catan_positions import DESERT, LAYOUT, RING, SHORE

SETTLEMENT = {"wood": 1, "brick": 1, "wool": 1, "grain": 1}
INLAND = [i for i in range(30) if len(VERTEX_EDGES[SHORE[i]]) == 3]
"""Vertices of the coast that a road from inland reaches."""


def build_roads(position, seat, edges):
    """Pay for roads, place them in this seat's turn, and restore the turn."""
    s = position.state
    back = s.on_turn, s.to_move
    s.on_turn = s.to_move = seat
    for edge in edges:
        deal(position, seat, wood=1, brick=1)
        play(position, f"road {edge}")
    s.on_turn, s.to_move = back


def cut(position, seat, place):
    """Let the seat, coming from inland, settle on the coast within another player's road."""
    s = position.state
    inland = [edge for edge in VERTEX_EDGES[SHORE[place]] if edge not in RING]
    put(position, seat, roads=inland)
    back = s.on_turn, s.to_move
    s.on_turn = s.to_move = seat
    deal(position, seat, **SETTLEMENT)
    play(position, f"settlement {SHORE[place]}")
    s.on_turn, s.to_move = back


def lengths(position):
    return position.state.road_length[: position.state.players].tolist()


# ---------------------------------------------------------------- 7: legal sites


def test_settlement_needs_an_own_road_and_no_adjacent_building():
    position = in_turn()
    deal(position, 0, **SETTLEMENT)
    assert not legal_names(position, "settlement")
    put(position, 0, roads=RING[:3])
    put(position, 1, settlements=[SHORE[0]], roads=RING[6:9])
    sites = {f"settlement {SHORE[2]}", f"settlement {SHORE[3]}"}
    assert legal_names(position, "settlement") == sites
    play(position, f"settlement {SHORE[2]}")
    assert hand(position, 0) == {}
    assert position.state.vertex[SHORE[2]] == 1


def test_settlement_may_not_be_adjacent_to_an_own_building_or_a_city():
    position = in_turn()
    deal(position, 0, **SETTLEMENT)
    put(position, 0, settlements=[SHORE[0]], roads=RING[:6])
    put(position, 1, cities=[SHORE[5]])
    sites = {f"settlement {SHORE[2]}", f"settlement {SHORE[3]}"}
    assert legal_names(position, "settlement") == sites


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


def test_occupied_sites_are_not_legal():
    position = in_turn()
    deal(position, 0, **SETTLEMENT)
    put(position, 0, roads=[RING[0]])
    put(position, 1, roads=[RING[1], RING[29]])
    assert not {f"road {RING[1]}", f"road {RING[29]}"} & legal_names(position, "road")


# ---------------------------------------------------------------- 8: pieces


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


def test_city_is_built_only_on_an_own_settlement():
    position = in_turn()
    deal(position, 0, grain=2, ore=3)
    put(position, 0, settlements=[SHORE[0], SHORE[4]], cities=[SHORE[8]])
    put(position, 1, settlements=[SHORE[12]])
    assert legal_names(position, "city") == {f"city {SHORE[0]}", f"city {SHORE[4]}"}


# ---------------------------------------------------------------- 9: the setup


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup_order_is_a_snake_and_roads_touch_the_new_settlement(players):
    position = Catan(board=BOARD, players=players).start(0)
    order = []
    for vertex in (*SHORE[0:16:4], *TILE_VERTICES[DESERT][0:6:2], SHORE[20])[: 2 * players]:
        order.append(position.to_move)
        taken = set(VERTEX_VERTICES[vertex]) | {vertex}
        play(position, f"settlement {vertex}")
        assert position.to_move == order[-1]
        assert legal_names(position) == {f"road {edge}" for edge in VERTEX_EDGES[vertex]}
        play(position, f"road {VERTEX_EDGES[vertex][0]}")
        if position.state.phase == c.SETTLE:
            assert not legal_names(position) & {f"settlement {place}" for place in taken}
    assert order == [*range(players), *reversed(range(players))]
    assert (position.to_move, legal_names(position)) == (0, {"roll"})


def test_only_the_second_settlement_yields_a_card_of_each_adjacent_tile():
    position = Catan(board=BOARD, players=2).start(0)
    second = TILE_VERTICES[DESERT][0]  # adjacent to the desert and two terrains
    lands = [LAYOUT.tiles[t] for t in TOPOLOGY.vertex_tiles[second].tolist() if t != DESERT]
    for place in (SHORE[0], SHORE[4]):
        play(position, f"settlement {place}", f"road {VERTEX_EDGES[place][0]}")
    assert not position.state.hand.any()
    play(position, f"settlement {second}")
    assert sorted(hand(position, 1)) == sorted(c.RESOURCES[land] for land in lands)
    assert sum(hand(position, 1).values()) == len(lands) == 2
    assert hand(position, 0) == {}


# ---------------------------------------------------------------- 10: the longest road


def test_longest_road_needs_five_roads():
    position = in_turn()
    put(position, 0, settlements=[SHORE[0]])
    build_roads(position, 0, RING[:4])
    assert (lengths(position)[0], position.state.longest_road) == (4, c.NO_SEAT)
    build_roads(position, 0, RING[4:5])
    assert (lengths(position)[0], position.state.longest_road) == (5, 0)


def test_trail_uses_each_edge_once_and_vertices_repeatedly():
    position = in_turn()
    beside = next(int(tile) for tile in TOPOLOGY.tile_tiles[DESERT] if tile >= 0)
    one, two = ({int(e) for e in TOPOLOGY.tile_edges[t]} for t in (DESERT, beside))
    put(position, 0, roads=sorted(one | two)[1:])
    build_roads(position, 0, sorted(one | two)[:1])
    assert lengths(position)[0] == 11  # both hexagons and the edge between, in one stroke
    assert position.state.longest_road == 0


def test_ring_with_a_tail_counts_fully_and_a_fork_by_its_two_longest_arms():
    position = in_turn()
    circle = TOPOLOGY.tile_edges[DESERT].tolist()
    tail = next(e for e in VERTEX_EDGES[TILE_VERTICES[DESERT][0]] if e not in circle)
    put(position, 0, roads=circle)
    build_roads(position, 0, [tail])
    assert lengths(position)[0] == 7

    position = in_turn()
    middle = TILE_VERTICES[DESERT][0]
    put(position, 0, settlements=[middle])
    build_roads(position, 0, VERTEX_EDGES[middle])
    assert lengths(position)[0] == 2


def test_opponents_building_breaks_a_road_and_an_own_one_does_not():
    position = in_turn()
    put(position, 0, settlements=[SHORE[0], SHORE[4]], roads=RING[:7])
    assert len(RING[:7]) == 7
    build_roads(position, 0, RING[7:8])
    assert lengths(position)[0] == 8
    place = next(i for i in INLAND if i >= 2)
    cut(position, 1, place)
    assert lengths(position)[0] == 8 - place
    assert position.state.vertex[SHORE[place]] == 2


def test_road_that_ends_at_an_opponents_building_counts():
    position = in_turn()
    put(position, 0, settlements=[SHORE[2]], roads=RING[2:4])
    put(position, 1, settlements=[SHORE[0]])
    put(position, 2, cities=[SHORE[5]])
    build_roads(position, 0, [RING[4], RING[1], RING[0]])  # up to a building at either end
    assert lengths(position)[0] == 5
    assert position.state.longest_road == 0


def test_road_cut_by_an_opponents_building_counts_on_each_side_separately():
    position = in_turn()
    put(position, 0, settlements=[SHORE[0]], roads=RING[:9])
    build_roads(position, 0, RING[9:10])
    place = next(i for i in INLAND if i >= 5)
    cut(position, 1, place)
    assert lengths(position)[0] == max(place, 10 - place)
    assert position.state.longest_road == 0


# ---------------------------------------------------------------- 11: the holder


def test_holder_keeps_the_award_in_a_tie_and_loses_it_to_a_longer_road():
    position = in_turn(players=2)
    put(position, 0, settlements=[SHORE[0]])
    put(position, 1, settlements=[SHORE[15]])
    build_roads(position, 0, RING[:5])
    build_roads(position, 1, RING[15:20])
    assert (lengths(position), position.state.longest_road) == ([5, 5], 0)
    build_roads(position, 1, RING[20:21])
    assert (lengths(position), position.state.longest_road) == ([5, 6], 1)


def with_roads_to_cut(own, rivals, **options):
    """Return a position in which cutting player 1's longest road leaves `own` roads of it."""
    position = in_turn(**options)
    place = next(i for i in INLAND if i >= 3)
    put(position, 0, settlements=[SHORE[0]])
    build_roads(position, 0, RING[: place + own])
    assert place < 5
    for seat, (start, length) in rivals.items():
        put(position, seat, settlements=[SHORE[start]])
        build_roads(position, seat, RING[start : start + length])
    assert position.state.longest_road == 0
    return position, place


def test_holder_keeps_the_award_after_a_cut_while_among_the_longest():
    position, place = with_roads_to_cut(5, {1: (15, 5)}, players=3)
    cut(position, 2, place)
    assert lengths(position)[:2] == [5, 5]
    assert position.state.longest_road == 0


def test_holder_cut_below_a_unique_longest_road_loses_the_award():
    position, place = with_roads_to_cut(5, {1: (15, 6)}, players=3)
    cut(position, 2, place)
    assert lengths(position)[:2] == [5, 6]
    assert position.state.longest_road == 1


def test_award_has_no_holder_until_a_tie_among_others_is_broken():
    position, place = with_roads_to_cut(4, {1: (12, 5), 2: (20, 5)}, players=4)
    cut(position, 3, place)
    assert lengths(position)[:3] == [4, 5, 5]
    assert position.state.longest_road == c.NO_SEAT
    build_roads(position, 0, RING[place + 4 : place + 5])
    assert lengths(position)[:3] == [5, 5, 5]  # the former holder has no priority
    assert position.state.longest_road == c.NO_SEAT
    build_roads(position, 2, RING[25:26])
    assert position.state.longest_road == 2


def test_award_has_no_holder_without_a_road_of_five():
    position, place = with_roads_to_cut(4, {1: (15, 4)}, players=3)
    cut(position, 2, place)
    assert lengths(position)[:2] == [4, 4]
    assert position.state.longest_road == c.NO_SEAT


def test_player_who_cuts_the_road_may_receive_the_award():
    position, place = with_roads_to_cut(4, {1: (15, 6)}, players=2)
    cut(position, 1, place)
    assert lengths(position) == [4, 6]
    assert position.state.longest_road == 1


def test_longest_road_is_worth_two_points():
    position = in_turn(victory_points=3)
    put(position, 0, settlements=[EDGE_VERTICES[RING[0]][0]], roads=RING[:4])
    deal(position, 0, wood=1, brick=1)
    play(position, f"road {RING[4]}")
    assert position.is_over
    assert position.payoffs.tolist() == [1, 0, 0, 0]
