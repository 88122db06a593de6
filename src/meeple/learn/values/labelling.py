"""The labels of a round: shards of games, made by whoever does the work, stored as they come."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from meeple.errors import Stopped
from meeple.games.contract.game import Game
from meeple.learn.values.jobs import Labelled, Networks, Result, Shard, Stream
from meeple.learn.values.run import ValuesRun
from meeple.learn.values.shards import write_shard
from meeple.search.values.file import load_network
from meeple.search.values.labels import NETWORK, PAST, WEIGHTED, Settings, quick_policy

LABELS = "games to label"  # what jobs of labelling are called
PROGRESS_INTERVAL_SECONDS = 10.0  # seconds between two lines of progress


def teach(
    run: ValuesRun, network: Path | None = None, other: Path | None = None, past: Path | None = None
) -> Networks:
    """Tell all workers of networks, and give their names, which jobs have for them."""
    files = [file for file in (network, other, past) if file is not None]
    run.work.teach({run.folder.name_of(file): load_network(file) for file in files})
    return Networks(
        *(None if file is None else run.folder.name_of(file) for file in (network, other, past))
    )


def past_of_round(run: ValuesRun) -> Path | None:
    """The past network that plays along in the labelled games of a round, where there is one."""
    past = run.folder.past(run.state)
    if not past:
        return None
    rng = np.random.default_rng((run.config.run.seed, Stream.PAST, run.round))
    return past[int(rng.integers(len(past)))]


def label(run: ValuesRun, networks: Networks, settings: Settings, games: int) -> None:
    """Make the shards of labels that a round still lacks, of each game in turn.

    Raises Stopped where the run is stopped before all are there.
    """
    lacking = [
        shard
        for shard in _shards(run, networks, settings, games)
        if not run.folder.shard(run.round, shard.number).exists()
    ]
    done, count = games - sum(shard.games for shard in lacking), 0
    began, told = time.perf_counter(), 0.0
    tally = run.work.tally(LABELS)

    def take(result: Result) -> bool:
        nonlocal done, count, told
        assert isinstance(result, Labelled)
        _store(run, result)
        tally.kept += result.shard.games
        done, count = done + result.shard.games, count + result.cases.size
        seconds = time.perf_counter() - began
        if done == games or seconds - told > PROGRESS_INTERVAL_SECONDS:
            told = seconds
            run.reporter.message(
                f"round {run.round}: {done:,} of {games:,} games labelled, {count:,} labels, "
                f"{count / seconds:,.0f} a second{_at_work(run)}"
            )
        return run.stop()

    run.work.do(LABELS, lacking, take)
    if done < games:
        raise Stopped


def _at_work(run: ValuesRun) -> str:
    workers = run.work.workers
    return f" by {workers} workers" if workers > 1 else ""


def _store(run: ValuesRun, labelled: Labelled) -> None:
    """Write a shard, and how it came about."""
    shard, cases = labelled.shard, labelled.cases
    run.folder.log_labels(
        {
            "round": shard.round,
            "shard": shard.number,
            "games": shard.games,
            "labels": cases.size,
            "network": shard.networks.network,
            "past": shard.networks.past,
            "worker": labelled.worker,
            "seconds": round(labelled.seconds, 3),
            "time": round(time.time(), 3),
        }
    )
    path = run.folder.shard(shard.round, shard.number)
    write_shard(path, cases, {"round": shard.round, "games": shard.games})
    run.labelled[shard.round] += shard.games


def _shards(run: ValuesRun, networks: Networks, settings: Settings, games: int) -> Iterator[Shard]:
    """All of a round."""
    size = run.config.labels.shard
    for number, first in enumerate(range(0, games, size)):
        variant = number % len(run.games)
        policies, chances = _seats(run, run.games[variant])
        count = min(size, games - first)
        yield Shard(run.round, number, first, count, variant, networks, settings, policies, chances)


def _seats(run: ValuesRun, game: Game) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Who plays a game whose decisions are labelled: policies, and the chance of each in a seat."""
    labels = run.config.labels
    network = labels.network_seats if run.round > 0 else 0.0
    past = labels.past_seats if run.folder.past(run.state) else 0.0
    weighted = labels.weighted_seats
    policies = (WEIGHTED, quick_policy(game), NETWORK, PAST)
    return policies, (weighted, 1 - weighted - network - past, network, past)
