"""Agents at the tables: asked when it is their turn, hurried, called off, and asked for hints."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.spec import network_in
from meeple.errors import EngineError, MeepleError, Stopped
from meeple.games.contract.game import Game
from meeple.server.errors import Busy
from meeple.server.play.levels import strongest_spec
from meeple.server.play.residents import Residents
from meeple.server.play.table import Table, Thinking
from meeple.server.specs import settle
from meeple.server.thinking.job import Task
from meeple.server.thinking.pool import Pool
from meeple.server.work import Work

BUSY_PAUSE = 1.0  # seconds until a busy pool is asked again
AGENT_SEEDS = 2**31


class AgentPlayers:
    """Has the agents of all tables move."""

    def __init__(
        self,
        residents: Residents,
        pool: Pool,
        work: Work,
        runs: Path,
        on_move: Callable[[Table], None],
    ) -> None:
        """`runs`: the folder whose networks may play; `on_move` is called after every move."""
        self._residents, self._pool, self._work = residents, pool, work
        self._runs, self._on_move = runs, on_move
        pool.on_state = self._note_state

    async def close(self) -> None:
        """Stop all agents."""
        tasks = [task for table in self._residents.tables if (task := table.upkeep.agents)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------ moving

    def go_on(self, table: Table) -> None:
        """Have the agents move, if it is their turn and they are not at it already."""
        if table.upkeep.agents is None and self._are_due(table):
            table.upkeep.agents = asyncio.create_task(self._play(table))

    def stop(self, table: Table) -> None:
        """Have the agent that thinks, if one does, choose at once."""
        if table.thinking:
            self._pool.stop(_key(table.id, str(table.thinking.seat)))

    def _are_due(self, table: Table) -> bool:
        mover = table.mover
        if mover is None or mover.kind != "agent" or not self._residents.has(table):
            return False
        return bool(table.people) or (not table.paused and self._residents.is_watched(table))

    async def _play(self, table: Table) -> None:
        try:
            while self._are_due(table):
                began = time.monotonic()
                if await self._move(table):
                    pause = table.agreed.pace - (time.monotonic() - began)
                    await asyncio.sleep(max(0.0, pause))
        except MeepleError as error:
            self._residents.tell(table, {"type": "error", "text": str(error)})
        finally:
            table.upkeep.agents = None
            table.thinking = None
            self._residents.wake(table)

    async def _move(self, table: Table) -> bool:
        """One choice of an agent; False where it came to nothing."""
        moment, version = Moment.of(table), table.version
        seat = moment.to_move
        if table.thinking is None or table.thinking.seat != seat:
            table.thinking = Thinking(seat)
        task = await self._task(moment, str(seat), table.seats[seat].spec)
        self._residents.wake(table)
        try:
            action, thought = await self._pool.choose(task)
        except Busy:
            table.thinking.state = "busy"
            self._residents.wake(table)
            await asyncio.sleep(BUSY_PAUSE)
            return False
        except Stopped:
            return False
        except EngineError as error:
            await self._lose(table, seat, version, error)
            return True
        async with self._residents.held(table):
            if table.version != version or table.is_over:
                return False
            first = table.ply
            table.thinking = None
            table.choose(action, (thought or {}).get("value"))
            await self._residents.write(table, first)
        self._on_move(table)
        self._residents.wake(table)
        return True

    async def _lose(self, table: Table, seat: int, version: int, error: EngineError) -> None:
        """A program that failed has lost, or another agent plays on for its seat."""
        self._residents.tell(table, {"type": "error", "text": str(error)})
        async with self._residents.held(table):
            if table.version != version or table.is_over:
                return
            table.thinking = None
            table.give_up(seat, "time" if error.fault == "time" else "forfeit")
            await self._residents.write(table, table.ply)
        self._on_move(table)
        self._residents.wake(table)

    def _note_state(self, key: str, state: str) -> None:
        """A worker has begun to think about a task, or to compile what it needs for that."""
        id, _, who = key.rpartition(":")
        table = self._residents.find(id)
        if table is not None and table.thinking and str(table.thinking.seat) == who:
            table.thinking.state = state
            self._residents.wake(table)

    # ------------------------------------------------------------ asking

    async def hint(self, moment: "Moment") -> dict[str, Any]:
        """What a search would do at a moment of a game. Raises Busy."""
        spec = await self._work.files.do(strongest_spec, moment.game, self._runs)
        task = await self._task(moment, "hint", spec)
        _, thought = await self._pool.choose(task)
        return {**(thought or {}), "ply": len(task.actions)}

    async def _task(self, moment: "Moment", who: str, spec: str) -> Task:
        """The position, for an agent; to find its network, folders are looked through."""
        if network_in(spec) is None:
            settled = settle(spec, self._runs)
        else:
            settled = await self._work.files.do(settle, spec, self._runs)
        seed = np.random.SeedSequence([moment.seed, sum(who.encode())])
        return Task(
            key=_key(moment.table, who),
            game=moment.game.name,
            options=dict(moment.game.options),
            seed=moment.seed,
            actions=moment.actions,
            spec=settled,
            agent_seed=int(seed.generate_state(1)[0]) % AGENT_SEEDS,
        )


@dataclass(frozen=True)
class Moment:
    """A table's game at an instant. What agents are asked refers to one, taken before any wait:
    what is played meanwhile, and who moves then, makes no difference to what they are told.
    """

    table: str  # its id
    game: Game
    seed: int
    actions: tuple[int, ...]
    to_move: int

    @staticmethod
    def of(table: Table) -> "Moment":
        """The table's game now."""
        position = table.position
        return Moment(table.id, table.game, position.seed, position.actions, position.to_move)


def forget(pool: Pool, table: Table) -> None:
    """Have the pool forget what its agents remember of a table."""
    for seat in range(table.game.players):
        pool.forget(_key(table.id, str(seat)))


def _key(table: str, who: str) -> str:
    """What an agent remembers a table's game under; `table`: its id."""
    return f"{table}:{who}"
