"""Labels the games of a round in shards, and stores each shard when it arrives."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from meeple.errors import Stopped
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game
from meeple.learn.run.metrics import Reporter
from meeple.learn.values.jobs import (
    JobNetworks,
    LabelledShard,
    Result,
    SeedStream,
    Shard,
    write_shard,
)
from meeple.learn.values.run import ValuesRun
from meeple.learn.workers.labels import LABELLING, LabelWorkers
from meeple.search.values.file import load_network
from meeple.search.values.labels import NETWORK, PAST, WEIGHTED, Settings, quick_policy

PROGRESS_INTERVAL_SECONDS = 10.0  # between two messages of progress


def publish(
    workers: LabelWorkers,
    run: ValuesRun,
    network: Path | None = None,
    other: Path | None = None,
    past: Path | None = None,
) -> JobNetworks:
    """Send networks to all workers, and return the names by which jobs refer to them."""
    given = (network, other, past)
    saved = {run.name_of(file): load_network(file) for file in given if file is not None}
    workers.publish(saved)
    return JobNetworks(*(None if file is None else run.name_of(file) for file in given))


def past_of_round(run: ValuesRun, round_: int) -> Path | None:
    """Return the past network that plays in the labelled games of a round, if there is any."""
    past = run.past
    if not past:
        return None
    rng = np.random.default_rng((run.config.run.seed, SeedStream.PAST, round_))
    return run.checkpoint(past[int(rng.integers(len(past)))])


@dataclass(frozen=True)
class Labelling:
    """Has workers make the missing shards of a run, and counts labelled games."""

    _run: ValuesRun
    _workers: LabelWorkers
    _labelled: Counter[int]  # games by round, to which new ones are added
    _reporter: Reporter
    _stop: Stop

    def label(self, round_: int, networks: JobNetworks, settings: Settings, games: int) -> None:
        """Make the missing shards of a round.

        Args:
            round_: the round.
            networks: the networks that play and evaluate.
            settings: how decisions are labelled.
            games: games of the round; the variants of the game take turns, shard by shard.

        Raises:
            Stopped: the run was stopped before all shards existed.
        """
        missing = [
            shard
            for shard in self._shards(round_, networks, settings, games)
            if not self._run.shard(round_, shard.number).exists()
        ]
        done, count = games - sum(shard.games for shard in missing), 0
        began, reported = time.perf_counter(), 0.0
        tally = self._workers.tally(LABELLING)

        def take(result: Result) -> bool:
            nonlocal done, count, reported
            assert isinstance(result, LabelledShard)
            self._store(result)
            tally.used += result.shard.games
            done, count = done + result.shard.games, count + result.examples.size
            seconds = time.perf_counter() - began
            if done == games or seconds - reported > PROGRESS_INTERVAL_SECONDS:
                reported = seconds
                self._reporter.message(
                    f"round {round_}: {done:,} of {games:,} games labelled, {count:,} labels, "
                    f"{count / seconds:,.0f} a second{self._by_workers()}"
                )
            return self._stop()

        self._workers.do(LABELLING, missing, take)
        if done < games:
            raise Stopped

    def _by_workers(self) -> str:
        count = self._workers.count
        return f" by {count} workers" if count > 1 else ""

    def _store(self, labelled: LabelledShard) -> None:
        """Write a shard, after a line on how it was made."""
        shard, examples, run = labelled.shard, labelled.examples, self._run
        run.log_labels(
            {
                "round": shard.round,
                "shard": shard.number,
                "games": shard.games,
                "labels": examples.size,
                "network": shard.networks.network,
                "past": shard.networks.past,
                "worker": labelled.worker,
                "seconds": round(labelled.seconds, 3),
                "time": round(time.time(), 3),
            }
        )
        path = run.shard(shard.round, shard.number)
        write_shard(path, examples, {"round": shard.round, "games": shard.games})
        self._labelled[shard.round] += shard.games

    def _shards(
        self, round_: int, networks: JobNetworks, settings: Settings, games: int
    ) -> Iterator[Shard]:
        run = self._run
        size = run.config.labels.shard
        for number, first in enumerate(range(0, games, size)):
            variant = number % len(run.games)
            policies, chances = self._seats(round_, run.games[variant])
            yield Shard(
                round=round_,
                number=number,
                first=first,
                games=min(size, games - first),
                variant=variant,
                networks=networks,
                settings=settings,
                policies=policies,
                chances=chances,
            )

    def _seats(self, round_: int, game: Game) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Return the policies that may play a seat of a labelled game, and their probabilities."""
        labels = self._run.config.labels
        network = labels.network_seats if round_ > 0 else 0.0
        past = labels.past_seats if self._run.past else 0.0
        weighted = labels.weighted_seats
        policies = (WEIGHTED, quick_policy(game), NETWORK, PAST)
        return policies, (weighted, 1 - weighted - network - past, network, past)
