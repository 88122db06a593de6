"""The network that evaluates Gomoku, against its formula on the windows of the board one by one."""

import numpy as np
import numpy.typing as npt
import pytest

from meeple import make
from meeple.games.gomoku import cell_network as net
from meeple.games.gomoku.cell_network import _positive, evaluate_cells
from meeple.games.gomoku.cell_scores import made_by_stone, of_opponent
from meeple.kernels import four_times, kernel, word_at
from tests.naive.gomoku_cells import Made, made_at, near_cells

Counts = tuple[int, ...]


@pytest.mark.parametrize(("size", "stones"), [(5, 9), (9, 12), (15, 1), (15, 40), (15, 70)])
def test_the_network_is_that_of_its_formula(size: int, stones: int) -> None:
    game = make("gomoku", size=size)
    position = game.start()
    for cell in np.random.default_rng(stones).permutation(size * size)[:stones].tolist():
        if not position.is_over:
            position.play(cell)
    assert not position.is_over
    players = [{divmod(cell, size) for cell in position.actions[seat::2]} for seat in range(2)]
    row = position.row.copy()
    for mover in range(2):
        own, other = players[mover], players[1 - mover]
        near = near_cells(size, own | other)
        mine = {cell: made_at(cell, own, other, size) for cell in near}
        theirs = {cell: made_at(cell, other, own, size) for cell in near}
        value, five, their_fives, straight = evaluate_cells(position.state, mover)
        embedded = [embedding(mine[cell], theirs[cell]) for cell in near]
        assert value == pytest.approx(output(np.sum(embedded, axis=0)), abs=1e-3)
        assert bool(five) == any(line.five for lines in mine.values() for line in lines)
        assert their_fives == sum(any(line.five for line in lines) for lines in theirs.values())
        assert bool(straight) == any(line.straight for lines in mine.values() for line in lines)
    assert np.array_equal(position.row, row)  # the scratch memory is zero again


def embedding(mine: list[Made], theirs: list[Made]) -> npt.NDArray[np.int64]:
    """Return the embedding of a cell, [WIDTH] in units of 1 / UNIT."""
    numbers = [
        NUMBERS[counts_of(own), counts_of(other)] for own, other in zip(mine, theirs, strict=True)
    ]
    return np.maximum(net.EMBEDDINGS[numbers].sum(axis=0), 0)


def counts_of(made: Made) -> Counts:
    """Return the fields of `cell_scores.Made`."""
    windows = [made.windows.count(stones) for stones in range(1, 5)]
    return (*windows, made.stretches.count(2), made.stretches.count(3))


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
