"""Runs an engine and ends all its descendants: `python guard.py OWNER REPORT COMMAND...`.

`process.py` starts it. `OWNER` and `REPORT` are numbers of inherited pipes: the first closes when
the engine is no longer needed or its owner has died; on the second the guard writes `started`, or
why the command cannot be run. When the engine ends, or its owner does,
every process that descends from the engine is killed, and the guard exits with the engine's code.

On Linux the guard is a subreaper (`man 2const PR_SET_CHILD_SUBREAPER`): a descendant whose parent
has died becomes the guard's child, also after `setsid`, so that none escapes. Elsewhere the
engine's process group is killed. It imports nothing of Meeple, as it runs beside every engine.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36  # from Linux's <sys/prctl.h>
_KILLING_SECONDS = 5.0  # until the guard gives up on processes that cannot be killed
_MAX_REASON_BYTES = 500  # written to REPORT


def main() -> int:
    """Run the command until it or its owner ends; return its exit code."""
    owner, report, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    # Handlers and not SIG_IGN, which the engine would inherit.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, lambda number, frame: None)
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    _become_subreaper()
    try:
        # In a session of its own: what the engine sends to its group does not reach the guard.
        engine = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        os.write(report, (error.strerror or str(error)).encode()[:_MAX_REASON_BYTES])
        return 127
    _close_standard_files()
    with contextlib.suppress(OSError):
        os.write(report, b"started")
    os.close(report)
    while (code := _reap(engine.pid)) is None:
        readable = select.select([owner, ended], [], [])[0]
        if owner in readable:
            break
        os.read(ended, 4096)
    _kill_all(engine.pid)
    return 128 + signal.SIGKILL if code is None else code


def _become_subreaper() -> None:
    """Adopt orphaned descendants, on Linux; elsewhere nothing happens."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _close_standard_files() -> None:
    """Leave the pipes to the engine alone, so that they close when it ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.close(nothing)


def _reap(pid: int) -> int | None:
    """Collect ended children; return the exit code of `pid` if it is among them.

    As in a shell, the code of a process ended by a signal is 128 plus the signal's number.
    """
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if ended == 0:
            return None
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _kill_all(pid: int) -> None:
    """Kill the engine's process group and every descendant of the guard, until none is left."""
    give_up = time.monotonic() + _KILLING_SECONDS
    while time.monotonic() < give_up:
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        for descendant in _descendants():
            with contextlib.suppress(OSError):
                os.kill(descendant, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return  # no child is left, and so no descendant
        time.sleep(0.002)


def _descendants() -> list[int]:
    """Return all descendants of this process by Linux's /proc; elsewhere none."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name stands in brackets and may hold anything; state and parent follow it.
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
    below, found = {os.getpid()}, set[int]()
    while below:
        below = {pid for pid, parent in parents.items() if parent in below} - found
        found |= below
    return sorted(found)


if __name__ == "__main__":
    sys.exit(main())
