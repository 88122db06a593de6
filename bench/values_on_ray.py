"""What labelling a round costs on a Ray cluster of this machine, against the same in this process.

Run: python -m bench.values_on_ray [CONFIG [GAMES [REPEATS]]]. Says labels a second for one and two
workers, in threads here and on Ray in turn, the ratios of their medians, and whether all shards are
identical. The start of the cluster and of its workers is told apart. How busy workers were, the
time that they took for shards of all that they had, says on a machine that is busy with other work
what a ratio of speeds cannot.
"""

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from meeple.executors.place import Place
from meeple.learn.config import ValuesConfig, find_config, load_values_config
from meeple.learn.run.reporter import Silent
from meeple.learn.values.folder import CONFIG, LABELS_LOG, ValuesFolder
from meeple.learn.values.labelling import label, teach
from meeple.learn.values.loop import start_run
from meeple.learn.values.places import work_of
from meeple.learn.values.run import ValuesRun
from meeple.learn.values.shards import read_shard
from meeple.learn.values.work import Work
from meeple.search.values.features import features_of
from meeple.search.values.file import SavedNetwork, save_network
from meeple.search.values.labels import Settings, quick_policy
from meeple.search.values.network import untrained

WORKERS = (1, 2)


def never() -> bool:
    return False


def labelled(
    config: ValuesConfig, folder: Path, work: Work, games: int
) -> tuple[float, float, bytes]:
    """Label games by an untrained network: labels a second, how busy workers were, all labels."""
    files, own = ValuesFolder(folder), config.make_games()
    if not (folder / CONFIG).exists():
        start_run(config, folder)
    state = files.open()
    network = files.checkpoint(0)
    weights = untrained(features_of(own[0]), config.widths, 1)
    save_network(network, SavedNetwork(weights, own[0].name, dict(own[0].options)))
    state.rounds = 1
    run = ValuesRun(config, files, own, state, work, Silent(), never)
    labels = config.labels
    settings = Settings(
        labels.share, labels.siblings, labels.playouts, 40, quick_policy(run.game), labels.slips
    )
    networks = teach(run, network)
    began = time.perf_counter()
    label(run, networks, settings, games)
    seconds = time.perf_counter() - began
    shards = [read_shard(path) for path in files.shards(1)]
    content = b"".join(array.tobytes() for shard in shards for array in shard)
    lines = (folder / LABELS_LOG).read_text().splitlines()
    busy = sum(json.loads(line)["seconds"] for line in lines) / (seconds * work.workers)
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
                    began = time.perf_counter()
                    with work_of(config, folder, never, place, workers) as work:
                        start = time.perf_counter() - began
                        speed, busy, content = labelled(config, folder, work, games)
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
