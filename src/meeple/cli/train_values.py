"""`meeple train` with a configuration whose `run.mode` is "values"."""

import contextlib
import shlex
from collections.abc import Sequence
from pathlib import Path

import typer

from meeple.cli.arguments import command_line
from meeple.cli.interrupt import say_stopped, stopping
from meeple.cli.main import INTERRUPTED
from meeple.cli.progress import Messages, Several, duration
from meeple.cli.resumed import twice_as_long
from meeple.errors import RunError
from meeple.executors.place import Place
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import game_words
from meeple.learn.config import ValuesConfig, check_resumed, load_values_config
from meeple.learn.evaluation.diagnosis import Adviser, summary
from meeple.learn.run.folder import holds_run
from meeple.learn.run.lock import sole_trainer
from meeple.learn.run.metrics import MetricsLog, all_waves
from meeple.learn.values.folder import CONFIG, ValuesFolder, ValuesState


def train_values(
    folder: Path,
    file: Path | None,
    changes: Sequence[str],
    *,
    resume: bool,
    on: Place | None = None,
    workers: int | None = None,
) -> None:
    """Learn a value network as a file says, or go on with the run in the folder.

    `on`: the cluster that labels games and plays those that decide, with so many `workers`; here
    these are threads. A new run is made once the workers are there. Ctrl-C leaves all but the games
    at hand saved. Raises UsageError, RunError, ConfigError, CheckpointError.
    """
    need("torch", "training")
    if resume:
        _go_on(folder, file, changes)
    fresh = None
    if not resume and file is not None:
        fresh = load_values_config(file, changes)
        ValuesFolder(folder).refuse_existing()
    _learn(folder, fresh, on, workers)


def _go_on(folder: Path, file: Path | None, changes: Sequence[str]) -> None:
    """See that a run stays what it was, but for its length, which may be changed."""
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run to go on with")
    settled = load_values_config(folder / CONFIG)
    wanted = load_values_config(folder / CONFIG if file is None else file, changes)
    check_resumed(settled, wanted, str(folder))
    if wanted != settled:
        with sole_trainer(folder):
            ValuesFolder(folder).prolong(wanted)


def _learn(folder: Path, fresh: ValuesConfig | None, on: Place | None, workers: int | None) -> None:
    """Learn to the end of a run; `fresh`: make it first."""
    from meeple.learn.values.loop import start_run, train
    from meeple.learn.values.places import work_of

    config = fresh or load_values_config(folder / CONFIG)
    game = config.make_game()
    place = shlex.quote(str(folder))
    printed, metrics = Messages(), MetricsLog(folder)
    adviser = Adviser(config, game.players, all_waves(folder), printed.message)
    reporter = Several(printed, metrics, adviser)
    state = None
    try:
        with contextlib.ExitStack() as stack:
            stopped = stack.enter_context(stopping())
            if fresh is None:
                stack.enter_context(sole_trainer(folder))
            place_of_work = work_of(config, folder, stopped, on, workers, reporter.cluster)
            work = stack.enter_context(place_of_work)
            if fresh is not None:
                start_run(fresh, folder)
                stack.enter_context(sole_trainer(folder))
            state = train(folder, reporter, stopped, work)
    except KeyboardInterrupt:
        if not holds_run(folder):
            raise
    finally:
        metrics.close()
    if state is None or stopped():
        say_stopped(game, folder)
        raise typer.Exit(INTERRUPTED)
    print(
        f"Learned in {state.rounds} rounds and {duration(state.seconds)}; "
        f"the network of round {state.incumbent} plays."
    )
    for line in summary(folder, config):
        print(line)
    for words, line in _next_steps(game, place, config, state):
        print(f"{words}: {line}")


def _next_steps(
    game: Game, place: str, config: ValuesConfig, state: ValuesState
) -> list[tuple[str, str]]:
    """What to do with a run that ended in a state, as (words, command line)."""
    name = game_words(game)
    others = " random" * (game.players - 1)
    counted = "rounds", config.run.rounds, state.rounds - 1  # the first is not counted
    changes = twice_as_long(counted, config.run.minutes, state)
    longer = f"train --resume --run {place} {changes}"
    return [
        ("Rate its networks", command_line(game, f"topp {place}")),
        ("Play against it", command_line(game, f"play {name} --against states:{place}")),
        ("Let it play others", command_line(game, f"match {name} states:{place}{others}")),
        ("Learn for longer", command_line(game, longer)),
    ]
