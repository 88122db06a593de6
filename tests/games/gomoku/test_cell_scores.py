"""Scores of cells by table, against the windows of the board one by one."""

import numpy as np
import pytest

from meeple import make
from meeple.games.gomoku.cell_scores import (
    COUNT,
    FIVES_AT,
    FOURS_AT,
    ORDER,
    STRAIGHTS_AT,
    mirrored_numbers,
    score_cells,
)
from meeple.games.gomoku.lines import HALF
from meeple.kernels import moves_record
from tests.naive.gomoku import STEPS
from tests.naive.gomoku_cells import Cell, made_at, near_cells

OWN_FOUR = 1 << 20


@pytest.mark.parametrize(("size", "stones"), [(5, 9), (9, 3), (15, 1), (15, 40), (20, 60)])
def test_scores_add_up_the_lines_through_a_cell(size: int, stones: int) -> None:
    game = make("gomoku", size=size)
    position = game.start()
    for cell in np.random.default_rng(size).permutation(size * size)[:stones].tolist():
        if not position.is_over:
            position.play(cell)
    mover = position.to_move
    assert not position.is_over
    players = [{divmod(cell, size) for cell in position.actions[seat::2]} for seat in range(2)]
    own, other = players[mover], players[1 - mover]
    moves = np.zeros(1, moves_record(game.max_moves))
    *cells, fields = score_cells(position.row.view(game.State)[0], moves[0], mover, OWN_FOUR)
    near = near_cells(size, own | other)
    listed = moves["probabilities"][0, : moves["count"][0]].astype(int).tolist()
    assert [divmod(cell, size) for cell in listed] == near
    made = [
        {cell: made_at(cell, stones_of, others, size) for cell in near}
        for stones_of, others in ((own, other), (other, own))
    ]
    numbers = ORDER[mirrored_numbers()].tolist()
    for number, cell in zip(listed, near, strict=True):
        score = sum(numbers[around(cell, step, own, other, size)] for step in STEPS)
        fours = sum(line.four for line in made[0][cell])
        assert moves["actions"][0, number] == score + OWN_FOUR * fours
    for found, side, kind in zip(cells, (0, 1, 0), ("five", "five", "straight"), strict=True):
        expected = {cell for cell in near if any(getattr(line, kind) for line in made[side][cell])}
        assert divmod(found, size) in expected if expected else found == -1
    for side in range(2):
        for kind, place in (("four", FOURS_AT), ("five", FIVES_AT), ("straight", STRAIGHTS_AT)):
            any_ = any(getattr(line, kind) for lines in made[side].values() for line in lines)
            assert (int(fields) >> (place + HALF * side) & COUNT != 0) == any_


def around(cell: Cell, step: Cell, own: set[Cell], other: set[Cell], size: int) -> int:
    """Return the cells around a cell as bits: own stones, then the opponent's; outside both."""
    code = 0
    for bit, at in enumerate([-4, -3, -2, -1, 1, 2, 3, 4]):
        beside = (cell[0] + at * step[0], cell[1] + at * step[1])
        outside = not all(0 <= place < size for place in beside)
        code |= (beside in own or outside) << bit | (beside in other or outside) << bit + 8
    return code


def test_mirrored_cells_have_one_number():
    numbers = mirrored_numbers()
    groups: dict[int, set[int]] = {}
    for code in range(1 << 16):
        own, other = f"{code & 255:08b}", f"{code >> 8:08b}"
        mirrored = int(own[::-1], 2) | int(other[::-1], 2) << 8
        groups.setdefault(int(numbers[code]), set()).update((code, mirrored))
        assert numbers[code] == numbers[mirrored]
    assert all(len(group) <= 2 for group in groups.values())
    assert sorted(groups) == list(range(len(ORDER)))
