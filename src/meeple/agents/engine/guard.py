"""Ends an engine whose owner is gone: `python guard.py PID`, run beside it by `process.py`.

Its standard input is a pipe that only the owner holds. When the owner dies, however that happens,
the pipe ends, and the engine's process group is killed. It imports nothing of Meeple, as it is
started for every engine.
"""

import contextlib
import os
import signal
import sys


def main() -> None:
    """Wait for the end of standard input, then kill the group, unless told that all is well."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.stdin.buffer.read(1) == b"":
        with contextlib.suppress(OSError):
            os.killpg(int(sys.argv[1]), signal.SIGKILL)


if __name__ == "__main__":
    main()
