"""Measuring methods: rates of functions that run in turns, in this process or in a new one.

A program and its peer run in turns, several times, so that other load on the machine slows both
alike. The best repeat describes the program, the median how reliable the figure is.
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

SLICE_SECONDS = 0.3  # approximate minimum duration of a repeat


def in_turns(works: list[Callable[[], float]], repeats: int) -> list[list[float]]:
    """Return the rates of each function, run in turns; each runs once before, unmeasured."""
    for work in works:
        work()
    rates: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, found in zip(works, rates, strict=True):
            found.append(work())
    return rates


def rate_of(work: Callable[[], int], slices: int = 1) -> float:
    """Return items a second of a function that returns the number of items it processed."""
    done, began = 0, time.perf_counter()
    while True:
        done += work()
        elapsed = time.perf_counter() - began
        if elapsed > slices * SLICE_SECONDS:
            return done / elapsed


def best_and_median(name: str, rates: list[float], digits: int | None = None) -> Figures:
    """Return the best and the median rate, under `name` and `name_median`."""
    best, median = max(rates), statistics.median(rates)
    return {name: round(best, digits), f"{name}_median": round(median, digits)}


def ratios(rates: list[list[float]]) -> Figures:
    """Return the ratio of the first function's rate to the second one's."""
    ours, theirs = rates
    return {
        "ratio": round(max(ours) / max(theirs), 2),
        "ratio_median": round(statistics.median(ours) / statistics.median(theirs), 2),
    }


def in_new_process(program: str, *arguments: str, **environment: str) -> Figures:
    """Return the figures that a Python program prints as JSON; raise MeepleError if it fails."""
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
    """Return the peak memory of this process."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, `getrusage` may return the parent's peak, from before exec
        words = status.read_text().split()
        return int(words[words.index("VmHWM:") + 1]) * 1024
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
