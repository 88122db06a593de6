"""The findings of a run of chaos: counts, faults, and the waits of the quiet client."""

import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

EXPLAINED = ("try again", "cannot be stored", "look at it anew", "is closing", "ended twice")
"""Words of refusals that a server may give while it is busy, its disk is full, or it ends."""

AGENT_PATIENCE = 3.0  # seconds beyond its own time, for an agent's move
STOPS_AGENTS = ("kill", "worker killed", "disk full")
"""Troubles that end an agent's search, or keep its move from being stored."""
SETTLED = 0.5  # share of a server's life after which its memory should grow no more
GROWTH = 1.2  # times as much memory as at half time is still called flat, and
MORE_BYTES, MORE_FILES = 60_000_000, 30  # growth of bytes and descriptors that is a fault
LIVED = 60.0  # seconds: of a shorter life nothing can be said
LONGEST_LIFE = "seconds of the longest life"
LEAST = {
    "moves": 10,
    "games brought": 1,
    "analysis: done": 1,
    "messages with hidden cards": 10,
    LONGEST_LIFE: int(LIVED),
    "results of cups": 1,
    "studies read again": 1,
    "moves of agents timed": 5,
    "plies looked for at the end": 10,
    "messages compared in a world that differs": 10,
}
"""What each check needs to have looked at; with less than that it fails."""
AT_THE_END = ("plies looked for at the end", "messages compared in a world that differs")
TRAINED = {"episodes trained": 1, "runs looked at after a kill": 1}
"""What the check of a training run needs, where there is one."""


@dataclass(frozen=True)
class ProcessSample:
    """The memory and descriptors of the server at one instant."""

    at: float  # seconds since it was started
    bytes: int  # of memory
    files: int  # open descriptors


@dataclass(frozen=True)
class QuietAnswer:
    """An answer to the quiet client."""

    at: float  # by the machine's clock
    seconds: float  # that it waited
    trouble: str  # what was going on
    fault: str = ""
    up: float | None = None  # seconds since the server was started again; None: it never was


@dataclass
class Findings:
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    answers: list[QuietAnswer] = field(default_factory=list)
    host_answers: list[QuietAnswer] = field(default_factory=list)
    """Of the host of a tournament, to its quiet players."""
    agent_moves: list[QuietAnswer] = field(default_factory=list)
    """Of agents against a quiet player, without their own time."""
    troubles: Counter[str] = field(default_factory=Counter)
    """How often each trouble happened."""
    least: dict[str, int] = field(default_factory=lambda: dict(LEAST))
    lives: list[list[ProcessSample]] = field(default_factory=list)
    """The server's samples from each start to its end."""

    def fault(self, words: str) -> None:
        """Record a fault, and print it at once."""
        self.faults.append(f"{time.strftime('%H:%M:%S')} {words}")
        print(self.faults[-1], file=sys.stderr, flush=True)

    def refused(self, status: int, words: str) -> None:
        """Count an unsuccessful answer; an unexplained status above 499 is a fault."""
        self.counts[f"status {status}"] += 1
        if status >= 500 and not any(known in words for known in EXPLAINED):
            self.fault(f"unexplained {status}: {words[:200]}")

    def attacked(self, kind: str, done: Counter[str]) -> None:
        """Count the actions of an attack; an attack without any is a fault."""
        self.counts[f"attacks: {kind}"] += 1
        for what, count in done.items():
            self.counts[f"{kind}: {what}"] += count
        if not done.total():
            self.fault(f"the attack by {kind} did nothing")
        refused, right = done["right tokens refused"], "right tokens at the address of wrong ones"
        if refused:
            self.fault(f"{refused} {right} were refused")
        elif kind == "wrong tokens" and not done["right tokens accepted"]:
            self.fault(f"no {right} were looked at")

    def missing(self, *, ended: bool = False) -> list[str]:
        """Return the checks with too few items so far."""
        lived = max((life[-1].at for life in self.lives if life), default=0.0)
        self.counts[LONGEST_LIFE] = int(lived)
        return [
            f"{what}: {self.counts[what]}, and {least} at least are needed"
            for what, least in self.least.items()
            if self.counts[what] < least and (ended or what not in AT_THE_END)
        ]

    def unanswered(self) -> list[str]:
        """Return the troubles during which the quiet client got no answer.

        `kill` needs none, since the server is down.
        """
        asked = {one.trouble for one in self.answers}
        asked_host = {one.trouble for one in self.host_answers}
        return [
            trouble
            for trouble in self.troubles
            if trouble not in (asked_host if trouble.startswith("host: ") else asked)
            and trouble != "kill"
        ]

    def check(self, patience: float) -> None:
        """Record the faults that the samples and the quiet client's answers show.

        A check without any item is a fault too.
        """
        for life in self.lives:
            self._check_life(life)
        self._check_answers("the quiet client", self.answers, patience)
        self._check_answers("the host's quiet players", self.host_answers, patience)
        moves = [one for one in self.agent_moves if one.trouble not in STOPS_AGENTS]
        self._check_answers("the quiet player's agent", moves, max(AGENT_PATIENCE, patience))
        for trouble in self.unanswered():
            self.fault(f"no answer was looked at during {trouble}")
        for words in self.missing(ended=True):
            self.fault(f"too little was checked: {words}")

    def _check_answers(self, who: str, answers: list[QuietAnswer], patience: float) -> None:
        for answer in answers:
            if answer.fault:
                self.fault(f"{who}, during {answer.trouble}: {answer.fault}")
            elif answer.seconds > patience:
                after = "" if answer.up is None else f", {answer.up:.0f} s after a start"
                waited, trouble = f"{answer.seconds:.2f} s", f"during {answer.trouble}{after}"
                self.fault(f"{who} waited {waited}, {trouble}")

    def _check_life(self, life: list[ProcessSample]) -> None:
        if not life or life[-1].at < LIVED:
            return
        middle = [one for one in life if 0.25 <= one.at / life[-1].at < SETTLED]
        end = [one for one in life if one.at / life[-1].at >= 0.75]
        if not middle or not end:
            return
        before, after = (statistics.median(one.bytes for one in part) for part in (middle, end))
        if after > GROWTH * before + MORE_BYTES:
            self.fault(f"memory grew from {before / 1e6:.0f} to {after / 1e6:.0f} MB")
        before, after = (statistics.median(one.files for one in part) for part in (middle, end))
        if after > before + MORE_FILES:
            self.fault(f"open descriptors grew from {before:.0f} to {after:.0f}")

    def report(self) -> dict[str, Any]:
        lives = [life for life in self.lives if life]
        return {
            "counts": dict(sorted(self.counts.items())),
            "quiet_client_ms": _waits(self.answers),
            "agents_beyond_their_time_ms": _waits(self.agent_moves),
            "quiet_players_ms": _waits(self.host_answers),
            "lives": [
                {
                    "seconds": round(life[-1].at),
                    "mb": [round(one.bytes / 1e6) for one in _spread(life)],
                    "descriptors": [one.files for one in _spread(life)],
                }
                for life in lives
            ],
            "faults": self.faults,
        }


def _spread(life: list[ProcessSample]) -> list[ProcessSample]:
    """Return a few samples of a life, evenly spaced."""
    return [life[round(part * (len(life) - 1) / 4)] for part in range(5)]


def _waits(answers: list[QuietAnswer]) -> dict[str, dict[str, float]]:
    waits: dict[str, list[float]] = {}
    for answer in answers:
        waits.setdefault(answer.trouble, []).append(answer.seconds)
    return {
        trouble: {
            "answers": len(found),
            "median": round(1000 * statistics.median(found), 1),
            "slowest": round(1000 * max(found), 1),
        }
        for trouble, found in sorted(waits.items())
    }
