"""Solve endgames of Reversi 8x8 exactly: `python -m bench.endgames --positions 1000 --empty 20`.

The positions are those of games that the shipped patterns play one ply deep, from random openings.
Every result is appended to `--results`, and a later run continues from there. Prints the processor
time and the nodes of a position, and the nodes a second.
"""

import argparse
import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.networks import find_checkpoint
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make
from meeple.games.reversi.endgame import ReversiSolver
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import load_patterns

WEIGHTS = "reversi8-patterns"
OPENING = 8  # random moves of a game
RESULTS = Path("runs") / "endgames.jsonl"
SLICE = 1_000_000  # nodes

Result = dict[str, Any]  # seed, empty, score, move, nodes, seconds


def positions_of(
    game: Game, patterns: PatternEvaluation, empty: int
) -> Iterator[tuple[int, Position]]:
    """Yield seeds, and positions of games with `empty` empty cells, without end."""
    search = AlphaBeta(game, patterns=patterns)
    discs = game.num_cells - 4 - empty
    for seed in itertools.count():
        rng, position, laid = np.random.default_rng(seed), game.start(), 0
        search.begin(seed)
        while laid < discs and not position.is_over:
            if laid < OPENING:
                action = int(rng.choice(position.legal_actions()))
            else:
                action = search.run(position, depth=1).best
            position.play(action)
            laid += action != game.num_cells
        if not position.is_over:
            yield seed, position


def solved(solver: ReversiSolver, position: Position) -> Result:
    """Return the score for the player to move in discs, a best move, and what they cost."""
    game, began = position.game, time.process_time()
    solver.open(position)
    while not solver.advance(SLICE):
        pass
    seconds = time.process_time() - began
    share = float(solver.payoffs[position.to_move])
    return {
        "score": round((2 * share - 1) * game.num_cells),
        "move": game.action_name(position, solver.line[0]),
        "nodes": solver.searched,
        "seconds": seconds,
    }


def read_results(path: Path) -> list[Result]:
    """Return the saved results."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def summary(results: list[Result]) -> str:
    """Return one line on the time and the nodes of all positions."""
    seconds = np.array([one["seconds"] for one in results])
    nodes = np.array([one["nodes"] for one in results])
    median, late, longest = np.quantile(seconds, [0.5, 0.95, 1.0])
    return (
        f"{len(results)} positions: {seconds.mean():.3f} s on average, median {median:.3f}, "
        f"95 % {late:.3f}, longest {longest:.3f}; {nodes.mean() / 1e6:.2f} million nodes each, "
        f"{nodes.sum() / seconds.sum() / 1e6:.1f} million a second"
    )


def main() -> None:
    """Solve the positions that have no result yet, and print the summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--empty", type=int, default=20, help="empty cells of a position")
    parser.add_argument("--payoff", choices=("discs", "win"), default="discs")
    parser.add_argument("--alone", action="store_true", help="order no moves by patterns")
    parser.add_argument("--seconds", type=float, help="stop after this long")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    began, results = time.perf_counter(), read_results(arguments.results)
    known = {one["seed"] for one in results}
    game = make("reversi", payoff=arguments.payoff)
    patterns = load_patterns(find_checkpoint(WEIGHTS), game)
    solver = ReversiSolver(int(game.options["size"]), arguments.payoff == "discs")
    if not arguments.alone:
        solver.order_by(patterns.kernel, patterns.address)
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    with arguments.results.open("a") as file:
        found = positions_of(game, patterns, arguments.empty)
        for seed, position in itertools.islice(found, arguments.positions):
            if seed in known:
                continue
            if arguments.seconds and time.perf_counter() - began > arguments.seconds:
                break
            results.append({"seed": seed, **solved(solver, position)})
            file.write(json.dumps(results[-1]) + "\n")
            file.flush()
    print(summary(results))


if __name__ == "__main__":
    main()
