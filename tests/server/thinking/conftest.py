"""A pool of two workers for all tests of a file."""

import pytest

from meeple.server.thinking.pool import Pool
from tests.server.thinking.tasks import PATIENT, QUEUE, RACE, until


@pytest.fixture(scope="module")
def anyio_backend():
    """Run the tests of a file in one event loop, to which the pool belongs."""
    return "asyncio"


@pytest.fixture(scope="module")
async def shared(anyio_backend):
    pool = Pool(2, QUEUE, [RACE])
    await pool.start()
    yield pool
    await pool.close()


@pytest.fixture
async def pool(shared, monkeypatch):
    """A pool in which no stopped worker counts as unresponsive, however slow the machine is.

    A test ends when all workers are idle, which may be later than the answers to its tasks.
    """
    monkeypatch.setattr(shared, "_limits", PATIENT)
    yield shared
    await until(lambda: shared.load == (0, 0))
