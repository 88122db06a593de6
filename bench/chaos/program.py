"""Launches a `meeple` command as a process, and reads the line that says where it listens."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

LISTENING_SECONDS = 300.0  # until a program listens, on a busy machine


def launch(words: list[str], log: Path, **environment: str) -> subprocess.Popen[str]:
    """Launch `meeple WORDS` with its errors appended to `log`."""
    with open(log, "ab") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "meeple", *words],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        )


async def listening_line(process: subprocess.Popen[str], expected: str, log: Path) -> str:
    """Return the first line that the process prints.

    Raises:
        RuntimeError: the line lacks `expected`.
        TimeoutError: no line came within `LISTENING_SECONDS`.
    """
    assert process.stdout is not None
    line = await asyncio.wait_for(asyncio.to_thread(process.stdout.readline), LISTENING_SECONDS)
    if expected not in line:
        raise RuntimeError(f"the program does not start: {line!r}; see {log}")
    return line
