"""What runs from the page may take of the machine: planned at their start, and then watched.

A page trains one run at a time, so the limits of a run bound all of them together; the quota of the
folder of runs counts every file in it.
"""

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from meeple.errors import ConfigError, MeepleError
from meeple.learn.config import Config
from meeple.learn.config.selfplay import memory_needs
from meeple.nets.graph import weight_shapes
from meeple.server.errors import TooMuch, refusal
from meeple.server.limits import ServerLimits
from meeple.server.training.processes import Excess, RunProcess

LOG = logging.getLogger(__name__)
WATCH_SECONDS = 20.0  # between two looks at the running processes
TRAINING_COPIES = 6  # of the weights: the newest and the previous state, with the optimizer's means
_MB = 1e6


class Need(NamedTuple):
    """An amount that a run needs, the fields that set it, and its limit."""

    fields: str
    amount: float
    most: float


def needs_of(config: Config, limits: ServerLimits) -> list[Need]:
    """Return what a run of self-play needs; bytes in MB. PyTorch must be installed."""
    from meeple.learn.selfplay.replay import step_bytes
    from meeple.learn.selfplay.trajectory import empty_trajectory

    game, run, replay = config.make_game(), config.run, config.replay
    weights = sum(math.prod(one) for one in weight_shapes(config.architecture(game)).values())
    networks: float = run.networks
    if run.network_minutes is not None:
        networks += math.inf if run.minutes is None else run.minutes // run.network_minutes
    stored = step_bytes(empty_trajectory(game, config.targets)) * replay.capacity / _MB
    buffer = min(stored, replay.memory)
    batches = sum(memory_needs(config, game).values()) / _MB
    files = 4 * weights * (networks + TRAINING_COPIES) / _MB + 2 * stored
    return [
        Need(
            "selfplay.workers + training.threads",
            config.selfplay.workers + max(1, config.training.threads),
            limits.max_run_threads,
        ),
        Need(
            "network.hidden + network.channels + network.blocks", weights, limits.max_run_parameters
        ),
        Need("run.networks + run.network_minutes", networks, limits.max_run_networks),
        Need(
            "replay.memory + training.batch_size + selfplay.games + search.simulations (MB)",
            buffer + batches,
            limits.max_run_bytes / _MB,
        ),
        Need("replay.capacity + run.networks (MB)", files, limits.max_runs_bytes / _MB),
    ]


def check_budget(config: Config, folder: Path, limits: ServerLimits) -> None:
    """Raise ConfigError if a run needs more than a page may, TooMuch if the folder lacks room."""
    *machine, disk = needs_of(config, limits)
    for need in (*machine, disk):
        if need.amount > need.most:
            raise refusal(
                ConfigError,
                "run_budget",
                fields=need.fields,
                amount=round(min(need.amount, 1e12)),
                most=round(need.most),
            )
    check_room(folder, limits, disk.amount * _MB)


def check_room(folder: Path, limits: ServerLimits, bytes: float = 0.0) -> None:
    """Raise TooMuch unless the folder of runs has room for some bytes."""
    used = size_of(folder)
    if used + bytes > limits.max_runs_bytes:
        most, mb = round(limits.max_runs_bytes / _MB), round(used / _MB)
        raise refusal(TooMuch, "runs_full", most=most, used=mb, needed=round(bytes / _MB))


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder, as far as they can be read."""
    return sum(_sizes(folder))


def _sizes(folder: Path) -> Iterator[int]:
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue  # it was deleted meanwhile


def excess_of(process: RunProcess, used: int, limits: ServerLimits, *, only_here: bool) -> Excess:
    """Return what a running process takes too much of; `used`: bytes in the folder of runs."""
    if not only_here and time.time() - process.started > limits.max_run_seconds:
        return "time"
    if used > limits.max_runs_bytes:
        return "disk"
    try:
        whole = psutil.Process(process.pid)
        bytes = sum(one.memory_info().rss for one in (whole, *whole.children(recursive=True)))
    except psutil.Error:
        return ""
    return "memory" if bytes > limits.max_run_bytes else ""


def watch(stop_excess: Callable[[], None], ended: threading.Event) -> None:
    """Call a function that stops what exceeds its limits, until the server has ended."""
    while not ended.wait(WATCH_SECONDS):
        try:
            stop_excess()
        except (MeepleError, OSError) as error:
            LOG.warning("the runs in training cannot be watched: %s", error)
