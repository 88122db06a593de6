"""Lengths of roads agree with a naive search on rings, forks and cut roads."""

import numpy as np
import pytest

from meeple.games.catan.game import Catan
from meeple.games.catan.rules.roads import (
    is_road_site,
    longest_trail,
    longest_trail_with,
    road_ends,
    road_sites,
    touched_by,
)
from meeple.games.catan.rules.state import ROADS_PER_SEAT
from meeple.games.catan.rules.topology import EDGES, TOPOLOGY, VERTICES
from tests.naive import catan_island


def measured(roads, theirs=()):
    """Return the length by the kernel, and assert that the state is unchanged."""
    position = Catan().start(1)
    state = position.state
    for edge in roads:
        state.edge[edge] = 1
    for vertex in theirs:
        state.vertex[vertex] = 2
    before = position.row.copy()
    length = longest_trail(state, 0)
    assert np.array_equal(position.row, before)
    return length


def growth(rng, count):
    """Return random roads in building order, mostly adjacent, so that forks and rings occur."""
    vertices = TOPOLOGY.edge_vertices.tolist()
    roads: list[int] = rng.choice(EDGES, rng.integers(1, 4), replace=False).tolist()
    while len(roads) < count:
        touched = {v for edge in roads for v in vertices[edge]}
        near = [e for e in range(EDGES) if e not in roads and touched & set(vertices[e])]
        roads.append(int(rng.choice(near)))
    return roads


@pytest.mark.parametrize("seed", range(150))
def test_length_equals_that_of_an_exhaustive_search(seed):
    rng = np.random.default_rng(seed)
    roads = set(growth(rng, int(rng.integers(3, ROADS_PER_SEAT + 1))))
    count = int(rng.integers(0, 4))
    theirs = set(rng.choice(VERTICES, count, replace=False).tolist())
    assert measured(roads, theirs) == catan_island.longest_trail(roads, theirs)


@pytest.mark.parametrize("seed", range(60))
def test_length_is_updated_after_each_built_road(seed):
    rng = np.random.default_rng(seed)
    theirs = set(rng.choice(VERTICES, int(rng.integers(0, 4)), replace=False).tolist())
    state = Catan().start(1).state
    for vertex in theirs:
        state.vertex[vertex] = 2
    roads: set[int] = set()
    for edge in growth(rng, ROADS_PER_SEAT):
        roads.add(edge)
        state.edge[edge] = 1
        state.road_length[0] = longest_trail_with(state, 0, edge)
        assert state.road_length[0] == catan_island.longest_trail(roads, theirs)


RING, LINE = TOPOLOGY.tile_edges[0].tolist(), TOPOLOGY.coast[15:24].tolist()


@pytest.mark.parametrize(
    ("roads", "cuts", "length"),
    [
        (RING, [], 6),  # a ring counts all its roads, wherever it is cut
        (RING, [0], 6),
        (RING, [0, 3], 3),
        (RING + LINE, [], 9),  # beside a longer and a shorter line
        (RING + LINE[:3], [], 6),
    ],
)
def test_ring_counts_all_its_roads_unless_it_is_cut_twice(roads, cuts, length):
    theirs = [int(TOPOLOGY.tile_vertices[0, corner]) for corner in cuts]
    assert measured(roads, theirs) == length
    assert catan_island.longest_trail(set(roads), set(theirs)) == length


def test_road_sites_are_listed_as_the_kernel_finds_them():
    position, choice = Catan().start(4), np.random.default_rng(4)
    for _ in range(300):
        state = position.state
        for seat in range(4):
            touched = touched_by(state, seat)
            ends = road_ends(state, seat, touched)
            found = [edge for edge in range(EDGES) if is_road_site(state, edge, ends)]
            assert road_sites(state, seat, touched) == found
        legal = position.legal_actions()
        position.play(int(choice.choice(legal)))
    assert found
