"""Waits for conditions of a page for which Playwright has no assertion."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 300.0  # time limit in seconds, on a busy machine, of what may compute or compile
ACTION_SECONDS = 60.0  # of a click, and of what it shows
PAUSE = 50  # milliseconds between two checks


def wait_until(page: Any, condition: Callable[[], object]) -> None:
    """Wait until the condition holds for the page; fail after `PATIENCE`."""
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends, f"the page did not get there in {PATIENCE:.0f} s"
        page.wait_for_timeout(PAUSE)


def wait_until_it_fits(page: Any) -> None:
    """Wait until nothing on the page is wider than its window."""
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
