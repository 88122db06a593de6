"""Compare compiled kernels with C in turns, by processor time.

`python -m bench.limit`: UCT on Hex, perft of Reversi, evaluations by patterns. Compiles
`limit_hex.c`, `limit_reversi.c`, `limit_gomoku.c` and `limit_patterns.c`, which describe their
work, into `build/limit/`. Prints the best time of each, and the median and quartiles of the ratios
of neighbouring runs, which other work of the machine slows alike.
"""

import argparse
import itertools
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.limit_patterns import leaves_of, mean_share, shipped_evaluation, write_tables
from meeple.cli.bench.measuring import in_turns
from meeple.games.contract.registry import make
from meeple.kernels import LEGAL, invoke4, kernel
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctOptions
from meeple.search.moves import copy_and_play, list_moves, new_moves
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.perft import perft

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "limit"
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c11", "-O3", "-march=native", "-Wall", "-Wextra")
SIZES = (7, 11)  # of Hex
EVALUATION_ROUNDS = 20  # of the evaluations of a position's children
MOST_SIMULATIONS = 49_998  # that limit_hex.c has room for

Measure = Callable[[], float]  # nanoseconds


class LimitRow(NamedTuple):
    """The best times in nanoseconds, and Meeple's share of C's speed."""

    what: str
    of: str
    c: float
    meeple: float
    lower: float
    median: float
    upper: float


class LimitProgram:
    """A compiled program that answers a line with a record."""

    def __init__(self, program: Path, *arguments: Path) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([program, *arguments], stdin=pipe, stdout=pipe, text=True)

    def ask(self, *words: int) -> dict[str, Any]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(" ".join(map(str, words)) + "\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        return answer

    def __enter__(self) -> "LimitProgram":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()  # no more questions: it ends


def find_compiler() -> str | None:
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def build(compiler: str, source: str, *defines: str, folder: Path = BUILD) -> Path:
    """Compile a program of this folder, with these macros defined."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "-".join([Path(source).stem, *defines]).replace("=", "")
    options = [f"-D{define}" for define in defines]
    command = [compiler, *FLAGS, *options, str(HERE / source), "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    return program


def compare_uct(compiler: str, size: int, simulations: int, repeats: int) -> LimitRow:
    """Compare searches of the opening of Hex, without proofs and transpositions."""
    game = make("hex", size=size)
    search, position = (
        TreeSearch(OpenUct(game, UctOptions(solve=False, transpositions=False))),
        game.start(),
    )
    seeds, seeds_of_c = itertools.count(), itertools.count()

    def ours() -> float:
        search.begin(next(seeds))
        began = time.thread_time_ns()
        search.run(position, simulations)
        return (time.thread_time_ns() - began) / simulations

    with LimitProgram(build(compiler, "limit_hex.c", f"SIZE={size}")) as limit:

        def of_c() -> float:
            return float(limit.ask(simulations, next(seeds_of_c))["nanoseconds"])

        return _compare(f"UCT on Hex {size}x{size}", "a simulation", of_c, ours, repeats)


def compare_perft(compiler: str, depth: int, repeats: int, *defines: str) -> LimitRow:
    """Compare the count of Reversi's positions a number of plies from its start."""
    position = make("reversi").start()

    def ours() -> float:
        began = time.thread_time_ns()
        count = perft(position, depth)
        return (time.thread_time_ns() - began) / count

    with LimitProgram(build(compiler, "limit_reversi.c", *defines)) as limit:

        def of_c() -> float:
            return float(limit.ask(depth)["nanoseconds"])

        way = " with vectors in C" if defines else ""
        what = f"Reversi's perft to depth {depth}{way}"
        return _compare(what, "a position", of_c, ours, repeats)


def compare_patterns(compiler: str, rounds: int, repeats: int) -> LimitRow:
    """Compare evaluations of positions in the order in which a search meets them."""
    game = make("reversi")
    evaluation, leaves = shipped_evaluation(game), leaves_of(game)

    def ours() -> float:
        began = time.thread_time_ns()
        mean_share(evaluation, leaves, rounds)
        return (time.thread_time_ns() - began) / (rounds * len(leaves.movers))

    program, tables = build(compiler, "limit_patterns.c"), BUILD / "patterns.bin"
    write_tables(tables, game, evaluation, leaves)
    with LimitProgram(program, tables) as limit:

        def of_c() -> float:
            return float(limit.ask(rounds)["nanoseconds"])

        return _compare("Reversi's patterns", "an evaluation", of_c, ours, repeats)


def compare_evaluations(compiler: str, rounds: int, repeats: int) -> LimitRow:
    """Compare evaluations of all positions one stone after a position of Gomoku with 16 stones."""
    game = make("gomoku")
    position, size = game.start(), int(game.options["size"])
    for stone in range(16):
        position.play((5 + stone // 4) * size + 5 + stone % 4)
    evaluation = PatternEvaluation(game)
    evaluation.weights[:] = np.random.default_rng(1).normal(size=evaluation.weights.shape)
    evaluation.pack()
    states = np.stack([position.row, position.row])
    moves, shares = new_moves(game.max_moves), np.zeros(2)
    address = evaluation.kernel, evaluation.address

    def ours() -> float:
        began = time.thread_time_ns()
        count = evaluate_children(game.rules, *address, states, moves, shares, rounds)
        return (time.thread_time_ns() - began) / float(count)

    with LimitProgram(build(compiler, "limit_gomoku.c")) as limit:

        def of_c() -> float:
            return float(limit.ask(rounds)["nanoseconds"])

        return _compare("patterns of Gomoku", "an evaluation", of_c, ours, repeats)


SECOND = np.int64(1)  # the player to move after an action; some of the actions end the game


@kernel
def evaluate_children(
    rules: Any, evaluate: int, tables: int, states: Any, moves: Any, shares: Any, rounds: int
) -> int:
    """Evaluate the states after each action of `states[0]`; return the number of evaluations."""
    count = 0
    for _ in range(rounds):
        actions = list_moves(rules, LEGAL, states[0], moves)
        for index in range(actions):
            copy_and_play(rules, states, 0, 1, moves.actions[index])
            invoke4(evaluate, tables, states[1].ctypes.data, SECOND, shares.ctypes.data)
        count += actions
    return count


def quartiles_of_ratios(over: Sequence[float], under: Sequence[float]) -> tuple[float, ...]:
    """Return the quartiles of the ratios of paired times: lower, median, upper."""
    return tuple(statistics.quantiles((a / b for a, b in zip(over, under, strict=True)), n=4))


def _compare(what: str, of: str, c: Measure, meeple: Measure, repeats: int) -> LimitRow:
    times = in_turns([c, meeple], repeats)  # the first of each, which compiles, is not measured
    return LimitRow(what, of, min(times[0]), min(times[1]), *quartiles_of_ratios(*times))


def compare_all(compiler: str, told: argparse.Namespace) -> Iterator[LimitRow]:
    for size in SIZES:
        yield compare_uct(compiler, size, told.sims, told.repeats)
    yield compare_perft(compiler, told.depth, told.repeats)
    yield compare_perft(compiler, told.depth, told.repeats, "VECTORS")
    yield compare_patterns(compiler, told.rounds, told.repeats)
    yield compare_evaluations(compiler, EVALUATION_ROUNDS, told.repeats)


def main() -> None:
    parser = argparse.ArgumentParser(description="The compiled kernels against C.")
    parser.add_argument("--sims", type=int, default=10_000, help="simulations of a search")
    parser.add_argument("--depth", type=int, default=9, help="plies of perft")
    parser.add_argument("--rounds", type=int, default=20, help="rounds over all positions")
    parser.add_argument("--repeats", type=int, default=50, help="times that each is measured")
    parser.add_argument("--json", action="store_true", help="print records, one a line")
    told = parser.parse_args()
    least = min(told.sims, told.depth, told.rounds)
    if least < 1 or told.sims > MOST_SIMULATIONS or told.repeats < 2:
        parser.error(
            f"--sims is from 1 to {MOST_SIMULATIONS}, --depth and --rounds from 1, --repeats from 2"
        )
    compiler = find_compiler()
    if compiler is None:
        names = ", ".join(COMPILERS)
        sys.exit(f"There is no C compiler to compare with: none of {names} is on the PATH.")
    for row in compare_all(compiler, told):
        if told.json:
            print(json.dumps(row._asdict()), flush=True)
            continue
        print(
            f"{row.what}: {row.c:.1f} ns {row.of} in C and {row.meeple:.1f} here at best; "
            f"{row.median:.2f} of C's speed ({row.lower:.2f} to {row.upper:.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
