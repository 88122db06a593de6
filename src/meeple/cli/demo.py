"""`meeple demo`: the main job end to end, in a few minutes: learn Hex, and prove it."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from meeple.cli.board.words import title
from meeple.cli.main import INTERRUPTED
from meeple.cli.reports import PICTURE, REPORT
from meeple.cli.resumed import resumed_config
from meeple.cli.topp import topp
from meeple.cli.train import RUNS, learn
from meeple.extras import need
from meeple.learn.config import Config, find_config, load_config
from meeple.learn.run.folder import holds_run

NAME = "demo"


def demo(
    run: Annotated[Path, typer.Option("--run", metavar="FOLDER", help="Where it goes.")] = RUNS
    / NAME,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Throw away what an earlier demo learned.")
    ] = False,
) -> None:
    """Learn Hex 5x5 in minutes, and see its generations compete."""
    need("torch", "the demo")
    begun = holds_run(run)
    if fresh and begun:
        shutil.rmtree(run)
        begun = False
    if begun and (run / "topp" / REPORT).exists():
        print(f"{run} holds a finished demo; `meeple demo --fresh` does it again.\n")
    ready = load_config(find_config(NAME))
    settings = resumed_config(run, None, None) if begun else ready
    print(introduction(ready, run))
    if learn(run, settings, watch=None, fresh=not begun) is None:
        raise typer.Exit(INTERRUPTED)
    print("\nNow all networks that were kept meet in a tournament, without any search.\n")
    topp(run)
    if (run / "topp" / PICTURE).exists():
        print(f"Picture: {run / 'topp' / PICTURE}")


def introduction(settings: Config, run: Path) -> str:
    """What is going to happen, in a few lines."""
    return (
        f"Learning {title(settings.make_game())} from its rules alone: {settings.run.episodes} "
        f"episodes of self-play by tree search, {settings.search.simulations} simulations a move, "
        f"{settings.run.networks} networks kept, into {run}.\n"
        "Ctrl-C stops it with everything saved; the same command goes on."
    )
