"""What a cluster costs a short run of short waves, whose players may have few games in flight.

Run: python -m bench.short_runs --episodes 3000 --seconds 8 --repeats 3. Trains the small Hex of
`meeple bench scale` in sessions: in turns in this process and on a cluster of this machine.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from meeple.cli.bench.scale import FIXED, SMALL, spread
from meeple.cli.bench.scale_session import Session, in_this_process, on_cluster
from meeple.executors.place import Place
from meeple.executors.ray_cluster import Cluster
from meeple.learn.config import Config, parse_config


def config(episodes: int, workers: int, games: int) -> Config:
    """A run that is so long, each of its waves of so many games in so many threads."""
    changes = (f"run.episodes={episodes}", f"selfplay.games={games}", f"selfplay.workers={workers}")
    return parse_config(SMALL, (*FIXED, *changes))


def shown(theirs: Sequence[Session], ours: Sequence[Session]) -> str:
    """What the pairs of sessions gave, in a line."""
    pairs = list(zip(theirs, ours, strict=True))
    speeds = spread([one.games_per_second / other.games_per_second for one, other in pairs])
    costs = spread([
        one.processor_seconds_per_game / other.processor_seconds_per_game for one, other in pairs
    ])  # fmt: skip
    here_, there = (
        ", ".join(f"{one.games_per_second:.1f}" for one in all_) for all_ in (ours, theirs)
    )
    waves = sum(one.waves for one in theirs) / sum(one.updates for one in theirs)
    behind = sum(one.behind for one in theirs) / sum(one.waves for one in theirs)
    return (
        f"games/s here {here_}, on Ray {there}: {speeds}; processor time a game {costs}; "
        f"{waves:.1f} waves a lesson, {behind:.0f} games behind"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=3000)
    parser.add_argument("--games", type=int, default=8, help="of a wave")
    parser.add_argument("--seconds", type=float, default=8.0, help="of a session")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    cluster = Cluster(Place(), "the measuring of a cluster")
    for workers in (1, 2):
        ours: list[Session] = []
        theirs: list[Session] = []
        for repeat in range(given.repeats):
            with tempfile.TemporaryDirectory() as made:
                run = Path(made) / f"{workers} {repeat}"
                alone = config(given.episodes, workers, given.games * workers)
                ours.append(in_this_process(alone, run / "here", given.seconds))
                each = config(given.episodes, 1, given.games)
                theirs.append(on_cluster(each, run / "there", cluster, workers, given.seconds))
        print(f"{workers} workers: {shown(theirs, ours)}", flush=True)
    cluster.close()


if __name__ == "__main__":
    main()
