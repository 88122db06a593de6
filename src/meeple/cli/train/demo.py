"""`meeple demo`: train Hex 5x5 for a few minutes, and rate the saved networks."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.networks import RUNS
from meeple.cli.main import INTERRUPTED
from meeple.cli.shared.reports import PICTURE, REPORT
from meeple.cli.shared.words import title
from meeple.cli.train.learning import learn
from meeple.cli.train.topp import topp
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import command_for
from meeple.learn.config import Config, find_config, load_config
from meeple.learn.run.folder import holds_run
from meeple.learn.training_run import resumed_config
from meeple.shell import command_line

NAME = "demo"


def demo(
    run: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder of the training run.")] = RUNS
    / NAME,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Delete the results of an earlier demo first.")
    ] = False,
) -> None:
    """Learn Hex 5x5 in minutes, and see its generations compete."""
    need("torch", "the demo")
    begun = holds_run(run)
    if fresh and begun:
        shutil.rmtree(run)
        begun = False
    if begun and (run / "topp" / REPORT).exists():
        elsewhere = () if run == RUNS / NAME else ("--run", run)
        repeat = command_line("demo", *elsewhere, "--fresh")
        print(f"{run} holds a finished demo; `{repeat}` repeats it.\n")
    ready = load_config(find_config(NAME))
    settings = resumed_config(run) if begun else ready
    print(introduction(ready, run))
    if learn(run, settings, watch=None, fresh=not begun) is None:
        raise typer.Exit(INTERRUPTED)
    print("\nA tournament between all saved networks, without search, follows.\n")
    topp(run)
    print(conclusion(settings.make_game(), run))


def introduction(settings: Config, run: Path) -> str:
    """Return the lines that explain the demo before it starts."""
    return (
        f"Learning {title(settings.make_game())} from its rules alone: {settings.run.episodes} "
        f"episodes of self-play by tree search, {settings.search.simulations} simulations a move, "
        f"{settings.run.networks} saved networks, in {run}.\n"
        "A simulation plays one line of moves from the current position, to estimate which move "
        "is best.\n"
        "A network is the function that is trained: it maps a position to move probabilities and "
        "to an estimate of the result.\n"
        "A generation is the network as saved after a number of episodes.\n"
        "Ctrl-C stops the training and saves it; the same command resumes it."
    )


def conclusion(game: Game, run: Path) -> str:
    """Return the lines on the picture, and the command that shows the run in the browser."""
    lines = []
    picture = run / "topp" / PICTURE
    if picture.exists():
        lines.append(
            f"Picture: {picture} shows the rating of each generation, and its results against "
            "each other one."
        )
    runs = () if run.parent == RUNS else ("--runs", run.parent)
    page = command_for(game, "serve", *runs)
    return "\n".join([*lines, f"Play and see the training in the browser: {page}"])
