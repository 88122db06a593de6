"""Measure each attack alone: the waits of a quiet client during the attack and after it.

No other client uses the server. Each attack meets a server, or a host, that was just started. A row
has the median and the slowest answer to a request during the attack, and the faults of answers.
"""

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import time
from dataclasses import asdict, dataclass, field
from typing import Any

import psutil

from bench.chaos.attack import KINDS
from bench.chaos.findings import Findings
from bench.chaos.host_attacks import HOST_KINDS
from bench.chaos.people import World
from bench.chaos.programs import HostUnderTest, Program, QuietClients, ServerUnderTest, SmallDisk

SETTLING = 90.0  # seconds after an attack in which the quiet client must be answered
PAUSE = 0.2  # seconds between two looks at descriptors
BEFORE = 5  # answers to the quiet client before an attack begins
PASSWORD = "a long password"
COLUMNS = ("attack", "answers", "median", "slowest", "descriptors", "ended in", "faults")


@dataclass
class AttackRow:
    """The effect of one attack on the answers to a quiet client."""

    kind: str
    waits: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)
    files: int = 0  # descriptors that the attacked process had open, at most
    ended_in: float | None = None  # seconds from SIGTERM to the host's end
    load: float = 0.0  # of the machine, before the attack

    def words(self) -> str:
        median, slowest = "none", "none"
        if self.waits:
            median = f"{statistics.median(self.waits):.3f} s"
            slowest = f"{max(self.waits):.2f} s"
        wrong = f"{len(self.faults)}: {self.faults[0]}" if self.faults else ""
        ended = "" if self.ended_in is None else f"{self.ended_in:.1f} s"
        cells = (self.kind, len(self.waits), median, slowest, self.files, ended, wrong)
        return f"| {' | '.join(map(str, cells))} |"


def measure(chosen: argparse.Namespace) -> int:
    """Measure and print; return 1 if an answer was late, wrong, or missing."""
    kinds = chosen.attacks or KINDS
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        print(f"there is no attack {unknown[0]!r}; there are: {', '.join(KINDS)}")
        return 2
    rows = []
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|", flush=True)
    for kind in kinds:
        rows.append(asyncio.run(row_of(kind, chosen)))
        print(rows[-1].words(), flush=True)
    if chosen.json:
        report = [asdict(row) for row in rows]
        chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    late = [row for row in rows if not row.waits or max(row.waits) > chosen.patience]
    return int(bool(late or any(row.faults for row in rows)))


async def row_of(kind: str, chosen: argparse.Namespace) -> AttackRow:
    """Return the row of one attack, on a server or a host that was just started."""
    row, findings = AttackRow(kind, load=os.getloadavg()[0]), Findings()
    if kind in HOST_KINDS:
        host = HostUnderTest(findings)
        await host.start()
        try:
            await _attack(row, chosen, host, [host.url], findings)
            host.check_files(row.files)
            row.ended_in = await asyncio.to_thread(host.stop)
        finally:
            host.kill()
    else:
        await _attack_server(row, chosen, findings)
    row.faults += findings.faults
    return row


async def _attack_server(row: AttackRow, chosen: argparse.Namespace, findings: Findings) -> None:
    """Attack the page's server; logins are attacked at a server with a password."""
    disk, is_guarded = SmallDisk(), row.kind == "wide logins"
    password = PASSWORD if is_guarded else ""
    served = ServerUnderTest(findings, disk.path / "games", chosen.workers, password)
    try:
        await served.start()
        if not is_guarded:
            world = World(served.url, findings, chosen.seed)
            await world.get_ready()
            await world.http.aclose()
        words = [served.url, *(["--login"] if is_guarded else [])]
        await _attack(row, chosen, served, words, findings)
    finally:
        served.kill()
        disk.remove()
        served.remove()


async def _attack(
    row: AttackRow,
    chosen: argparse.Namespace,
    program: Program,
    words: list[str],
    findings: Findings,
) -> None:
    """Attack while quiet clients send requests; their answers are the row's."""
    answers: list[dict[str, Any]] = []
    quiet = QuietClients(words, answers.append)
    counting = _count_files(row, program.process.pid)
    tasks = [asyncio.create_task(one) for one in (quiet.run(), counting)]
    try:
        while quiet.count < BEFORE:
            await asyncio.sleep(0.1)
        answers.clear()
        began = time.time()
        done = await program.attack(row.kind, chosen.seconds, chosen.seed)
        ended = time.time()
        if not await quiet.answered_since(ended, SETTLING):
            row.faults.append(f"no answer within {SETTLING:.0f} s after the attack")
            row.waits.append(time.time() - max(quiet.asked, began))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for answer in answers:
        if began <= answer["at"] <= ended:
            row.waits.append(answer["seconds"])
            if answer["fault"]:
                row.faults.append(answer["fault"])
    findings.attacked(row.kind, done)
    row.done = dict(done)


async def _count_files(row: AttackRow, pid: int) -> None:
    """Record the highest number of open descriptors of a process, until cancelled."""
    while True:
        with contextlib.suppress(psutil.Error):
            row.files = max(row.files, psutil.Process(pid).num_fds())
        await asyncio.sleep(PAUSE)
