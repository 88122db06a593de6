"""Scores of cells by table, against the windows of the board one by one."""

from typing import Any

import numpy as np
import pytest

from meeple import make
from meeple.games.contract.game import Position
from meeple.games.gomoku.cell_scores import (
    COUNT,
    FIVES_AT,
    FOURS_AT,
    ORDER,
    REACH,
    SIDE,
    STAND_INS,
    STRAIGHTS_AT,
    kind_of,
    made_by_stone,
    mirrored_numbers,
    of_opponent,
    score_cells,
)
from meeple.kernels import moves_record
from tests.naive.gomoku import STEPS
from tests.naive.gomoku_cells import Cell, made_at, near_cells

OWN_FOUR = 1 << 20


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize(
    ("size", "stones"), [(5, 9), (9, 3), (9, 30), (15, 1), (15, 40), (15, 91), (15, 90), (20, 60)]
)
def test_scores_add_up_the_lines_through_a_cell(size: int, stones: int, rule: str) -> None:
    game = make("gomoku", size=size, rule=rule)
    position = crowded(game, stones)
    mover = position.to_move
    players = [{divmod(cell, size) for cell in position.actions[seat::2]} for seat in range(2)]
    own, other = players[mover], players[1 - mover]
    exact = [rule != "freestyle" and (rule, seat) != ("renju", 1) for seat in (mover, 1 - mover)]
    assert kind_of(position.state, mover) == exact[0] + 2 * exact[1]
    code_of = STAND_INS[exact[0] + 2 * exact[1]].tolist()
    moves = np.zeros(1, moves_record(game.max_moves))
    *cells, fields = score_cells(position.row.view(game.State)[0], moves[0], mover, OWN_FOUR)
    near = near_cells(size, own | other)
    listed = moves["probabilities"][0, : moves["count"][0]].astype(int).tolist()
    assert [divmod(cell, size) for cell in listed] == near
    made, seen = (
        [
            {cell: made_at(cell, stones_of, others, size, exact[side], reach) for cell in near}
            for side, (stones_of, others) in enumerate(((own, other), (other, own)))
        ]
        for reach in (REACH + 1, REACH)
    )
    numbers = ORDER[mirrored_numbers()].tolist()
    for number, cell in zip(listed, near, strict=True):
        score = sum(numbers[code_of[around(cell, step, own, other, size)]] for step in STEPS)
        fours = sum(line.four for line in seen[0][cell])
        assert moves["actions"][0, number] == score + OWN_FOUR * fours
    for found, side, kind in zip(cells, (0, 1, 0), ("five", "five", "straight"), strict=True):
        expected = {cell for cell in near if any(getattr(line, kind) for line in made[side][cell])}
        assert divmod(found, size) in expected if expected else found == -1
    for side, kind, place, lines_of in (
        (0, "four", FOURS_AT, seen),
        (1, "four", FOURS_AT, seen),
        (0, "five", FIVES_AT, made),
        (1, "five", FIVES_AT, made),
        (0, "straight", STRAIGHTS_AT, made),
        (1, "straight", STRAIGHTS_AT, seen),  # candidates count the blocks on whole lines
    ):
        any_ = any(getattr(line, kind) for lines in lines_of[side].values() for line in lines)
        assert (int(fields) >> (place + SIDE * side) & COUNT != 0) == any_


def crowded(game: Any, stones: int) -> Position:
    """Return a position of a game in which no stone completed a row, with few cells between."""
    rng = np.random.default_rng(stones)
    position = game.start()
    while len(position.actions) < stones:
        trial = position.copy()
        trial.play(int(rng.choice(trial.legal_actions())))
        position = position if trial.is_over else trial
    return position


def test_what_stands_in_for_a_dead_window_makes_the_same():
    free, exact = (np.stack(made_by_stone(rule), 1) for rule in (False, True))
    stand_ins, theirs = STAND_INS[1], [of_opponent(made) for made in made_by_stone()]
    differ = np.flatnonzero((free[:, 2:] != exact[:, 2:]).any(axis=1))  # fours and above, threes
    assert np.array_equal(np.flatnonzero(stand_ins != np.arange(1 << 16)), differ)
    assert np.array_equal(free[stand_ins[differ]], exact[differ])
    assert all(np.array_equal(made[stand_ins], made) for made in theirs)


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
