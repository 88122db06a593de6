"""Meeple's AlphaZero method with the settings of `examples/connect_four.toml` on one thread."""

import functools
import shutil
from collections.abc import Sequence
from pathlib import Path

from bench.race.clock import Clock, checkpoint
from meeple.agents.agent import Agent
from meeple.agents.networks import find_checkpoint
from meeple.agents.spec import agent
from meeple.agents.spec_syntax import quoted
from meeple.games.contract.registry import load_game_file
from meeple.learn import loop
from meeple.learn.config import Config, load
from meeple.learn.run.folder import RunFolder, config_of
from meeple.learn.run.metrics import Silent
from meeple.learn.run.run import NetworkRun, open_run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAME = load_game_file(EXAMPLES / "connect_four.py")()
EPISODES = 45_000  # about what an hour of one core plays; the learning rate falls over them
SETTINGS = (
    f"run.episodes={EPISODES}",
    "run.minutes=10000",  # of the wall clock, which is not the clock of the race
    "selfplay.games=128",
    "selfplay.workers=1",
    "training.batches=0.25",
    "training.threads=1",
    "matches.minutes=0",
)


class Progress(Silent):
    """Saves the clock and prints the losses of each wave or round."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        self._clock.save()
        losses = [f"{name} {metrics[name]:.4f}" for name in metrics if name.startswith("loss/")]
        print(f"{self._clock.minutes:.2f} min, {episodes}, {', '.join(losses)}", flush=True)


def is_past(clock: Clock, mark: int) -> bool:
    """Return whether a mark is reached."""
    return clock.minutes >= mark


def train(folder: Path) -> None:
    """Train in a folder, or resume; store a checkpoint at each mark."""
    clock, run = Clock(folder), folder / "run"
    if not run.exists():
        loop.start_run(load(EXAMPLES / "connect_four.toml", SETTINGS), run)
    for mark in clock.marks():
        loop.train(run, Progress(clock), functools.partial(is_past, clock, mark))
        clock.save()
        config = config_of(run)
        assert isinstance(config, Config)
        open_run(NetworkRun, config, RunFolder(run), print).save_network()
        shutil.copy(find_checkpoint(run), checkpoint(folder, mark))


class Player:
    """Plays by specs: without search by the first, with search by the second."""

    def __init__(self, alone: str, searching: str) -> None:
        self._specs = alone, searching
        self._agents: dict[int, Agent] = {}

    def choose(self, moves: Sequence[int], simulations: int) -> int:
        """Return the column played after moves; 0 simulations: without search."""
        if simulations not in self._agents:
            spec = self._specs[simulations > 0].format(simulations)
            self._agents[simulations] = agent(spec, GAME)
        position = GAME.start(0)
        for move in moves:
            position.play(move)
        self._agents[simulations].begin(len(moves))
        return self._agents[simulations].choose(position)


def load_player(folder: Path) -> Player:
    """Return the player with the network of a checkpoint."""
    path = quoted(str(folder))
    return Player(f"policy:{path}", f"puct:{path},sims={{}}")
