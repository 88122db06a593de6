"""Failures of a cluster: full memory, a full disk, another token."""

import contextlib
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest

from meeple.errors import RunError
from meeple.executors.executor import run_all
from meeple.executors.place import Place
from meeple.extras import is_installed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_installed("ray"), reason="Ray is not installed"),
]
TARGET = "tests.executors.deadly:make_greedy"
ROOM = 3 * 2**29  # bytes that all processes of this machine may take in addition
BEYOND = 120_000_000  # bytes, more than the shared memory of a local cluster
WAIT = 120.0  # time limit in seconds, on a busy machine


@pytest.fixture
def cluster_with(monkeypatch):
    """Return a function that starts a local cluster with these limits of Ray, and ends it."""
    made = []

    def make(**limits):
        from meeple.executors.ray_cluster import Cluster

        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.getcwd(), *sys.path]))
        for name, value in limits.items():
            monkeypatch.setenv(f"RAY_{name}", str(value))
        made.append(Cluster(Place(), "a test"))
        return made[0]

    yield make
    for cluster in made:
        cluster.close()


def jobs_on(cluster):
    from meeple.executors.on_ray import OnRay, Task

    task = Task(TARGET, {}, lambda job: job, lambda result: len(result))
    return OnRay(cluster, 1, task)


def test_a_job_that_takes_all_memory_is_reported(cluster_with):
    memory = psutil.virtual_memory()
    share = (memory.total - memory.available + ROOM) / memory.total
    cluster = cluster_with(memory_usage_threshold=share, memory_monitor_refresh_ms=100)
    executor = jobs_on(cluster)
    said = r"die again and again: the memory of the machine \S+ \(.* in use\) ran out"
    with pytest.raises(RunError, match=said):
        run_all(executor, [10, 2 * ROOM], lambda one: False)
    assert executor.account.deaths >= 5
    executor.close()


def test_no_run_is_created_without_memory_at_the_start(tmp_path):
    limits = {"RAY_memory_usage_threshold": "0.001", "RAY_memory_monitor_refresh_ms": "100"}
    words = ["train", "hex5", "--run", str(tmp_path / "run"), "--on", "ray", "--workers", "1"]
    ended = meeple(words, limits)
    assert ended.returncode == 1
    assert re.fullmatch(
        r"no worker can be started on ray: the memory of the machine \S+ \(.* in use\) ran out, "
        r"and Ray ended processes there\n",
        ended.stderr,
    )
    assert not (tmp_path / "run").exists()


def test_a_full_disk_beyond_the_shared_memory_is_reported(cluster_with):
    cluster = cluster_with(local_fs_capacity_threshold=1e-6)
    said = "shared memory of a machine is full, and so is the disk"
    with pytest.raises(RunError, match=said):
        cluster.put(np.ones(BEYOND, np.uint8))
    executor = jobs_on(cluster)
    found: list[int] = []

    def take(one):
        found.append(one)
        return False

    with pytest.raises(RunError, match=f"die again and again: the {said}"):
        run_all(executor, [10, BEYOND], take)
    assert found == [10]
    executor.close()


def meeple(words, environment):
    """Run a command in another process, with these variables and no others of Ray."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return subprocess.run(
        [sys.executable, "-m", "meeple", *words],
        env={**rest, **environment},
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )


@pytest.fixture
def address(tmp_path):
    """A cluster started by hand with the token "right"; its HOST:PORT."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["start", "--head", "--block", "--port", str(port), "--node-ip-address", "127.0.0.1"]
    words += ["--num-cpus", "1", "--object-store-memory", "80000000", "--disable-usage-stats"]
    words += ["--include-dashboard", "false"]
    head = subprocess.Popen(
        [str(Path(sys.executable).parent / "ray"), *words],
        env={**os.environ, **token("a" * 32)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert head.stdout is not None
    for line in head.stdout:
        if "--block" in line:  # the process stays running
            break
    yield f"127.0.0.1:{port}"
    parts = [psutil.Process(head.pid), *psutil.Process(head.pid).children(recursive=True)]
    for part in parts:
        with contextlib.suppress(psutil.NoSuchProcess):
            part.kill()
    head.communicate(timeout=WAIT)


def token(value):
    return {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": value}


def test_another_token_is_refused_with_a_message_and_no_run_is_created(address, tmp_path):
    run = tmp_path / "run"
    words = ["--on", f"ray://{address}", "--workers", "1", "--run", str(run)]
    ended = meeple(["train", "hex5", *words], token("b" * 32))
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"ray://{address} ")
    assert "token" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert not run.exists()
    played = meeple(["match", "nim", "random", "random", "--games", "4", *words], token("a" * 32))
    assert (played.returncode, run.exists()) == (0, True)
