"""Scores of cells by table, against the windows of the board one by one."""

from typing import NamedTuple

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
from tests.naive.gomoku import STEPS

NEAR, LENGTH, OWN_FOUR = 2, 5, 1 << 20

Cells = set[tuple[int, int]]


class Made(NamedTuple):
    """What a stone on a cell makes on one line."""

    score: int
    four: bool
    five: bool
    straight: bool


@pytest.mark.parametrize(("size", "stones"), [(5, 9), (9, 3), (15, 1), (15, 40), (20, 60)])
def test_scores_count_the_windows_through_a_cell(size: int, stones: int) -> None:
    board = {(row, column) for row in range(size) for column in range(size)}
    game = make("gomoku", size=size)
    position = game.start()
    for cell in np.random.default_rng(size).permutation(size * size)[:stones].tolist():
        if not position.is_over:
            position.play(cell)
    mover = position.to_move
    assert not position.is_over
    players = [{divmod(cell, size) for cell in position.actions[seat::2]} for seat in range(2)]
    own, other = players[mover], players[1 - mover]
    free = board - own - other
    moves = np.zeros(1, moves_record(game.max_moves))
    *cells, fields = score_cells(position.row.view(game.State)[0], moves[0], mover, OWN_FOUR)
    near = sorted(cell for cell in free if any(is_near(cell, stone) for stone in own | other))
    listed = moves["probabilities"][0, : moves["count"][0]].astype(int).tolist()
    assert [divmod(cell, MAX_SIZE) for cell in listed] == near
    made = [
        {cell: made_at(cell, stones_of, free | stones_of, side) for cell in near}
        for side, stones_of in enumerate((own, other))
    ]
    for number, cell in zip(listed, near, strict=True):
        score = sum(line.score for side in range(2) for line in made[side][cell])
        fours = sum(line.four for line in made[0][cell])
        assert moves["actions"][0, number] == score + OWN_FOUR * fours
    for found, side, kind in zip(cells, (0, 1, 0), ("five", "five", "straight"), strict=True):
        expected = {cell for cell in near if any(getattr(line, kind) for line in made[side][cell])}
        assert divmod(found, MAX_SIZE) in expected if expected else found == -1
    for side in range(2):
        for kind, place in (("four", FOURS_AT), ("five", FIVES_AT), ("straight", STRAIGHTS_AT)):
            any_ = any(getattr(line, kind) for lines in made[side].values() for line in lines)
            assert (int(fields) >> (place + HALF * side) & COUNT != 0) == any_


def is_near(cell: tuple[int, int], stone: tuple[int, int]) -> bool:
    return max(abs(cell[0] - stone[0]), abs(cell[1] - stone[1])) <= NEAR


def made_at(cell: tuple[int, int], stones: Cells, free: Cells, side: int) -> list[Made]:
    """Return what a stone of a player makes on all four lines; no opponent is on a `free` cell."""
    return [made_on_line(cell, step, stones, free, side) for step in STEPS]


def made_on_line(
    cell: tuple[int, int], step: tuple[int, int], stones: Cells, free: Cells, side: int
) -> Made:
    def run(first: int, length: int) -> list[tuple[int, int]]:
        return [
            (cell[0] + at * step[0], cell[1] + at * step[1]) for at in range(first, first + length)
        ]

    windows = [window for at in range(-4, 1) if set(window := run(at, LENGTH)) <= free]
    counts = [len(stones.intersection(window)) for window in windows]
    inner = [
        len(stones.intersection(stretch))
        for at in range(-4, 0)
        if set(stretch := run(at, LENGTH + 1)) <= free
        and not stones.intersection((stretch[0], stretch[-1]))
    ]
    score = TWO[side] * counts.count(2) + ONE[side] * counts.count(1)
    score += THREE[side] * (2 in inner) + FOUR[side] * (3 in counts)
    return Made(score, 3 in counts, 4 in counts, 3 in inner)
