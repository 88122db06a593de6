"""Settings of all tests, and their two tiers.

`make test` runs all tests, `make quick` those without the marker `slow`. A slow test starts a
process (a browser, Ray, a server, an engine, a command line) or takes seconds. Tests that use a
fixture of `SLOW_FIXTURES` get the marker; others are marked in their files. In `make quick` a test
that starts a process fails: it lacks the marker.
"""

import os
import sys
from typing import Any

import pytest
from hypothesis import settings

# No deadline: the first example may compile kernels. The same examples in every run.
settings.register_profile("meeple", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("meeple")

PRINTED = "printed"  # the property of a test whose figures the end of the run shows

SLOW_FIXTURES = {"browser", "server", "cluster", "nodes"}
PROCESS_EVENTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
COMPILING = "meeple.kernels"  # a process that compiles kernels, which any test may need


def pytest_configure(config: pytest.Config) -> None:
    """Let no test start a process in the quick tier."""
    if config.option.markexpr == "not slow":
        sys.addaudithook(_refuse_processes)


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST")
    if event in PROCESS_EVENTS and test and COMPILING not in str(arguments):
        raise AssertionError(f"{test} starts a process: give it the marker `slow`")


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
