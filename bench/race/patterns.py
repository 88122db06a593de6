"""Meeple's patterns, drawn for Connect Four, by temporal differences on one thread."""

import functools
import shutil
from pathlib import Path

from bench.five_minutes.measure import UNSAVED
from bench.race.clock import Clock, checkpoint
from bench.race.ours import GAME, Player, Progress, is_past
from meeple.agents.networks import checkpoint_files
from meeple.agents.spec_syntax import quoted
from meeple.learn import loop
from meeple.learn.methods.patterns import PatternsRun
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import open_run
from meeple.learn.usual import patterns_config

MOVE_SECONDS = 0.01


def train(folder: Path) -> None:
    """Train in a folder, or resume; store the weights at each mark."""
    clock, run = Clock(folder), folder / "run"
    config = patterns_config(GAME, ["training.drawn=true", *UNSAVED])
    if not run.exists():
        loop.start_run(config, run)
    for mark in clock.marks():
        loop.train(run, Progress(clock), functools.partial(is_past, clock, mark))
        clock.save()
        open_run(PatternsRun, config, RunFolder(run), print).save_checkpoint()
        shutil.copy(checkpoint_files(run)[-1][1], checkpoint(folder, mark))


def load_player(folder: Path) -> Player:
    """Return the player with the weights of a mark: one ply deep, or with 10 ms a move."""
    path = quoted(str(folder))
    return Player(f"minimax:eval={path},depth=1", f"minimax:eval={path},seconds={MOVE_SECONDS}")
