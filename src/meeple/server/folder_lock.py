"""The lock of a server's folder of games, so that one server at a time changes them."""

import os
from pathlib import Path

from filelock import FileLock, Timeout

from meeple.errors import MeepleError
from meeple.files import lock_holder, write_atomically

LOCK = "server.lock"  # locked by the system while the process lives; the file remains
HOLDER = "server.txt"  # names the process that locked it last


class FolderLock:
    """Holds a folder until `release`, if it is free; another lock of this process shares it."""

    def __init__(self, folder: Path, server: str) -> None:
        """Lock a folder for a server at an address, or for a moment (""); `alone` if it was free.

        Raises:
            MeepleError: Another process holds it, and `server` is an address.
            OSError: The folder cannot be written.
        """
        self._lock = FileLock(folder / LOCK, timeout=0, is_singleton=True, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout:
            if server:
                raise MeepleError(
                    f"another server uses the games in {folder}: {_holder(folder)}; stop it, or "
                    "choose another folder with --data"
                ) from None
        self.alone = self._lock.is_locked
        if self.alone and server:
            write_atomically(folder / HOLDER, f"process {os.getpid()} at {server}\n")

    def release(self) -> None:
        """Release the folder, once."""
        if self.alone:
            self.alone = False
            self._lock.release()


def _holder(folder: Path) -> str:
    try:
        return (folder / HOLDER).read_text(encoding="utf-8", errors="replace")[:200].strip()
    except OSError:
        return lock_holder(folder / LOCK)
