"""The network that evaluates Gomoku, against its formula on the windows of the board one by one."""

import numpy as np
import numpy.typing as npt
import pytest

from meeple import make
from meeple.games.gomoku import cell_network as net
from meeple.games.gomoku.cell_network import _positive, evaluate_cells
from meeple.games.gomoku.cell_scores import STAND_INS, made_by_stone, of_opponent
from meeple.kernels import four_times, kernel, word_at
from tests.games.gomoku.test_cell_scores import around, crowded
from tests.naive.gomoku import STEPS
from tests.naive.gomoku_cells import made_at, near_cells
from tests.naive.renju import NaiveRenju

Counts = tuple[int, ...]


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize(
    ("size", "stones"), [(5, 9), (9, 12), (9, 40), (15, 1), (15, 40), (15, 91), (15, 90)]
)
def test_the_network_is_that_of_its_formula(size: int, stones: int, rule: str) -> None:
    position = crowded(make("gomoku", size=size, rule=rule), stones)
    players = [{divmod(cell, size) for cell in position.actions[seat::2]} for seat in range(2)]
    owner = {cell: seat for seat in range(2) for cell in players[seat]}
    row = position.row.copy()
    for mover in range(2):
        own, other = players[mover], players[1 - mover]
        near = near_cells(size, own | other)
        exact = [
            rule == "standard" or (rule == "renju" and seat == 0) for seat in (mover, 1 - mover)
        ]
        mine = {cell: made_at(cell, own, other, size, exact[0]) for cell in near}
        theirs = {cell: made_at(cell, other, own, size, exact[1]) for cell in near}
        value, five, their_fives, straight = evaluate_cells(position.state, mover)
        codes = [[around(cell, step, own, other, size) for step in STEPS] for cell in near]
        embedded = embeddings(np.array(codes), exact)
        assert value == pytest.approx(output(embedded.sum(axis=0)), abs=1e-3)
        assert bool(five) == any(line.five for lines in mine.values() for line in lines)
        assert their_fives == sum(any(line.five for line in lines) for lines in theirs.values())
        straights = {cell for cell in near if any(line.straight for line in mine[cell])}
        if rule == "renju" and mover == 0:
            straights = {cell for cell in straights if not NaiveRenju(size, owner).forbidden(cell)}
        assert bool(straight) == bool(straights)
    assert np.array_equal(position.row, row)  # the scratch memory is zero again


def embeddings(codes: npt.NDArray[np.int64], exact: list[bool]) -> npt.NDArray[np.int64]:
    """Return the embeddings of cells, [cells, WIDTH] in units of 1 / UNIT, by [cells, 4] codes."""
    numbers = net.pattern_numbers()[STAND_INS[exact[0] + 2 * exact[1]][codes]]
    return np.maximum(net.EMBEDDINGS[numbers].sum(axis=1), 0)


def numbers_of_patterns() -> dict[tuple[Counts, Counts], int]:
    """Return the number of each pattern by the counts of both players."""
    kinds = made_by_stone()
    mine = zip(*(kind.tolist() for kind in kinds), strict=True)
    theirs = zip(*(of_opponent(kind).tolist() for kind in kinds), strict=True)
    return dict(zip(zip(mine, theirs, strict=True), net.pattern_numbers().tolist(), strict=True))


NUMBERS = numbers_of_patterns()


def test_patterns_with_equal_counts_are_one() -> None:
    assert len(NUMBERS) == len(set(NUMBERS.values())) == net.PATTERNS


@kernel
def positive(word):
    return word_at(_positive(four_times(word)), 0)


def test_no_sum_of_four_embeddings_overflows_its_field() -> None:
    assert np.abs(net.EMBEDDINGS).max() < net.OFFSET
    most = np.array([[net.OFFSET - 1] * net.WIDTH, [1 - net.OFFSET] * net.WIDTH])
    for packed, total in zip(net.pack(most), (4 * (net.OFFSET - 1), 0), strict=True):
        fields = int(positive(np.uint64(4) * packed[0]))
        assert all(fields >> 16 * place & 0xFFFF == total for place in range(4))


def output(sums: npt.NDArray[np.int64]) -> float:
    """Return the output of the layers."""
    first = np.maximum(sums @ net.FIRST.astype(float) + net.FIRST_BIAS, 0)
    second = np.maximum(first @ net.SECOND.astype(float) + net.SECOND_BIAS, 0)
    return float(sums @ net.DIRECT.astype(float) + second @ net.LAST + net.BIAS)
