"""Settings of all tests, and their two tiers.

`make test` runs all tests, `make quick` those without the marker `slow`. A slow test starts a
process (a browser, Ray, a server, an engine, a command line) or takes seconds. Tests that use a
fixture of `SLOW_FIXTURES` get the marker; others are marked in their files. In `make quick` a test
fails if it starts a process or takes over `MAX_QUICK_SECONDS`: it lacks the marker.
"""

import importlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from tests import tiers
from tests.tiers import MAX_QUICK_SECONDS, Stopwatch

# No deadline: the first example may compile kernels. The same examples in every run.
settings.register_profile("test", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("quick", settings.get_profile("test"), max_examples=10)
settings.load_profile("test")

PRINTED = "printed"  # the property of a test whose figures the end of the run shows

SLOW_FIXTURES = {"browser", "server", "cluster", "nodes"}
PROCESS_EVENTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
COMPILING = "meeple.kernels"  # a process that compiles kernels, which any test may need
STOPWATCH = pytest.StashKey[Stopwatch]()
BEGAN = pytest.StashKey[float]()


def pytest_configure(config: pytest.Config) -> None:
    """In the quick tier, try few random examples, and let no test start a process."""
    if config.option.markexpr == "not slow":
        tiers.QUICK = True
        settings.load_profile("quick")
        sys.addaudithook(_refuse_processes)
        config.stash[STOPWATCH] = Stopwatch()


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST")
    if event in PROCESS_EVENTS and test and COMPILING not in str(arguments):
        raise AssertionError(f"{test} starts a process: give it the marker `slow`")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Start the stopwatch of a test, which covers the fixtures that it is the first to use."""
    if tiers.QUICK:
        item.stash[BEGAN] = item.config.stash[STOPWATCH].seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """In the quick tier, fail a test that has taken too much processor time."""
    result = yield
    if tiers.QUICK:
        seconds = item.config.stash[STOPWATCH].seconds() - item.stash[BEGAN]
        if seconds > MAX_QUICK_SECONDS:
            raise AssertionError(f"takes {seconds:.1f} s of processor time: mark it `slow`")
    return result


def pytest_collection_finish() -> None:
    """Import what PyTorch would import during the first test of an optimizer."""
    if tiers.QUICK:
        importlib.import_module("torch._dynamo")


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
