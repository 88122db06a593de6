"""The host of a tournament under test, with two honest players whose game never ends."""

import contextlib
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

from bench.chaos.findings import Findings, Sample
from bench.chaos.program import launch, listening_line

NAMES = ("Ada", "Xan", "Yves", "Bob")
"""In this order the league begins with Ada against Bob, and Xan against Yves, who attack."""
GAMES = 1000  # of a series, so that it lasts longer than a run
ABSENT = 86_400  # seconds that a player may be away
MOVE = 60  # seconds of a move
MOST_FILES = 4096  # descriptors that the host may have open, as is usual
ENDING = 10.0  # seconds until it has ended after SIGTERM


def token_of(name: str) -> str:
    """The token of a player."""
    return f"token-of-{name}"


class HostUnderTest:
    """`meeple oht host` over TLS, and the program that plays for its honest players."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.folder = Path(tempfile.mkdtemp(prefix="meeple-host-"))
        self.log = self.folder / "host.log"
        self.samples: list[Sample] = []
        self._began = 0.0

    @property
    def attackers_tokens(self) -> list[str]:
        """The tokens of the two players who attack."""
        return [token_of(name) for name in NAMES[1:3]]

    async def start(self) -> None:
        """Start it; returns when it listens."""
        players = self.folder / "players.toml"
        players.write_text(
            "".join(f'[[player]]\nname = "{name}"\ntoken = "{token_of(name)}"\n' for name in NAMES)
        )
        words = ["oht", "host", "--players", str(players), "--port", "0", "--no-page"]
        words += ["--file", str(self.folder / "oht.sqlite"), "--games", str(GAMES)]
        words += ["--seconds", str(MOVE), "--on-disconnect", f"wait={ABSENT}"]
        self.process = launch(words, self.log)
        line = await listening_line(self.process, "listens at port", self.log)
        self.port = next(int(word) for word in line.split() if word.isdigit())
        with contextlib.suppress(AttributeError):  # only Linux lets a process limit another
            limits = psutil.Process(self.process.pid).rlimit
            limits(psutil.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))
        self.url, self._began = f"https://127.0.0.1:{self.port}", time.monotonic()

    def look(self) -> None:
        """Note its memory and its descriptors."""
        with contextlib.suppress(psutil.Error):
            own = psutil.Process(self.process.pid)
            age = time.monotonic() - self._began
            self.samples.append(Sample(age, own.memory_info().rss, own.num_fds()))

    def check_files(self, most: int) -> None:
        """Connections must not take the descriptors that its players and its file need."""
        if most > MOST_FILES // 2:
            self.findings.fault(f"the host had {most} of {MOST_FILES} descriptors open")

    def stop(self) -> float:
        """End it by SIGTERM, and read its log; the seconds until it had ended."""
        self.check_files(max((one.files for one in self.samples), default=0))
        if self.process.poll() is not None:
            self.findings.fault(f"the host has ended by itself; see {self.log}")
            return 0.0
        began = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self.findings.fault(f"the host did not end within {ENDING:.0f} s of SIGTERM")
        seconds = time.monotonic() - began
        self.kill()
        tracebacks = self.log.read_text(errors="replace").count("Traceback (most recent")
        self.findings.counts["tracebacks of the host"] += tracebacks
        if tracebacks:
            self.findings.fault(f"{tracebacks} tracebacks in the host's log, {self.log}")
        return seconds

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
