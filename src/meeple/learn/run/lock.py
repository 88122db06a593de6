"""The lock that admits one training process to a run's folder.

The operating system releases the lock when the process ends, even if it is killed.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from meeple.errors import RunError

LOCK_FILE = "run.lock"
LOCK_TIMEOUT_SECONDS = 3.0  # `is_being_trained` of another process holds the lock for an instant


@contextlib.contextmanager
def sole_trainer(folder: str | Path) -> Iterator[None]:
    """Hold a run's lock in a `with` block.

    Raises:
        RunError: another process trains the run, or the lock file cannot be opened.
    """
    lock = FileLock(Path(folder) / LOCK_FILE)
    try:
        lock.acquire(timeout=LOCK_TIMEOUT_SECONDS)
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
    """Return whether a process, this one included, trains the run in `folder`."""
    path = Path(folder) / LOCK_FILE
    if not path.exists():
        return False
    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
