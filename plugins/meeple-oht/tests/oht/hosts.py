"""Hosts for tests: in a thread of the test, or in a separate process that may be killed."""

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import meeple
from meeple_oht.certificate import certificate_beside, server_context
from meeple_oht.host import Host, ListenAddress
from meeple_oht.limits import HOST_LIMITS
from meeple_oht.players import RegisteredPlayer
from meeple_oht.rules import TournamentRules

PATIENCE = 300.0  # time limit of any step in seconds, on a busy machine


def token_of(name):
    return f"token-of-{name}"


class HostThread:
    """A host that runs in a separate thread."""

    def __init__(
        self, folder, names, rules, game=None, *, tls=True, old=False, specs=(), limits=HOST_LIMITS
    ):
        self.file = Path(folder) / "oht.sqlite"
        players = [RegisteredPlayer(name, token_of(name)) for name in names]
        players += [
            RegisteredPlayer(f"agent {number}", "", spec) for number, spec in enumerate(specs)
        ]
        self._arguments = players, rules, game or meeple.make("hex", size=3)
        self._tls, self._old, self._limits = tls, old, limits
        self.error = None
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._listening.wait(PATIENCE)
        if self.error is not None:
            raise self.error

    def _run(self):
        try:
            asyncio.run(self._hold())
        except asyncio.CancelledError:
            pass
        except BaseException as error:  # reported by the test
            self.error = error
        finally:
            self._listening.set()

    async def _hold(self):
        players, rules, game = self._arguments
        tls = server_context(*certificate_beside(self.file)) if self._tls else None
        place = ListenAddress(port_2020=0 if self._old else None, tls=tls)
        host = self.host = Host(self.file, game, players, rules, place, limits=self._limits)
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        listening = asyncio.Event()
        telling = asyncio.ensure_future(listening.wait())
        telling.add_done_callback(lambda _: self._tell())
        try:
            await host.run(listening)
        finally:
            telling.cancel()
            host.store.close()

    def _tell(self):
        self.ports = self.host.ports
        self._listening.set()

    @property
    def port(self):
        return self.ports[0]

    def join(self):
        """Wait until the tournament is over."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        if self.error is not None:
            raise self.error

    def stop(self):
        """Stop the host, whether or not the tournament is over."""
        if self._thread.is_alive():
            assert self._task is not None
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join(PATIENCE)


@contextlib.contextmanager
def hosting(folder, names, rules=None, **options):
    """Run a host during a block."""
    host = HostThread(folder, names, rules or TournamentRules(games=2), **options)
    try:
        yield host
    finally:
        host.stop()


class HostProcess:
    """`meeple oht host` in a process; it may be killed and started again at the same ports."""

    def __init__(self, folder, names, *options, descriptors=None):
        """`descriptors`: the limit of open files and sockets; None: that of this process."""
        self._descriptors = descriptors
        self.log = Path(folder) / "host.log"  # the host's stderr
        self.folder, self.file = Path(folder), Path(folder) / "oht.sqlite"
        self.players = self.folder / "players.toml"
        self.players.write_text(
            "".join(f'[[player]]\nname = "{n}"\ntoken = "{token_of(n)}"\n' for n in names)
        )
        self.options, self.ports = options, (0, 0)
        self.start()

    def start(self):
        """Start the host and wait until it listens."""
        port, old = self.ports
        words = ["--players", self.players, "--file", self.file, "--port", port]
        words += ["--port-2020", old, "--no-page", *self.options]
        command = [sys.executable, "-m", "meeple", "oht", "host", *map(str, words)]
        if self._descriptors is not None:
            command = ["prlimit", f"--nofile={self._descriptors}", *command]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONWARNINGS": "default"},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "listens at port" in line, line
        numbers = [int(word) for word in line.split() if word.isdigit()]
        self.ports = numbers[0], numbers[1]

    def kill(self):
        """Kill the host."""
        self.process.kill()
        self.process.communicate()

    def end(self):
        """Wait for the end of the process; return its output and exit code."""
        said, _ = self.process.communicate(timeout=PATIENCE)
        return said, self.process.returncode


def running(*calls):
    """Start threads that run these calls."""
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    return threads


def all_done(threads):
    """Wait for the threads to end."""
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
