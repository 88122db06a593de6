"""Workers serve many callers, remember games, can be stopped, and are replaced if they die."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace

import pytest

import meeple
from meeple.errors import MeepleError, Stopped
from meeple.games.contract.registry import load_game_file
from meeple.server.errors import Busy
from meeple.server.limits import LIMITS
from meeple.server.thinking.worker import AgentSession
from tests.processes import is_gone
from tests.server.thinking.tasks import (
    LONG,
    PATIENT,
    QUEUE,
    RACE,
    SOON,
    both_think,
    task,
    thinking,
    thoughts_of,
    until,
)

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

# ---------------------------------------------------------------- choices


async def test_an_agent_returns_its_action_and_its_search_result_with_names_if_it_has_one(pool):
    action, thought = await pool.choose(task(game="nim", stones=5, take=3))
    assert thought["names"] == ["take 1", "take 2", "take 3"]
    assert thought["line"][0] == action
    assert thought["line_names"][0] == thought["names"][action]
    assert (len(thought["visits"]), len(thought["value"]), thought["raw"]) == (3, 2, None)
    action, thought = await pool.choose(task("r", "random"))
    assert action in range(16)
    assert thought is None


async def test_a_whole_game_equals_the_game_of_the_same_agent_without_a_pool(pool):
    game = meeple.make("hex", size=4)
    agent, position = meeple.agent("uct:sims=80", game, seed=7), game.start()
    while not position.is_over:
        here = agent.choose(position)
        there, _ = await pool.choose(task("whole", "uct:sims=80", actions=position.actions))
        assert there == here
        position.play(here)


def test_a_worker_follows_a_game_with_the_same_dice():
    game = load_game_file(RACE)()
    position = game.start(seed=5)
    order = {"game": game.name, "options": {}, "seed": 5, "spec": "random", "agent_seed": 1}
    session = AgentSession(order)
    while not position.is_over:
        if position.to_move < 0:
            session.go_to(position.actions)
            assert session.position.copy().play_chance() == position.play_chance()
        else:
            position.play(1)
    session.go_to(position.actions[:7])
    assert session.position.actions == position.actions[:7]


async def test_an_agent_plays_a_game_of_a_file_given_to_the_pool(pool):
    game = load_game_file(RACE)()
    position = game.start(seed=5)
    position.play_chance()
    asked = task("race", "uct:sims=20", game.name, position.actions, seed=5)
    action, thought = await pool.choose(asked)
    assert action in position.legal_actions()
    assert len(thought["value"]) == 3


async def test_an_agent_restarts_after_moves_were_undone(pool):
    first, _ = await pool.choose(task("back", "uct:sims=60"))
    await pool.choose(task("back", "uct:sims=60", actions=(first, 0 if first else 1)))
    again, _ = await pool.choose(task("back", "uct:sims=60"))
    assert again == first


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (task("wrong", "uct"), "needs a limit"),
        (task("wrong", "random", "chess"), "no game 'chess'"),
        (task("wrong", "random", actions=(3, 3)), "not legal"),
        (task("wrong", "random", "nim", (0,), stones=1), "no player is to move"),
    ],
)
async def test_an_impossible_task_is_refused_with_a_message(pool, asked, words):
    with pytest.raises(MeepleError, match=words):
        await pool.choose(asked)
    assert (await pool.choose(task("right", "random")))[0] in range(16)


async def test_a_key_goes_to_the_worker_that_remembers_it_else_in_turn(pool):
    keys = [f"affine:{number}" for number in range(2)]
    for _ in range(2):
        await asyncio.gather(*(pool.choose(task(key, "random")) for key in keys))
    both = (pool.choose(task(keys[0], "uct:seconds=0.02")) for _ in range(3))
    await asyncio.gather(*both)
    assert [sum(key in memory for memory in pool.memories) for key in keys] == [1, 1]


async def test_memory_is_bounded_and_can_be_released(pool):
    for number in range(80):
        await pool.choose(task(f"many:{number}", "random"))
    assert all(len(memory) <= LIMITS.max_agents for memory in pool.memories)
    pool.forget("many:79")
    await pool.choose(task("many:0", "random"))
    assert not any("many:79" in memory for memory in pool.memories)


# ---------------------------------------------------------------- queue and stops


async def test_a_full_queue_is_reported_and_a_task_in_it_can_be_cancelled(pool):
    async with both_think(pool):
        waiting = [
            asyncio.create_task(pool.choose(task(f"wait:{number}", "random")))
            for number in range(QUEUE)
        ]
        await until(lambda: pool.load == (QUEUE, 2))
        with pytest.raises(Busy, match="try again"):
            await pool.choose(task("one too many", "random"))
        assert pool.load == (QUEUE, 2)
        pool.stop("wait:0")
        with pytest.raises(Stopped):
            await waiting[0]
    assert len(await asyncio.gather(*waiting[1:])) == QUEUE - 1


async def test_a_stopped_search_returns_its_current_result(pool):
    move = asyncio.create_task(pool.choose(task("stop", LONG)))
    await thinking(pool, "stop")
    pool.stop("stop")
    action, thought = await move
    assert action in thought["actions"]
    assert thought["seconds"] < SOON


async def test_a_choice_without_a_waiting_caller_ends(pool):
    move = asyncio.create_task(pool.choose(task("gone", LONG)))
    await thinking(pool, "gone")
    move.cancel()
    await until(lambda: pool.load == (0, 0))


async def test_no_agent_occupies_a_worker_for_ever(pool):
    pool._limits = replace(PATIENT, max_choice_seconds=0.2)
    action, thought = await pool.choose(task("slow", LONG))
    assert action in thought["actions"]
    assert thought["seconds"] < SOON
    with pytest.raises(MeepleError, match="too hard"):
        await pool.choose(task("hopeless", "perfect", game="hex", size=9))


async def test_analyses_leave_room_for_moves_in_the_queue(pool):
    pool._limits = replace(PATIENT, max_analyses=3)
    several = [
        asyncio.create_task(thoughts_of(pool, task(f"look:{number}", LONG), 60))
        for number in range(5)
    ]
    await until(lambda: sum(one.done() for one in several) == 2)
    for one in several[3:]:
        assert isinstance(one.exception(), Busy)
    await pool.choose(task("move", "random"))
    for one in several:
        one.cancel()
    await asyncio.gather(*several, return_exceptions=True)
    assert pool.analyses == 0
    await until(lambda: pool.load == (0, 0))


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no such signal here")
async def test_a_worker_that_does_not_stop_is_replaced(pool):
    pool._limits = replace(PATIENT, grace_seconds=0.1)
    move = asyncio.create_task(pool.choose(task("deaf", LONG)))
    await thinking(pool, "deaf")
    os.kill(pool.pid_of("deaf"), signal.SIGSTOP)
    pool.stop("deaf")
    with pytest.raises(Stopped):
        await move
    await until(lambda: pool.load == (0, 0))
    assert (await pool.choose(task("deaf", "random")))[0] in range(16)


# ---------------------------------------------------------------- deaths of workers


@pytest.mark.parametrize("deaths", [1, 2])
async def test_a_task_is_retried_once_if_its_worker_dies(pool, deaths):
    move = asyncio.create_task(pool.choose(task("dies", LONG)))
    for _ in range(deaths):
        await thinking(pool, "dies")
        os.kill(died := pool.pid_of("dies"), signal.SIGKILL)
        await until(lambda died=died: pool.pid_of("dies") != died)
    if deaths == 1:
        await thinking(pool, "dies")
        pool.stop("dies")
        assert (await move)[0] in range(81)
    else:
        with pytest.raises(MeepleError, match="ended twice"):
            await move


async def test_an_idle_worker_that_died_is_replaced_without_an_error(pool):
    for pid in pool.pids:
        os.kill(pid, signal.SIGKILL)
    assert (await pool.choose(task("dead", "random")))[0] in range(16)


async def test_ctrl_c_does_not_reach_a_worker(pool):
    await asyncio.gather(*(pool.choose(task(key, "random")) for key in ("calm", "other")))
    before = pool.pids
    for pid in before:
        os.kill(pid, signal.SIGINT)
    assert (await pool.choose(task("calm", "random")))[0] in range(16)
    assert pool.pids == before


def test_workers_end_when_their_parent_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent("""
            import asyncio
            from meeple.server.thinking.job import AgentTask
            from meeple.server.thinking.pool import Pool

            async def main():
                pool = Pool(1, 5)
                await pool.start()
                asked = AgentTask("k", "hex", {"size": 4}, 0, (), "uct:seconds=600", 1)
                move = asyncio.create_task(pool.choose(asked))
                while pool.state("k") != "thinking":
                    await asyncio.sleep(0.01)
                print(*pool.pids, flush=True)
                await move

            if __name__ == "__main__":
                asyncio.run(main())
        """)
    )
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert is_gone(worker)


# ---------------------------------------------------------------- analysis


@pytest.mark.parametrize(
    ("spec", "options", "judge"),
    [
        ("uct:sims=5", {"size": 7}, "tree search with rollouts"),  # the spec limits moves only
        ("minimax:seconds=1", {"game": "reversi"}, "minimax with the game's heuristic"),
    ],
)
async def test_an_analysis_sends_growing_results_until_it_is_stopped(pool, spec, options, judge):
    thoughts = []
    async for thought in pool.analyse(task("a", spec, **options), 600):
        thoughts.append(thought)
        if len(thoughts) > 2:
            pool.stop("a")
    assert [thought["final"] for thought in thoughts] == [False] * (len(thoughts) - 1) + [True]
    assert thoughts[-1]["judge"] == judge
    assert sum(thoughts[-1]["value"]) == pytest.approx(1, abs=1e-3)
    assert thoughts[-1]["seconds"] > thoughts[0]["seconds"]
    if "uct" in spec:
        assert sum(thoughts[-1]["visits"]) > max(5, sum(thoughts[0]["visits"]))


async def test_an_analysis_ends_at_its_time_limit_or_with_a_proof(pool):
    thoughts = await thoughts_of(pool, task("short", "uct:sims=5", size=7), 0.6)
    assert [thought["final"] for thought in thoughts[-1:]] == [True]
    thoughts = await thoughts_of(pool, task("proven", game="nim", stones=3, take=3), 600)
    assert (thoughts[-1]["final"], thoughts[-1]["value"]) == (True, [1.0, 0.0])


async def test_other_agents_send_one_result_or_report_that_they_have_none(pool):
    thoughts = await thoughts_of(pool, task("m", "minimax:depth=2,heuristic=even"), 600)
    assert [thought["final"] for thought in thoughts] == [True]
    with pytest.raises(MeepleError, match="reports no analysis"):
        await thoughts_of(pool, task("m", "random"), 1)


async def test_moves_are_chosen_between_the_slices_of_any_number_of_analyses(pool):
    keys = [f"study:{number}" for number in range(3)]
    studies = [asyncio.create_task(thoughts_of(pool, task(k, size=7), 600)) for k in keys]
    await until(lambda: pool.load == (2, 1))  # never on all workers
    for number in range(5):
        await pool.choose(task(f"move:{number}", "random"))
    for key in keys:
        pool.stop(key)
    await asyncio.gather(*studies, return_exceptions=True)


def test_a_worker_imports_neither_the_page_nor_torch():
    code = (
        "import sys, meeple.server.thinking.worker; print({'fastapi', 'torch'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
