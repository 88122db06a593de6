"""The evaluation of Gomoku by cells, against the windows of the board one by one."""

import numpy as np
import pytest

from meeple import make
from meeple.games.gomoku import cell_values, cell_weights
from meeple.games.gomoku.cell_values import survey_cells
from tests.naive.gomoku_cells import Made, made_at, near_cells

NAMES = {name: word for name, word in vars(cell_values).items() if name.isupper()}


@pytest.mark.parametrize(("size", "stones"), [(5, 9), (9, 12), (15, 1), (15, 40), (15, 70)])
def test_the_values_of_cells_are_those_of_their_four_classes(size: int, stones: int) -> None:
    game = make("gomoku", size=size)
    position = game.start()
    for cell in np.random.default_rng(stones).permutation(size * size)[:stones].tolist():
        if not position.is_over:
            position.play(cell)
    assert not position.is_over
    players = [{divmod(cell, size) for cell in position.actions[seat::2]} for seat in range(2)]
    for mover in range(2):
        own, other = players[mover], players[1 - mover]
        near = near_cells(size, own | other)
        mine = {cell: made_at(cell, own, other, size) for cell in near}
        theirs = {cell: made_at(cell, other, own, size) for cell in near}
        total, five, their_fives, straight = survey_cells(position.state, mover)
        assert total == sum(value(mine[cell], 0) + value(theirs[cell], 1) for cell in near)
        assert bool(five) == any(line.five for lines in mine.values() for line in lines)
        assert their_fives == sum(any(line.five for line in lines) for lines in theirs.values())
        assert bool(straight) == any(
            class_of(line) == "STRAIGHT" for lines in mine.values() for line in lines
        )


def value(lines: list[Made], side: int) -> int:
    classes = sorted(NAMES[class_of(line)] for line in lines)
    words = cell_weights.BY_CLASSES[side].split()
    joint = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    name = "".join(f"{number:x}" for number in classes)
    return sum(cell_weights.BY_CLASS[side][number] for number in classes) + joint.get(name, 0)


def class_of(made: Made) -> str:
    """Return the name of a class by the definitions of `cell_values.py`."""
    ones, twos, threes = made.windows.count(1), made.windows.count(2), made.stretches.count(2)
    if made.five:
        return "FIVE"
    if made.straight:
        return "STRAIGHT"
    if made.four:
        return "FOUR_AND_THREE" if threes else "FOUR"
    if threes:
        return "THREE_1" if threes == 1 else "THREE_2"
    if twos:
        name = f"TWO_{min(twos, 3)}"
        return "TWO_AND_ONES" if twos == 1 and ones > 1 else name
    return f"ONE_{min(ones, 3)}" if ones else "NOTHING"


def test_every_combination_of_classes_is_given_once_and_in_order() -> None:
    for side in range(2):
        names = cell_weights.BY_CLASSES[side].split()[::2]
        assert len(set(names)) == len(names)
        assert all(list(name) == sorted(name) and len(name) == 4 for name in names)
        assert all(int(digit, 16) < cell_values.CLASSES for name in names for digit in name)
