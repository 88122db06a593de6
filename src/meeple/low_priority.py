"""Long work in a thread that lets the other threads go on.

A thread that computes without a pause holds Python's lock nearly all the time: others get it after
a wait at each of their steps, and an answer has dozens of steps. A thread that gives way rests now
and then, and the others go on at full speed meanwhile.
"""

import threading
import time

WORK = 0.004  # seconds between two rests
REST = 0.002  # seconds of each


class _Thread(threading.local):
    """What is known of one thread."""

    gives_way = False
    rested = 0.0  # when it last did


_thread = _Thread()


def make_thread_low_priority() -> None:
    """From now on, whatever this thread plays rests now and then."""
    _thread.gives_way, _thread.rested = True, time.perf_counter()


def pause_if_low_priority() -> None:
    """Rest, where this thread gives way and has worked for long enough; costs next to nothing."""
    if _thread.gives_way and time.perf_counter() - _thread.rested > WORK:
        time.sleep(REST)
        _thread.rested = time.perf_counter()
