"""Servers for tests: in the process of the test with a fake pool, or in a separate process with a
browser.
"""

import contextlib
import functools
import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from meeple.rate_limit import TokenBucket
from meeple.server import app as application
from meeple.server.play.precompile import precompile_all
from meeple.server.web.assets import Assets
from tests.server.clocks import Clock
from tests.server.pools import InstantPool
from tests.server.tables import serving
from tests.server.waiting import ACTION_SECONDS, PATIENCE

BROWSERS = (
    "chromium-headless-shell",  # draws no window of a browser around the page
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
SIZES = {"desk": (1280, 900), "phone": (360, 740)}


@pytest.fixture(scope="session", autouse=True)
def one_start() -> Iterator[None]:
    """Let the servers in this process read the page's files once, and precompile games once."""
    first = iter([precompile_all])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "Assets", functools.cache(Assets))
        patch.setattr(application, "precompile_all", lambda: next(first, lambda: None)())
        yield


@pytest.fixture
def anyio_backend():
    """The event loop of tests that are coroutines, which have the marker `anyio`."""
    return "asyncio"


@pytest.fixture
def pool(monkeypatch):
    made = InstantPool()
    monkeypatch.setattr(application, "Pool", lambda *_: made)
    return made


@pytest.fixture
def clock(monkeypatch):
    """The clock of all new buckets."""
    clock = Clock()
    monkeypatch.setattr(TokenBucket.__init__, "__defaults__", (clock,))
    return clock


@pytest.fixture
def client(tmp_path, pool):
    with serving(tmp_path) as client:
        yield client


class LiveServer:
    """`meeple serve` with a folder for its games; can be killed and restarted."""

    def __init__(
        self, folder: Path, *options: str, port: int = 0, loaded: Sequence[Path] = ()
    ) -> None:
        self.folder, self.options, self.port, self.loaded = folder, options, port, loaded
        self.start()

    def start(self) -> None:
        """Start it on the same port as before; return once it listens."""
        words = [f"--load={file}" for file in self.loaded]
        words += ["serve", "--port", str(self.port), "--data", str(self.folder), *self.options]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "meeple", *words],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONWARNINGS": "default"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, f"the server said {line!r}"
        self.url = line.split()[-1].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """Kill it without a chance to save."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> int:
        """Interrupt it as Ctrl-C does; return its exit code."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            assert self.process.stdout is not None
            self.process.stdout.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A running server with one worker process, for all files with tests of the page."""
    folder = tmp_path_factory.mktemp("served")
    server = LiveServer(folder, "--workers", "1", "--runs", str(folder / "runs"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium; tests are skipped if it is missing.

    It is used by one file's tests: while it is open, its event loop counts as running in this
    thread, and no other test can run one.
    """
    api = pytest.importorskip("playwright.sync_api")
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    api.expect.set_options(timeout=PATIENCE * 1000)
    with api.sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except api.Error as error:
            pytest.skip(f"no browser to look at the page with: {str(error).splitlines()[0]}")
        yield browser
        browser.close()
    gc.collect()  # collecting its greenlets at any other time breaks CPython 3.11


class Desk:
    """The browser of one player; its pages must raise no error."""

    def __init__(self, browser: Any, size: str, dark: bool = False) -> None:
        width, height = SIZES[size]
        self.faults: list[str] = []
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(ACTION_SECONDS * 1000)
        # Views are shown as they come; a test of the pace sets its own.
        self.context.add_init_script(
            "if (location.protocol === 'http:') localStorage['meeple.pace'] ??= 'off'"
        )

    def open(self, url: str) -> Any:
        """Open a page at an address."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._hear)
        page.goto(url)
        return page

    def _hear(self, message: Any) -> None:
        # A connection lost by killing the server is not a fault of the page.
        if message.type == "error" and "WebSocket connection" not in message.text:
            self.faults.append(message.text)


@pytest.fixture
def desks(browser: Any) -> Iterator[Any]:
    """Return a function that opens browsers: `desks()`, `desks("phone")`, `desks(dark=True)`."""
    with contextlib.ExitStack() as closing:
        made: list[Desk] = []

        def make(size: str = "desk", dark: bool = False) -> Desk:
            desk = Desk(browser, size, dark)
            closing.callback(desk.context.close)
            made.append(desk)
            return desk

        yield make
        assert [fault for desk in made for fault in desk.faults] == []
