"""The troubles of the server and its people, one after another, in an order by seed."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from bench.chaos.attacks import SERVER_KINDS
from bench.chaos.host_attacks import HOST_KINDS
from bench.chaos.people import World
from bench.chaos.programs import HostUnderTest, ServerUnderTest, SmallDisk

CALM = "calm"
KILL = "kill"
FLOOD = "flood of "
HOST = "host: "
USUAL = (CALM, KILL, "worker killed", "connections cut", "disk full")
TROUBLES = (
    *USUAL,
    *(f"{FLOOD}{kind}" for kind in SERVER_KINDS),
    *(f"{HOST}{kind}" for kind in HOST_KINDS),
)
FULL = 4.0  # seconds that the disk stays full, at most


class Troubles:
    """All troubles, and the current one."""

    def __init__(
        self,
        served: ServerUnderTest,
        disk: SmallDisk,
        world: World,
        seed: int,
        only: Sequence[str] = (),
    ) -> None:
        """Describe the troubles; `only` names the possible ones, all if it is empty."""
        self.served, self.disk, self.world, self.only = served, disk, world, only
        self.rng = random.Random(seed)
        self.host: HostUnderTest | None = None  # set before a trouble of the host
        self._history: list[tuple[float, str]] = [(0.0, CALM)]

    @property
    def now(self) -> str:
        return self._history[-1][1]

    def at(self, moment: float) -> str:
        return next(trouble for begun, trouble in reversed(self._history) if begun <= moment)

    def _begin(self, trouble: str) -> None:
        self._history.append((time.time(), trouble))

    def plan(self, seconds: float, each: float) -> list[tuple[str, float]]:
        """Return troubles with their durations; in the last half the server is not killed.

        A plan without room for all begins with those that are no flood.
        """
        usual = list(self.only) or [one for one in TROUBLES if one != KILL]
        found: list[tuple[str, float]] = []
        while (done := len(found) * each) + each <= seconds:
            late = done > 0 and done + len(usual) * each >= seconds / 2
            kinds = usual if late or self.only else [*usual, KILL]
            kinds = self.rng.sample(kinds, len(kinds))
            if seconds < each * len(TROUBLES):
                kinds.sort(key=lambda kind: kind not in USUAL)
            found += [(one, each) for one in kinds]
        return found[: max(1, int(seconds / each))]

    async def run(self, plan: list[tuple[str, float]]) -> None:
        for trouble, seconds in plan:
            self._begin(trouble)
            self.world.findings.troubles[trouble] += 1
            await self._happens(trouble)(seconds)
            self._begin(CALM)

    def _happens(self, trouble: str) -> Callable[[float], Awaitable[None]]:
        if trouble.startswith((FLOOD, HOST)):
            return partial(self._attack, trouble.removeprefix(FLOOD).removeprefix(HOST))
        happens: dict[str, Callable[[float], Awaitable[None]]] = {
            CALM: asyncio.sleep,
            KILL: self._kill,
            "worker killed": self._kill_workers,
            "connections cut": self._cut,
            "disk full": self._fill,
        }
        return happens[trouble]

    async def _kill(self, seconds: float) -> None:
        ends = asyncio.get_running_loop().time() + seconds
        await self.served.restart()
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
        if not self.disk.is_small:
            await asyncio.sleep(seconds)
            return
        self.world.findings.counts["disks filled"] += 1
        await asyncio.to_thread(self.disk.fill)
        await asyncio.sleep(min(FULL, 0.6 * seconds))
        self.disk.free()
        await asyncio.sleep(max(seconds - FULL, 0.4 * seconds))

    async def _attack(self, kind: str, seconds: float) -> None:
        """Attack for most of the time; an attack without any action is a fault."""
        seed, during = self.rng.randrange(2**30), 0.7 * seconds
        program = self.host if kind in HOST_KINDS else self.served
        assert program is not None
        self.world.findings.attacked(kind, await program.attack(kind, during, seed))
        await asyncio.sleep(0.2 * seconds)
