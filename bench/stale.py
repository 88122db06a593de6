"""What it costs in strength that self-play plays by an old network, as on a large cluster.

Run: python -m bench.stale --folder runs/stale. Trains Hex 5x5 in AlphaZero mode, with waves of 8
games played by the network of so many waves ago, and lets what was learned play against what was
learned without a delay, from the same openings with seats changed. A run that is finished is not
trained again, so that the command goes on where it was ended. All figures are in results.json.
"""

import argparse
import itertools
import json
import math
import shutil
import statistics
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from meeple.agents.networks import checkpoint_files, load_predictor
from meeple.arena.lockstep import (
    BatchPlayer,
    LiveGame,
    NetworkPlayer,
    NetworkSearchPlayer,
    Stop,
    play_in_lockstep,
)
from meeple.arena.openings import openings
from meeple.games.contract.game import Game
from meeple.learn.config import Config, find_config, load_config
from meeple.learn.fit.learner import Losses, Update
from meeple.learn.loop import start_run, train
from meeple.learn.run.folder import RunFolder, holds_run
from meeple.learn.run.reporter import Reporter
from meeple.learn.run.run import NetworkRun
from meeple.learn.selfplay.replay import ReplayPositions
from meeple.learn.workers.local import LocalBackend, LocalWorkers, SelfPlay
from meeple.nets.architecture import Weights
from meeple.nets.inference import Predictor

DELAYS = (0, 4, 16, 64)  # waves
SIMULATIONS = 50  # of the matches with a little search
OPENINGS = 150  # of a match, each played from both seats
MATCH_SEED = 77
ALONE, SEARCH = "alone", "search"
CHANGES = (
    'search.mode="alphazero"',
    "search.simulations=32",
    "matches.minutes=0",
    "training.threads=1",
)


class DelayedWorkers(LocalWorkers):
    """Workers in this process whose players get each network a number of waves late.

    Before there are so many, they play by the first.
    """

    def __init__(self, run: NetworkRun, reporter: Reporter, stop: Stop, delay: int) -> None:
        super().__init__(run, reporter, stop)
        self._past = deque([(run.state.episodes, _tensors(run))], maxlen=delay + 1)
        self._shown = Weights(run.network.architecture, _tensors(run))
        self._late = [
            Predictor(self._shown, run.state.format) for _ in range(run.config.selfplay.workers)
        ]
        self.played_by: list[int] = []  # episodes that the network of each wave had learned from
        self.players = SelfPlay(run, self._late, stop, reporter.watch)

    def learn(self, update: Update, cases: Sequence[ReplayPositions]) -> Losses:
        self.played_by.append(self._past[0][0])
        losses = super().learn(update, cases)
        self._past.append((update.last, _tensors(self._run)))
        for name, array in self._past[0][1].items():
            self._shown.tensors[name][...] = array
        for predictor in self._late:
            predictor.refresh()
        return losses


@dataclass(frozen=True)
class DelayedBackend(LocalBackend):
    """Starts `DelayedWorkers`."""

    delay: int = 0  # waves

    def selfplay(self, run: NetworkRun, reporter: Reporter, stop: Stop) -> DelayedWorkers:
        return DelayedWorkers(run, reporter, stop, self.delay)


def _tensors(run: NetworkRun) -> dict[str, Any]:
    return {name: np.array(array) for name, array in run.network.weights.tensors.items()}


def is_finished(folder: Path, episodes: int) -> bool:
    """Whether a folder holds a run that has so many episodes."""
    if not holds_run(folder):
        return False
    state = RunFolder(folder).standing()[0]
    return state is not None and state.episodes >= episodes


def trained(folder: Path, config: Config, delay: int) -> None:
    """A finished run in a folder, whose players were so many waves behind."""
    if is_finished(folder, config.run.episodes):
        return
    if holds_run(folder):
        shutil.rmtree(folder)  # networks of the past are not kept: it begins anew
    start_run(config, folder)
    train(folder, backend=DelayedBackend(delay=delay))


class Share(NamedTuple):
    """What the first of two won, of pairs of games from the same opening."""

    share: float
    low: float  # of 95 %
    high: float
    games: int


def share_of(pairs: Sequence[float]) -> Share:
    """The mean of pairs of games, with the interval of their spread."""
    mean = statistics.fmean(pairs)
    error = statistics.stdev(pairs) / math.sqrt(len(pairs))
    low, high = max(0.0, mean - 1.96 * error), min(1.0, mean + 1.96 * error)
    return Share(round(mean, 4), round(low, 4), round(high, 4), 2 * len(pairs))


def pairs_of(game: Game, files: tuple[Path, Path], way: str, count: int) -> list[float]:
    """What the first network wins on average of each opening's two games."""
    starts = openings(game, count, MATCH_SEED)

    def player(file: Path) -> BatchPlayer:
        predict = load_predictor(file, game)
        if way == ALONE:
            return NetworkPlayer(predict)
        return NetworkSearchPlayer(game, predict, SIMULATIONS, 2 * count, seed=1)

    def live() -> Iterator[LiveGame]:
        for number, seat in itertools.product(range(count), range(2)):
            opening = starts[number]
            rng = np.random.default_rng((MATCH_SEED, number, seat))
            lineup = (0, 1) if seat == 0 else (1, 0)
            yield LiveGame(
                2 * number + seat, lineup, opening.position(game), len(opening.actions), rng
            )

    won = np.zeros((count, 2))
    for over in play_in_lockstep(live(), [player(file) for file in files], 2 * count):
        won[over.number // 2, over.number % 2] = over.shares[over.lineup.index(0)]
    return [float(one) for one in won.mean(axis=1)]


def matches(folder: Path, game: Game, delays: Sequence[int], episodes: int) -> list[dict[str, Any]]:
    """Every delay's last networks against those of runs without a delay; alone, against networks
    that those had before, too. Of all finished runs in the folder.
    """
    found = []
    for way, delay in itertools.product((ALONE, SEARCH), delays):
        by_episodes: dict[int, list[list[float]]] = {}
        for mine, other in itertools.product(
            runs_of(folder, delay, episodes), runs_of(folder, 0, episodes)
        ):
            if mine == other:
                continue  # of itself it wins half
            last = checkpoint_files(mine)[-1][1]
            kept = checkpoint_files(other)
            for number, file in kept if way == ALONE else kept[-1:]:
                pairs = pairs_of(game, (last, file), way, OPENINGS)
                by_episodes.setdefault(number, []).append(pairs)
        for number, each in by_episodes.items():
            found.append(
                {
                    "way": way,
                    "delay_waves": delay,
                    "against_episodes": number,
                    **share_of([pair for pairs in each for pair in pairs])._asdict(),
                    "shares_of_runs": [round(statistics.fmean(pairs), 4) for pairs in each],
                }
            )
            print(json.dumps(found[-1]), flush=True)
    return found


def runs_of(folder: Path, delay: int, episodes: int) -> list[Path]:
    """The finished runs of a delay, by seed."""
    paths = sorted(folder.glob(run_name(delay, "*")))
    return [path for path in paths if is_finished(path, episodes)]


def run_name(delay: int, seed: int | str) -> str:
    return f"delay-{delay}-seed-{seed}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("runs/stale"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--delays", type=int, nargs="+", default=list(DELAYS), help="0 is needed")
    parser.add_argument("--episodes", type=int, default=1500)
    parser.add_argument("--networks", type=int, default=7)
    arguments = parser.parse_args()
    config = None
    for seed, delay in itertools.product(range(1, arguments.seeds + 1), arguments.delays):
        changes = (
            *CHANGES,
            f"run.episodes={arguments.episodes}",
            f"run.networks={arguments.networks}",
            f"run.seed={seed}",
        )
        config = load_config(find_config("hex5"), changes)
        began = time.monotonic()
        trained(arguments.folder / run_name(delay, seed), config, delay)
        seconds = time.monotonic() - began
        print(f"{run_name(delay, seed)} is trained ({seconds:.0f} s)", flush=True)
    assert config is not None
    game = config.make_game()
    found = {
        "episodes": arguments.episodes,
        "games_of_a_wave": config.selfplay.games,
        "seeds": arguments.seeds,
        "simulations": SIMULATIONS,
        "matches": matches(arguments.folder, game, arguments.delays, arguments.episodes),
    }
    (arguments.folder / "results.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
