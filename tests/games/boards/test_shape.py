"""Shapes: neighbours, straight rows, outlines and symmetries are those known of boards."""

import json
import math

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.games.boards.scene import board
from meeple.games.boards.shape import SIDES, diamond, grid, hexhex, pits, points, triangle
from meeple.games.boards.svg import drawing_of
from meeple.games.contract.symmetry import symmetries_of

RING = [(0, 0), (3, 0), (6, 0), (6, 3), (6, 6), (3, 6), (0, 6), (0, 3)]
MORRIS = points(  # Nine Men's Morris: three rings, joined in the middles of their sides
    [(n + x * (3 - n) // 3, n + y * (3 - n) // 3) for n in range(3) for x, y in RING],
    [[8 * n + at for at in (*range(8), 0)] for n in range(3)]
    + [[at, 8 + at, 16 + at] for at in (1, 3, 5, 7)],
)
FIVE = points([(math.sin(n * 0.4 * math.pi), -math.cos(n * 0.4 * math.pi)) for n in range(5)], [])


@pytest.mark.parametrize(
    ("shape", "cells", "images", "length", "rows"),
    [
        (grid(3, 3), 9, 7, 3, 8),  # tic-tac-toe
        (grid(6, 7), 42, 3, 4, 69),  # Connect Four
        (grid(4, 4, holes=(5, 6, 9, 10)), 12, 7, 4, 4),
        (grid(7, 7, holes=(0, 1, 7, 8, 5, 6, 12, 13, 35, 36, 42, 43, 40, 41, 47, 48)), 33, 7, 7, 6),
        (diamond(11, 11), 121, 3, 11, 23),  # Hex: rows, columns, and the longest diagonal
        (hexhex(5), 61, 11, 4, 102),  # Yavalath
        (triangle(4), 10, 5, 4, 3),
        (MORRIS, 24, 7, 3, 16),  # the mills
        (FIVE, 5, 9, 2, 0),
        (pits(6), 14, 3, 2, 16),
    ],
)
def test_cells_symmetries_and_straight_rows_are_those_of_the_board(
    shape, cells, images, length, rows
):
    assert (len(shape.cells), len(shape.images)) == (cells, images)
    found = shape.rows_of(length)
    assert len(found) == rows
    known = {frozenset(row) for row in found.tolist()}
    table = shape.neighbours
    for image in shape.images:
        assert sorted(image.tolist()) == list(range(shape.size))
        assert {frozenset(image[row].tolist()) for row in found} == known
        for cell in shape.cells:
            near = {int(image[one]) for one in table[cell] if one >= 0}
            assert near == {int(one) for one in table[image[cell]] if one >= 0}


@pytest.mark.parametrize(
    "shape", [grid(3, 4), diamond(3, 5), hexhex(3), triangle(4), MORRIS, FIVE, pits(4)]
)
def test_labels_are_apart_and_every_drawing_has_all_cells(shape):
    places = [*map(tuple, shape.at.values()), *((x, y) for _, x, y, _ in shape.labels)]
    apart = [math.dist(a, b) for n, a in enumerate(places) for b in places[:n]]
    assert min(apart) > 0.49
    scene = board(shape, [n % 2 for n in range(shape.size)], shape.cells)
    assert json.loads(json.dumps(scene.to_json())) == scene.to_json()
    assert {int(spot) for (spot,) in scene.clicks.values()} == set(shape.cells)
    drawing = drawing_of(scene, "")
    pits = shape.family == "pits"  # which show how many seeds they hold
    drawn = (">0</text>", ">1</text>") if pits else ('fill="#c2410c"', 'fill="#0b63b0"')
    assert sum(map(drawing.count, drawn)) == len(shape.cells)


def test_a_side_ends_where_the_next_begins_and_a_wall_is_between_neighbours():
    for shape in (grid(2, 3), diamond(3, 4)):
        ends = [end for side in SIDES for end in (shape.edge(side)[0], shape.edge(side)[-1])]
        assert len({(round(x, 6), round(y, 6)) for x, y in ends}) == 4
    for cell in hexhex(3).cells:
        for other in hexhex(3).neighbours[cell]:
            if other >= 0:
                start, end = hexhex(3).wall(cell, int(other))
                assert math.dist(start, end) == pytest.approx(1 / math.sqrt(3))
    for wrong in ((0, 4), (0, 9), (0, 0)):
        with pytest.raises(UsageError, match="a wall is between neighbours"):
            grid(3, 3).wall(*wrong)
    with pytest.raises(UsageError, match="a side is one of"):
        board(grid(2, 2), [0] * 4, edges={"north": 0})
    with pytest.raises(UsageError, match="a side is one of"):
        board(pits(2), [""] * 6, edges={"top": 0})


def test_a_shape_with_too_many_cells_or_two_in_one_place_is_refused():
    with pytest.raises(UsageError, match="at most 4096 cells, not 5000"):
        board(grid(50, 100), [""] * 5000)
    with pytest.raises(UsageError, match="at least one cell"):
        grid(1, 1, holes=(0,))
    with pytest.raises(UsageError, match="same place"):
        points([(0, 0), (0, 0)], [], names=["a", "b"])
    with pytest.raises(UsageError, match="join points that it lacks"):
        points([(0, 0), (1, 0)], [(0, 2)])
    with pytest.raises(UsageError, match="9 cells was given 8 pieces"):
        board(grid(3, 3), [""] * 8)


def test_symmetries_of_a_shape_turn_its_observation_as_its_actions():
    for symmetry in symmetries_of(hexhex(3), planes=2, extra_actions=1):
        assert symmetry.action[-1] == 25
        both = symmetry.observation.reshape(2, 25)
        np.testing.assert_array_equal(both[0], symmetry.action[:25])
        np.testing.assert_array_equal(both[1], 25 + symmetry.action[:25])
