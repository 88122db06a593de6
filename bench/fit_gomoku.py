"""Fit the weights of Gomoku's evaluation by cells to the results of games.

For example, from games of `minimax:depth=4,margin=0.02` with itself, as most of those behind the
weights that ship:

    meeple match gomoku minimax:depth=4,margin=0.02 minimax:depth=4,margin=0.02 --openings \
        --games 2150 --save games.jsonl
    python -m bench.fit_gomoku games.jsonl

A logistic regression, by Newton's method, of the mover's result on the number of cells of each
class and of each four classes. Positions in which a threat decides are left out. The log loss on
every fifth game, which is held out, is printed; the weights that are written are of all games.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.records import positions, read_records
from meeple.games.gomoku.cell_scores import cells_of, near_cells
from meeple.games.gomoku.cell_values import (
    CLASS_BITS,
    CLASSES,
    INDEX,
    THEIRS_AT,
    UNIT,
    classes_at,
    survey_cells,
)
from meeple.games.gomoku.fours import win_by_fours
from meeple.kernels import kernel, lowest_bit

WEIGHTS = Path("src/meeple/games/gomoku/cell_weights.py")
FIRST_PLY = 3  # positions before it are left out, and openings
FOURS = 100  # of the search for wins that leaves a position out
MIN_POSITIONS = 40  # with a four of classes, for a weight of its own
SHRINKING = {"class": 0.9, "classes": 120.0, "bias": 0.03}  # of squared weights
HELD_OUT = 5  # every fifth game is held out
ITERATIONS = 8

Floats = npt.NDArray[np.float64]


class Cases(NamedTuple):
    """Positions of games; N positions with C cells in all."""

    cells: npt.NDArray[np.uint16]  # [C, 2] four classes for the mover and for the opponent
    position: npt.NDArray[np.int64]  # [C] of each cell
    result: Floats  # [N] share of the mover
    game: npt.NDArray[np.int64]  # [N]


@kernel
def list_classes(s: Any, mover: int, out: Any) -> int:
    """Write the four classes of each empty cell near stones for both players; return the cells."""
    size: Any = np.int64(s.size)
    own, other = s.lines[mover], s.lines[1 - mover]
    count = 0
    for row in range(size):
        near = near_cells(own, other, size, row)
        in_row = cells_of(own, other, size, np.uint64(row))
        while near:
            column = lowest_bit(np.uint64(near))
            near &= near - 1
            found = classes_at(own, other, size, in_row, row, column)
            out[count, 0], out[count, 1] = found & INDEX, found >> THEIRS_AT
            count += 1
    return count


def cases_of(files: Sequence[Path]) -> Cases:
    """Return the positions of games in which no threat decides."""
    cells, sizes, results, games = [], [], [], []
    scratch = np.zeros((400, 2), np.uint16)
    for number, record in enumerate(record for file in files for record in read_records(file)):
        if record.payoffs is None:
            continue
        for ply, position in enumerate(positions(record)):
            if ply < max(FIRST_PLY, record.opening) or position.is_over:
                continue
            state, mover = position.state, position.to_move
            _, five, their_fives, straight = survey_cells(state, mover)
            if five or straight or their_fives > 1 or win_by_fours(state, FOURS):
                continue
            count = list_classes(state, mover, scratch)
            cells.append(scratch[:count].copy())
            sizes.append(count)
            results.append(record.payoffs[mover])
            games.append(number)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return Cases(np.concatenate(cells), owner, np.array(results), np.array(games))


def design(cases: Cases) -> tuple[npt.NDArray[np.float32], Floats, list[npt.NDArray[np.int64]]]:
    """Return the numbers of cells [N, W], the shrinking of each weight [W], and the fours listed.

    Columns: for each player the listed fours of classes, then the single classes; at last the bias.
    """
    number = len(cases.result)
    columns, shrinking, listed = [], [], []
    for side in range(2):
        packed = cases.cells[:, side].astype(np.int64)
        classes = np.stack([packed >> (CLASS_BITS * line) & 0xF for line in range(4)])
        in_order = np.sort(classes, axis=0)
        code = np.ravel_multi_index(tuple(in_order), (CLASSES,) * 4)
        found, inverse, counts = np.unique(code, return_inverse=True, return_counts=True)
        kept = np.flatnonzero(counts >= MIN_POSITIONS)
        place = np.full(len(found), -1)
        place[kept] = np.arange(len(kept))
        column = place[inverse]
        joint = np.zeros((number, len(kept)), np.float32)
        np.add.at(joint, (cases.position[column >= 0], column[column >= 0]), 1)
        single = np.zeros((number, CLASSES), np.float32)
        for line in classes:
            np.add.at(single, (cases.position, line), 1)
        columns += [joint, single]
        shrinking += [SHRINKING["classes"]] * len(kept) + [SHRINKING["class"]] * CLASSES
        listed.append(found[kept])
    columns.append(np.ones((number, 1), np.float32))
    return np.concatenate(columns, axis=1), np.array([*shrinking, SHRINKING["bias"]]), listed


def fit(inputs: npt.NDArray[np.float32], results: Floats, shrinking: Floats) -> Floats:
    """Return the weights [W] of a logistic regression."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(ITERATIONS):
        share = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = inputs.T @ (share - results) + shrinking * weights
        scaled = inputs * np.sqrt(share * (1 - share)).astype(np.float32)[:, None]
        curvature = (scaled.T @ scaled).astype(np.float64) + np.diag(shrinking)
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    return weights


def loss(inputs: npt.NDArray[np.float32], results: Floats, weights: Floats) -> float:
    """Return the mean log loss, in nats."""
    logit = inputs @ weights
    return float(np.mean(np.logaddexp(0, logit) - results * logit))


def lines_of(weights: Floats, listed: list[npt.NDArray[np.int64]], cases: Cases) -> Iterator[str]:
    """Yield the lines of the file of weights."""
    units, first, by_class, by_classes = np.rint(UNIT * weights).astype(int), 0, [], []
    for codes in listed:
        names = np.stack(np.unravel_index(codes, (CLASSES,) * 4), axis=1)
        texts = ["".join(f"{one:x}" for one in name) for name in names]
        by_classes.append([f"{text} {units[first + at]}" for at, text in enumerate(texts)])
        first += len(codes)
        by_class.append(tuple(units[first : first + CLASSES].tolist()))
        first += CLASSES
    yield '"""Weights of `cell_values.py`, in thousandths on the scale of log-odds, for the mover.'
    yield ""
    yield f"Made by `python -m bench.fit_gomoku` from {len(cases.result):,} positions of"
    yield f'{len(np.unique(cases.game)):,} games."""'
    yield ""
    yield f"BIAS = {units[-1]}  # of the player to move"
    yield ""
    yield f"# [mover, opponent] by class\nBY_CLASS = {tuple(by_class)}"
    yield ""
    yield "# [mover, opponent] the four classes of a cell as hexadecimal digits, and their weight"
    yield "BY_CLASSES = ("
    for words in by_classes:
        yield '    """'
        for at in range(0, len(words), 10):
            yield "    " + " ".join(words[at : at + 10])
        yield '    """,'
    yield ")"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_gomoku", description=__doc__)
    parser.add_argument("games", nargs="+", type=Path, help="records of games")
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    given: Any = parser.parse_args(arguments)
    cases = cases_of(given.games)
    inputs, shrinking, listed = design(cases)
    held = cases.game % HELD_OUT == 0
    tried = fit(inputs[~held], cases.result[~held], shrinking)
    print(f"{len(held):,} positions, {inputs.shape[1]:,} weights")
    print(f"log loss on held-out games: {loss(inputs[held], cases.result[held], tried):.4f}")
    weights = fit(inputs, cases.result, shrinking)
    given.output.write_text("\n".join(lines_of(weights, listed, cases)) + "\n")


if __name__ == "__main__":
    main()
