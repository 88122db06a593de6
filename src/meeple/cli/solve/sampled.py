"""`meeple solve --method mccfr`: strategies by external sampling, and their exploitability."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

from meeple.cli.shared.interrupt import stopping
from meeple.cli.shared.progress import progress_line
from meeple.cli.shared.words import title
from meeple.cli.solve.equilibria import decisions_of, decisions_text, shares_text
from meeple.errors import TooLarge
from meeple.games.contract.game import Game
from meeple.games.contract.result import percent
from meeple.search.exact.cfr import Equilibrium, expected_payoffs, exploitability
from meeple.search.exact.information_tree import MAX_NODES, InformationTree, information_tree
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.exact.strategy_file import load, save

ITERATIONS = 100_000  # default
FIRST_POINT = 100  # iterations at the first point of the curve; each next has twice as many
NO_GUARANTEE = (
    "With more than two players the average strategy need not be an equilibrium: there is no "
    "guarantee."
)


class CurvePoint(NamedTuple):
    """The average strategy after a number of iterations."""

    iterations: int
    seconds: float  # of sampling
    information_sets: int  # that were reached
    exploitability: float | None  # None: the game's tree is too large


class Sampled(NamedTuple):
    """The result of a sampling run."""

    game: Game
    curve: list[CurvePoint]
    found: Equilibrium | None  # None: the game's tree is too large
    too_large: str  # why there is no tree
    stopped: bool  # by Ctrl-C


def sample(
    game: Game, iterations: int, seed: int, limit: int | None, file: Path | None = None
) -> Sampled:
    """Sample for a number of iterations, or until Ctrl-C.

    Args:
        game: the game.
        iterations: number of iterations.
        seed: of the sampling.
        limit: nodes of a tree whose exploitability is computed; None: the default.
        file: where the strategy is saved at the end; if it exists, sampling continues from it.

    Raises:
        TooLarge: too many information sets were reached.
        CheckpointError: the file cannot be read or written, or is of another game.
    """
    with progress_line() as report, stopping() as stop:
        tree, too_large = _tree(game, limit)
        continued = file is not None and file.exists()
        sampling = load(file, game) if file and continued else ExternalSampling(game, seed)
        first, seconds = sampling.iterations, 0.0
        curve: list[CurvePoint] = []
        for goal in (first + more for more in _goals(iterations)):
            seconds += sampling.run(goal - sampling.iterations, stop)
            curve.append(_point(sampling, tree, seconds))
            exploitable = curve[-1].exploitability
            gain = (
                "" if exploitable is None else f", a best answer wins {percent(exploitable)} more"
            )
            report(f"{sampling.iterations:,} iterations{gain}")
            if stop():
                break
        if file is not None:
            save(file, sampling)
        found = None
        if tree is not None:
            strategy = sampling.strategy(tree)
            found = Equilibrium(
                tree,
                strategy,
                expected_payoffs(tree, strategy),
                curve[-1].exploitability or 0.0,
                sampling.iterations,
                seconds,
            )
        return Sampled(game, curve, found, too_large, sampling.iterations < first + iterations)


def _tree(game: Game, limit: int | None) -> tuple[InformationTree | None, str]:
    """Return the game's tree, or why it has none."""
    try:
        return information_tree(game, limit or MAX_NODES), ""
    except TooLarge as error:
        return None, str(error)


def _goals(iterations: int) -> list[int]:
    """Return the iterations at which the strategy is evaluated: doubled ones, and the last."""
    goals, goal = [], FIRST_POINT
    while goal < iterations:
        goals.append(goal)
        goal *= 2
    return [*goals, iterations]


def _point(sampling: ExternalSampling, tree: InformationTree | None, seconds: float) -> CurvePoint:
    found = None if tree is None else exploitability(tree, sampling.strategy(tree))
    return CurvePoint(sampling.iterations, round(seconds, 3), sampling.information_sets, found)


def sampled_data(sampled: Sampled) -> dict[str, Any]:
    """Return the result as JSON."""
    last, found = sampled.curve[-1], sampled.found
    return {
        "method": "mccfr",
        "payoffs": None if found is None else found.payoffs.tolist(),
        "exploitability": last.exploitability,
        "guarantee": sampled.game.players == 2,
        "iterations": last.iterations,
        "information_sets": last.information_sets,
        "stopped": sampled.stopped,
        "curve": [point._asdict() for point in sampled.curve],
        "strategy": None if found is None else [one._asdict() for one in decisions_of(found)],
        "seconds": last.seconds,
    }


def sampled_text(sampled: Sampled) -> str:
    """Return the result as text: the curve, and the first decisions."""
    game, last = sampled.game, sampled.curve[-1]
    lines = [title(game)]
    if game.players != 2:
        lines.append(NO_GUARANTEE)
    if sampled.found is None:
        lines += [
            f"{last.information_sets:,} information sets reached in {last.iterations:,} "
            f"iterations, {last.seconds:.2f} s.",
            f"The exploitability is not known: {sampled.too_large}.",
        ]
        return "\n".join(lines)
    lines.append("iterations  a best response wins more")
    lines += [
        f"{point.iterations:>10,}  {100 * (point.exploitability or 0.0):.3f} %"
        for point in sampled.curve
    ]
    lines.append(f"If all play the average strategy: {shares_text(sampled.found)}.")
    lines += decisions_text(sampled.found)
    lines.append(
        f"{last.information_sets:,} information sets reached, {last.seconds:.2f} s. "
        "All decisions: --json"
    )
    return "\n".join(lines)


def say_stopped(sampled: Sampled) -> None:
    """Print to stderr that the run was stopped early."""
    if sampled.stopped:
        done = sampled.curve[-1].iterations
        print(f"Stopped after {done:,} iterations; the result is theirs.", file=sys.stderr)
