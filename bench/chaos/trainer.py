"""A client that trains a network from the page, and resumes the run after each stop."""

import asyncio
import contextlib
import random
from typing import Any

import psutil

from bench.chaos.people import World
from bench.chaos.programs import ServerUnderTest

NAME = "chaos"
CONFIG = "hex3"
PAUSE = 5.0  # seconds between two looks
EPISODES = 100_000  # so that it never finishes
LOOKS = 3  # at a run that plays, before it is killed for the first time: it has saved by then
ENDED = ("stopped", "failed")  # what a run is that was killed, after the server or under it


class PageTrainer:
    """A training run that is viewed, killed and resumed."""

    def __init__(self, world: World, served: ServerUnderTest) -> None:
        self.world, self.served = world, served
        self.rng = random.Random(world.rng.random())
        self._looks = 0
        self._was_killed = False

    async def work(self) -> None:
        changes = {"run.episodes": EPISODES, "run.minutes": None}
        body = {"name": NAME, "config": CONFIG, "changes": changes}
        await self.world.ask("POST", "/api/runs", json=body)
        while True:
            await asyncio.sleep(PAUSE)
            facts = await self.world.ask("GET", f"/api/runs/{NAME}")
            if facts is None:
                continue
            self._check(facts)
            if facts["status"] in ENDED:
                await self.world.ask("POST", f"/api/runs/{NAME}/resume")
            elif facts["status"] in ("running", "elsewhere") and self._is_to_die(facts):
                self._kill()

    def _is_to_die(self, facts: dict[str, Any]) -> bool:
        """Return whether to kill the trainer: at random, but until a first kill always."""
        self._looks += facts["episodes"] > 0
        if self.world.findings.counts["runs looked at after a kill"]:
            return self.rng.random() < 0.1
        return self._looks >= LOOKS

    def _check(self, facts: dict[str, Any]) -> None:
        """Check that saved episodes stay."""
        counts = self.world.findings.counts
        if facts["status"] not in ENDED:
            return
        if facts["episodes"]:
            counts["runs looked at after a kill"] += self._was_killed
        self._looks, self._was_killed = 0, False
        if facts["episodes"] < counts["episodes trained"]:
            self.world.findings.fault(
                f"{counts['episodes trained']} episodes had been trained on, and now there are "
                f"{facts['episodes']}"
            )
        counts["episodes trained"] = facts["episodes"]

    def _kill(self) -> None:
        killed = kill_trainers(self.served)
        self._was_killed = self._was_killed or killed > 0
        self.world.findings.counts["trainers killed"] += killed


def kill_trainers(served: ServerUnderTest) -> int:
    """Kill the processes that train in the server's folder; return their number."""
    killed = 0
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if str(served.folder) in " ".join(words) and "train" in words:
            with contextlib.suppress(psutil.Error):
                process.kill()
                killed += 1
    return killed
