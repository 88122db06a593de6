"""Settings of all tests, and their two tiers.

`make test` runs all tests, `make quick` those without the marker `slow`. A slow test starts a
process (a browser, Ray, a server, an engine, a command line) or takes seconds. Tests that use a
fixture of `SLOW_FIXTURES` get the marker; others are marked in their files.
"""

from typing import Any

import pytest
from hypothesis import settings

# No deadline: the first example may compile kernels. The same examples in every run.
settings.register_profile("meeple", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("meeple")

PRINTED = "printed"  # the property of a test whose figures the end of the run shows

SLOW_FIXTURES = {"browser", "server", "cluster", "nodes"}


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark the tests of slow fixtures."""
    for item in items:
        if not SLOW_FIXTURES.isdisjoint(item.fixturenames):
            item.add_marker("slow")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the figures that tests have recorded under that name."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == PRINTED:
                terminalreporter.write_line(str(value))
