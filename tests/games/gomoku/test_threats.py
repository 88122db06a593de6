"""The survey of threats and chances, against counting window by window."""

from collections import Counter

import numpy as np
import pytest

from meeple.games.contract.game import Position
from meeple.games.gomoku.threats import Survey, survey
from tests.games.gomoku.boards import naive_game, random_position
from tests.naive.gomoku import STEPS
from tests.tiers import repeats

BOARDS = [
    (6, 3, "freestyle"),
    (7, 4, "standard"),
    (9, 5, "freestyle"),
    (9, 5, "standard"),
    (12, 6, "freestyle"),
]
Cell = tuple[int, int]


def counted(position: Position, player: int) -> Survey:
    """Return the survey of a player by the definitions of its numbers."""
    naive = naive_game(position)
    size, length, owner = naive.size, naive.in_a_row, naive.owner
    fours: set[Cell] = set()
    threes: set[tuple[Cell, ...]] = set()
    numbers: Counter[str] = Counter()
    in_fours: set[tuple[Cell, Cell]] = set()  # cells with a step
    in_threes: set[tuple[Cell, Cell]] = set()

    def owners(cells: list[Cell]) -> list[int | None]:
        return [owner.get(cell) for cell in cells]

    def is_alone(cells: list[Cell], step: Cell) -> bool:
        before = cells[0][0] - step[0], cells[0][1] - step[1]
        after = cells[-1][0] + step[0], cells[-1][1] + step[1]
        return not naive.exact or player not in owners([before, after])

    for row in range(size):
        for column in range(size):
            for step in STEPS:
                cells = [(row + at * step[0], column + at * step[1]) for at in range(length + 1)]
                inside = [0 <= low < size and 0 <= high < size for low, high in cells]
                window = owners(cells[:length])
                stones = window.count(player)
                if not all(inside[:length]) or 1 - player in window or stones == 0:
                    continue
                empty = {cell for cell in cells[:length] if cell not in owner}
                lacking = length - stones
                if lacking == 1 and is_alone(cells[:length], step):
                    fours |= empty
                if lacking == 2:
                    in_fours |= {(cell, step) for cell in empty}
                numbers[f"lacking_{lacking}"] += 1
                ends_are_free = cells[0] not in owner and cells[length] not in owner
                if not inside[length] or not ends_are_free or not is_alone(cells, step):
                    continue
                if lacking == 2:
                    threes.add(tuple(line_through(cells[0], step, size)))
                numbers["twos"] += lacking == 3
                if lacking == 3:
                    in_threes |= {(cell, step) for cell in empty if cell != cells[0]}
    both = Counter(cell for cell, _ in in_fours | in_threes)
    several = {cell for cell, lines in both.items() if lines > 1}
    return Survey(
        fours=min(len(fours), 2),
        threes=len(threes),
        lacking_2=numbers["lacking_2"],
        lacking_3=numbers["lacking_3"],
        lacking_4=numbers["lacking_4"],
        twos=numbers["twos"],
        fours_and_threes=len(several & {cell for cell, _ in in_fours}),
    )


def line_through(cell: Cell, step: Cell, size: int) -> list[Cell]:
    """Return the cells of the line through a cell in a direction."""
    row, column = cell
    while 0 <= row - step[0] < size and 0 <= column - step[1] < size:
        row, column = row - step[0], column - step[1]
    cells = []
    while 0 <= row < size and 0 <= column < size:
        cells.append((row, column))
        row, column = row + step[0], column + step[1]
    return cells


@pytest.mark.parametrize(("size", "in_a_row", "rule"), BOARDS)
def test_a_survey_counts_what_its_definitions_say(size, in_a_row, rule):
    rng = np.random.default_rng(size)
    found: Counter[str] = Counter()
    for _ in range(repeats(60, 20)):
        position = random_position(size, in_a_row, rule, rng, least=2)
        for player in range(2):
            result = survey(position.state, player)
            assert result == counted(position, player)
            found.update({name for name, number in result._asdict().items() if number})
    assert found["threes"] or in_a_row == 3
    assert found["fours_and_threes"]


def test_a_survey_leaves_the_state_as_it_was():
    position = random_position(9, 5, "freestyle", np.random.default_rng(3), 30)
    before = position.row.copy()
    survey(position.state, 0)
    np.testing.assert_array_equal(position.row, before)
