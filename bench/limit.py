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
import numpy.typing as npt

from bench.speed.measuring import in_turns
from meeple.agents.networks import find_checkpoint
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make
from meeple.kernels import LEGAL, invoke4, kernel
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.moves import copy_and_play, list_moves, new_moves
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import load_patterns
from meeple.search.perft import perft

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "limit"
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c11", "-O3", "-march=native", "-Wall", "-Wextra")
SIZES = (7, 11)  # of Hex
EVALUATION_ROUNDS = 20  # of the evaluations of a position's children
WEIGHTS = "reversi8-patterns"
PLAYED, REPLIES = 40, 6  # games of random play, and replies to each of a position's actions
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
    rule = OpenUct(game, UctSettings(solve=False, transpositions=False))
    search, position, seeds = TreeSearch(rule), game.start(), itertools.count()

    def ours() -> float:
        search.begin(next(seeds))
        began = time.thread_time_ns()
        search.run(position, simulations)
        return (time.thread_time_ns() - began) / simulations

    with LimitProgram(build(compiler, "limit_hex.c", f"SIZE={size}")) as limit:
        questions = ((simulations, seed) for seed in itertools.count())
        what = f"UCT on Hex {size}x{size}"
        return _compare(what, "a simulation", limit, questions, ours, repeats)


def compare_perft(compiler: str, depth: int, repeats: int, *defines: str) -> LimitRow:
    """Compare the count of Reversi's positions a number of plies from its start."""
    position = make("reversi").start()
    ours = _time_of(lambda: perft(position, depth))
    with LimitProgram(build(compiler, "limit_reversi.c", *defines)) as limit:
        way = " with vectors in C" if defines else ""
        what, questions = f"Reversi's perft to depth {depth}{way}", itertools.repeat((depth,))
        return _compare(what, "a position", limit, questions, ours, repeats)


def compare_patterns(compiler: str, rounds: int, repeats: int) -> LimitRow:
    """Compare evaluations of positions in the order in which a search meets them."""
    game = make("reversi")
    evaluation, leaves = shipped_evaluation(game), leaves_of(game)

    def evaluate() -> int:
        mean_share(evaluation, leaves, rounds)
        return rounds * len(leaves.movers)

    program, tables = build(compiler, "limit_patterns.c"), BUILD / "patterns.bin"
    write_tables(tables, game, evaluation, leaves)
    with LimitProgram(program, tables) as limit:
        ours, questions = _time_of(evaluate), itertools.repeat((rounds,))
        return _compare("Reversi's patterns", "an evaluation", limit, questions, ours, repeats)


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
    moves, shares = new_moves(game), np.zeros(2)
    address = evaluation.kernel, evaluation.address

    def evaluate() -> int:
        return int(evaluate_children(game.addresses, *address, states, moves, shares, rounds))

    with LimitProgram(build(compiler, "limit_gomoku.c")) as limit:
        ours, questions = _time_of(evaluate), itertools.repeat((rounds,))
        return _compare("patterns of Gomoku", "an evaluation", limit, questions, ours, repeats)


def _time_of(work: Callable[[], int]) -> Measure:
    """Return a measure of work that returns how often it was done."""

    def measure() -> float:
        began = time.thread_time_ns()
        count = work()
        return (time.thread_time_ns() - began) / count

    return measure


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


# ------------------------------------------------------------ patterns of Reversi


class Leaves(NamedTuple):
    """Positions two plies below those of games, siblings one after the other; N positions."""

    states: npt.NDArray[np.uint8]  # [N, state bytes]
    movers: npt.NDArray[np.int64]  # [N]


def leaves_of(game: Game) -> Leaves:
    """Return the positions that a search of two plies evaluates, in its order."""
    rng, states, movers = np.random.default_rng(0), [], []
    for _ in range(PLAYED):
        position = game.start()
        for _ in range(int(rng.integers(6, 50))):
            if not position.is_over:
                position.play(int(rng.choice(position.legal_actions())))
        for action in [] if position.is_over else position.legal_actions().tolist():
            child = position.copy()
            child.play(action)
            for reply in [] if child.is_over else child.legal_actions()[:REPLIES].tolist():
                leaf = child.copy()
                leaf.play(reply)
                if not leaf.is_over:
                    states.append(leaf.row.view(np.uint8).copy())
                    movers.append(leaf.to_move)
    return Leaves(np.array(states), np.array(movers, np.int64))


def shipped_evaluation(game: Game) -> PatternEvaluation:
    """Return the evaluation of the weights that ship."""
    return load_patterns(find_checkpoint(WEIGHTS), game)


def write_tables(path: Path, game: Game, evaluation: PatternEvaluation, leaves: Leaves) -> None:
    """Write what `limit_patterns.c` reads."""
    memory = evaluation.memory[0]
    stages, _, entries = memory["packed"].shape
    uses, count = memory["placed"].shape[1], len(leaves.movers)
    discs = [state.view(game.State)["discs"][0, :, 0] for state in leaves.states]
    sizes = np.array([len(evaluation.layout.groups), uses, entries, stages, count], np.int32)
    first = np.append(evaluation.layout.first_entry, 0).astype(np.uint32)
    arrays: list[npt.NDArray[Any]] = [
        sizes,
        memory["placed"],
        memory["power"],
        first,
        memory["stage_of"],
        memory["packed"],
        np.ascontiguousarray(evaluation.weights[:, -1]),
        np.array([memory["unit"]], np.float32),
        np.array(discs, np.uint64),
        leaves.movers.astype(np.int32),
    ]
    path.write_bytes(b"".join(array.tobytes() for array in arrays))


def mean_share(evaluation: PatternEvaluation, leaves: Leaves, rounds: int) -> float:
    """Return the mean share of the player to move over all positions."""
    shares = np.zeros(2)
    total = sum_of_shares(
        evaluation.kernel, evaluation.address, leaves.states, leaves.movers, shares, rounds
    )
    return float(total) / (rounds * len(leaves.movers))


@kernel
def sum_of_shares(
    evaluate: int, tables: int, states: Any, movers: Any, shares: Any, rounds: int
) -> float:
    """Evaluate all states, some rounds over."""
    total = 0.0
    for _ in range(rounds):
        for index in range(states.shape[0]):
            mover = movers[index]
            invoke4(evaluate, tables, states[index].ctypes.data, mover, shares.ctypes.data)
            total += shares[mover]
    return total


# ------------------------------------------------------------ the comparison


def quartiles_of_ratios(over: Sequence[float], under: Sequence[float]) -> tuple[float, ...]:
    """Return the quartiles of the ratios of paired times: lower, median, upper."""
    return tuple(statistics.quantiles((a / b for a, b in zip(over, under, strict=True)), n=4))


def _compare(
    what: str,
    of: str,
    limit: LimitProgram,
    questions: Iterator[tuple[int, ...]],
    meeple: Measure,
    repeats: int,
) -> LimitRow:
    def c() -> float:
        return float(limit.ask(*next(questions))["nanoseconds"])

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
