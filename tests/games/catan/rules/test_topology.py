"""The island's tables describe 19 hexagons: counts, symmetry and adjacency."""

import numpy as np

from meeple.games.catan.rules.layout import BEGINNER, NUMBERS, layout_text, parse_layout
from meeple.games.catan.rules.topology import EDGES, NONE, PORTS, TILES, TOPOLOGY, VERTICES

T = TOPOLOGY


def test_every_vertex_and_edge_occurs_once():
    assert T.tile_vertices.shape == (TILES, 6)
    assert sorted(set(T.tile_vertices.ravel().tolist())) == list(range(VERTICES))
    assert sorted(set(T.tile_edges.ravel().tolist())) == list(range(EDGES))
    assert len({tuple(side) for side in T.edge_vertices.tolist()}) == EDGES


def test_adjacency_tables_are_inverse_to_each_other():
    for vertex in range(VERTICES):
        for tile in T.vertex_tiles[vertex]:
            assert tile == NONE or vertex in T.tile_vertices[tile]
        for k in range(3):
            edge, other = T.vertex_edges[vertex, k], T.vertex_vertices[vertex, k]
            assert (edge == NONE) == (other == NONE)
            if edge != NONE:
                assert set(T.edge_vertices[edge].tolist()) == {vertex, other}
    for tile in range(TILES):
        for side in range(6):
            other = T.tile_tiles[tile, side]
            if other != NONE:
                assert T.tile_tiles[other, (side + 3) % 6] == tile
                assert T.tile_edges[tile, side] == T.tile_edges[other, (side + 3) % 6]


def test_numbers_of_neighbours_are_those_of_a_hexagonal_island():
    tiles_at = (T.vertex_tiles != NONE).sum(axis=1)
    assert np.bincount(tiles_at).tolist() == [0, 18, 12, 24]
    assert np.bincount((T.vertex_edges != NONE).sum(axis=1)).tolist() == [0, 0, 18, 36]
    assert ((T.tile_tiles == NONE).sum(axis=1) == 0).sum() == 7


def test_all_edges_have_equal_length():
    steps = np.abs(np.diff(T.vertex_points[T.edge_vertices], axis=1)).reshape(-1, 2)
    assert {tuple(step) for step in steps.tolist()} == {(2, 0), (1, 1)}


def test_coast_is_a_ring_and_ports_are_not_adjacent():
    assert len(set(T.coast.tolist())) == 30
    for one, other in zip(T.coast, np.roll(T.coast, -1), strict=True):
        assert set(T.edge_vertices[one].tolist()) & set(T.edge_vertices[other].tolist())
    ends = T.edge_vertices[T.port_edges].ravel().tolist()
    assert len(set(ends)) == 2 * PORTS
    assert set(T.port_edges.tolist()) <= set(T.coast.tolist())


def test_spiral_visits_all_tiles_once_from_neighbour_to_neighbour():
    assert sorted(T.spiral.tolist()) == list(range(TILES))
    for one, other in zip(T.spiral, T.spiral[1:], strict=False):
        assert other in T.tile_tiles[one]
    assert T.spiral[-1] == TILES // 2


def test_beginners_island_has_the_pieces_of_the_box_and_a_json_form():
    assert sorted(filter(None, BEGINNER.numbers)) == sorted(NUMBERS.tolist())
    assert parse_layout(layout_text(BEGINNER)) == BEGINNER
