"""One trainer for a run: whoever writes a run's folder holds the lock on a file in it.

The system lets the lock go when its process ends, however that happens.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from meeple.errors import RunError

LOCK = "run.lock"
PATIENCE = (
    3.0  # seconds: who only looks whether a run is being trained holds the lock for an instant
)


@contextlib.contextmanager
def sole_trainer(folder: str | Path) -> Iterator[None]:
    """Hold a run's lock. Raises RunError where another process trains that run."""
    lock = FileLock(Path(folder) / LOCK)
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        raise RunError(
            f"{folder} is being trained by another process; wait for it, or stop it there"
        ) from None
    except OSError as error:
        raise RunError(f"cannot lock {folder}: {error.strerror or error}") from None
    try:
        yield
    finally:
        lock.release()


def is_being_trained(folder: str | Path) -> bool:
    """Whether any process trains the run in a folder, this one included."""
    path = Path(folder) / LOCK
    if not path.exists():
        return False
    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
