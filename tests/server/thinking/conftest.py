"""A pool of two workers for all tests of a file."""

import asyncio

import pytest

from meeple.server.thinking.pool import Pool
from tests.server.thinking.tasks import PATIENT, QUEUE, RACE, SOON, until


@pytest.fixture(scope="module")
def shared():
    """One pool of two workers, and the runner of its event loop."""
    with asyncio.Runner() as runner:
        pool = Pool(2, QUEUE, [RACE])
        runner.run(pool.start())
        yield runner, pool
        runner.run(pool.close())


@pytest.fixture
def pool(shared, monkeypatch):
    pool = shared[1]
    monkeypatch.setattr(pool, "_limits", PATIENT)  # no stopped worker counts as unresponsive
    return pool


@pytest.fixture
def run(shared, pool):
    """Run a coroutine in the pool's loop within a time limit that only a fault exceeds.

    A stopped worker never counts as unresponsive, however slow the machine is. A test ends when all
    workers are idle, which may be later than the answers to its tasks.
    """
    runner, _ = shared
    yield lambda coroutine: runner.run(asyncio.wait_for(coroutine, SOON))
    runner.run(asyncio.wait_for(until(lambda: pool.load == (0, 0)), SOON))
