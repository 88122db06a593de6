"""Failures of a cluster: full memory, a full disk, another token."""

import os
import re
import subprocess
import sys

import numpy as np
import psutil
import pytest

from meeple.cli.main import run
from meeple.errors import RunError
from meeple.executors.executor import run_all
from meeple_ray.executor import OnRay, Task

TARGET = "tests.ray.deadly:make_greedy"
ROOM = 3 * 2**29  # bytes that all processes of this machine may take in addition
BEYOND = 120_000_000  # bytes, more than the shared memory of a local cluster
DEATHS = 2  # of workers with the same job, which here suffice to give up
WAIT = 120.0  # time limit in seconds, on a busy machine


def jobs_on(cluster):
    task = Task(TARGET, {}, lambda job: job, lambda result: len(result))
    return OnRay(cluster, 1, task)


@pytest.mark.nightly("full memory or a full disk of a cluster ends work with a sentence")
def test_a_job_that_takes_all_memory_or_disk_is_reported(own_cluster, monkeypatch):
    monkeypatch.setattr("meeple_ray.executor.MAX_DEATHS", DEATHS)
    memory = psutil.virtual_memory()
    share = (memory.total - memory.available + ROOM) / memory.total
    cluster = own_cluster(
        memory_usage_threshold=share,
        memory_monitor_refresh_ms=100,
        local_fs_capacity_threshold=1e-6,
    )
    executor = jobs_on(cluster)
    said = r"die again and again: the memory of the machine \S+ \(.* in use\) ran out"
    with pytest.raises(RunError, match=said):
        run_all(executor, [10, 2 * ROOM], lambda one: False)
    assert executor.account.deaths >= DEATHS
    executor.close()

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


@pytest.mark.nightly("full memory or a full disk of a cluster ends work with a sentence")
def test_no_run_is_created_without_memory_at_the_start(own_cluster, tmp_path, capsys):
    own_cluster(memory_usage_threshold=0.001, memory_monitor_refresh_ms=100)
    words = ["train", "hex5", "--run", str(tmp_path / "run"), "--on", "ray", "--workers", "1"]
    assert run(words, debug=False) == 1
    assert re.fullmatch(
        r"no worker can be started on ray: the memory of the machine \S+ \(.* in use\) ran out, "
        r"and Ray ended processes there\n",
        capsys.readouterr().err,
    )
    assert not (tmp_path / "run").exists()


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


def token(value):
    return {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": value}


def test_another_token_is_refused_with_a_message_and_no_run_is_created(ray_nodes, tmp_path):
    run, address = tmp_path / "run", f"ray://{ray_nodes.address}"
    words = ["--on", address, "--workers", "1", "--run", str(run)]
    ended = meeple(["train", "hex5", *words], token("b" * 32))
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"{address} ")
    assert "token" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert not run.exists()
    match = ["match", "nim", "random", "random", "--games", "4", *words]
    played = meeple(match, token(os.environ["RAY_AUTH_TOKEN"]))
    assert (played.returncode, run.exists()) == (0, True)
