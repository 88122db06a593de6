"""What happens to the server and its people, one trouble after the other, by a seed."""

import asyncio
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from bench.chaos.attack import KINDS
from bench.chaos.people import World, long_game
from bench.chaos.served import Served

CALM = "calm"
KILL = "kill"
TROUBLES = (
    *(CALM, KILL, "worker killed", "connections cut", "disk full"),
    *(f"flood of {kind}" for kind in KINDS),
)
LONG = 6000  # plies of the long game that attackers bring
FULL = 4.0  # seconds that the disk stays full, at most


class Troubles:
    """All that can happen, and what is going on at the moment."""

    def __init__(self, served: Served, world: World, seed: int, only: Sequence[str] = ()) -> None:
        """`only`: the troubles that there are; all, if none is named."""
        self.served, self.world, self.only = served, world, only
        self.rng = random.Random(seed)
        self.now = CALM
        self.disk_was_full = False
        self._record = Path(tempfile.mkdtemp(prefix="meeple-record-")) / "long.json"
        self._record.write_text(long_game(LONG), encoding="utf-8")

    def plan(self, seconds: float, each: float) -> list[tuple[str, float]]:
        """Troubles and how long each takes; in the last half the server itself is left alive."""
        usual = list(self.only) or [one for one in TROUBLES if one != KILL]
        found: list[tuple[str, float]] = []
        while (done := len(found) * each) + each <= seconds:
            late = done > 0 and done + len(usual) * each >= seconds / 2
            found += [
                (one, each)
                for one in self._shuffled(usual if late or self.only else [*usual, KILL])
            ]
        return found[: max(1, int(seconds / each))]

    def _shuffled(self, words: list[str]) -> list[str]:
        return self.rng.sample(words, len(words))

    async def run(self, plan: list[tuple[str, float]]) -> None:
        """Let it all happen."""
        for trouble, seconds in plan:
            self.now = trouble
            await self._happens(trouble)(seconds)
            self.now = CALM

    def _happens(self, trouble: str) -> Callable[[float], Awaitable[None]]:
        if trouble.startswith("flood of "):
            return partial(self._attack, trouble.removeprefix("flood of "))
        return {
            CALM: self._rest,
            KILL: self._kill,
            "worker killed": self._kill_workers,
            "connections cut": self._cut,
            "disk full": self._fill,
        }[trouble]

    async def _rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _kill(self, seconds: float) -> None:
        ends = asyncio.get_running_loop().time() + seconds
        await self.served.kill()
        await asyncio.sleep(max(0.0, ends - asyncio.get_running_loop().time()))

    async def _kill_workers(self, seconds: float) -> None:
        for _ in range(3):
            self.served.kill_worker(self.rng.randrange(64))
            await asyncio.sleep(seconds / 3)

    async def _cut(self, seconds: float) -> None:
        for _ in range(4):
            self.world.cut(0.5)
            await asyncio.sleep(seconds / 4)

    async def _fill(self, seconds: float) -> None:
        if not self.served.disk.is_small:
            await asyncio.sleep(seconds)
            return
        self.world.findings.counts["disks filled"] += 1
        await asyncio.to_thread(self.served.disk.fill)
        await asyncio.sleep(min(FULL, 0.6 * seconds))
        self.served.disk.free()
        await asyncio.sleep(max(seconds - FULL, 0.4 * seconds))

    async def _attack(self, kind: str, seconds: float) -> None:
        words = [kind, self.served.url, str(self.rng.randrange(2**30)), str(0.7 * seconds)]
        words.append(str(self._record))
        attacker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bench.chaos.attack", *words
        )
        self.world.findings.counts[f"attacks: {kind}"] += 1
        await attacker.wait()
        await asyncio.sleep(0.2 * seconds)
