"""The programs under test: `meeple serve` on a small disk, and the host of a tournament."""

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from bench.chaos.findings import Findings, ProcessSample
from bench.chaos.host_client import NAMES, token_of
from bench.chaos.people import long_game

ATTACKERS = ("127.0.0.3", "127.0.0.4")  # addresses: a process for each
LONG_PLIES = 6000  # of the game that attackers bring
LOOK_SECONDS = 0.1  # between two looks for an answer
LISTENING_SECONDS = 300.0  # until a program listens, on a busy machine
DISK_MEGABYTES = 96
BALLAST = "ballast"
_EXPLAINED = ("disk", "database", "KeyboardInterrupt", "CancelledError", "BrokenPipeError")
"""Words of the last line of a traceback that a full disk or a killed process explains."""

SERIES_GAMES = 1000  # so that a series lasts longer than a run
ABSENT_SECONDS = 86_400  # that a player may be away
MOVE_SECONDS = 60
MAX_HOST_FILES = 4096  # descriptors that the host may have open, a usual limit


class Program:
    """A `meeple` command as a process that listens, in a temporary folder with its log."""

    process: subprocess.Popen[str]
    url: str

    def __init__(self, findings: Findings, name: str) -> None:
        self.findings = findings
        self.folder = Path(tempfile.mkdtemp(prefix=f"meeple-{name}-"))
        self.log = self.folder / f"{name}.log"
        self._started = 0.0

    async def launch(self, words: list[str], expected: str, **environment: str) -> str:
        """Launch `meeple WORDS`, and return its first line, which says where it listens.

        Raises:
            RuntimeError: the line lacks `expected`.
            TimeoutError: no line came within `LISTENING_SECONDS`.
        """
        with open(self.log, "ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "meeple", *words],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
            )
        assert self.process.stdout is not None
        first = asyncio.to_thread(self.process.stdout.readline)
        line = await asyncio.wait_for(first, LISTENING_SECONDS)
        if expected not in line:
            raise RuntimeError(f"the program does not start: {line!r}; see {self.log}")
        self._started = time.monotonic()
        return line

    async def attack(self, kind: str, seconds: float, seed: int) -> Counter[str]:
        """Attack from processes with separate addresses; return the count of each action."""
        supplies = await asyncio.to_thread(self.supplies_of, kind)
        addresses = ATTACKERS[:1] if kind == "doubled token" else ATTACKERS
        request = {"kind": kind, "url": self.url, "seconds": seconds, **supplies}
        attackers = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bench.chaos.attack"),
                json.dumps({**request, "address": address, "seed": seed + 100 * number}),
                stdout=asyncio.subprocess.PIPE,
            )
            for number, address in enumerate(addresses)
        ]
        done: Counter[str] = Counter()
        for attacker in attackers:
            printed, _ = await attacker.communicate()
            done.update(json.loads(printed or "{}"))
        return done

    def supplies_of(self, kind: str) -> dict[str, Any]:
        """Return what an attacker of this kind needs."""
        raise NotImplementedError

    def sample(self) -> ProcessSample | None:
        """Return the program's age, memory and open descriptors; None if it has ended."""
        with contextlib.suppress(psutil.Error):
            own = psutil.Process(self.process.pid)
            age = time.monotonic() - self._started
            return ProcessSample(age, own.memory_info().rss, own.num_fds())
        return None

    def terminate(self, seconds: float) -> float:
        """End the program by SIGTERM; return the seconds that it took, at most `seconds`."""
        began = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.findings.fault(f"no end within {seconds:.0f} s of SIGTERM; see {self.log}")
        taken = time.monotonic() - began
        self.kill()
        return taken

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def tracebacks(self) -> list[str]:
        """Return the last line of each traceback in the log."""
        text = self.log.read_text(errors="replace")
        parts = text.split("Traceback (most recent call last):\n")[1:]
        return [next((x for x in part.splitlines() if x[:1].strip()), "") for part in parts]

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class SmallDisk:
    """A folder on a file system of its own, if the system allows mounting one."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="meeple-chaos-"))
        words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", str(self.path)]
        mounted = shutil.which("mount") and subprocess.run(words, capture_output=True).returncode
        self.is_small = mounted == 0

    def fill(self) -> None:
        """Fill the disk to the last sector."""
        for size in (65536, 512):
            with contextlib.suppress(OSError), open(self.path / BALLAST, "ab", buffering=0) as file:
                while True:
                    file.write(b"\0" * size)

    def free(self) -> None:
        (self.path / BALLAST).unlink(missing_ok=True)

    def remove(self) -> None:
        if self.is_small:
            subprocess.run(["umount", "-l", str(self.path)], check=False, capture_output=True)
        shutil.rmtree(self.path, ignore_errors=True)


class ServerUnderTest(Program):
    """`meeple serve`; after each kill another process on the same port and folder."""

    def __init__(
        self, findings: Findings, data: Path, workers: int = 2, password: str = ""
    ) -> None:
        """Describe a server that stores games in `data`; an empty `password` means none."""
        super().__init__(findings, "runs")
        self.data, self.workers, self.password = data, workers, password
        self.port = 0
        self.is_up = False

    async def start(self) -> None:
        """Start the server; return when it listens."""
        words = ["serve", "--port", str(self.port), "--workers", str(self.workers)]
        words += ["--data", str(self.data), "--runs", str(self.folder)]
        if self.password:
            words += ["--host", "0.0.0.0"]
        line = await self.launch(words, "http://", MEEPLE_PASSWORD=self.password)
        self.port = int(line.split()[-1].rstrip("/").rpartition(":")[2])
        self.url = f"http://127.0.0.1:{self.port}"
        self.is_up = True
        self.findings.lives.append([])

    async def restart(self) -> None:
        """Kill the server as a power cut would, and start it again."""
        self.is_up = False
        await asyncio.to_thread(self.kill)
        self.findings.counts["servers killed"] += 1
        await self.start()

    def supplies_of(self, kind: str) -> dict[str, Any]:
        if kind != "long records":
            return {}
        file = self.folder / "long.json"
        if not file.exists():
            file.write_text(long_game(LONG_PLIES), encoding="utf-8")
        return {"record": str(file)}

    def kill_worker(self, choose: int) -> None:
        """Kill one of the processes that compute agents' moves."""
        found: list[psutil.Process] = []
        with contextlib.suppress(psutil.Error):
            children = psutil.Process(self.process.pid).children()
            found = [one for one in children if "spawn_main" in " ".join(one.cmdline())]
        if found:
            with contextlib.suppress(psutil.Error):
                found[choose % len(found)].kill()
            self.findings.counts["workers killed"] += 1

    def look(self) -> None:
        """Record a sample of the server's own process."""
        if self.is_up and (sample := self.sample()):
            self.findings.lives[-1].append(sample)

    def stop(self) -> None:
        """End the server; unexplained tracebacks in its log are faults."""
        self.is_up = False
        self.terminate(60.0)
        for last in self.tracebacks():
            self.findings.counts["tracebacks"] += 1
            if not any(word in last for word in _EXPLAINED):
                self.findings.fault(f"a traceback in the server's log: {last[:200]}")


class HostUnderTest(Program):
    """`meeple oht host` over TLS, with four players who play without end."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings, "host")
        self.samples: list[ProcessSample] = []

    def supplies_of(self, kind: str) -> dict[str, Any]:
        """Return the tokens of the two players who attack."""
        return {"tokens": [token_of(name) for name in NAMES[1:3]]}

    async def start(self) -> None:
        """Start the host; return when it listens."""
        players = self.folder / "players.toml"
        players.write_text(
            "".join(f'[[player]]\nname = "{name}"\ntoken = "{token_of(name)}"\n' for name in NAMES)
        )
        words = ["oht", "host", "--players", str(players), "--port", "0", "--no-page"]
        words += ["--file", str(self.folder / "oht.sqlite"), "--games", str(SERIES_GAMES)]
        words += ["--seconds", str(MOVE_SECONDS), "--on-disconnect", f"wait={ABSENT_SECONDS}"]
        line = await self.launch(words, "listens at port")
        port = next(int(word) for word in line.split() if word.isdigit())
        with contextlib.suppress(AttributeError):  # only Linux lets a process limit another
            limits = psutil.Process(self.process.pid).rlimit
            limits(psutil.RLIMIT_NOFILE, (MAX_HOST_FILES, MAX_HOST_FILES))
        self.url = f"https://127.0.0.1:{port}"

    def look(self) -> None:
        """Record a sample."""
        if sample := self.sample():
            self.samples.append(sample)

    def check_files(self, files: int) -> None:
        """Connections must not take the descriptors that the players and the file need."""
        if files > MAX_HOST_FILES // 2:
            self.findings.fault(f"the host had {files} of {MAX_HOST_FILES} descriptors open")

    def stop(self) -> float:
        """End the host and check its log; return the seconds that it took to end."""
        self.check_files(max((one.files for one in self.samples), default=0))
        if self.process.poll() is not None:
            self.findings.fault(f"the host has ended by itself; see {self.log}")
            return 0.0
        seconds = self.terminate(10.0)
        found = self.tracebacks()
        self.findings.counts["tracebacks of the host"] += len(found)
        if found:
            self.findings.fault(f"{len(found)} tracebacks in the host's log, {self.log}")
        return seconds


class QuietClients:
    """The program of quiet clients of a URL; `take` gets each of its answers."""

    def __init__(self, words: list[str], take: Callable[[Any], None]) -> None:
        """`words`: of `bench.chaos.quiet`."""
        self._words, self._take = words, take
        self.asked = 0.0  # time of the last request that was answered
        self.count = 0

    async def run(self) -> None:
        """Read until cancelled, or until the program ends."""
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.chaos.quiet", *self._words),
            stdout=asyncio.subprocess.PIPE,
        )
        assert program.stdout is not None
        try:
            while line := await program.stdout.readline():
                answer = json.loads(line)
                self._take(answer)
                self.asked = max(self.asked, answer["at"])
                self.count += 1
        finally:
            with contextlib.suppress(ProcessLookupError):
                program.kill()
            await program.wait()

    async def answered_since(self, moment: float, seconds: float) -> bool:
        """Wait for an answer to a request after a moment; return whether it came in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.asked <= moment:
                    await asyncio.sleep(LOOK_SECONDS)
        return self.asked > moment
