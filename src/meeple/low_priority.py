"""Low-priority threads: long computations that pause so that other threads can run.

A thread that computes without a pause holds Python's global interpreter lock nearly all the time.
Other threads then wait for the lock at each of their steps, and an answer has dozens of steps. A
low-priority thread sleeps regularly; meanwhile the others run at full speed.
"""

import threading
import time

WORK_SECONDS = 0.004  # between two pauses
PAUSE_SECONDS = 0.002


class _Thread(threading.local):
    """The state of one thread."""

    low_priority = False
    paused = 0.0  # time of the last pause, in seconds


_thread = _Thread()


def make_thread_low_priority() -> None:
    """Make the current thread pause regularly in all games that it plays from now on."""
    _thread.low_priority, _thread.paused = True, time.perf_counter()


def pause_if_low_priority() -> None:
    """Pause if this thread has low priority and a pause is due; otherwise cost next to nothing."""
    if _thread.low_priority and time.perf_counter() - _thread.paused > WORK_SECONDS:
        time.sleep(PAUSE_SECONDS)
        _thread.paused = time.perf_counter()
