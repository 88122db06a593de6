"""Games a second that patterns learn from: `python -m bench.learning_speed [NAME...]`.

Prints a row for each built-in game and each game of `examples/`, with default options and the
settings of `meeple train`: processor time of one thread, compilation left out.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import BUILT_IN, load_game_file, make
from meeple.learn.methods.patterns import PatternsRun, td_settings
from meeple.learn.run.folder import RunFolder
from meeple.learn.usual import patterns_config

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SLICE_GAMES = 50


def games(chosen: list[str]) -> Iterator[Game]:
    """Yield the built-in games and those of the examples, or the chosen ones of them."""
    files = [file for file in EXAMPLES.rglob("*.py") if "@kernel" in file.read_text("utf-8")]
    for game in [*map(make, BUILT_IN), *(load_game_file(file)() for file in sorted(files))]:
        if not chosen or game.name in chosen:
            yield game


def row(game: Game, seconds: float) -> str:
    """Learn a game for some seconds; return its row in Markdown."""
    try:
        config = patterns_config(game)
    except UsageError as error:
        return f"| {game.title} | | | {error} |"
    run = PatternsRun(config, RunFolder(Path()))  # nothing is written
    learner, settings, played, spent = run.learner, td_settings(config), 0, 0.0
    learner.learn(SLICE_GAMES, settings)  # compiles the kernels
    while spent < seconds:
        began = time.process_time()
        learner.learn(SLICE_GAMES, settings)
        spent, played = spent + time.process_time() - began, played + SLICE_GAMES
    layout = learner.evaluation.layout
    origin = "drawn" if config.draws(game) else "declared"
    return (
        f"| {game.title} | {len(layout.groups)}, {origin} | {layout.weights:,} "
        f"| {played / spent:,.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.learning_speed", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a game; by default all")
    parser.add_argument("--seconds", type=float, default=3.0, help="of learning each game")
    given = parser.parse_args()
    print("| game | placements of patterns | weights of a stage | games/s |\n|---|---|---|---|")
    for game in games(given.names):
        print(row(game, given.seconds), flush=True)


if __name__ == "__main__":
    main()
