"""Waits for the end of a process."""

import time

import psutil

WAIT = 60.0  # seconds; generous for a busy machine


def is_gone(pid: int) -> bool:
    """Wait for the end of a process; return whether it has ended."""
    deadline = time.monotonic() + WAIT
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False
