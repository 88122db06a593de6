"""The plan: games a second by actors, lockstep and network size, and without a cluster.

Each point is a session of real training; it starts once every actor has sent a wave, and lasts a
given number of seconds. Bytes are those of arrays, nearly all of the traffic, including what Ray's
object store moves between processes of one machine.
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.scale.session import ScaleSession, in_this_process, on_cluster
from bench.speed.measuring import Figures
from meeple.errors import UsageError
from meeple.executors.backend import Place
from meeple.learn.config import Config, load_config, parse_config
from meeple_ray.cluster import Cluster

SECONDS = 10.0  # duration of a session
REPEATS = 3  # sessions of each: on a cluster, and in this process
SMALL = """
[game]
name = "hex"
options = { size = 5 }
[search]
mode = "alphazero"
simulations = 32
[network]
hidden = [256, 128]
"""
"""The default configuration."""

FIXED = ("run.episodes=100000000", "run.networks=2", "matches.minutes=0", "training.threads=1")
"""Changes by which a session neither ends nor does anything but self-play and learning."""
MAX_LOCKSTEP = 4096


@dataclass(frozen=True)
class Point:
    """The settings of one session."""

    actors: int
    lockstep: int
    network: float = 1.0  # layer widths, as a multiple of the configuration's


@dataclass(frozen=True)
class Bench:
    """The settings that all sessions share."""

    file: Path | None  # a configuration
    cluster: Cluster
    seconds: float

    def config(self, *changes: str) -> Config:
        """Return the configuration with these changes."""
        if self.file is None:
            return parse_config(SMALL, (*FIXED, *changes))
        return load_config(self.file, (*FIXED, *changes))

    def on_cluster(self, point: Point) -> ScaleSession:
        """Measure a session on the cluster."""
        changes = [f"selfplay.games={point.lockstep}", "selfplay.workers=1"]
        if point.network != 1:
            network = self.config().network
            hidden = [max(1, round(width * point.network)) for width in network.hidden]
            channels = max(4, round(network.channels * point.network))
            changes += [f"network.hidden={hidden}", f"network.channels={channels}"]
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "run"
            config = self.config(*changes)
            session = on_cluster(config, run, self.cluster, point.actors, self.seconds)
        words = f"{point.actors} actors, {point.lockstep} games in lockstep"
        if point.network != 1:
            words += f", a network {point.network:g} times as wide"
        _print_speed(words, session)
        return session

    def in_this_process(self, workers: int) -> ScaleSession:
        """Measure a session in this process, with the same number of lockstep games a worker."""
        games = min(MAX_LOCKSTEP, self.config().selfplay.games * workers)
        config = self.config(f"selfplay.games={games}", f"selfplay.workers={workers}")
        with tempfile.TemporaryDirectory() as folder:
            session = in_this_process(config, Path(folder) / "run", self.seconds)
        _print_speed(f"{workers} workers in this process", session)
        return session


def _print_speed(words: str, session: ScaleSession) -> None:
    print(f"{words}: {session.games_per_second:.2f} games/s", file=sys.stderr)


def measure(
    place: Place, file: Path | None, workers: int | None, seconds: float, repeats: int
) -> Figures:
    """Return the figures of all sessions.

    Args:
        place: of the cluster.
        file: a training configuration; None: `SMALL`.
        workers: maximum number of actors; None: one a processor.
        seconds: duration of a session.
        repeats: sessions of each pair of a cluster and this process.
    """
    if file is not None:
        load_config(file, FIXED)  # raise its errors before anything is started
    cluster = Cluster(place)
    try:
        bench = Bench(file, cluster, seconds)
        games = bench.config().selfplay.games
        most = workers or cluster.processors
        if most > cluster.processors:
            raise UsageError(
                f"{place.name} has {cluster.processors} processors, but {most} workers "
                "need one each"
            )
        nodes = [node for node in cluster.nodes() if node.alive]
        rows = [row(point, bench.on_cluster(point)) for point in points(games, most)]
        pairs = [overhead(bench, actors, repeats) for actors in dict.fromkeys((1, most))]
    finally:
        cluster.close()
    return {
        "config": str(file) if file else "hex size=5 by AlphaZero",
        "place": place.name,
        "nodes": len(nodes),
        "processors": sum(node.processors for node in nodes),
        "points": rows,
        "against_local": pairs,
    }


def row(point: Point, session: ScaleSession) -> Figures:
    """Return the figures of a point, with the number of nodes on which Ray placed the actors."""
    return {
        "actors": point.actors,
        "nodes": len(session.shares),
        "lockstep": point.lockstep,
        "network": point.network,
        **session.figures(),
    }


def points(games: int, most: int) -> Iterator[Point]:
    """Yield points with doubling actors; then other lockstep numbers and network sizes."""
    doubled = {2**n for n in range(most.bit_length())}
    for count in sorted({*doubled, most}):
        yield Point(count, games)
    for other in (max(1, games // 4), min(MAX_LOCKSTEP, 4 * games)):
        if other != games:
            yield Point(most, other)
    for factor in (0.5, 2.0):
        yield Point(most, games, factor)


def overhead(bench: Bench, workers: int, repeats: int) -> Figures:
    """Compare a cluster with this process, with equal workers and lockstep games, in turns.

    `ratio` compares games a second. On a busy machine `processor_ratio` is more reliable: it
    compares the processor time of a game, without that of Ray's own processes, which hardly depends
    on the games (`ray_processors` of a point). In this process, self-play waits for learning; on a
    cluster with a spare processor both run in parallel.
    """
    games = bench.config().selfplay.games
    theirs: list[ScaleSession] = []
    ours: list[ScaleSession] = []
    for _ in range(repeats):
        ours.append(bench.in_this_process(workers))
        theirs.append(bench.on_cluster(Point(workers, games)))
    pairs = list(zip(theirs, ours, strict=True))
    return {
        "workers": workers,
        "repeats": repeats,
        "local_games_per_second": [round(one.games_per_second, 3) for one in ours],
        "cluster_games_per_second": [round(one.games_per_second, 3) for one in theirs],
        "ratio": spread([one.games_per_second / by.games_per_second for one, by in pairs]),
        "processor_ratio": spread(
            [one.processor_seconds_per_game / by.processor_seconds_per_game for one, by in pairs]
        ),
    }


def spread(values: Sequence[float]) -> Figures:
    """Return the median, the minimum and the maximum."""
    return {
        "median": round(statistics.median(values), 3),
        "least": round(min(values), 3),
        "most": round(max(values), 3),
    }
