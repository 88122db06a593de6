"""The server under test: `meeple serve` on a small disk of its own, killed and started again."""

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

from bench.chaos.findings import Findings, Sample
from bench.chaos.program import launch, listening_line

DISK = 96  # megabytes
BALLAST = "ballast"
_EXPLAINED = ("disk", "database", "KeyboardInterrupt", "CancelledError", "BrokenPipeError")
"""Words of the last line of a traceback that a full disk or a killed process explains."""


class SmallDisk:
    """A folder on a file system of its own, where the system lets us mount one."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="meeple-chaos-"))
        words = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", str(self.path)]
        mounted = shutil.which("mount") and subprocess.run(words, capture_output=True).returncode
        self.is_small = mounted == 0

    def fill(self) -> None:
        """Leave no room on it."""
        with contextlib.suppress(OSError), open(self.path / BALLAST, "ab", buffering=0) as file:
            while True:
                file.write(b"\0" * 65536)
        with contextlib.suppress(OSError), open(self.path / BALLAST, "ab", buffering=0) as file:
            while True:
                file.write(b"\0" * 512)

    def free(self) -> None:
        """Give the room back."""
        (self.path / BALLAST).unlink(missing_ok=True)

    def remove(self) -> None:
        """Let go of it, and of all that is on it."""
        if self.is_small:
            subprocess.run(["umount", "-l", str(self.path)], check=False, capture_output=True)
        shutil.rmtree(self.path, ignore_errors=True)


class Served:
    """The server's process; another on the same port and folder after each kill."""

    def __init__(
        self, disk: SmallDisk, findings: Findings, workers: int, password: str = ""
    ) -> None:
        """`password`: that all clients need; empty: none."""
        self.disk, self.findings, self.workers = disk, findings, workers
        self.password = password
        self.port = 0
        self.is_up = False
        self.runs = Path(tempfile.mkdtemp(prefix="meeple-runs-"))
        self.log = self.runs / "server.log"
        self._started = 0.0

    async def start(self) -> None:
        """Start it; returns when it answers."""
        words = ["serve", "--port", str(self.port), "--workers", str(self.workers)]
        words += ["--data", str(self.disk.path / "games"), "--runs", str(self.runs)]
        if self.password:
            words += ["--host", "0.0.0.0"]
        self.process = launch(words, self.log, MEEPLE_PASSWORD=self.password)
        line = await listening_line(self.process, "http://", self.log)
        self.port = int(line.split()[-1].rstrip("/").rpartition(":")[2])
        self.url = f"http://127.0.0.1:{self.port}"
        self.is_up, self._started = True, time.monotonic()
        self.findings.lives.append([])

    async def kill(self) -> None:
        """End it as a power cut would, and start it again."""
        self.is_up = False
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        self._close()
        self.findings.counts["servers killed"] += 1
        await self.start()

    def kill_worker(self, choose: int) -> None:
        """Kill one of the processes that think."""
        found = self._children()
        if found:
            with contextlib.suppress(psutil.Error):
                found[choose % len(found)].kill()
            self.findings.counts["workers killed"] += 1

    def _children(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.Error):
            children = psutil.Process(self.process.pid).children()
            return [one for one in children if "spawn_main" in " ".join(one.cmdline())]
        return []

    def look(self) -> None:
        """Note the memory and the open files of the server's own process."""
        if self.is_up:
            with contextlib.suppress(psutil.Error):
                own = psutil.Process(self.process.pid)
                files, taken = own.num_fds(), own.memory_info().rss
                age = time.monotonic() - self._started
                self.findings.lives[-1].append(Sample(age, taken, files))

    def stop(self) -> None:
        """End it for good, and read what it had to say."""
        self.is_up = False
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.findings.fault("the server did not end when it was asked to")
            self.process.kill()
            self.process.wait()
        self._close()
        self._read_log()

    def remove(self) -> None:
        """Remove its runs, and what it said."""
        shutil.rmtree(self.runs, ignore_errors=True)

    def _close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read_log(self) -> None:
        """Tracebacks that nothing explains are faults."""
        text = self.log.read_text(errors="replace")
        for part in text.split("Traceback (most recent call last):\n")[1:]:
            last = next((line for line in part.splitlines() if line and line[0] != " "), "")
            self.findings.counts["tracebacks"] += 1
            if not any(word in last for word in _EXPLAINED):
                self.findings.fault(f"a traceback in the server's log: {last[:200]}")
