"""Settings of all tests, and their three tiers.

`make nightly` runs tests with the marker `nightly`, `make test` all others, `make quick` those
without the marker `slow`, which nightly tests also get. A slow test starts a process (a browser,
Ray, a server, an engine, a command line) or takes seconds. Tests that use a
fixture of `SLOW_FIXTURES` get the marker; others are marked in their files. In `make quick` a test
fails if it starts a process or takes over `MAX_QUICK_SECONDS`: it lacks the marker.
"""

import gc
import importlib
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from meeple import plugins
from meeple.games.check import findings
from meeple.games.contract import registry
from tests import order, tiers
from tests.games.check.forked import CheckProcesses
from tests.tiers import MAX_QUICK_SECONDS, Stopwatch

# No deadline: the first example may compile kernels. The same examples in every run.
settings.register_profile("test", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("quick", settings.get_profile("test"), max_examples=10)
settings.load_profile("test")

PRINTED = "printed"  # the property of a test whose figures the end of the run shows

SLOW_FIXTURES = {"browser", "server"}
PROCESS_EVENTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
COMPILING = "meeple.kernels"  # a process that compiles kernels, which any test may need
READING = ("tests/test_house.py", "tests/documents/")
"""Tests of which the first reads all files of the project, for those that follow."""
MAX_READING_SECONDS = 10.0  # processor time of such a test
STOPWATCH = pytest.StashKey[Stopwatch]()
BEGAN = pytest.StashKey[float]()
HUNG: set[str] = set()
"""Units of work in which a test has timed out: their other tests would wait as long."""


def pytest_configure(config: pytest.Config) -> None:
    """In the quick tier, try few random examples, and let no test start a process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background job
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
    if order.unit(item.nodeid) in HUNG:
        pytest.fail(f"a test of {order.unit(item.nodeid)} has timed out before")
    if tiers.QUICK:
        item.stash[BEGAN] = item.config.stash[STOPWATCH].seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """In the quick tier, fail a test that has taken too much processor time."""
    result = yield
    if tiers.QUICK:
        seconds = item.config.stash[STOPWATCH].seconds() - item.stash[BEGAN]
        limit = MAX_READING_SECONDS if item.nodeid.startswith(READING) else MAX_QUICK_SECONDS
        if seconds > limit:
            raise AssertionError(f"takes {seconds:.1f} s of processor time: mark it `slow`")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Remember the unit of a test that has timed out."""
    if call.excinfo is not None and str(call.excinfo.value).startswith("Timeout"):
        HUNG.add(order.unit(item.nodeid))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect tests without Python's garbage collector, and exempt them from it afterwards.

    It would visit all modules and tests again and again, which took 9 of 15 seconds of collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)  # 700, 10, 10 took a tenth of the time of quick tests
        gc.enable()


def pytest_collection_finish() -> None:
    """Import what PyTorch would import during the first test of an optimizer."""
    if tiers.QUICK:
        importlib.import_module("torch._dynamo")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> Any:
    """Mark nightly tests and those of slow fixtures; begin with what takes longest."""
    for item in items:
        if nightly := item.get_closest_marker("nightly"):
            assert nightly.args, f"{item.nodeid}: say what the nightly test guards"
        if nightly or not SLOW_FIXTURES.isdisjoint(item.fixturenames):
            item.add_marker("slow")
    result = yield  # other hooks leave out tests
    slow = {item.nodeid: bool(item.get_closest_marker("slow")) for item in items}
    place = order.longest_first(slow, _known_seconds(config))
    items.sort(key=lambda item: place[order.unit(item.nodeid)])
    return result


def _known_seconds(config: pytest.Config) -> dict[str, float]:
    cache = getattr(config, "cache", None)  # `-p no:cacheprovider` leaves it out
    return dict(cache.get(order.CACHE, {})) if cache else {}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process of `pytest -n` whole files, so that a file's fixtures are made once."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    made = LoadFileScheduling(config, log)
    made._split_scope = order.unit
    return made


@pytest.fixture(scope="module", autouse=True)
def games_of_a_file() -> Iterator[None]:
    """Let no other file know the games that the tests of a file register or load."""
    games, files, modules = dict(registry._registered), [*registry._files], {*sys.modules}
    yield
    registry._registered.clear()
    registry._registered.update(games)
    registry._files[:] = files
    for name in {*sys.modules} - modules:
        if name.startswith(registry._OF_FILE):
            del sys.modules[name]


@pytest.fixture(scope="module")
def forked_checks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let `check_game` fork its processes from two that have imported what all checks need."""
    made = CheckProcesses(tmp_path_factory.mktemp("checks"))
    forking = SimpleNamespace(**{**vars(subprocess), "Popen": made.start})
    with pytest.MonkeyPatch.context() as patch:
        if sys.platform != "win32":
            patch.setattr(findings, "subprocess", forking)
        yield
    made.end()


class Announcer:
    """Prints each failure when it happens, for a run that is stopped before its summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._reporter: Any = config.pluginmanager.get_plugin("terminalreporter")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the name and the last line of a test that has failed."""
        if report.failed:
            reason = report.longreprtext.strip().rpartition("\n")[2]
            self._reporter.ensure_newline()
            self._reporter.write_line(f"{report.when} of {report.nodeid} failed: {reason}"[:400])


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let the process that reports announce failures."""
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(Announcer(session.config))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the figures that tests have recorded under that name; save how long tests took."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == PRINTED:
                terminalreporter.write_line(str(value))
    if cache := getattr(config, "cache", None):
        reports = itertools.chain.from_iterable(terminalreporter.stats.values())
        cache.set(order.CACHE, _known_seconds(config) | order.seconds(reports))


@pytest.fixture
def plug_in_package(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that installs a package with entry points; no others are installed.

    It is called with the package's name, its entry points (by group without `meeple.`, then by
    name), the versions of Meeple that it requires, and the texts of its modules by name.
    """
    modules = set(sys.modules)
    folders: list[str] = []
    monkeypatch.setattr(plugins, "distributions", lambda: distributions(path=folders))

    def install(
        package: str, groups: dict[str, dict[str, str]], requires: str = "meeple", **texts: str
    ) -> None:
        folder = tmp_path / package
        info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\nRequires-Dist: {requires}\n"
        )
        lines = []
        for group, points in groups.items():
            lines.append(f"[meeple.{group}]")
            lines += [f"{name} = {target}" for name, target in points.items()]
        (info / "entry_points.txt").write_text("\n".join(lines))
        for name, text in texts.items():
            (folder / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(folder)
        folders.append(str(folder))
        _forget_plug_ins()

    _forget_plug_ins()
    yield install
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]
    monkeypatch.undo()
    _forget_plug_ins()


def _forget_plug_ins() -> None:
    plugins._entry_points.cache_clear()
    plugins.report.cache_clear()
