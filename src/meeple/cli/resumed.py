"""Runs of networks with a policy that go on: what may change then, and what to do with them."""

import math
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from meeple.cli.arguments import command_line
from meeple.errors import RunError
from meeple.games.contract.game_words import game_words
from meeple.learn.config import Config, check_resumed, documented, find_config, load_config
from meeple.learn.run.folder import CONFIG, RunFolder, holds_run
from meeple.learn.run.lock import sole_trainer
from meeple.learn.run.schema import RunState


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
    check_resumed(settled, wanted, str(folder))
    if wanted != settled:
        with sole_trainer(folder):
            RunFolder(folder).prolong(wanted, documented(wanted))
    return wanted


def next_steps(folder: Path, settings: Config, state: RunState) -> list[tuple[str, str]]:
    """What to do with a run that ended in a state, as (words, command line)."""
    game = settings.make_game()
    place = shlex.quote(str(folder))
    play = command_line(game, f"play {game_words(game)} --against")
    steps = [("Rate its networks", command_line(game, f"topp {place}"))]
    steps.append(("Play the network alone", f"{play} policy:{place}"))
    steps.append(("Play it with search", f"{play} puct:{place},sims=400"))
    if not _ended_by_itself(settings, state):
        run = settings.run
        changes = twice_as_long(("episodes", run.episodes, state.episodes), run.minutes, state)
        longer = f"train --resume --run {place} {changes}"
        steps.append(("Learn for longer", command_line(game, longer)))
    return steps


class Spent(Protocol):
    """The state of a run of any kind."""

    seconds: float


def twice_as_long(counted: tuple[str, int, int], minutes: float | None, spent: Spent) -> str:
    """Return the `--set` options by which a run that ended learns for about twice as long.

    Every limit that would end it before is raised.

    Args:
        counted: the field of [run] that counts, its value, and what was done of it.
        minutes: the run's limit of time.
        spent: the state that the run ended in.
    """
    field, limit, done = counted
    changes = []
    if done >= limit or 2 * done > limit:
        changes.append(f"--set run.{field}={2 * max(limit, done)}")
    if minutes is not None and 2 * spent.seconds >= 60 * minutes:
        longer = max(2 * minutes, math.ceil(2 * spent.seconds / 6) / 10)  # to a tenth of a minute
        changes.append(f"--set run.minutes={longer:.10g}")
    return " ".join(changes)


def _ended_by_itself(settings: Config, state: RunState) -> bool:
    """Whether a run of records ended as it no longer got better: it cannot learn for longer."""
    if settings.records is None:
        return False
    from meeple.learn.methods.records import stands_still

    return stands_still(state.held_out, settings.records.patience)
