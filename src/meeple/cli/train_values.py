"""`meeple train` with a configuration whose `run.mode` is "values"."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import typer

from meeple.cli.arguments import command_line, game_words
from meeple.cli.interrupt import say_stopped, stopping
from meeple.cli.main import INTERRUPTED
from meeple.cli.progress import Messages, Several, duration
from meeple.errors import RunError
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.learn.diagnosis import Adviser, summary
from meeple.learn.metrics import MetricsLog, all_waves
from meeple.learn.run_folder import holds_run
from meeple.learn.run_lock import sole_trainer
from meeple.learn.sections import check_resumed
from meeple.learn.values.config import load_values_config
from meeple.learn.values.folder import CONFIG, ValuesFolder

LENGTH = ("rounds", "minutes")
"""What may change when a run goes on."""


def train_values(folder: Path, file: Path | None, changes: Sequence[str], *, resume: bool) -> None:
    """Learn a value network as a file says, or go on with the run in the folder.

    Ctrl-C leaves all but the game at hand saved. Raises RunError, ConfigError, CheckpointError.
    """
    need("torch", "training")
    from meeple.learn.values.loop import start_run

    if resume:
        _go_on(folder, file, changes)
    elif file is not None:
        start_run(load_values_config(file, changes), folder)
    _learn(folder)


def _go_on(folder: Path, file: Path | None, changes: Sequence[str]) -> None:
    """See that a run stays what it was, but for its length, which may be changed."""
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run to go on with")
    settled = load_values_config(folder / CONFIG)
    wanted = load_values_config(folder / CONFIG if file is None else file, changes)
    check_resumed(settled, wanted, LENGTH, str(folder))
    if wanted != settled:
        with sole_trainer(folder):
            ValuesFolder(folder).prolong(wanted)


def _learn(folder: Path) -> None:
    from meeple.learn.values.loop import train

    config = load_values_config(folder / CONFIG)
    game = config.make_game()
    place = shlex.quote(str(folder))
    printed, metrics = Messages(), MetricsLog(folder)
    adviser = Adviser(config, game.players, all_waves(folder), printed.message)
    state = None
    try:
        with sole_trainer(folder), stopping() as stopped:
            state = train(folder, Several(printed, metrics, adviser), stopped)
    except KeyboardInterrupt:
        pass
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
    for words, line in _next_steps(game, place, state.rounds):
        print(f"{words}: {line}")


def _next_steps(game: Game, place: str, rounds: int) -> list[tuple[str, str]]:
    """What to do with a finished run, as (words, command line)."""
    name = game_words(game)
    others = " random" * (game.players - 1)
    longer = f"train --resume --run {place} --set run.rounds={2 * rounds}"
    return [
        ("Rate its networks", command_line(game, f"topp {place}")),
        ("Play against it", command_line(game, f"play {name} --against states:{place}")),
        ("Let it play others", command_line(game, f"match {name} states:{place}{others}")),
        ("Learn for longer", command_line(game, longer)),
    ]
