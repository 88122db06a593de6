"""Runs of networks with a policy that go on: what may change then, and what to do with them."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from meeple.cli.arguments import command_line, game_words
from meeple.errors import RunError
from meeple.learn.config import Config, load_config
from meeple.learn.describe import documented
from meeple.learn.ready import find_config
from meeple.learn.run_folder import CONFIG, RunFolder, holds_run
from meeple.learn.run_lock import sole_trainer
from meeple.learn.sections import check_resumed

LENGTH = ("episodes", "minutes", "networks", "network_minutes")
"""What may change when a run goes on: its length, and what it keeps."""


def resumed_config(folder: Path, config: str | None, changes: Sequence[str] | None) -> Config:
    """The configuration of the run in a folder, which stays what it was but for how long it is, and
    on which devices it is computed.

    Raises RunError where there is no run or its configuration cannot be read, or it has played more
    already, ConfigError where another one is asked for.
    """
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run to go on with")
    settled = RunFolder(folder).config()
    if config is None and not changes:
        return settled
    source = folder / CONFIG if config is None else find_config(config)
    wanted = load_config(source, changes or ())
    check_resumed(settled, wanted, LENGTH, str(folder))
    if wanted != settled:
        with sole_trainer(folder):
            RunFolder(folder).prolong(wanted, documented(wanted))
    return wanted


def next_steps(folder: Path, settings: Config) -> list[tuple[str, str]]:
    """What to do with a finished run, as (words, command line)."""
    game = settings.make_game()
    place = shlex.quote(str(folder))
    play = command_line(game, f"play {game_words(game)} --against")
    steps = [("Rate its networks", command_line(game, f"topp {place}"))]
    steps.append(("Play the network alone", f"{play} policy:{place}"))
    steps.append(("Play it with search", f"{play} puct:{place},sims=400"))
    longer = f"train --resume --run {place} --set run.episodes={2 * settings.run.episodes}"
    steps.append(("Learn for longer", command_line(game, longer)))
    return steps
