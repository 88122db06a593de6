"""Jobs on a Ray cluster of this machine: repeated deaths of workers, and their output."""

import time

import pytest

from meeple.errors import RunError
from meeple.executors.executor import run_all
from meeple_ray.cluster import Cluster
from meeple_ray.executor import OnRay, Task

TARGET = "tests.ray.deadly:make_deadly"


@pytest.fixture(scope="module")
def joined(cluster):
    found = Cluster(cluster)
    yield found
    found.close()


@pytest.fixture
def printed():
    return {}


@pytest.fixture
def executor(joined, printed):
    def log(worker, text):
        printed[worker] = printed.get(worker, "") + text

    task = Task(TARGET, {}, lambda job: job, lambda result: result, size=abs, log=log)
    found = OnRay(joined, 1, task)
    yield found
    found.close()


def test_jobs_are_counted_by_their_size_and_output_of_workers_is_logged(executor, printed):
    found: list[int] = []

    def take(one):
        found.append(one)
        return False

    assert run_all(executor, range(1, 6), take)
    assert sorted(found) == [1, 4, 9, 16, 25]
    assert (executor.account.begun, executor.account.finished) == (15, 15)
    (text,) = printed.values()
    assert text.startswith("begun on ")
    assert sorted(text.splitlines()[1:]) == [f"job {job}" for job in range(1, 6)]


def test_ready_returns_finished_batches_without_waiting(joined):
    task = Task(TARGET, {}, lambda job: job, lambda result: result, most=1)
    executor = OnRay(joined, 1, task, ahead=4)
    assert list(executor.ready()) == []  # nothing is in flight
    for job in (1, 2, 3):
        executor.submit([job])
    found = list(executor.gather())

    def are_all_there():
        found.extend(executor.ready())
        return len(found) == 3

    until(are_all_there)
    assert sorted(found) == [1, 4, 9]
    executor.submit([-1])
    until(lambda: executor.account.deaths or executor.ready())
    assert executor.account.in_flight == 1  # restarted
    executor.close()


def until(is_so):
    """Wait until the condition holds."""
    limit = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < limit, "it never came"
        time.sleep(0.01)


def test_a_job_that_kills_every_worker_ends_with_a_message(executor, monkeypatch):
    monkeypatch.setattr("meeple_ray.executor.MAX_DEATHS", 3)
    with pytest.raises(RunError, match=r"workers on ray://\S+ die again and again"):
        run_all(executor, [1, -1], lambda one: False)
    assert executor.account.deaths == 3
    assert executor.account.lost >= 3
