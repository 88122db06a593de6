"""How everything here is measured: works in turns, as rates, in this process or in a new one.

Speeds are measured in turns with the peer's, several times over, so that whatever else the machine
does slows both alike. The best repeat says most of a program, the median how much to trust it.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from meeple.errors import MeepleError

Figures = dict[str, Any]

SLICE_SECONDS = 0.3  # a repeat lasts at least about this long


def in_turns(works: list[Callable[[], float]], repeats: int) -> list[list[float]]:
    """The rates that each work returns, taken in turns; each is run once before, unmeasured."""
    for work in works:
        work()
    rates: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, found in zip(works, rates, strict=True):
            found.append(work())
    return rates


def rate_of(work: Callable[[], int], slices: int = 1) -> float:
    """Things done a second, by a function that does some and says how many."""
    done, began = 0, time.perf_counter()
    while True:
        done += work()
        elapsed = time.perf_counter() - began
        if elapsed > slices * SLICE_SECONDS:
            return done / elapsed


def best_and_median(name: str, rates: list[float], digits: int | None = None) -> Figures:
    """The best rate and the median, under these names."""
    best, median = max(rates), statistics.median(rates)
    return {name: round(best, digits), f"{name}_median": round(median, digits)}


def ratios(rates: list[list[float]]) -> Figures:
    """How many times the second work's rate the first one's is."""
    ours, theirs = rates
    return {
        "ratio": round(max(ours) / max(theirs), 2),
        "ratio_median": round(statistics.median(ours) / statistics.median(theirs), 2),
    }


def in_new_process(program: str, *arguments: str, **environment: str) -> Figures:
    """The figures that a Python program prints as JSON. Raises MeepleError where it fails."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise MeepleError(f"a measuring process failed: {done.stderr.strip()[-500:]}")
    figures: Figures = json.loads(done.stdout)
    return figures


def peak_bytes() -> int:
    """The most memory that this process has held at any time."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    status = Path("/proc/self/status")
    if status.exists():  # what `getrusage` gives there may be a parent's, from before its exec
        words = status.read_text().split()
        return int(words[words.index("VmHWM:") + 1]) * 1024
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
