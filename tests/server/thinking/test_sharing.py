"""Callers share the workers: long searches are interrupted, and queues are bounded by caller."""

import asyncio
import time
from dataclasses import replace

import pytest

from meeple.server.errors import Busy
from tests.server.thinking.tasks import (
    LONG,
    PATIENT,
    both_think,
    task,
    thinking,
    thoughts_of,
    until,
)

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


def of(caller, key, spec, **more):
    return replace(task(key, spec, **more), caller=caller)


async def test_a_short_move_is_not_behind_long_searches_of_other_callers(pool):
    keys = [(caller, f"{caller}:{number}") for caller in "ab" for number in range(2)]
    warm = [of("a", f"warm:{n}", "uct:sims=5", size=9) for n in range(2)]
    await asyncio.gather(*map(pool.choose, warm))  # compiles, which nothing interrupts
    await pool.choose(of("quiet", "quiet:0", "random"))
    long = [asyncio.create_task(pool.choose(of(*one, LONG))) for one in keys]
    await until(lambda: pool.load == (2, 2))
    began = time.monotonic()
    action, _ = await pool.choose(of("quiet", "quiet:0", "random"))
    waited = time.monotonic() - began
    unanswered = [one for one in long if one.done()]
    for _, key in keys:
        pool.stop(key)
    answers = await asyncio.gather(*long)
    assert action in range(16)
    assert unanswered == []  # their searches were interrupted, and continue
    assert waited < 30.0  # 0.7 s with two idle cores
    assert all(thought["simulations"] > 0 for _, thought in answers)


@pytest.mark.parametrize(
    ("spec", "game"), [("uct:sims=20000", "gomoku"), ("minimax:seconds=1.5", "reversi")]
)
async def test_an_interrupted_search_continues_and_reports_all_of_it(pool, spec, game):
    short = f"{spec.partition(':')[0]}:seconds=0.01"
    await pool.choose(of("a", "first", short, game=game))  # compiles
    other = asyncio.create_task(pool.choose(of("a", "other", LONG)))
    await thinking(pool, "other")
    first = asyncio.create_task(pool.choose(of("a", "first", spec, game=game)))
    await asyncio.sleep(0.7)
    await asyncio.gather(*(pool.choose(of("b", f"b:{n}", "uct:seconds=0.3")) for n in range(3)))
    _, thought = await first
    pool.stop("other")
    await other
    if "sims" in spec:
        assert thought["simulations"] == 20_000
    else:
        assert thought["seconds"] > 0.5  # of its first turn alone


async def test_a_search_that_waits_for_its_next_turn_can_be_stopped(pool):
    move = asyncio.create_task(pool.choose(of("a", "first", LONG)))
    await thinking(pool, "first")
    holders = [asyncio.create_task(pool.choose(of(c, f"{c}:0", LONG))) for c in "bcd"]
    await until(lambda: pool.state("first") == "waiting")
    pool.stop("first")
    action, thought = await move
    for c in "bcd":
        pool.stop(f"{c}:0")
    await asyncio.gather(*holders, return_exceptions=True)
    assert action in thought["actions"]


async def test_one_caller_cannot_fill_the_queue_or_the_analyses(pool, monkeypatch):
    limits = replace(PATIENT, max_moves_per_caller=2, max_analyses_per_caller=1)
    monkeypatch.setattr(pool, "_limits", limits)
    async with both_think(pool):
        moves = [asyncio.create_task(pool.choose(of("a", f"a:{n}", "random"))) for n in range(2)]
        await until(lambda: pool.load == (2, 2))
        with pytest.raises(Busy):
            await pool.choose(of("a", "a:2", "random"))
        other = asyncio.create_task(pool.choose(of("b", "b:0", "random")))
        looks = [
            asyncio.create_task(thoughts_of(pool, of(caller, caller, LONG), 1.0))
            for caller in "aab"
        ]
        await until(lambda: looks[1].done())
        assert isinstance(looks[1].exception(), Busy)
        assert pool.analyses == 2
    await asyncio.gather(*moves, other, looks[0], looks[2])
