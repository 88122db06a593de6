"""Ends calls of a game's methods that do not return, which would hang the server."""

import ctypes
import sys
import threading
import time
from collections.abc import Collection
from types import FrameType

from meeple.errors import MeepleError

MAX_SECONDS = 10.0  # of a call of a function in a game's file
LOOK_SECONDS = 1.0  # between two looks at all threads


class Endless(MeepleError):
    """A method of a game took too long, and was ended."""

    def __init__(self) -> None:
        super().__init__(f"a method of the game did not return within {MAX_SECONDS:g} seconds")


def end_endless_calls(files: Collection[str], ended: threading.Event) -> None:
    """Raise Endless in every thread whose call of a function in these files takes too long.

    Machine code, such as that of a kernel or of `time.sleep`, is not ended.

    Args:
        files: the absolute paths of the files of games.
        ended: ends this function.
    """
    calls: dict[int, tuple[FrameType, float]] = {}
    while not ended.wait(LOOK_SECONDS):
        now, before = time.monotonic(), calls
        calls = {}
        for thread, frame in sys._current_frames().items():
            call = _outermost(frame, files)
            if call is None:
                continue
            known, since = before.get(thread, (call, now))
            calls[thread] = call, since if known is call else now
            if known is call and now - since > MAX_SECONDS:
                target = ctypes.c_ulong(thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(target, ctypes.py_object(Endless))


def _outermost(frame: FrameType | None, files: Collection[str]) -> FrameType | None:
    """Return the call of a function in the files that a thread is in; None if it is in none.

    While the compiler works for such a call, it does not count.
    """
    found = None
    while frame is not None:
        if frame.f_code.co_filename in files:
            found = frame
        elif (frame.f_globals.get("__package__") or "").startswith("numba"):
            return None
        frame = frame.f_back
    return found
