"""A worker of a run of values: it labels shards of games and plays the gate's pairs of games.

`LabelWorker` works in a thread of this process. `RemoteLabelWorker` works in a process of a
cluster; it may get a job before the networks of the job, and then waits for them.
"""

import os
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from meeple.arena.games.remote import hashes_of_files, load_same_files
from meeple.errors import RunError, Stopped
from meeple.executors.executor import Stop
from meeple.executors.newest import Newest
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.learn.config import ValuesConfig
from meeple.learn.values.jobs import (
    Job,
    JobNetworks,
    LabelledShard,
    Pairs,
    PlayedPairs,
    Result,
    SeedStream,
    Shard,
    names_of,
)
from meeple.learn.values.shards import examples_of
from meeple.learn.workers.wire import job_of_plain, networks_of_plain, result_to_plain
from meeple.search.values import labels as search_labels
from meeple.search.values.features import features_of
from meeple.search.values.file import SavedNetwork, network_of
from meeple.search.values.labels import NETWORK, OTHER, PAST, WEIGHTED, Settings, quick_policy
from meeple.search.values.network import Widths, untrained

TARGET = "meeple.learn.workers.label_worker:make_label_worker"
NETWORK_TIMEOUT_SECONDS = 120.0  # to wait for the networks of a job
WARM_UP = Settings(
    share=1.0, siblings=2, playouts=1, horizon=1, policy=NETWORK, slips=0.5, lookahead=True
)


class LabelWorker:
    """Does the jobs of one run. Only one thread at a time may call it."""

    def __init__(self, games: Sequence[Game], seed: int) -> None:
        """Take the games and the seed of the run."""
        self._games, self._seed = games, seed
        self._saved: Mapping[str, SavedNetwork] = {}
        self._labellers: dict[tuple[int, JobNetworks], search_labels.Labeller] = {}
        self.name = f"{socket.gethostname()} {os.getpid()}"

    def receive(self, networks: Mapping[str, SavedNetwork]) -> None:
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
        examples = examples_of(search_labels.joined(parts), features_of(labeller.game))
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
    worker.receive({name: SavedNetwork(weights, games[0].name, {})})
    networks = JobNetworks(name, name, name)
    for variant, game in enumerate(games):
        policies = (WEIGHTED, quick_policy(game), NETWORK, PAST)
        chances = (0.25,) * len(policies)
        for settings in (WARM_UP, WARM_UP._replace(playouts=0, siblings=1)):
            worker.do(Shard(0, 0, 0, 1, variant, networks, settings, policies, chances))
    worker.do(Pairs(0, 0, len(games), networks, OTHER, 0))


def arguments_of(config: ValuesConfig) -> dict[str, Any]:
    """Return the arguments of `make_label_worker` as plain values."""
    return {
        "files": hashes_of_files(),
        "games": [[game.name, dict(game.options)] for game in config.make_games()],
        "seed": config.run.seed,
        "widths": list(config.widths),
    }


def make_label_worker(arguments: Mapping[str, Any]) -> "RemoteLabelWorker":
    """Make the worker of a process, with its kernels compiled.

    Raises:
        RunError: the file of a game is missing on this machine, or differs.
    """
    load_same_files(arguments["files"])
    games = tuple(make_from(name, options) for name, options in arguments["games"])
    warm_up(games, Widths(*arguments["widths"]))
    return RemoteLabelWorker(LabelWorker(games, arguments["seed"]))


class RemoteLabelWorker:
    """Does jobs in a process of a cluster, where another thread receives networks."""

    def __init__(self, worker: LabelWorker) -> None:
        self._worker = worker
        self._newest: Newest[Mapping[str, SavedNetwork]] = Newest({})
        self._taken = -1

    def receive(self, message: Mapping[str, Any]) -> None:
        """Receive {"number", "networks"}; older numbers than the newest are ignored."""
        self._newest.tell(message["number"], networks_of_plain(message["networks"]))

    def do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Do a job; job and result are plain values. Raises RunError if its networks are late."""
        wanted = job_of_plain(job)
        self._take_over(names_of(wanted.networks))
        return result_to_plain(self._worker.do(wanted))

    def _take_over(self, names: set[str]) -> None:
        found = self._newest.wait(lambda new: names <= new.value.keys(), NETWORK_TIMEOUT_SECONDS)
        if found is None:
            raise RunError(f"the networks of a job did not come: {', '.join(sorted(names))}")
        if found.number > self._taken:
            self._taken = found.number
            self._worker.receive(found.value)
