"""What labelling a round costs on a Ray cluster of this machine, against the same in this process.

Run: python -m bench.values_on_ray [CONFIG [GAMES [REPEATS]]]. Says labels a second for one and two
workers, in threads here and on Ray in turn, the ratios of their medians, and whether all shards are
identical. The start of the cluster and of its workers is told apart. How busy workers were, the
time that they took for shards of all that they had, says on a machine that is busy with other work
what a ratio of speeds cannot.
"""

import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from meeple.executors.place import Place
from meeple.executors.ray_cluster import Cluster
from meeple.learn.config import ValuesConfig, find_config, load_values_config
from meeple.learn.loop import start_run
from meeple.learn.methods.labelling import Labelling, publish
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.reporter import Silent
from meeple.learn.values.run import LABELS_LOG, ValuesRun, open_values_run
from meeple.learn.values.shards import read_shard
from meeple.learn.workers.contract import LabelWorkers, Snapshot
from meeple.learn.workers.local import LocalBackend
from meeple.learn.workers.ray import ClusterBackend
from meeple.search.values.features import features_of
from meeple.search.values.file import SavedNetwork, save_network
from meeple.search.values.labels import Settings, quick_policy
from meeple.search.values.network import untrained

WORKERS = (1, 2)


def never() -> bool:
    return False


def run_with_network(config: ValuesConfig, folder: Path) -> ValuesRun:
    """Make a run whose first round ended with an untrained network."""
    start_run(config, folder)
    run = open_values_run(config, RunFolder(folder), print)
    weights = untrained(features_of(run.game), config.widths, 1)
    saved = SavedNetwork(weights, run.game.name, dict(run.game.options))
    save_network(run.files.checkpoint(0), saved)
    run.state.episodes = 1
    return run


@contextlib.contextmanager
def workers_of(run: ValuesRun, place: Place | None, count: int) -> Iterator[LabelWorkers]:
    """Start workers in threads of this process, or on a cluster."""

    def snapshot() -> Snapshot:
        return Snapshot(0, 0, 0, "")

    with contextlib.ExitStack() as stack:
        if place is None:
            workers = LocalBackend(count).labels(run, snapshot, Silent(), never)
        else:
            cluster = stack.enter_context(contextlib.closing(Cluster(place, "labelling on Ray")))
            workers = ClusterBackend(cluster, count).labels(run, snapshot, Silent(), never)
        yield stack.enter_context(contextlib.closing(workers))


def labelled(run: ValuesRun, workers: LabelWorkers, games: int) -> tuple[float, float, bytes]:
    """Label games: labels a second, the share of time that workers were busy, all labels."""
    files, labels = run.files, run.config.labels
    settings = Settings(
        labels.share, labels.siblings, labels.playouts, 40, quick_policy(run.game), labels.slips
    )
    networks = publish(workers, files, files.checkpoint(0))
    began = time.perf_counter()
    Labelling(run, workers, Counter(), Silent(), never).label(1, networks, settings, games)
    seconds = time.perf_counter() - began
    shards = [read_shard(path) for path in files.shards(1)]
    content = b"".join(array.tobytes() for shard in shards for array in shard)
    lines = (run.folder.path / LABELS_LOG).read_text().splitlines()
    busy = sum(json.loads(line)["seconds"] for line in lines) / (seconds * workers.count)
    return sum(shard.size for shard in shards) / seconds, busy, content


def main(name: str, games: int, repeats: int) -> None:
    config = load_values_config(find_config(name))
    speeds: dict[tuple[str, int], list[float]] = {}
    contents = set()
    with tempfile.TemporaryDirectory() as made:
        for repeat in range(repeats + 1):  # the first warms up
            for workers in WORKERS:
                for where, place in (("here", None), ("on Ray", Place())):
                    folder = Path(made) / f"{repeat} {workers} {where}"
                    run, began = run_with_network(config, folder), time.perf_counter()
                    with workers_of(run, place, workers) as started:
                        start = time.perf_counter() - began
                        speed, busy, content = labelled(run, started, games)
                    contents.add(content)
                    if repeat:
                        speeds.setdefault((where, workers), []).append(speed)
                        print(
                            f"{workers} {where}: {speed:,.0f} labels/s, workers busy {busy:.1%}, "
                            f"begun in {start:.1f} s"
                        )
    median = {key: statistics.median(found) for key, found in speeds.items()}
    for workers in WORKERS:
        ratio = median["on Ray", workers] / median["here", workers]
        print(f"{workers} workers: on Ray {ratio:.3f} of the labels a second here")
    print(f"2 workers on Ray: {median['on Ray', 2] / median['here', 1]:.3f} of one here")
    print(f"All shards are identical: {len(contents) == 1}.")
    sys.exit(0 if len(contents) == 1 else 1)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(
        words[0] if words else "catan-reduced",
        int(words[1]) if len(words) > 1 else 800,
        int(words[2]) if len(words) > 2 else 3,
    )
