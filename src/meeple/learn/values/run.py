"""A run of values in memory: a network that evaluates positions learns from labelled actions."""

from collections.abc import Callable
from dataclasses import dataclass

from meeple.agents.networks import CHECKPOINTS
from meeple.games.contract.game import Game
from meeple.learn.config import ValuesConfig
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import Run, restore_run
from meeple.learn.run.schema import RunState
from meeple.learn.values.files import CANDIDATES, LABELS, ValuesFiles


@dataclass
class ValuesRun(Run):
    """A run of values. Its episodes are rounds; all it saves but the state are `ValuesFiles`."""

    config: ValuesConfig
    games: tuple[Game, ...]  # that the network learns: the game itself, then its variants

    @property
    def files(self) -> ValuesFiles:
        """The files of its rounds."""
        return ValuesFiles(self.folder.path)

    @property
    def past(self) -> list[int]:
        """The rounds of the networks that were accepted before the incumbent, in order."""
        state = self.state
        return [
            entry["round"]
            for entry in state.history
            if entry["round"] < state.incumbent and self.files.checkpoint(entry["round"]).exists()
        ]


def open_values_run(
    config: ValuesConfig, folder: RunFolder, log: Callable[[str], None]
) -> ValuesRun:
    """Open a run of values, see `restore_run`. Raises RunError."""
    folder.clean((CHECKPOINTS, LABELS, CANDIDATES))
    games = config.make_games()

    def new() -> ValuesRun:
        return ValuesRun(config, folder, games[0], RunState.before_all("float32"), games)

    def restore(run: ValuesRun, state: RunState) -> None:
        run.state = state

    return restore_run(folder, config, new, restore, log)
