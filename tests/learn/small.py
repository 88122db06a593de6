"""Runs that take a second, for the tests in this folder."""

import atexit
import functools
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from meeple.agents.allowed import allow
from meeple.learn.config import Config, load_config, parse_config, texts_in
from meeple.learn.loop import start_run, train
from meeple.learn.workers.local import LocalBackend

HEX3 = (
    'game.name="hex"',
    "game.options.size=3",
    "run.episodes=24",
    "run.networks=3",
    "network.hidden=[16]",
    "search.simulations=16",
    "selfplay.games=4",
    "training.batch_size=16",
)
NIM = ('game.name="nim"', "game.options.stones=7", *HEX3[2:])


def config(*changes: str, base: tuple[str, ...] = HEX3) -> Config:
    return parse_config("", [*base, *changes])


def config_in(run) -> Config:
    """Return the configuration of a run of self-play or records."""
    return load_config(run / "config.toml")


class Heard:
    """A reporter that records events."""

    watch = None

    def __init__(self):
        self.messages, self.waves, self.games, self.clusters = [], [], [], []

    def cluster(self, state):
        self.clusters.append(state)

    def message(self, text):
        self.messages.append(text)

    def wave(self, episodes, seconds, metrics):
        self.waves.append((episodes, metrics))

    def game(self, record):
        self.games.append(record)


class Remembering:
    """A backend that records the workers it started; by default in this process."""

    def __init__(self, backend=None, selfplay=None):
        self.backend = backend or LocalBackend()
        self.make = selfplay or self.backend.selfplay
        self.workers: Any = None

    def selfplay(self, run, reporter, stop):
        self.workers = self.make(run, reporter, stop)
        return self.workers

    def labels(self, run, snapshot, reporter, stop):
        self.workers = self.backend.labels(run, snapshot, reporter, stop)
        return self.workers


def trained(folder, *changes, base=HEX3, reporter=None):
    """Train a run to its end, whose changes count as typed; return its folder."""
    allow(texts_in(changes))
    start_run(config(*changes, base=base), folder)
    train(folder, reporter)
    return folder


def copies(make: Callable[[Path], object]) -> Callable[[Path], Path]:
    """Return a function that makes a run once in this process, and copies it to each folder."""

    @functools.cache
    def made() -> Path:
        folder = Path(tempfile.mkdtemp(prefix="meeple-run-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        make(folder / "run")
        return folder / "run"

    return lambda folder: Path(shutil.copytree(made(), folder))


finished_hex = copies(trained)
finished_nim = copies(lambda folder: trained(folder, base=NIM))
