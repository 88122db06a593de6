"""Scores of cells by table, against the windows of the board one by one."""

import numpy as np
import pytest

from meeple import make
from meeple.games.gomoku.cell_scores import (
    COUNT,
    FIVES_AT,
    FOUR,
    FOURS_AT,
    ONE,
    STRAIGHTS_AT,
    THREE,
    TWO,
    score_cells,
)
from meeple.games.gomoku.lines import HALF, MAX_SIZE
from meeple.kernels import moves_record
from tests.naive.gomoku_cells import Made, made_at, near_cells

OWN_FOUR = 1 << 20


@pytest.mark.parametrize(("size", "stones"), [(5, 9), (9, 3), (15, 1), (15, 40), (20, 60)])
def test_scores_count_the_windows_through_a_cell(size: int, stones: int) -> None:
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
    assert [divmod(cell, MAX_SIZE) for cell in listed] == near
    made = [
        {cell: made_at(cell, stones_of, others, size) for cell in near}
        for stones_of, others in ((own, other), (other, own))
    ]
    for number, cell in zip(listed, near, strict=True):
        score = sum(score_of(line, side) for side in range(2) for line in made[side][cell])
        fours = sum(line.four for line in made[0][cell])
        assert moves["actions"][0, number] == score + OWN_FOUR * fours
    for found, side, kind in zip(cells, (0, 1, 0), ("five", "five", "straight"), strict=True):
        expected = {cell for cell in near if any(getattr(line, kind) for line in made[side][cell])}
        assert divmod(found, MAX_SIZE) in expected if expected else found == -1
    for side in range(2):
        for kind, place in (("four", FOURS_AT), ("five", FIVES_AT), ("straight", STRAIGHTS_AT)):
            any_ = any(getattr(line, kind) for lines in made[side].values() for line in lines)
            assert (int(fields) >> (place + HALF * side) & COUNT != 0) == any_


def score_of(made: Made, side: int) -> int:
    score = TWO[side] * made.windows.count(2) + ONE[side] * made.windows.count(1)
    return score + THREE[side] * (2 in made.stretches) + FOUR[side] * made.four
