"""Fit the order of Gomoku's candidates (`cell_scores.py`) to the moves of its own search.

    python -m bench.fit_gomoku_order games.jsonl

The games are those of `python -m bench.fit_gomoku play`. Of each position in which no stone
completes a row or makes a straight four, a softmax over the empty cells near stones is fitted to
the move by Adam; the log-odds of a cell are the sum of a weight for each line through it. Prints
the log loss on every tenth game, held out, and how often the move is among the first cells.
"""

import argparse
import itertools
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bench.fit_gomoku import FIRST_PLY, HELD_OUT, Integers, list_patterns
from meeple.games.contract.game import Position
from meeple.games.contract.records import positions, read_records
from meeple.games.gomoku.cell_network import evaluate_cells
from meeple.games.gomoku.cell_scores import ORDER, ORDER_FILE, Bytes, mirrored_numbers, near_cells
from meeple.games.gomoku.lines import MAX_SIZE
from meeple.kernels import kernel
from meeple.tensor_file import write_tensors

DECIDED = 0.97  # share by search of a player, above it a position is left out
CELLS = MAX_SIZE * MAX_SIZE  # of the largest board
SCALE, LEAST = 10, -2.3  # numbers in the file for a weight of 1; the weight of number 0
BATCH, RATE, SHRINKING = 512, 0.03, 1e-6
FIRST = (1, 3, 5, 8, 10, 14, 20)  # lengths of lists that are reported

Floats = npt.NDArray[np.float64]


class Choices(NamedTuple):
    """N positions with C cells in all, and which cell was chosen in each."""

    cells: npt.NDArray[np.uint16]  # [C, 4] numbers of what is around each cell, on its lines
    first: Integers  # [N + 1] the first cell of each position
    chosen: Integers  # [N] the cell, among all
    game: Integers  # [N]


def index_of(position: Position, action: int) -> int | None:
    """Return the index of a cell among the empty cells near stones; None if it is far."""
    state, size = position.state, int(position.state.size)
    own, other = state.lines
    row, column = divmod(action, size)
    near = [int(near_cells(own, other, size, at)) for at in range(row + 1)]
    if not near[row] >> column & 1:
        return None
    return sum(one.bit_count() for one in near[:row]) + (near[row] % (1 << column)).bit_count()


def choices_of(files: Sequence[Path]) -> Choices:
    """Return the positions of games that are learned from."""
    cells, ends, chosen, games = [], [0], [], []
    scratch, numbers = np.zeros((CELLS, 4), np.uint16), mirrored_numbers()
    for number, record in enumerate(itertools.chain.from_iterable(map(read_records, files))):
        values = record.notes["values"]
        *walk, last = (position.copy() for position in positions(record))
        for ply, position in enumerate(walk):
            if ply < max(FIRST_PLY, record.opening):
                continue
            if abs(values[ply - record.opening] - 0.5) > DECIDED - 0.5 or is_forced(position):
                continue
            at = index_of(position, last.actions[ply])
            if at is not None:
                count = list_patterns(position.state, position.to_move, numbers, scratch)
                cells.append(scratch[:count].copy())
                chosen.append(ends[-1] + at)
                ends.append(ends[-1] + count)
                games.append(number)
    return Choices(np.concatenate(cells), np.array(ends), np.array(chosen), np.array(games))


def is_forced(position: Position) -> bool:
    """Whether a stone of a player completes a row or makes a straight four."""
    mover = position.to_move
    found = (evaluate_cells(position.state, player) for player in (mover, 1 - mover))
    return any(five or straight for _, five, _, straight in found)


@kernel
def learn_from(order: Any, choices: Any, weights: Any, slopes: Any, odds: Any, later: Any) -> float:
    """Add up the slopes of the log loss, and return the sum of the losses.

    Args:
        order: [B] numbers of positions.
        choices: `Choices`.
        weights: [patterns].
        slopes: [patterns], or empty: only the losses are wanted.
        odds: [CELLS] memory.
        later: [B] filled in: how many cells have more than the chosen one.
    """
    loss = 0.0
    for number in range(len(order)):
        first, end = choices.first[order[number]], choices.first[order[number] + 1]
        most = -np.inf
        for cell in range(first, end):
            sum_ = 0.0
            for line in range(4):
                sum_ += weights[choices.cells[cell, line]]
            odds[cell - first] = sum_
            most = max(most, sum_)
        chosen = odds[choices.chosen[order[number]] - first]
        total, later[number] = 0.0, 0
        for at in range(end - first):
            later[number] += odds[at] > chosen
            odds[at] = np.exp(odds[at] - most)
            total += odds[at]
        loss += np.log(total) - (chosen - most)
        if len(slopes) == 0:
            continue
        for cell in range(first, end):
            slope = odds[cell - first] / total
            if cell == choices.chosen[order[number]]:
                slope -= 1.0
            for line in range(4):
                slopes[choices.cells[cell, line]] += slope
    return loss


def fit(choices: Choices, epochs: int, seed: int) -> Floats:
    """Return [patterns] the weights; prints held-out losses."""
    rng, began = np.random.default_rng(seed), time.time()
    weights, mean, square = np.zeros((3, int(mirrored_numbers().max()) + 1))
    learned = np.flatnonzero(choices.game % HELD_OUT)
    odds, later = np.zeros(CELLS), np.zeros(BATCH, np.int64)
    step, steps = 0, epochs * (len(learned) // BATCH)
    for epoch in range(1, epochs + 1):
        order = rng.permutation(learned)
        for at in range(0, len(order) - BATCH + 1, BATCH):
            slopes = np.zeros_like(weights)
            learn_from(order[at : at + BATCH], choices, weights, slopes, odds, later)
            step += 1
            slope = slopes / BATCH + SHRINKING * weights
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            rate = RATE * (np.cos(np.pi * step / steps) / 2 + 0.51) / (1 - 0.9**step)
            weights -= rate * mean / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        print(f"epoch {epoch}: {report(choices, weights)}, {time.time() - began:.0f} s", flush=True)
    return weights


def report(choices: Choices, weights: Floats) -> str:
    """Return what weights achieve on games that are held out."""
    held = np.flatnonzero(choices.game % HELD_OUT == 0)
    later = np.zeros(len(held), np.int64)
    loss = learn_from(held, choices, weights, np.zeros(0), np.zeros(CELLS), later)
    shares = ", ".join(f"{first}: {100 * np.mean(later < first):.1f} %" for first in FIRST)
    return f"held-out log loss {loss / len(held):.4f}, the move is among the first {shares}"


def bytes_of(weights: Floats) -> Bytes:
    """Return weights as the numbers of the file."""
    return np.asarray(np.clip(np.rint(SCALE * (weights - LEAST)), 0, 255), np.uint8)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the weights and write them."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.fit_gomoku_order",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=ORDER_FILE)
    given: Any = parser.parse_args(arguments)
    choices = choices_of(given.files)
    games, count = len(np.unique(choices.game)), len(choices.game)
    print(f"{count:,} positions; as it is: {report(choices, ORDER / SCALE)}", flush=True)
    order = bytes_of(fit(choices, given.epochs, given.seed))
    write_tensors(given.output, "cell order", {"order": order}, {"games": games, "moves": count})


if __name__ == "__main__":
    main()
