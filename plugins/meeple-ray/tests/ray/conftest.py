"""Ray clusters for the tests of this folder, which run in one process and are slow."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from meeple.executors.backend import Place
from meeple_ray.cluster import STORE_BYTES, Cluster, _set_environment

ONE_UNIT = True  # the folder is a unit of work: see `tests/order.py`
PATH = os.pathsep.join([os.getcwd(), *sys.path])
"""Where Ray's processes find modules, those of tests included."""
RAY_SETTINGS = {
    "enable_worker_prestart": "0",
    "prestart_worker_first_driver": "0",
    "worker_niceness": "0",
    "memory_monitor_refresh_ms": "0",
    "local_fs_capacity_threshold": "1",
}
"""Settings of Ray: no Python processes that no test uses, and workers of the usual priority.

With Ray's own low priority they wait minutes while other tests keep all processors busy. Memory and
disk that other programs take are no reason to end workers or to refuse values.
"""
RAY_PATIENCE = 120  # seconds that Ray may take to start, answer and stop
RAY_PROBE = """
import ray
ray.init(address="local", num_cpus=1, include_dashboard=False, object_store_memory=80 * 2**20)
class Echo:
    def say(self, value):
        return value
actor = ray.remote(Echo).options(num_cpus=1, runtime_env={"env_vars": {"ECHO": "1"}}).remote()
assert ray.get(actor.say.remote(1)) == 1
ray.shutdown()
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark all tests that start a cluster."""
    for item in items:
        if not {"ray_nodes", "own_cluster"}.isdisjoint(item.fixturenames):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def ray_nodes() -> Iterator[Any]:
    """A Ray cluster of this machine with two processors, started once in a run of tests.

    It is of Ray's class for tests, which can add nodes. Ray's autoscaler, log monitor and idle
    workers are not started: no test uses them, and each is a Python process.
    """
    if fault := _fault_of_ray():
        pytest.skip(f"Ray alone does not work on this machine: {fault}")
    _set_environment(Place("ray"))
    from ray.cluster_utils import Cluster as Nodes

    options = {"object_store_memory": STORE_BYTES, "include_dashboard": False}
    few = {"no_monitor": True, "include_log_monitor": False}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", PATH)
        for name, value in RAY_SETTINGS.items():
            patch.setenv(f"RAY_{name}", value)
        found = Nodes(initialize_head=True, head_node_args={"num_cpus": 2, **options, **few})
    yield found
    found.shutdown()


def _fault_of_ray() -> str:
    """Return what fails when Ray, without Meeple, starts one actor on this machine; else ""."""
    with tempfile.TemporaryFile("w+") as output:
        probe = subprocess.Popen(
            [sys.executable, "-c", RAY_PROBE], stdout=output, stderr=output, start_new_session=True
        )
        try:
            code = probe.wait(RAY_PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(probe.pid, signal.SIGKILL)
            probe.wait()
            return f"it takes more than {RAY_PATIENCE} s"
        output.seek(0)
        return output.read().strip().rpartition("\n")[2] if code else ""


@pytest.fixture(scope="module")
def cluster(ray_nodes: Any) -> Iterator[Place]:
    """The place of the cluster that the process of these tests has joined."""
    host, port = ray_nodes.address.split(":")
    joined = Cluster(Place("ray", host, int(port)))
    yield joined.place
    joined.close()


@pytest.fixture
def own_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that starts another cluster with these limits of Ray, and joins it.

    It is for modules that do not use `cluster`: a process can be on one cluster only.
    """
    made = []

    def make(**limits: Any) -> Cluster:
        monkeypatch.setenv("PYTHONPATH", PATH)
        for name, value in {**RAY_SETTINGS, **limits}.items():
            monkeypatch.setenv(f"RAY_{name}", str(value))
        made.append(Cluster(Place("ray")))
        return made[0]

    yield make
    for cluster in made:
        cluster.close()
