"""A run in memory, restored from its folder: the part that all methods share, and `NetworkRun`.

All random numbers come from generators that are seeded by the run's seed and the number of
completed episodes, so a run that was killed continues exactly as it would have.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar, TypeVar

from meeple.agents.networks import CHECKPOINTS
from meeple.errors import CheckpointError, RunError
from meeple.games.contract.game import Game
from meeple.learn.config import AnyConfig, Config
from meeple.learn.fit.learner import network_and_optimizer
from meeple.learn.run.folder import GAMES, REPLAY, STATE, TRAINING, RunFolder, fallback_sentence
from meeple.learn.run.schema import RunState, file_after
from meeple.learn.selfplay.predictors import selfplay_format
from meeple.learn.selfplay.replay import new_buffer
from meeple.learn.selfplay.trajectory import Trajectory, empty_trajectory, joined
from meeple.nets.checkpoint import check_shapes, load
from meeple.nets.graph import weight_shapes
from meeple.nets.network import ActorNetwork
from meeple.nets.training_state import load_training_state, save_training_state
from meeple.tensor_file import PathLike


class Run:
    """A run of any method: its configuration, its folder, and the state that training changes."""

    folders: ClassVar[tuple[str, ...]] = (CHECKPOINTS,)
    """Folders of its files; see `RunFolder.clean`."""

    def __init__(self, config: AnyConfig, folder: RunFolder) -> None:
        """Make a run before its first episode."""
        self.config, self.folder, self.game = config, folder, config.make_game()
        self.state = RunState.before_all("float32")

    def restore(self, state: RunState) -> None:
        """Bring a new run to a state; raise CheckpointError if a file of it is damaged."""
        self.state = state

    @property
    def is_over(self) -> bool:
        """Whether all episodes are complete, or the time limit is reached."""
        return self.state.episodes >= self.config.length or self.timed_out

    @property
    def timed_out(self) -> bool:
        """Whether the time limit of the configuration is reached."""
        minutes = self.config.run.minutes
        return minutes is not None and self.state.seconds >= 60 * minutes

    @property
    def progress(self) -> float:
        """Completed share of the run, 0 to 1: of its episodes or, if larger, of its time limit."""
        return self.progress_at(self.state.episodes, self.state.seconds)

    def progress_at(self, episodes: int, seconds: float) -> float:
        """Return the progress after a number of episodes and seconds."""
        minutes = self.config.run.minutes
        spent = seconds / (60 * minutes) if minutes else 0.0
        return min(1.0, max(episodes / self.config.length, spent))

    def save(self) -> None:
        """Save everything that is not in the folder yet; the state file comes last."""
        self.state.training = file_after(self.state.episodes)
        self.save_files()
        self.folder.save_state(self.state)

    def save_files(self) -> None:
        """Save the files that the state names."""

    @property
    def training_file(self) -> Path:
        """The file of weights and optimizer that the state names."""
        return self.folder.path / TRAINING / self.state.training


class NetworkRun(Run):
    """A run that trains a network with a policy, by self-play or on records."""

    folders = (CHECKPOINTS, REPLAY, TRAINING)
    config: Config

    def __init__(self, config: Config, folder: RunFolder) -> None:
        super().__init__(config, folder)
        self.game.compile()  # before any worker starts
        self.network, self.optimizer = network_and_optimizer(config, self.game)
        self.state.format = selfplay_format(config, self.network.weights)
        self.buffer = new_buffer(config, self.game)
        self.unsaved = self._no_steps()  # of the episodes since the last save

    def restore(self, state: RunState) -> None:
        super().restore(state)
        load_training_state(self.training_file, self.network, self.optimizer)
        for name, count in zip(state.replay, state.cases, strict=True):
            self.buffer.add(self.folder.load_trajectory(name, count, self.unsaved))

    def remember(self, trajectories: Iterable[Trajectory]) -> None:
        """Add the positions of some episodes to the replay buffer, in their order."""
        added = joined([self._no_steps(), *trajectories])
        self.buffer.add(added)
        self.note([added])

    def note(self, trajectories: Iterable[Trajectory]) -> None:
        """Add positions to those that the next save writes."""
        self.unsaved = joined([self.unsaved, *trajectories])

    def _no_steps(self) -> Trajectory:
        return empty_trajectory(self.game, self.config.targets)

    def save_files(self) -> None:
        self.folder.save_trajectory(self.state, self.unsaved, self.config.replay.capacity)
        self.unsaved = self._no_steps()
        save_training_state(self.training_file, self.network, self.optimizer)

    def save_network(self) -> None:
        """Save the current network as a checkpoint."""
        about = {"seconds": round(self.state.seconds, 1), "mode": self.config.search.mode}
        self.folder.save_checkpoint(self.network.weights, self.game, self.state.episodes, about)

    def save_untrained(self) -> None:
        """Save the network before any training as the first checkpoint, if none was trained."""
        if self.state.episodes:
            return
        if self.config.run.start:
            found = self.folder.catalogue.find(self.config.run.start)
            start_from(self.network, found, self.game)
        self.save_network()
        self.save()


_Run = TypeVar("_Run", bound=Run)


def open_run(
    kind: type[_Run], config: AnyConfig, folder: RunFolder, log: Callable[[str], None]
) -> _Run:
    """Return a run with its newest intact state, or a new run if none was saved.

    Args:
        kind: the class of the run.
        config: its configuration, of the kind's method.
        folder: its folder.
        log: receives a sentence if something is lost.

    Raises:
        RunError: no saved state is intact, or the folder cannot be written.
    """
    folder.clean(kind.folders)
    problems = []
    for name, state in folder.load_states(config.length):
        if isinstance(state, str):
            problems.append(state)
            continue
        run = kind(config, folder)
        try:
            run.restore(state)
        except CheckpointError as error:
            problems.append(str(error))
            continue
        if name != STATE:
            folder.fall_back()
        if sentence := fallback_sentence(problems, name, state, config.unit):
            log(sentence)
        if folder.lost_games(state):
            log(f"{GAMES} lacks games of the past: going on without them")
        return run
    if problems:
        raise RunError(f"cannot resume {folder.path}: {'; '.join(problems)}")
    return kind(config, folder)


def start_from(network: ActorNetwork, file: PathLike, game: Game) -> None:
    """Copy the weights of another network's file.

    Raises:
        CheckpointError: it cannot be read, is of another game or has another shape.
    """
    tensors = load(file, game=game.name).weights.tensors
    check_shapes(file, tensors, weight_shapes(network.architecture))
    network.set_weights(tensors)
