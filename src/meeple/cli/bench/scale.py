"""What is measured of runs on a cluster: games a second by actors, lockstep and size of network.

Each point is a session of real training, from when every player has given a wave until so many
seconds later. Bytes are of arrays, which are nearly all that is moved, and of what Ray's object
store carries between processes, on one machine, too.
"""

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from meeple.cli.arena import place_asked
from meeple.cli.bench.measuring import Figures
from meeple.cli.bench.scale_session import Session, here, on_cluster
from meeple.cli.bench.subjects import Asked
from meeple.errors import UsageError
from meeple.executors.ray_cluster import Cluster
from meeple.extras import need
from meeple.learn.config import Config, load_config, parse_config

SECONDS = 10.0  # of a session
REPEATS = 3  # of the pair with and without a cluster
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
"""What is trained where no configuration is given."""

FIXED = ("run.episodes=100000000", "run.networks=2", "matches.minutes=0", "training.threads=1")
"""So that no game is the last, and nothing but self-play and learning is measured."""
MOST_LOCKSTEP = 4096
PURPOSE = "the measuring of a cluster"


@dataclass(frozen=True)
class Point:
    """What one session is of."""

    actors: int
    lockstep: int
    network: float = 1.0  # widths, as a multiple of the configuration's


@dataclass(frozen=True)
class Bench:
    """All that sessions have in common."""

    file: Path | None  # a configuration
    cluster: Cluster
    seconds: float

    def config(self, *changes: str) -> Config:
        """What is trained, changed so."""
        if self.file is None:
            return parse_config(SMALL, (*FIXED, *changes))
        return load_config(self.file, (*FIXED, *changes))

    def on_cluster(self, point: Point) -> Session:
        """A session on the cluster."""
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
        _tell(words, session)
        return session

    def here(self, workers: int) -> Session:
        """A session in this process, with as many games in lockstep for each worker."""
        games = min(MOST_LOCKSTEP, self.config().selfplay.games * workers)
        config = self.config(f"selfplay.games={games}", f"selfplay.workers={workers}")
        with tempfile.TemporaryDirectory() as folder:
            session = here(config, Path(folder) / "run", self.seconds)
        _tell(f"{workers} workers here", session)
        return session


def _tell(words: str, session: Session) -> None:
    typer.echo(f"{words}: {session.games_per_second:.2f} games/s", err=True)


def scale(asked: Asked) -> Figures:
    """`meeple bench scale`."""
    need("torch", PURPOSE)
    place = place_asked(asked.on or "ray", bool(asked.without_token))
    assert place is not None, "a cluster is asked for"
    if asked.config is not None:
        load_config(asked.config, FIXED)  # refused before anything is started
    cluster = Cluster(place, PURPOSE)
    try:
        bench = Bench(asked.config, cluster, asked.seconds or SECONDS)
        games = bench.config().selfplay.games
        most = asked.workers or cluster.processors
        if most > cluster.processors:
            raise UsageError(
                f"{place.name} has {cluster.processors} processors, and {most} workers "
                "were asked for: one each"
            )
        nodes = [node for node in cluster.nodes() if node.alive]
        rows = [row(point, bench.on_cluster(point)) for point in points(games, most)]
        pairs = [
            overhead(bench, actors, asked.repeats or REPEATS) for actors in dict.fromkeys((1, most))
        ]
    finally:
        cluster.close()
    return {
        "config": str(asked.config) if asked.config else "hex size=5 by AlphaZero",
        "place": place.name,
        "nodes": len(nodes),
        "processors": sum(node.processors for node in nodes),
        "points": rows,
        "against_local": pairs,
    }


def row(point: Point, session: Session) -> Figures:
    """The figures of a point. Ray chooses the nodes of its actors, which are counted."""
    return {
        "actors": point.actors,
        "nodes": len(session.shares),
        "lockstep": point.lockstep,
        "network": point.network,
        **session.figures(),
    }


def points(games: int, most: int) -> Iterator[Point]:
    """Actors by doubling; then other numbers of games in lockstep, and other sizes of network."""
    doubled = {2**n for n in range(most.bit_length())}
    for count in sorted({*doubled, most}):
        yield Point(count, games)
    for other in (max(1, games // 4), min(MOST_LOCKSTEP, 4 * games)):
        if other != games:
            yield Point(most, other)
    for factor in (0.5, 2.0):
        yield Point(most, games, factor)


def overhead(bench: Bench, workers: int, repeats: int) -> Figures:
    """A cluster against this process, with as many workers and games in lockstep each, in turns.

    `ratio` is of games a second. Where the machine has other work, `processor_ratio` says more: of
    the processor time of a game, without what Ray's own processes take, which hardly depends on the
    games (`ray_processors` of a point). Here self-play waits for learning; on a cluster with a
    processor to spare both go on side by side.
    """
    games = bench.config().selfplay.games
    theirs: list[Session] = []
    ours: list[Session] = []
    for _ in range(repeats):
        ours.append(bench.here(workers))
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
    """The median, the least and the most."""
    return {
        "median": round(statistics.median(values), 3),
        "least": round(min(values), 3),
        "most": round(max(values), 3),
    }
