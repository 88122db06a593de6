"""Fit the network that evaluates Gomoku (`cell_network.py`) to games of its own search.

    python -m bench.fit_gomoku play games.jsonl --games 23000 --workers 16
    python -m bench.fit_gomoku fit games.jsonl

`play` writes games of `minimax` with itself from random stones; each record notes what the search
made of every position. A game ends when the search proves its result. The same command resumes.
`fit` learns a mix of that value and the result, by Adam, from the positions in which no threat
decides. It prints the log loss on every tenth game, which is held out, and writes the weights.
"""

import argparse
import itertools
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, positions, read_records, record_of
from meeple.games.contract.registry import make
from meeple.games.gomoku.cell_network import (
    OFFSET,
    UNIT,
    WEIGHTS,
    WIDTH,
    evaluate_cells,
    pattern_numbers,
)
from meeple.games.gomoku.cell_scores import all_around, cells_of, near_cells
from meeple.games.gomoku.fours import win_by_fours
from meeple.kernels import kernel, lowest_bit
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import MinimaxSettings
from meeple.tensor_file import Tensors, write_tensors

MARGIN = 0.02  # of the moves in games, in shares
MOST_STONES, REACHES = 7, (2, 5)  # random stones, and the cells around the middle that they are on
UNBALANCED = 0.25  # shares from one half at which a search of four plies discards an opening
PROVEN = 0.999  # share of a player, above it a game is won
GAMES_PER_TASK = 10

FIRST_PLY = 3  # positions before it are left out, and openings
FOURS = 100  # of the search for wins that leaves a position out
HELD_OUT = 10  # every tenth game is held out
SCALE = 16  # sums of cells are divided by it while weights are learned
LARGEST = (OFFSET - 2) / UNIT  # unit of an embedding
BATCH, RATE, LAST_RATE, WARM_UP = 1024, 4e-3, 0.003, 100
SHRINKING = {True: 1e-7, False: 1e-5}  # of the embeddings, and of all other weights
NOTHING = 1e-6  # a weight below it, of a unit that does nothing, is written as 0
NAMES = ("embeddings", "first", "first_bias", "second", "second_bias", "last", "direct", "bias")

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


# ---------------------------------------------------------------- games


def opening(game: Game, seed: int) -> Position | None:
    """Return a position after random stones around the middle; None if it is over."""
    rng, position = np.random.default_rng(seed), game.start(seed)
    reach = int(rng.integers(*REACHES))
    middle = 7 + rng.integers(-2, 3, 2)
    places = rng.permutation((2 * reach + 1) ** 2)[: rng.integers(2, MOST_STONES + 1)]
    for place in places:
        row, column = middle - reach + np.divmod(place, 2 * reach + 1)
        if not position.is_over:
            position.play(int(row) * 15 + int(column))
    return None if position.is_over else position


def play_games(first: int, seconds: float) -> list[str]:
    """Return the records, as lines, of games from the openings of seeds from `first` on."""
    game = make("gomoku")
    search, lines = AlphaBeta(game, MinimaxSettings(margin=MARGIN, selective=True)), []
    for seed in range(first, first + GAMES_PER_TASK):
        position = opening(game, seed)
        search.begin(seed)
        if position is None or abs(search.run(position, depth=4).value[0] - 0.5) > UNBALANCED:
            continue
        opened, values, shares = len(position.actions), [], np.zeros(2)
        while shares.max() < PROVEN and not position.is_over:
            found = search.run(position, seconds=seconds)
            shares = found.value
            values.append(round(float(shares[position.to_move]), 4))
            if shares.max() < PROVEN:
                position.play(found.best)
        shares = position.payoffs if position.is_over else np.rint(shares)
        record = record_of(position, ("minimax", "minimax"), opened, {"values": values})
        lines.append(replace(record, payoffs=tuple(shares.tolist())).to_json() + "\n")
    return lines


def play(path: Path, games: int, seconds: float, workers: int) -> None:
    """Append games to a file until it has as many, and print the progress."""
    done = read_records(path) if path.exists() else []
    first, count, began = max((one.seed + 1 for one in done), default=0), len(done), time.time()
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        while count < games:
            starts = range(first, first + 4 * workers * GAMES_PER_TASK, GAMES_PER_TASK)
            first = starts.stop
            for lines in pool.map(play_games, starts, itertools.repeat(seconds)):
                with path.open("a") as file:
                    file.writelines(lines)
                count += len(lines)
            print(f"{count:,} of {games:,} games, {time.time() - began:.0f} s", flush=True)


# ---------------------------------------------------------------- positions


class Cases(NamedTuple):
    """N positions with C cells in all, and what is to be learned of each."""

    cells: npt.NDArray[np.uint16]  # [C, 4] patterns on the lines of each empty cell near stones
    first: Integers  # [N + 1] the first cell of each position
    result: Floats  # [N] share of the player to move
    value: Floats  # [N] that share by search
    game: Integers  # [N]


@kernel
def list_patterns(s: Any, mover: int, numbers: Any, out: Any) -> int:
    """Write the patterns of each empty cell near stones, [cells, 4]; return the number of cells."""
    size: Any = np.int64(s.size)
    own, other = s.lines[mover], s.lines[1 - mover]
    count = 0
    for row in range(size):
        near = near_cells(own, other, size, row)
        while near:
            column = lowest_bit(np.uint64(near))
            near &= near - 1
            x, y = np.uint64(column), np.uint64(row)
            codes = all_around(own, other, size, cells_of(own, other, size, y), y, x)
            for line in range(4):
                out[count, line] = numbers[codes[line]]
            count += 1
    return count


def judged_positions(record: GameRecord) -> Iterator[Position]:
    """Yield the positions of a game that a search evaluated and no threat decides."""
    last = record.opening + len(record.notes["values"])
    for ply, position in enumerate(positions(record)):
        if not max(FIRST_PLY, record.opening) <= ply < last:
            continue
        _, five, their_fives, straight = evaluate_cells(position.state, position.to_move)
        if not (five or straight or their_fives > 1 or win_by_fours(position.state, FOURS)):
            yield position


def cases_of(files: Sequence[Path]) -> Cases:
    """Return the positions of games that are learned from."""
    cells, ends, results, values, games = [], [0], [], [], []
    scratch, numbers = np.zeros((400, 4), np.uint16), pattern_numbers()
    for number, record in enumerate(itertools.chain.from_iterable(map(read_records, files))):
        assert record.payoffs is not None
        for position in judged_positions(record):
            mover = position.to_move
            count = list_patterns(position.state, mover, numbers, scratch)
            cells.append(scratch[:count].copy())
            ends.append(ends[-1] + count)
            results.append(record.payoffs[mover])
            values.append(record.notes["values"][len(position.actions) - record.opening])
            games.append(number)
    return Cases(
        np.concatenate(cells),
        np.array(ends),
        np.array(results, np.float32),
        np.array(values, np.float32),
        np.array(games),
    )


# ---------------------------------------------------------------- the network


def new_weights(patterns: int, rng: np.random.Generator) -> list[Floats]:
    """Return random weights in the order of `NAMES`."""
    spread, layer = WIDTH**-0.5, (WIDTH, WIDTH)
    weights = [
        rng.normal(0, 0.05, (patterns, WIDTH)),
        rng.uniform(-spread, spread, layer),
        np.zeros(WIDTH),
        rng.uniform(-spread, spread, layer),
        np.zeros(WIDTH),
        rng.uniform(-spread, spread, WIDTH),
        rng.normal(0, 0.02, WIDTH),
        np.zeros(1),
    ]
    return [one.astype(np.float32) for one in weights]


class Layers(NamedTuple):
    """Units of one position, and the slopes of its loss by them: [WIDTH] each."""

    sums: Floats
    first: Floats
    second: Floats
    sums_slopes: Floats
    first_slopes: Floats
    second_slopes: Floats


def new_layers() -> Layers:
    return Layers(*(np.zeros(WIDTH, np.float32) for _ in Layers._fields))


@kernel
def learn_from(
    order: Any, cells: Any, starts: Any, target: Any, weights: Any, slopes: Any, at: Any, odds: Any
) -> None:
    """Write the log-odds of positions, and add up the slopes of the log loss.

    Args:
        order: [B] numbers of positions.
        cells: of `Cases`.
        starts: of `Cases`, the first cell of each position.
        target: [N] shares to be learned; empty: only the log-odds are wanted.
        weights: in the order of `NAMES`.
        slopes: like the weights.
        at: `Layers`, whose memory is used.
        odds: [B] filled in.
    """
    embeddings, first, first_bias, second, second_bias, last, direct, bias = weights
    width, zero, scale = np.uint64(len(at.sums)), np.float32(0), np.float32(1 / SCALE)
    for number in range(len(order)):
        position = order[number]
        at.sums[:] = 0
        for cell in range(starts[position], starts[position + 1]):
            a, b = embeddings[cells[cell, 0]], embeddings[cells[cell, 1]]
            c, d = embeddings[cells[cell, 2]], embeddings[cells[cell, 3]]
            for unit in range(width):
                found = a[unit] + b[unit] + c[unit] + d[unit]
                at.sums[unit] += scale * found if found > zero else zero
        value = bias[0]
        for unit in range(width):
            at.first[unit], at.second[unit] = first_bias[unit], second_bias[unit]
        for unit in range(width):
            value += direct[unit] * at.sums[unit]
            for to in range(width):
                at.first[to] += first[unit, to] * at.sums[unit]
        for unit in range(width):
            if at.first[unit] > zero:
                for to in range(width):
                    at.second[to] += second[unit, to] * at.first[unit]
        for unit in range(width):
            value += last[unit] * at.second[unit] if at.second[unit] > zero else zero
        odds[number] = value
        if len(target) > 0:
            slope = np.float32(1 / (1 + np.exp(-value))) - target[position]
            _learn_layers(slope, weights, slopes, at, width)
            for cell in range(starts[position], starts[position + 1]):
                _learn_cell(cells[cell], embeddings, slopes[0], at.sums_slopes, width)


@kernel
def _learn_layers(slope: Any, weights: Any, slopes: Any, at: Any, width: Any) -> None:
    """Add the slopes of the layers for one position, and write those of its units."""
    _, first, _, second, _, last, direct, _ = weights
    _, of_first, of_first_bias, of_second, of_second_bias, of_last, of_direct, of_bias = slopes
    zero = np.float32(0)
    of_bias[0] += slope
    for unit in range(width):
        on = at.second[unit] > zero
        of_last[unit] += slope * at.second[unit] if on else zero
        at.second_slopes[unit] = slope * last[unit] if on else zero
        of_second_bias[unit] += at.second_slopes[unit]
    for unit in range(width):
        total = zero
        if at.first[unit] > zero:
            for to in range(width):
                total += second[unit, to] * at.second_slopes[to]
                of_second[unit, to] += at.first[unit] * at.second_slopes[to]
        at.first_slopes[unit] = total
        of_first_bias[unit] += total
    for unit in range(width):
        total = slope * direct[unit]
        of_direct[unit] += slope * at.sums[unit]
        for to in range(width):
            total += first[unit, to] * at.first_slopes[to]
            of_first[unit, to] += at.sums[unit] * at.first_slopes[to]
        at.sums_slopes[unit] = total * np.float32(1 / SCALE)


@kernel
def _learn_cell(patterns: Any, embeddings: Any, slopes: Any, of_sums: Any, width: Any) -> None:
    """Add the slopes of the embeddings of one cell's patterns."""
    a, b = embeddings[patterns[0]], embeddings[patterns[1]]
    c, d = embeddings[patterns[2]], embeddings[patterns[3]]
    of_a, of_b = slopes[patterns[0]], slopes[patterns[1]]
    of_c, of_d = slopes[patterns[2]], slopes[patterns[3]]
    for unit in range(width):
        on = a[unit] + b[unit] + c[unit] + d[unit] > np.float32(0)
        slope = of_sums[unit] if on else np.float32(0)
        of_a[unit] += slope
        of_b[unit] += slope
        of_c[unit] += slope
        of_d[unit] += slope


def odds_of(order: Integers, cases: Cases, weights: Sequence[Floats]) -> Floats:
    """Return [B] the log-odds of positions."""
    odds, nothing = np.zeros(len(order), np.float32), np.zeros(0, np.float32)
    given = tuple(weights)
    learn_from(order, cases.cells, cases.first, nothing, given, given, new_layers(), odds)
    return odds


def fit(cases: Cases, epochs: int, mix: float, seed: int) -> list[Floats]:
    """Return the weights, in the order of `NAMES`; prints held-out losses.

    Args:
        cases: the positions.
        epochs: passes over the positions.
        mix: part of the result in what is learned; the rest is the value by search.
        seed: of the first weights and the order of positions.
    """
    rng, began = np.random.default_rng(seed), time.time()
    weights = new_weights(int(pattern_numbers().max()) + 1, rng)
    means, squares = ([np.zeros_like(one) for one in weights] for _ in range(2))
    target = mix * cases.result + (1 - mix) * cases.value
    held = np.flatnonzero(cases.game % HELD_OUT == 0)
    learned = np.flatnonzero(cases.game % HELD_OUT)
    layers, odds = new_layers(), np.zeros(BATCH, np.float32)
    step, steps = 0, epochs * (len(learned) // BATCH)
    for epoch in range(1, epochs + 1):
        order = rng.permutation(learned)
        for at in range(0, len(order) - BATCH + 1, BATCH):
            slopes = tuple(np.zeros_like(one) for one in weights)
            batch, given = order[at : at + BATCH], tuple(weights)
            learn_from(batch, cases.cells, cases.first, target, given, slopes, layers, odds)
            step += 1
            rate = RATE * (np.cos(np.pi * step / steps) / 2 + 0.5 + LAST_RATE)
            rate *= min(1.0, step / WARM_UP)
            moments = zip(weights, means, squares, strict=True)
            for number, (weight, mean, square) in enumerate(moments):
                slope = slopes[number] / BATCH + SHRINKING[number == 0] * weight
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                scaled = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                weight -= (rate / (1 - 0.9**step) * mean / scaled).astype(np.float32)
            np.clip(weights[0], -LARGEST, LARGEST, out=weights[0])
        found = odds_of(held, cases, weights)
        losses = [log_loss(found, wanted[held]) for wanted in (cases.result, cases.value)]
        print(
            f"epoch {epoch}: held-out log loss {losses[0]:.4f} of results, "
            f"{losses[1]:.4f} of values by search, {time.time() - began:.0f} s",
            flush=True,
        )
    return weights


def log_loss(odds: Floats, shares: Floats) -> float:
    """Return the mean log loss, in nats."""
    return float(np.mean(np.logaddexp(0, odds) - shares * odds))


def file_tensors(weights: Sequence[Floats]) -> Tensors:
    """Return the arrays of the file of weights, by `NAMES`."""
    found: Tensors = {}
    for name, weight in zip(NAMES, weights, strict=True):
        scaled = weight / SCALE if name in ("first", "direct") else weight
        found[name] = np.where(np.abs(scaled) < NOTHING, 0, scaled).astype(np.float32)
    return {**found, "embeddings": np.rint(UNIT * weights[0]).astype(np.int16)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Play games, or fit and write the weights."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.fit_gomoku",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("play", help="play games")
    games.add_argument("file", type=Path)
    games.add_argument("--games", type=int, default=23_000)
    games.add_argument("--seconds", type=float, default=0.012, help="of a move")
    games.add_argument("--workers", type=int, default=1)
    fitted = commands.add_parser("fit", help="fit the weights")
    fitted.add_argument("files", nargs="+", type=Path)
    fitted.add_argument("--epochs", type=int, default=40)
    fitted.add_argument("--mix", type=float, default=0.4, help="part of the result in the labels")
    fitted.add_argument("--seed", type=int, default=1)
    fitted.add_argument("--output", type=Path, default=WEIGHTS)
    given: Any = parser.parse_args(arguments)
    if given.command == "play":
        play(given.file, given.games, given.seconds, given.workers)
        return
    cases = cases_of(given.files)
    print(f"{len(cases.game):,} positions", flush=True)
    weights = fit(cases, given.epochs, given.mix, given.seed)
    counts = {"games": len(np.unique(cases.game)), "positions": len(cases.game)}
    write_tensors(given.output, "cell network", file_tensors(weights), counts)


if __name__ == "__main__":
    main()
