"""What to do with a run that ended."""

import math
from pathlib import Path

from meeple.games.contract.game_words import command_for, game_words
from meeple.learn.config import AnyConfig
from meeple.learn.run.schema import RunState
from meeple.learn.run.view import completed, has_stopped_improving, uses


def next_steps(folder: Path, settings: AnyConfig, state: RunState) -> list[tuple[str, str]]:
    """Return what to do with a run that ended, as (words, command line)."""
    game = settings.make_game()
    name = game_words(game)
    steps = [("Rate its networks", command_for(game, "topp", folder))]
    for words, command, spec in uses(settings, str(folder)):
        if command == "match":
            agents = [spec, *["random"] * (len(game.sides) - 1)]
        else:
            agents = [spec] if game.seats == 1 else ["--against", spec]
        alone = command == "play" and game.seats == 1
        called = command_for(game, "watch" if alone else command, *name, *agents)
        steps.append((words, called))
    if not has_stopped_improving(settings, state):
        field = settings.resumable[0]
        counted = field, getattr(settings.run, field), completed(settings, state)
        changes = twice_as_long(counted, settings.run.minutes, state.seconds)
        longer = command_for(game, "train", "--resume", "--run", folder, *changes)
        steps.append(("Learn for longer", longer))
    return steps


def twice_as_long(
    counted: tuple[str, int, int], minutes: float | None, seconds: float
) -> list[str]:
    """Return the `--set` options by which a run that ended learns for about twice as long.

    Every limit that would end it before is raised.

    Args:
        counted: the field of [run] that counts, its value, and what was done of it.
        minutes: the run's limit of time.
        seconds: the training time of the run.
    """
    field, limit, done = counted
    changes = []
    if done >= limit or 2 * done > limit:
        changes += ["--set", f"run.{field}={2 * max(limit, done)}"]
    if minutes is not None and 2 * seconds >= 60 * minutes:
        longer = max(2 * minutes, math.ceil(2 * seconds / 6) / 10)  # to a tenth of a minute
        changes += ["--set", f"run.minutes={longer:.10g}"]
    return changes
