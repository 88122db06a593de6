"""Jobs in this process: each is executed once, even if others stop."""

import threading
from typing import Any

import pytest

from meeple.errors import MeepleError, Stopped
from meeple.executors.executor import run_all
from meeple.executors.threads import AHEAD, InThisThread, InThreads


def squared(worker, job, stopped):
    return job * job


def collect_into(found, enough=False):
    def take(one):
        found.append(one)
        return enough

    return take


def executors(do=squared):
    return [InThisThread("a", do), InThreads("abc", do)]


@pytest.mark.parametrize("index", [0, 1])
def test_every_job_is_executed_once_and_runs_follow_each_other(index):
    executor = executors()[index]
    for _ in range(2):
        found: list[Any] = []
        assert run_all(executor, range(50), collect_into(found))
        assert sorted(found) == [job * job for job in range(50)]
    assert (executor.account.begun, executor.account.finished) == (100, 100)
    executor.close()


@pytest.mark.parametrize("index", [0, 1])
def test_known_results_are_not_recomputed_and_are_interleaved(index):
    found: list[Any] = []
    executor = executors()[index]
    run_all(
        executor,
        range(9),
        collect_into(found),
        lambda job: f"known {job}" if job % 3 == 0 else None,
    )
    assert sorted(map(str, found)) == sorted(
        ["known 0", "known 3", "known 6", "1", "4", "16", "25", "49", "64"]
    )
    assert executor.account.begun == 6


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("error", [MeepleError, KeyboardInterrupt])
def test_a_hook_that_raises_leaves_nothing_in_flight(index, error):
    executor = executors()[index]

    def take(one):
        raise error

    if error is KeyboardInterrupt:
        assert not run_all(executor, range(1), take)
    else:
        with pytest.raises(MeepleError):
            run_all(executor, range(1), take)
    assert executor.account.in_flight == 0


def test_enough_stops_running_jobs_and_drops_waiting_ones():
    first = threading.Event()

    def do(worker, job, stopped):
        if job == 0:
            first.wait(60)
            return job
        while not stopped():
            first.set()
        raise Stopped

    executor = InThreads("ab", do)
    found: list[Any] = []
    assert run_all(executor, range(99), collect_into(found, enough=True))
    assert found == [0]
    account = executor.account
    assert account.in_flight == 0
    assert account.begun <= 2 * AHEAD
    assert account.dropped == account.begun - 1


def test_a_job_that_raises_ends_the_run_and_the_next_run_works():
    def do(worker, job, stopped):
        if job == 3:
            raise MeepleError("three")
        return job

    executor = InThreads("ab", do)
    with pytest.raises(MeepleError, match="three"):
        run_all(executor, range(50), lambda one: False)
    assert executor.account.in_flight == 0
    found: list[Any] = []
    assert run_all(executor, [5, 6], collect_into(found))
    assert sorted(found) == [5, 6]


@pytest.mark.parametrize("workers", [1, 2])
def test_jobs_are_counted_by_their_size_in_every_outcome(workers):
    def do(worker, job, stopped):
        if job == 6:
            raise MeepleError("six")
        return job

    size = int
    executor = InThisThread("a", do, size) if workers == 1 else InThreads("ab", do, size)
    found: list[Any] = []
    with pytest.raises(MeepleError, match="six"):
        run_all(executor, range(1, 20), collect_into(found))
    account = executor.account
    assert account.finished >= sum(found) >= 15
    assert account.begun == account.finished + account.dropped
    assert account.dropped >= 6
