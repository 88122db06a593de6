"""The Catan oracle on corner cases of building and the longest road."""

from meeple.games.catan.rules.topology import TOPOLOGY
from tests.naive.catan import NaiveCatan
from tests.naive.catan_island import EDGE_VERTICES, TILE_VERTICES, VERTEX_EDGES
from tests.naive.catan_positions import (
    DESERT,
    LAYOUT,
    RING,
    SHORE,
    build_roads,
    deal,
    in_turn,
    words,
)


def test_a_settlement_needs_an_own_road_and_no_adjacent_building():
    game = in_turn()
    deal(game, 0, wood=1, brick=1, wool=1, grain=1)
    assert "settlement" not in words(game)
    game.roads[0] = {RING[0], RING[1], RING[2]}
    game.settlements[1] = {SHORE[0]}
    sites = {place for word, *(place,) in game.legal() - {("end",)} if word == "settlement"}
    assert sites == {SHORE[2], SHORE[3]}
    game.play(("settlement", SHORE[2]))
    assert game.hands[0] == [0] * 5


def test_a_road_does_not_continue_through_an_opponents_building():
    game = in_turn()
    deal(game, 0, wood=1, brick=1)
    game.roads[0] = {RING[0]}
    assert ("road", RING[1]) in game.legal()
    game.settlements[1] = {SHORE[1]}
    assert ("road", RING[1]) not in game.legal()
    assert ("road", RING[-1]) in game.legal()
    game.roads[2] = {RING[-1]}
    assert ("road", RING[-1]) not in game.legal()


def test_pieces_are_limited_and_a_city_returns_its_settlement():
    game = in_turn(victory_points=20)
    deal(game, 0, wood=4, brick=4, wool=4, grain=4, ore=3)
    game.settlements[0] = {SHORE[i] for i in (0, 2, 4, 6, 8)}
    game.roads[0] = set(RING[8:23])
    assert not words(game) & {"road", "settlement"}
    game.play(("city", SHORE[0]))
    assert "settlement" in words(game)
    game.cities[0] = {SHORE[i] for i in (24, 26, 28, 22)}
    deal(game, 0, grain=2, ore=3)
    assert "city" not in words(game)


def test_setup_order_is_a_snake_and_the_second_settlement_pays_its_tiles():
    game = NaiveCatan(LAYOUT)
    order = []
    for vertex in (*SHORE[0:16:4], *TILE_VERTICES[DESERT][0:6:2], SHORE[20]):
        order.append(game.to_move)
        game.play(("settlement", vertex))
        assert game.to_move == order[-1]
        assert game.legal() == {("road", edge) for edge in VERTEX_EDGES[vertex]}
        game.play(("road", VERTEX_EDGES[vertex][0]))
    assert order == [0, 1, 2, 3, 3, 2, 1, 0]
    lands = int((TOPOLOGY.vertex_tiles[SHORE[20]] >= 0).sum())
    assert [sum(hand) for hand in game.hands] == [lands, 2, 2, 2]
    assert (game.to_move, game.phase) == (0, "before dice")


def cut(game, by, vertex):
    """Place a settlement at a vertex within another player's road."""
    game.on_turn, back = by, game.on_turn
    game.roads[by] |= {edge for edge in VERTEX_EDGES[vertex] if edge not in RING}
    deal(game, by, wood=1, brick=1, wool=1, grain=1)
    game.play(("settlement", vertex))
    game.on_turn = back


def inland(start):
    """Return a site on the coast, from `start` on, that a road from inland can reach."""
    return next(i for i in range(start, len(SHORE)) if len(VERTEX_EDGES[SHORE[i]]) == 3)


def test_the_longest_road_is_a_trail_that_may_repeat_vertices():
    game = in_turn()
    a, b = 9, next(int(t) for t in TOPOLOGY.tile_tiles[DESERT] if t >= 0)
    rings = [{int(e) for e in TOPOLOGY.tile_edges[t]} for t in (a, b)]
    game.settlements[0] = {EDGE_VERTICES[min(rings[0])][0]}
    edges = sorted(rings[0] | rings[1])
    game.roads[0] = set(edges[1:])
    build_roads(game, 0, edges[:1])
    assert game.road_length[0] == 11  # two hexagons that share an edge, as one trail
    assert game.longest_road == 0


def test_a_fork_counts_with_its_longest_branch():
    game = in_turn()
    middle = TILE_VERTICES[DESERT][0]
    game.settlements[0] = {middle}
    build_roads(game, 0, VERTEX_EDGES[middle])
    assert game.road_length[0] == 2


def test_a_building_interrupts_a_road_but_a_road_may_end_at_it():
    game = in_turn()
    game.settlements[0], game.settlements[1] = {SHORE[0]}, {SHORE[5]}
    build_roads(game, 0, RING[:5])
    assert (game.road_length[0], game.longest_road) == (5, 0)
    build_roads(game, 0, RING[-1:-4:-1])  # in the other direction from the first settlement
    assert game.road_length[0] == 8
    place = inland(1)
    cut(game, 2, SHORE[place])
    assert place in (2, 3)
    assert game.road_length[0] == 3 + place


def test_a_tie_keeps_the_holder_even_after_its_road_was_cut():
    game = in_turn(players=3)
    game.settlements[0], game.settlements[1] = {SHORE[0]}, {SHORE[15]}
    place = inland(1)
    build_roads(game, 0, RING[: place + 5])
    build_roads(game, 1, RING[15:20])
    assert game.road_length == [place + 5, 5, 0]
    cut(game, 2, SHORE[place])
    assert game.road_length[:2] == [5, 5]
    assert game.longest_road == 0


def test_a_holder_with_a_cut_road_loses_the_award_to_the_unique_longest():
    game = in_turn(players=3)
    game.settlements[0], game.settlements[1] = {SHORE[0]}, {SHORE[15]}
    place = inland(2)
    build_roads(game, 0, RING[: place + 4])
    build_roads(game, 1, RING[15:20])
    assert game.longest_road == 0
    cut(game, 2, SHORE[place])
    assert game.road_length[:2] == [4, 5]
    assert game.longest_road == 1


def test_a_tie_of_others_leaves_the_award_unassigned_until_one_is_unique():
    game = in_turn(players=4)
    game.settlements[0], game.settlements[1], game.settlements[2] = (
        {SHORE[0]},
        {SHORE[11]},
        {SHORE[19]},
    )
    place = inland(3)
    build_roads(game, 0, RING[: place + 3])
    build_roads(game, 1, RING[11:16])
    build_roads(game, 2, RING[19:24])
    cut(game, 3, SHORE[place])
    assert game.road_length[1:3] == [5, 5]
    assert game.road_length[0] < 5
    assert game.longest_road is None
    build_roads(game, 2, RING[24:25])
    assert game.longest_road == 2


def test_the_award_is_returned_if_no_trail_of_five_remains():
    game = in_turn(players=2)
    game.settlements[0] = {SHORE[0]}
    place = inland(2)
    build_roads(game, 0, RING[: max(5, place + 1)])
    assert game.longest_road == 0
    cut(game, 1, SHORE[place])
    assert game.longest_road is None


def test_an_equal_road_does_not_take_the_award_but_a_longer_one_does():
    game = in_turn(players=2)
    game.settlements[0], game.settlements[1] = {SHORE[0]}, {SHORE[15]}
    build_roads(game, 0, RING[:5])
    build_roads(game, 1, RING[15:20])
    assert game.longest_road == 0
    build_roads(game, 1, RING[20:21])
    assert game.longest_road == 1
