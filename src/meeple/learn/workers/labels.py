"""The workers of a run of values: they label shards of games and play the gate's pairs of games.

`LabelWorker` does the jobs, in a thread of this process or in the process of a backend, which
therefore loads no PyTorch. `LabelWorkers` is what the trainer uses.
"""

import os
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from meeple.errors import Stopped
from meeple.executors.executor import Account, Executor, Stop, run_all
from meeple.executors.threads import InThisThread, InThreads
from meeple.games.contract.game import Game
from meeple.learn.values.jobs import (
    Job,
    JobNetworks,
    LabelledShard,
    Pairs,
    PlayedPairs,
    Result,
    SeedStream,
    Shard,
    games_of,
)
from meeple.search.values import labels as search_labels
from meeple.search.values.examples import joined_examples
from meeple.search.values.features import features_of
from meeple.search.values.file import network_of
from meeple.search.values.labels import NETWORK, OTHER, PAST, WEIGHTED, Settings, quick_policy
from meeple.search.values.network import Widths, untrained
from meeple.tensor_file import SavedWeights

LABELLING, GATE = "games to label", "games that decide"  # kinds of jobs, as messages name them
WARM_UP = Settings(
    share=1.0, siblings=2, playouts=1, horizon=1, policy=NETWORK, slips=0.5, lookahead=True
)


class LabelWorker:
    """Does the jobs of one run. Only one thread at a time may call it."""

    def __init__(self, games: Sequence[Game], seed: int) -> None:
        """Take the games and the seed of the run."""
        self._games, self._seed = games, seed
        self._saved: Mapping[str, SavedWeights] = {}
        self._labellers: dict[tuple[int, JobNetworks], search_labels.Labeller] = {}
        self.name = f"{socket.gethostname()} {os.getpid()}"

    def receive(self, networks: Mapping[str, SavedWeights]) -> None:
        """Replace the networks that the next jobs name."""
        self._saved = networks
        self._labellers.clear()

    def do(self, job: Job, stopped: Stop = lambda: False) -> Result:
        """Do a job. Raises Stopped if `stopped` turns true between two games."""
        return self._label(job, stopped) if isinstance(job, Shard) else self._play(job, stopped)

    def _labeller(self, variant: int, networks: JobNetworks) -> search_labels.Labeller:
        key = variant, networks
        if key not in self._labellers:
            game = self._games[variant]
            made = [
                None if name is None else network_of(self._saved[name], game, name)
                for name in networks
            ]
            self._labellers[key] = search_labels.Labeller(game, *made)
        return self._labellers[key]

    def _label(self, shard: Shard, stopped: Stop) -> LabelledShard:
        began = time.perf_counter()
        labeller = self._labeller(shard.variant, shard.networks)
        parts = []
        for game in range(shard.first, shard.first + shard.games):
            if stopped():
                raise Stopped
            rng = np.random.default_rng((self._seed, SeedStream.LABELS, shard.round, game))
            seed = int(rng.integers(2**62))
            seats = rng.choice(shard.policies, labeller.game.players, p=shard.chances)
            parts.append(labeller.label_game(seed, seats.astype(np.int8), shard.settings))
        examples = joined_examples(parts)
        return LabelledShard(shard, examples, time.perf_counter() - began, self.name)

    def _play(self, pairs: Pairs, stopped: Stop) -> PlayedPairs:
        shares = []
        for pair in range(pairs.first, pairs.first + pairs.pairs):
            if stopped():
                raise Stopped
            shares.append(self._pair(pairs, pair))
        return PlayedPairs(pairs, tuple(shares))

    def _pair(self, pairs: Pairs, pair: int) -> tuple[float, float]:
        """Return the shares of a seat with the network and with the other one, in the same game.

        The other network gets an equal share against copies of itself.
        """
        number, variant = divmod(pair, len(self._games))
        labeller = self._labeller(variant, pairs.networks)
        players = labeller.game.players
        round_, seat = divmod(number, players)
        board = int(np.random.default_rng((pairs.seed, round_)).integers(2**62))

        def share(policy: int) -> float:
            if policy == OTHER == pairs.opponent:
                return 1 / players
            policies = np.full(players, pairs.opponent, dtype=np.int8)
            policies[seat] = policy
            return float(labeller.play_game(board, policies)[seat])

        return share(NETWORK), share(OTHER)


def warm_up(games: Sequence[Game], widths: Widths) -> None:
    """Compile or load the kernels of all jobs, by a small job of each kind."""
    weights = untrained(features_of(games[0]), widths, 0)
    name = "untrained"
    worker = LabelWorker(games, 0)
    worker.receive({name: SavedWeights(weights, games[0].name, {})})
    networks = JobNetworks(name, name, name)
    for variant, game in enumerate(games):
        policies = (WEIGHTED, quick_policy(game), NETWORK, PAST)
        chances = (0.25,) * len(policies)
        for settings in (WARM_UP, WARM_UP._replace(playouts=0, siblings=1)):
            worker.do(Shard(0, 0, 0, 1, variant, networks, settings, policies, chances))
    worker.do(Pairs(0, 0, len(games), networks, OTHER, 0))


# ------------------------------------------------------------ the workers of a session


@dataclass
class GameTally(Account):
    """Counts of the games of one kind of jobs."""

    used: int = 0  # finished games whose results were stored or counted

    def add(self, before: Account, after: Account) -> None:
        """Add the difference of two accounts."""
        for name in (field.name for field in fields(Account)):
            grown = getattr(after, name) - getattr(before, name)
            setattr(self, name, getattr(self, name) + grown)


class LabelWorkers(ABC):
    """The workers of a session of a run of values: they label games and play the gate's games.

    Close them at the end.
    """

    def __init__(self, executor: Executor[Job, Result], pairs_per_job: int) -> None:
        """Take an executor that counts jobs by their games.

        Args:
            executor: runs the jobs.
            pairs_per_job: pairs of games in a job of the gate.
        """
        self.pairs_per_job = pairs_per_job
        self._executor = executor
        self._tallies: dict[str, GameTally] = {}

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of workers."""

    @abstractmethod
    def publish(self, networks: Mapping[str, SavedWeights]) -> None:
        """Send all workers the networks of the next jobs, by name; they forget other ones."""

    @abstractmethod
    def look(self) -> None:
        """Publish the run's snapshot if that is due; called regularly."""

    def do(self, kind: str, jobs: Iterable[Job], take: Callable[[Result], bool]) -> None:
        """Run jobs, and call `take` with each result as it arrives, see `run_all`.

        Args:
            kind: LABELLING or GATE.
            jobs: read lazily.
            take: returns whether no more results are needed.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed; nothing is in flight.
            MeepleError: a job failed; nothing is in flight.
        """
        before = replace(self._executor.account)
        try:
            if not run_all(self._executor, jobs, take):
                raise KeyboardInterrupt
        finally:
            self.tally(kind).add(before, self._executor.account)

    def tally(self, kind: str) -> GameTally:
        """Return the counts of a kind of jobs, in games."""
        return self._tallies.setdefault(kind, GameTally())

    def close(self) -> None:
        """Release all workers."""
        self._executor.close()


class LocalLabelWorkers(LabelWorkers):
    """Workers in this process: this thread, or several threads."""

    def __init__(self, games: Sequence[Game], seed: int, stop: Stop, threads: int = 1) -> None:
        """Start no thread yet.

        Args:
            games: the games of the run.
            seed: the seed of the run.
            stop: turns true if jobs are to be cancelled.
            threads: number of workers.
        """
        self._workers = [LabelWorker(games, seed) for _ in range(threads)]

        def do(worker: LabelWorker, job: Job, stopped: Stop) -> Result:
            return worker.do(job, lambda: stop() or stopped())

        super().__init__(
            InThisThread(self._workers[0], do, games_of)
            if threads == 1
            else InThreads(self._workers, do, games_of),
            pairs_per_job=1,
        )

    @property
    def count(self) -> int:
        return len(self._workers)

    def publish(self, networks: Mapping[str, SavedWeights]) -> None:
        for worker in self._workers:
            worker.receive(networks)

    def look(self) -> None:
        pass
