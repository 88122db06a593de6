"""Agents at the tables: started on their turn, stopped early, cancelled, and used for hints."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from meeple.agents.spec import network_in
from meeple.errors import EngineError, MeepleError, Stopped
from meeple.games.contract.game import Game
from meeple.server.errors import Busy, error_message
from meeple.server.play.levels import default_evaluator
from meeple.server.play.residents import Residents
from meeple.server.play.table import Choosing, Table
from meeple.server.resources import Resources
from meeple.server.thinking.job import AgentTask
from meeple.server.thinking.pool import Pool
from meeple.server.thinking.specs import settle

AGENT_SEEDS = 2**31


class AgentPlayers:
    """Lets the agents of all tables move."""

    def __init__(
        self, resources: Resources, residents: Residents, on_move: Callable[[Table], None]
    ) -> None:
        """Create the players; `on_move` is called with the table after every move of an agent."""
        self._residents, self._on_move = residents, on_move
        self._pool, self._work, self._runs = resources.pool, resources.work, resources.runs
        self._busy_seconds = resources.limits.busy_seconds
        self._pool.on_state = self._note_state
        self._pool.is_awaited = self._is_awaited

    async def close(self) -> None:
        """Stop all agents."""
        tasks = [task for table in self._residents.tables if (task := table.upkeep.agents)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------ moving

    def go_on(self, table: Table) -> None:
        """Start the agents of a table if it is their turn and none is choosing."""
        if table.upkeep.agents is None and self._are_due(table):
            table.upkeep.agents = asyncio.create_task(self._play(table))

    def stop(self, table: Table) -> None:
        """Make the agent that is choosing, if any, move at once."""
        if table.thinking:
            self._pool.stop(_key(table.id, str(table.thinking.seat)))

    def _are_due(self, table: Table) -> bool:
        mover = table.mover
        if mover is None or mover.kind != "agent" or not self._residents.has(table):
            return False
        if table.agreed.cup:
            return not table.paused
        return bool(table.people) or (not table.paused and self._residents.is_watched(table))

    async def _play(self, table: Table) -> None:
        try:
            while self._are_due(table):
                began = time.monotonic()
                if await self._move(table):
                    pause = table.agreed.pace - (time.monotonic() - began)
                    await asyncio.sleep(max(0.0, pause))
        except MeepleError as error:
            self._residents.tell(table, error_message(error))
        finally:
            table.upkeep.agents = None
            table.thinking = None
            self._residents.wake(table)

    async def _move(self, table: Table) -> bool:
        """Let an agent choose once; return False if no move resulted."""
        moment, version = Moment.of(table), table.version
        seat = moment.to_move
        if table.thinking is None or table.thinking.seat != seat:
            table.thinking = Choosing(seat)
        task = await self._task(moment, str(seat), table.seats[seat].spec)
        self._residents.wake(table)
        try:
            action, thought = await self._pool.choose(task)
        except Busy:
            if not table.agreed.cup and not self._residents.is_watched(table):
                raise  # it begins again when someone watches, and does not ask until then
            table.thinking.state = "busy"
            self._residents.wake(table)
            await asyncio.sleep(self._busy_seconds)
            return False
        except Stopped:
            return False
        except EngineError as error:
            await self._forfeit(table, seat, version, error)
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

    async def _forfeit(self, table: Table, seat: int, version: int, error: EngineError) -> None:
        """End the game for a program that failed, or replace it by another agent."""
        self._residents.tell(table, error_message(error))
        async with self._residents.held(table):
            if table.version != version or table.is_over:
                return
            table.thinking = None
            table.give_up(seat, "time" if error.fault == "time" else "forfeit")
            await self._residents.write(table, table.ply)
        self._on_move(table)
        self._residents.wake(table)

    def _note_state(self, key: str, state: str, step: str) -> None:
        """Show that a worker began to search, or what it compiles or loads, for a task."""
        id, _, who = key.rpartition(":")
        table = self._residents.find(id)
        if table is not None and table.thinking and str(table.thinking.seat) == who:
            table.thinking.state, table.thinking.step = state, step
            self._residents.wake(table)

    def _is_awaited(self, key: str) -> bool:
        """Return whether a client waits for a task: all but moves at tables that no one watches."""
        table = self._residents.find(key.rpartition(":")[0])
        return table is None or self._residents.is_watched(table)

    # ------------------------------------------------------------ requests

    async def hint(self, moment: "Moment") -> dict[str, Any]:
        """Return the result of a search at a moment of a game; raise Busy if the pool is full."""
        spec = await self._work.files.do(default_evaluator, moment.game, self._runs)
        task = await self._task(moment, "hint", spec)
        _, thought = await self._pool.choose(task)
        return {**(thought or {}), "ply": len(task.actions)}

    async def _task(self, moment: "Moment", who: str, spec: str) -> AgentTask:
        """Return the task of an agent; finding its network may read folders, in a thread."""
        if network_in(spec) is None:
            settled = settle(spec, self._runs)
        else:
            settled = await self._work.files.do(settle, spec, self._runs)
        seed = np.random.SeedSequence([moment.seed, sum(who.encode())])
        return AgentTask(
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
    """A snapshot of a table's game, taken before a request awaits anything.

    Moves that are played while the request waits do not change it.
    """

    table: str  # its id
    game: Game
    seed: int
    actions: tuple[int, ...]
    to_move: int

    @staticmethod
    def of(table: Table) -> "Moment":
        """Return the table's current game."""
        position = table.position
        return Moment(table.id, table.game, position.seed, position.actions, position.to_move)


def forget(pool: Pool, table: Table) -> None:
    """Release the agents that the pool holds for a table."""
    for seat in range(table.game.players):
        pool.forget(_key(table.id, str(seat)))


def _key(table: str, who: str) -> str:
    """Return the key of an agent's session; `table` is the table's id."""
    return f"{table}:{who}"
