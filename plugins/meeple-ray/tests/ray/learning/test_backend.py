"""A run on a cluster of two nodes: the same loop; every game counts once despite kills.

The nodes are of this machine: see `conftest.py`.
"""

import collections
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec

import psutil
import pytest

from meeple.errors import UsageError
from meeple.learn.loop import start_run, train
from meeple.learn.run.cluster import ClusterState, read_cluster
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import NetworkRun
from meeple_ray.cluster import STORE_BYTES, Cluster
from meeple_ray.executor import OnRay
from meeple_ray.learning import report
from meeple_ray.learning.backend import ClusterBackend, most_waves, shared_out
from meeple_ray.learning.players import Players
from tests.learn.selfplay.test_teacher import config as taught
from tests.learn.small import Heard, config

ALIKE = ("training.threads=1", "matches.minutes=0")


@contextlib.contextmanager
def on(place, workers=2, ahead=2, inference=None):
    """Return a backend on a cluster."""
    with contextlib.closing(Cluster(place)) as joined:
        yield ClusterBackend(joined, workers, ahead, inference)


def trained_on(place, folder, heard=None, stop=lambda: False, **options):
    """Train a run on a cluster."""
    with on(place, **options) as backend:
        return train(folder, heard, stop, backend)


def networks(folder):
    from meeple.nets.checkpoint import load

    files = sorted((folder / "checkpoints").iterdir())
    return [{k: v.tobytes() for k, v in load(file).weights.tensors.items()} for file in files]


def games(folder):
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("processors", "workers", "players", "learners"),
    [(1, None, 1, 0), (2, None, 1, 1), (8, None, 7, 1), (2, 2, 2, 0), (8, 3, 3, 1)],
)
def test_processors_are_distributed_among_the_actors(processors, workers, players, learners):
    assert shared_out(processors, workers) == (players, learners)


@pytest.mark.parametrize("mode", ["on-policy", "alphazero"])
def test_a_run_with_one_worker_and_one_wave_equals_a_local_run(cluster, tmp_path, mode):
    settings = config(f"search.mode={mode}", "training.batches=2.5", *ALIKE)
    heard = Heard(), Heard()
    for folder in ("here", "there"):
        start_run(settings, tmp_path / folder)
    train(tmp_path / "here", heard[0])
    trained_on(cluster, tmp_path / "there", heard[1], workers=1, ahead=1)
    assert networks(tmp_path / "here") == networks(tmp_path / "there")
    moves = [[game["actions"] for game in games(tmp_path / name)] for name in ("here", "there")]
    assert moves[0] == moves[1]
    for (_, ours), (_, theirs) in zip(heard[0].waves, heard[1].waves, strict=True):
        same = {name for name in ours if not name.startswith(("time/", "selfplay/"))}
        assert {name: ours[name] for name in same} == {name: theirs[name] for name in same}
        assert theirs["selfplay/behind"] == 0
    # The newest networks that played equal those of their checkpoints.
    newest = tmp_path / "there" / "generations" / "00000024.safetensors"
    assert newest.exists()
    assert len(list(newest.parent.iterdir())) == 7
    # Each resumes the other's run.
    again = train(tmp_path / "there")
    assert (again.episodes, again.missing) == (24, [])


@pytest.mark.parametrize(
    ("episodes", "players", "ahead", "most"), [(1500, 2, 2, 1), (10_000, 2, 2, 6), (10, 1, 1, 1)]
)
def test_at_most_a_fiftieth_of_the_run_is_in_flight(episodes, players, ahead, most):
    settings = config(f"run.episodes={episodes}", "selfplay.games=8")
    assert most_waves(settings, players, ahead) == most
    assert most == 1 or most * players * ahead * 8 <= 0.02 * episodes


class Ended:
    """A pool of players, each of which has finished a batch of waves of eight episodes."""

    def __init__(self, batches):
        self._left = batches

    def gather(self):
        return self.ready()

    def ready(self):
        self._left -= 1
        return [SimpleNamespace(episodes=range(8))] if self._left >= 0 else []


@pytest.mark.parametrize(
    ("players", "ended", "together", "found"),
    [
        (3, 5, 1, 1),  # before the learning time is known
        (3, 5, 8, 1),
        (3, 5, 9, 2),
        (3, 5, 1e9, 3),  # one per player
        (1, 5, 1e9, 1),
        (3, 2, 1e9, 2),
        (3, 0, 1e9, 0),
    ],
)
def test_the_number_of_waves_in_an_update_follows_the_measured_times(
    monkeypatch, players, ended, together, found
):
    def start(self, cluster, count, *given, **how):
        self._count = count

    pool = Ended(ended)
    monkeypatch.setattr(OnRay, "__init__", start)
    monkeypatch.setattr(OnRay, "gather", lambda self: pool.gather())
    monkeypatch.setattr(OnRay, "ready", lambda self: pool.ready())
    given: Any = (None, players, 2, None, {})
    made = Players(*given)
    made.together = together
    assert len(made.gather()) == found


class Killer(Heard):
    """Kills processes one after the other during training, then ends it."""

    def __init__(self, folder, victims):
        super().__init__()
        self._folder, self._victims = folder, list(victims)
        self._more = 3  # waves after the last kill

    def wave(self, episodes, seconds, metrics):
        super().wave(episodes, seconds, metrics)
        if not self._victims:
            self._more -= 1
        elif len(self.waves) % 3 == 0:
            state = read_cluster(self._folder)
            assert isinstance(state, ClusterState)
            alive = {actor.name: actor.pid for actor in state.actors if actor.pid}
            if self._victims[0](alive):
                self._victims.pop(0)
        else:
            time.sleep(
                0.1
            )  # the players wait for the trainer, and which leaves processors to a starting process

    def has_finished(self):
        return self._more <= 0


def process(name):
    """Return a function that kills a process after its start."""

    def kill(alive):
        if name in alive:
            os.kill(alive[name], signal.SIGKILL)
        return name in alive

    return kill


@pytest.mark.nightly("every game of a cluster counts once, whichever process or node is killed")
def test_the_run_survives_kills_of_every_kind_of_process_and_of_a_node(
    ray_nodes, cluster, tmp_path, monkeypatch
):
    monkeypatch.setattr(report, "REPORT_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr("meeple.learn.loop.SAVE_SECONDS", 0.3)
    second = ray_nodes.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
    folder = tmp_path / "run"
    small = ("network.kind=conv", "network.channels=4", "network.blocks=1")
    start_run(config("run.episodes=2000", "search.mode=alphazero", *small, *ALIKE), folder)

    def node(alive):
        if {"self-play-2", "self-play-3", "self-play-4"} <= alive.keys():
            ray_nodes.remove_node(second, allow_graceful=False)
            return True
        return False

    victims = [
        process("self-play-1"),
        process("learner"),
        process("buffer"),
        node,
        process("inference-1"),
    ]
    killer = Killer(folder, victims)
    options = {"workers": 3, "inference": 1}
    state = trained_on(cluster, folder, killer, killer.has_finished, **options)
    # Every episode was stored once, and the counts are consistent.
    numbers = collections.Counter(game["notes"]["episode"] - 1 for game in games(folder))
    assert set(numbers.values()) == {1}
    assert numbers.keys() == set(range(max(numbers) + 1)) - set(state.missing)
    assert len(numbers) == state.episodes < 2000
    shown = read_cluster(folder)
    assert isinstance(shown, ClusterState)
    account = shown.account
    assert account.stored == account.trained == account.finished == len(numbers)
    assert (account.unaccounted, account.in_flight) == (0, 0)
    assert account.begun == len(numbers) + account.lost + account.dropped
    assert account.deaths >= 3  # a player ends with its inference process
    restarts = {one.name: one.restarts for one in shown.actors if one.role != "self-play"}
    assert restarts["learner"] >= 1
    assert restarts["buffer"] >= 1
    assert restarts["inference-1"] >= 1
    metrics = killer.waves[-1][1]
    assert metrics["replay/cases"] > len(numbers)  # a new buffer received all earlier steps
    assert metrics["selfplay/network_share"] > 0
    assert any("learner was lost" in text for text in killer.messages)
    assert "was lost" in (folder / "logs" / "self-play-1.log").read_text()
    assert len(shown.nodes) == 2
    assert train(folder, stop=lambda: True).episodes == state.episodes  # the data can be read


def test_a_teacher_does_not_teach_on_a_cluster(tmp_path):
    run = NetworkRun(taught(), RunFolder(tmp_path))
    backend = ClusterBackend(create_autospec(Cluster))
    with pytest.raises(UsageError, match="train without --on until episode 6"):
        backend.selfplay(run, Heard(), lambda: False)


def test_a_killed_trainer_leaves_no_process_and_its_run_resumes(cluster, tmp_path):
    folder = tmp_path / "run"
    start_run(config("run.episodes=10000", *ALIKE), folder)  # a batch has at most 25 waves
    words = ["train", "--resume", "--run", str(folder), "--on", cluster.name, "--workers", "1"]
    driver = subprocess.Popen([sys.executable, "-m", "meeple", *words], stderr=subprocess.DEVNULL)
    pids: list[int] = []
    while len(pids) < 3:  # a player, the learner and the buffer
        assert driver.poll() is None
        time.sleep(0.1)
        state = read_cluster(folder)
        if isinstance(state, ClusterState) and state.account.stored:
            pids = [actor.pid for actor in state.actors if actor.pid]
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    end = time.monotonic() + 600  # generous for a busy machine
    while any(psutil.pid_exists(pid) for pid in pids):
        assert time.monotonic() < end, "workers outlive the trainer"
        time.sleep(0.1)
    heard = Heard()
    trained_on(cluster, folder, heard, lambda: len(heard.waves) >= 3, workers=1)
    numbers = collections.Counter(game["notes"]["episode"] for game in games(folder))
    assert set(numbers.values()) == {1}
    shown = read_cluster(folder)
    assert isinstance(shown, ClusterState)
    assert (shown.account.unaccounted, shown.account.in_flight) == (0, 0)
    assert shown.account.stored == len(numbers) == shown.account.finished
