"""Whether the memory of every process of a run on a cluster stays flat.

Run: python -m bench.steady --minutes 60 --json steady.json [--set FIELD=VALUE]. Trains Hex 5x5 on a
cluster of this machine with one worker, and notes every ten seconds the memory of the trainer, the
learner, the buffer, the player and Ray's own processes; of each the growth an hour after a warm-up
follows, with an interval, and the first and last mean. Each sample is a line of steady.json.lines,
too. Exits with 1 where training ended by itself, or a process grew by more than --allow MiB an hour
for sure.
"""

import argparse
import json
import math
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import psutil

from meeple.learn.run.cluster_state import ClusterState, read_cluster

EVERY = 10.0  # seconds from one sample to the next
BLOCKS = 10  # that samples are put together in, as those near each other are alike
STUDENT = 2.306  # the 97.5 % quantile of Student's t with BLOCKS - 2 degrees of freedom
MIB = 2**20
STOP_SECONDS = 60.0  # for training to end in an orderly way
CHANGES = (
    "run.episodes=100000000",
    "search.simulations=50",  # many small waves, so that what each leaves behind adds up
    "replay.capacity=5000",  # full before the warm-up is over
    "matches.minutes=5",
)
PARTS = {  # of a command line -> what that process is
    "raylet/raylet": "raylet",
    "gcs/gcs_server": "gcs_server",
    "dashboard/agent": "dashboard_agent",
    "runtime_env/agent": "runtime_env_agent",
    "dashboard.py": "dashboard",
    "log_monitor": "log_monitor",
    "monitor.py": "monitor",
}
TITLES = {"DashboardAgent": "dashboard_agent", "RuntimeEnvAgent": "runtime_env_agent"}


class Growth(NamedTuple):
    """How a process's memory went, in MiB."""

    per_hour: float
    low: float  # of 95 %
    high: float
    first: float  # the mean of the first tenth after the warm-up
    last: float  # and of the last
    most: float
    samples: int


def growth(seconds: npt.ArrayLike, mib: npt.ArrayLike) -> Growth | None:
    """The slope of a line through the means of `BLOCKS` parts; None of too few samples."""
    times, sizes = np.asarray(seconds, dtype=float), np.asarray(mib, dtype=float)
    if len(times) < 2 * BLOCKS:
        return None
    hours = np.array([part.mean() for part in np.array_split(times / 3600, BLOCKS)])
    means = np.array([part.mean() for part in np.array_split(sizes, BLOCKS)])
    away = hours - hours.mean()
    slope = float(away @ means / (away @ away))
    rest = means - means.mean() - slope * away
    error = math.sqrt(float(rest @ rest) / (BLOCKS - 2) / float(away @ away))
    width = STUDENT * error
    first, last, most = float(means[0]), float(means[-1]), float(sizes.max())
    return Growth(slope, slope - width, slope + width, first, last, most, len(sizes))


def name_of(title: str, actor: str | None) -> str:
    """What a process is, by its command line and by what the run calls it."""
    if actor is not None:
        return actor
    for part, name in {**TITLES, **PARTS}.items():
        if part in title:
            return name
    return "ray_worker" if title.startswith("ray::") else "other"


def memory_of(trainer: psutil.Process, run: Path) -> dict[str, float]:
    """MiB by process, and of the object store, which Ray's raylet shares with others."""
    state = read_cluster(run)
    actors = (
        {one.pid: one.name for one in state.actors if one.alive}
        if isinstance(state, ClusterState)
        else {}
    )
    found = {"trainer": trainer.memory_info().rss / MIB}
    for process in trainer.children(recursive=True):
        try:
            memory = process.memory_info()
            name = name_of(" ".join(process.cmdline()), actors.get(process.pid))
        except psutil.Error:  # it ended meanwhile
            continue
        found[name] = found.get(name, 0.0) + memory.rss / MIB
        if name == "raylet" and hasattr(memory, "shared"):
            found["object_store"] = memory.shared / MIB
    return {name: round(value, 2) for name, value in found.items()}


def figures(samples: Sequence[Mapping[str, Any]], warm_up: float) -> dict[str, Any]:
    """The growth of all that has been there in all samples after so many seconds."""
    warm = [one for one in samples if one["seconds"] >= warm_up]
    names = sorted(set().union(*(one["mib"] for one in warm))) if warm else []
    found: dict[str, Any] = {}
    for name in names:
        there = [one for one in warm if name in one["mib"]]
        line = growth([one["seconds"] for one in there], [one["mib"][name] for one in there])
        if line is not None:
            found[name] = {key: round(value, 2) for key, value in line._asdict().items()}
    return found


def measured(arguments: argparse.Namespace, lines: Path, folder: Path) -> dict[str, Any]:
    """Train for so long, and take samples."""
    run = folder / "run"
    command = [sys.executable, "-m", "meeple", "train", arguments.config, "--run", str(run)]
    command += ["--on", "ray", "--workers", "1"]
    for change in (*CHANGES, *arguments.set):
        command += ["--set", change]
    samples: list[dict[str, Any]] = []
    with (folder / "output").open("w") as output, lines.open("w") as kept:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        trainer, began = psutil.Process(process.pid), time.monotonic()
        try:
            while (seconds := time.monotonic() - began) < 60 * arguments.minutes:
                if process.poll() is not None:
                    break
                state = read_cluster(run) if run.exists() else None
                games = state.account.stored if isinstance(state, ClusterState) else 0
                try:
                    mib = memory_of(trainer, run)
                except psutil.Error:
                    break
                samples.append({"seconds": round(seconds, 1), "games": games, "mib": mib})
                kept.write(json.dumps(samples[-1]) + "\n")
                kept.flush()
                print(f"{seconds / 60:6.1f} min  {games:8} games  {shown(mib)}", flush=True)
                time.sleep(EVERY)
            ended = process.poll()
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
    text = (folder / "output").read_text(errors="replace")
    return {
        "command": command[1:],
        "minutes": arguments.minutes,
        "warm_up_minutes": arguments.warm_up,
        "games": samples[-1]["games"] if samples else 0,
        "ended_by_itself": ended is not None,
        "exit_code": process.returncode,
        "last_lines": text.splitlines()[-3:],
        "growth_mib": figures(samples, 60 * arguments.warm_up),
    }


def shown(mib: Mapping[str, float]) -> str:
    """The largest, on one line."""
    largest = sorted(mib.items(), key=lambda item: -item[1])[:6]
    return "  ".join(f"{name} {value:.0f}" for name, value in largest) + " MiB"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--warm-up", type=float, default=10.0, help="minutes that do not count")
    parser.add_argument("--config", default="hex5")
    parser.add_argument("--set", action="append", default=[], help="more changes")
    parser.add_argument("--allow", type=float, default=5.0, help="MiB an hour")
    parser.add_argument("--json", type=Path, default=Path("steady.json"), metavar="FILE")
    arguments = parser.parse_args()
    lines = arguments.json.with_name(arguments.json.name + ".lines")
    with tempfile.TemporaryDirectory() as folder:
        found = measured(arguments, lines, Path(folder))
    arguments.json.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{'process':<20}{'MiB an hour':>12}{'95 %':>20}{'first':>9}{'last':>9}")
    for name, one in found["growth_mib"].items():
        interval = f"{one['low']:.2f} to {one['high']:.2f}"
        print(
            f"{name:<20}{one['per_hour']:>12.2f}{interval:>20}{one['first']:>9.1f}{one['last']:>9.1f}"
        )
    grew = [name for name, one in found["growth_mib"].items() if one["low"] > arguments.allow]
    if grew:
        print(f"Grew by more than {arguments.allow} MiB an hour: {', '.join(grew)}")
    sys.exit(1 if grew or found["ended_by_itself"] else 0)


if __name__ == "__main__":
    main()
