"""What `make quick` leaves to `make test`: most random seeds, and every test that takes long."""

import time
from collections.abc import Iterable
from typing import Any

import pytest
from numba.core import event

QUICK = False  # set by `settings.py` before test files are imported
MAX_QUICK_SECONDS = 2.0
"""Processor time of a test that is not `slow`: half a second, four times for slower machines."""


def few_quick(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """Return the values as parameters; tests of those after the first `quick` are slow."""
    return [
        pytest.param(value, marks=[pytest.mark.slow] if place >= quick else [])
        for place, value in enumerate(values)
    ]


def repeats(count: int, quick: int) -> int:
    """Return how often a test repeats a random experiment: `quick` times in `make quick`."""
    return quick if QUICK else count


class Stopwatch(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Processor time of this process, without compiling kernels and loading them from the cache."""

    def __init__(self) -> None:
        self._depth, self._since, self._compiling = 0, 0.0, 0.0
        event.register("numba:compiler_lock", self)

    def on_start(self, _: Any) -> None:
        if self._depth == 0:
            self._since = time.process_time()
        self._depth += 1

    def on_end(self, _: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._compiling += time.process_time() - self._since

    def seconds(self) -> float:
        return time.process_time() - self._compiling
