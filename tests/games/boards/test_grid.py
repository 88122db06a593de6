"""Names of cells on a grid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meeple.games.boards.grid import cell_name, parse_cell


@given(st.integers(1, 26), st.integers(1, 26), st.data())
def test_cell_names_parse_back_to_their_cells(rows, columns, data):
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    name = cell_name(row, column)
    assert parse_cell(name, rows, columns) == row * columns + column
    assert parse_cell(f" {name.upper()}\n", rows, columns) == row * columns + column


def test_letter_is_the_column_and_a1_is_the_top_left_cell():
    assert cell_name(0, 0) == "a1"
    assert cell_name(3, 2) == "c4"
    assert parse_cell("c4", 6, 8) == 3 * 8 + 2


@pytest.mark.parametrize("text", ["", "c", "4", "4c", "i1", "a7", "a0", "a-1", "c4x", "c²", "c٤"])
def test_invalid_cell_names_are_rejected(text):
    assert parse_cell(text, 6, 8) is None
