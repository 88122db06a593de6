"""The order of tests in processes: units of work, the longest first.

A unit is what one process runs: a file, or a folder whose files share what takes long to start.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CACHE = "meeple/seconds"
"""The entry of pytest's cache with the seconds of tests in earlier runs, by name."""
GUESS, SLOW_GUESS = 0.02, 2.0  # seconds of a test, and of a slow one, that has not run before


@cache
def unit(nodeid: str) -> str:
    """Return the unit of a test: its file, or the folder whose `conftest.py` says `ONE_UNIT`."""
    file = nodeid.partition("::")[0]
    for folder in Path(file).parents:
        settings = ROOT / folder / "conftest.py"
        if settings.is_file() and "\nONE_UNIT = True" in settings.read_text():
            return folder.as_posix()
    return file


def longest_first(slow: Mapping[str, bool], known: Mapping[str, float]) -> dict[str, int]:
    """Return the place of each unit.

    Args:
        slow: whether each test is slow, by name.
        known: seconds of tests in earlier runs, by name.
    """
    total: dict[str, float] = defaultdict(float)
    for nodeid, is_slow in slow.items():
        total[unit(nodeid)] += known.get(nodeid, SLOW_GUESS if is_slow else GUESS)
    return {name: place for place, name in enumerate(sorted(total, key=lambda name: -total[name]))}


def seconds(reports: Iterable[Any]) -> dict[str, float]:
    """Return the seconds of each test, by name, from the reports of its phases."""
    total: dict[str, float] = defaultdict(float)
    for report in reports:
        if hasattr(report, "duration"):
            total[report.nodeid] += report.duration
    return {name: round(taken, 2) for name, taken in total.items()}
