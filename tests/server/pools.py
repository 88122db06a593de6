"""A pool without processes: its agents choose at once, in the order of their tasks."""

import asyncio
from collections.abc import Mapping
from typing import Any

from meeple.agents.agent import Agent
from meeple.agents.spec import agent
from meeple.errors import Stopped
from meeple.games.contract.registry import make_from
from meeple.server.errors import Busy


class InstantPool:
    """Runs the agents in this process; `held` delays choices, `busy` refuses them."""

    def __init__(self) -> None:
        self.tasks: list[Any] = []
        self.stopped: list[str] = []
        self.busy = False
        self.held = asyncio.Event()
        self.held.set()
        self._agents: dict[str, Agent] = {}

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    async def choose(self, task: Any) -> tuple[int, Mapping[str, Any] | None]:
        self.tasks.append(task)
        if self.busy:
            raise Busy("all workers are busy")
        await self.held.wait()
        if task.key in self.stopped:
            self.stopped.remove(task.key)
            raise Stopped("called off")
        game = make_from(task.game, task.options)
        position = game.start(task.seed)
        for action in task.actions:
            position.play(action)
        if task.key not in self._agents:
            self._agents[task.key] = agent(task.spec, game, task.agent_seed)
        action = self._agents[task.key].choose(position)
        await asyncio.sleep(0)
        return action, {"value": [0.5] * game.players, "actions": [action]}

    def stop(self, key: str) -> None:
        self.stopped.append(key)

    def forget(self, key: str) -> None:
        self._agents.pop(key, None)

    @property
    def load(self) -> tuple[int, int]:
        return 0, 0
