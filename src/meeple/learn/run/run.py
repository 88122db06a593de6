"""A run in memory: network, optimizer and replay buffer, taken up from its folder and saved there.

Everything random is drawn from generators seeded by the run's seed and the number of episodes
played, so a run that was killed goes on exactly as it would have.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch

from meeple.agents.networks import find_checkpoint
from meeple.errors import CheckpointError, RunError
from meeple.games.contract.game import Game
from meeple.learn.config import Config
from meeple.learn.fit.learner import network_and_optimizer
from meeple.learn.run.folder import GAMES, STATE, TRAINING, RunFolder, fallen_back
from meeple.learn.run.schema import RunState, file_after
from meeple.learn.selfplay.predictors import selfplay_format
from meeple.learn.selfplay.replay import (
    ReplayBuffer,
    ReplayPositions,
    empty_cases,
    joined,
    new_buffer,
)
from meeple.nets.checkpoint import check_shapes, load
from meeple.nets.graph import weight_shapes
from meeple.nets.network import ActorNetwork
from meeple.nets.training_state import load_training_state, save_training_state


@dataclass
class Run:
    """All of a run that training changes, and what it is made by."""

    config: Config
    folder: RunFolder
    game: Game
    network: ActorNetwork
    optimizer: torch.optim.Optimizer
    buffer: ReplayBuffer
    state: RunState
    unsaved: ReplayPositions  # of the episodes since the last save

    @property
    def is_over(self) -> bool:
        """Whether all episodes were played, or the time is up."""
        return self.state.episodes >= self.config.run.episodes or self.timed_out

    @property
    def timed_out(self) -> bool:
        """Whether the time that the configuration allows is up."""
        minutes = self.config.run.minutes
        return minutes is not None and self.state.seconds >= 60 * minutes

    @property
    def progress(self) -> float:
        """The share of the run that is over, 0 to 1: of its episodes, or if more of its time."""
        return self.progress_at(self.state.episodes, self.state.seconds)

    def progress_at(self, episodes: int, seconds: float) -> float:
        """The same for when it has played and learned from so much."""
        limits = self.config.run
        spent = seconds / (60 * limits.minutes) if limits.minutes else 0.0
        return min(1.0, max(episodes / limits.episodes, spent))

    def remember(self, cases: Iterable[ReplayPositions]) -> None:
        """Add the cases of some episodes, in their order, to the replay buffer."""
        added = joined([no_cases(self.config, self.game), *cases])
        self.buffer.add(added)
        self.note([added])

    def note(self, cases: Iterable[ReplayPositions]) -> None:
        """Have cases saved next time, with those before."""
        self.unsaved = joined([self.unsaved, *cases])

    def save(self) -> None:
        """Save everything; the state file comes last."""
        state = self.state
        self.folder.save_cases(state, self.unsaved, self.config.replay.capacity)
        self.unsaved = no_cases(self.config, self.game)
        state.training = file_after(state.episodes)
        path = self.folder.path / TRAINING / state.training
        save_training_state(path, self.network, self.optimizer)
        self.folder.save_state(state)

    def keep_network(self) -> None:
        """Make a checkpoint of the network as it is now."""
        about = {"seconds": round(self.state.seconds, 1), "mode": self.config.search.mode}
        self.folder.save_checkpoint(self.network.weights, self.game, self.state.episodes, about)


def open_run(config: Config, folder: RunFolder, tell: Callable[[str], None]) -> Run:
    """A run as its newest whole state has it, or before its first episode where there is none.

    `tell` is given a sentence where something is lost. Raises RunError where no state is whole.
    """
    folder.clean()
    problems = []
    for name, state in folder.load_states(config.run.episodes):
        if isinstance(state, str):
            problems.append(state)
            continue
        run = new_run(config, folder)
        try:
            _restore(run, state)
        except CheckpointError as error:
            problems.append(str(error))
            continue
        if name != STATE:
            folder.fall_back()
        if sentence := fallen_back(problems, name, state):
            tell(sentence)
        if folder.lost_games(state):
            tell(f"{GAMES} lacks games of the past: going on without them")
        return run
    if problems:
        raise RunError(f"cannot resume {folder.path}: {'; '.join(problems)}")
    return new_run(config, folder)


def new_run(config: Config, folder: RunFolder) -> Run:
    """A run before its first episode."""
    game = config.make_game()
    game.compile()  # before any worker starts
    network, optimizer = network_and_optimizer(config, game)
    return Run(
        config=config,
        folder=folder,
        game=game,
        network=network,
        optimizer=optimizer,
        buffer=new_buffer(config, game),
        state=RunState.before_all(selfplay_format(config, network.weights)),
        unsaved=no_cases(config, game),
    )


def _restore(run: Run, state: RunState) -> None:
    """Bring a new run to a state. Raises CheckpointError where one of its files is damaged."""
    load_training_state(run.folder.path / TRAINING / state.training, run.network, run.optimizer)
    for name, count in zip(state.replay, state.cases, strict=True):
        run.buffer.add(run.folder.load_cases(name, count, run.unsaved))
    run.state = state


def start_from(network: ActorNetwork, path: str, game: Game) -> None:
    """Give a network the weights of another: a file, a run's newest, or one that ships.

    Raises CheckpointError where that cannot be read, plays another game or has another shape.
    """
    found = find_checkpoint(path)
    tensors = load(found, game=game.name).weights.tensors
    check_shapes(found, tensors, weight_shapes(network.architecture))
    network.set_weights(tensors)


def no_cases(config: Config, game: Game) -> ReplayPositions:
    """An empty batch of a run's cases."""
    return empty_cases(game, config.cells(game))
