"""One who labels shards and plays pairs of games; several do so side by side."""

import os
import socket
import time
from collections.abc import Mapping, Sequence

import numpy as np

from meeple.errors import Stopped
from meeple.executors.threads import Stop
from meeple.games.contract.game import Game
from meeple.learn.values.jobs import Job, Labelled, Networks, Pairs, Played, Result, Shard, Stream
from meeple.learn.values.shards import cases_of
from meeple.search.values.features import features_of
from meeple.search.values.file import SavedNetwork, network_of
from meeple.search.values.labels import NETWORK, OTHER, Labeller, joined


class ValuesWorker:
    """Does jobs of one run. One thread at a time calls it."""

    def __init__(self, games: Sequence[Game], seed: int) -> None:
        """`games`: that the run learns; `seed`: of the run."""
        self._games, self._seed = games, seed
        self._saved: Mapping[str, SavedNetwork] = {}
        self._labellers: dict[tuple[int, Networks], Labeller] = {}
        self.name = f"{socket.gethostname()} {os.getpid()}"

    def know(self, networks: Mapping[str, SavedNetwork]) -> None:
        """From now on jobs name these networks, and no others."""
        self._saved = networks
        self._labellers.clear()

    def do(self, job: Job, stopped: Stop = lambda: False) -> Result:
        """Do a job. Raises Stopped where `stopped` says so between two games."""
        return self._label(job, stopped) if isinstance(job, Shard) else self._play(job, stopped)

    def _labeller(self, variant: int, networks: Networks) -> Labeller:
        """Of a game with some networks."""
        key = variant, networks
        if key not in self._labellers:
            game = self._games[variant]
            made = [
                None if name is None else network_of(self._saved[name], game, name)
                for name in networks
            ]
            self._labellers[key] = Labeller(game, *made)
        return self._labellers[key]

    def _label(self, shard: Shard, stopped: Stop) -> Labelled:
        began = time.perf_counter()
        labeller = self._labeller(shard.variant, shard.networks)
        parts = []
        for game in range(shard.first, shard.first + shard.games):
            if stopped():
                raise Stopped
            rng = np.random.default_rng((self._seed, Stream.LABELS, shard.round, game))
            seed = int(rng.integers(2**62))
            seats = rng.choice(shard.policies, labeller.game.players, p=shard.chances)
            parts.append(labeller.label_game(seed, seats.astype(np.int8), shard.settings))
        cases = cases_of(joined(parts), features_of(labeller.game))
        return Labelled(shard, cases, time.perf_counter() - began, self.name)

    def _play(self, pairs: Pairs, stopped: Stop) -> Played:
        shares = []
        for pair in range(pairs.first, pairs.first + pairs.pairs):
            if stopped():
                raise Stopped
            shares.append(self._pair(pairs, pair))
        return Played(pairs, tuple(shares))

    def _pair(self, pairs: Pairs, pair: int) -> tuple[float, float]:
        """The shares of a seat by the network and by the other, in the same game.

        Among itself, the other gets an equal share.
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
