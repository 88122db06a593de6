"""Tasks of a pool with worker processes, and waits for their states."""

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

from meeple.server.limits import LIMITS
from meeple.server.thinking.job import AgentTask

RACE = str(Path(__file__).resolve().parents[2] / "games" / "race.py")
QUEUE = 4
LONG = "uct:seconds=600"
SOON = 600.0  # time limit in seconds, far above the usual time on a busy machine
PATIENT = replace(LIMITS, grace_seconds=SOON)


def task(key="game:0", spec="uct:sims=50", game="hex", actions=(), seed=0, **options):
    if game == "hex":  # size 4 is solved within a second
        options = {"size": 9 if spec == LONG else 4, **options}
    return AgentTask(key, game, options, seed, tuple(actions), spec, agent_seed=7)


async def until(condition):
    while not condition():
        await asyncio.sleep(0.005)


async def thinking(pool, *keys):
    await until(lambda: all(pool.state(key) == "thinking" for key in keys))


@contextlib.asynccontextmanager
async def both_think(pool):
    """Keep both workers busy."""
    keys = ["long:0", "long:1"]
    moves = [asyncio.create_task(pool.choose(task(key, LONG))) for key in keys]
    try:
        await thinking(pool, *keys)
        yield keys
    finally:
        for key in keys:
            pool.stop(key)
        await asyncio.gather(*moves, return_exceptions=True)


async def thoughts_of(pool, asked, seconds):
    return [thought async for thought in pool.analyse(asked, seconds)]
