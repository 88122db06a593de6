"""Whether a run on two Ray nodes gets as strong as one in this process, from as many games.

Run: python -m bench.two_nodes hex5 --seeds 1,2 --folder runs/two_nodes [--set run.episodes=1500]

The nodes are two of this machine, with a processor each, by Ray's own class for tests. For each
seed a run is trained here and one there; runs that are in the folder go on. Then the networks of
each pair meet, alone and with a search, from openings, and each meets a fixed opponent. Shares have
95 % intervals.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from meeple.arena.match import match
from meeple.executors import ray_cluster
from meeple.executors.place import Place
from meeple.learn.config import find_config, method_of, read_config
from meeple.learn.run.folder import config_of


def train(config: str, folder: Path, words: list[str]) -> None:
    """Train a run, or go on with it, by the command that a user types."""
    resume = ["--resume"] if folder.exists() else [config]
    command = [sys.executable, "-m", "meeple", "train", *resume, "--run", str(folder), *words]
    subprocess.run(command, check=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("config")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--folder", type=Path, default=Path("runs/two_nodes"))
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--sims", type=int, default=100)
    parser.add_argument("--opponent", default="uct:sims=400")
    given = parser.parse_args()
    ray_cluster._set_environment(Place())
    from ray.cluster_utils import Cluster

    options = {"object_store_memory": ray_cluster.STORE_BYTES, "include_dashboard": False}
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **options})
    nodes.add_node(num_cpus=1, object_store_memory=ray_cluster.STORE_BYTES)
    changes = [word for change in given.set for word in ("--set", change)]
    pairs = []
    for seed in given.seeds.split(","):
        here, there = (given.folder / f"{given.config}-{seed}-{way}" for way in ("here", "there"))
        words = [*changes, "--set", f"run.seed={seed}"]
        train(given.config, here, [] if here.exists() else words)
        on = ["--on", f"ray://{nodes.address}", "--workers", "2"]
        train(given.config, there, on + ([] if there.exists() else words))
        pairs.append((there, here))
    nodes.shutdown()
    values = method_of(read_config(find_config(given.config))) == "values"
    settings = config_of(pairs[0][0])
    assert settings is not None
    game = settings.make_game()
    ways = ["states:{}"] if values else ["policy:{}", f"puct:{{}},sims={given.sims}"]
    for way in ways:
        for there, here in pairs:
            specs = [way.format(there), way.format(here)]
            for lineup in (specs, [specs[0], given.opponent], [specs[1], given.opponent]):
                found = match(game, lineup, given.games, openings=True)
                first = found.agents[0]
                low, high = first.interval
                print(
                    f"{' against '.join(lineup)}: {100 * first.share:.1f} % "
                    f"({100 * low:.1f} to {100 * high:.1f}) of {found.games} games",
                    flush=True,
                )


if __name__ == "__main__":
    main()
