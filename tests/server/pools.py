"""Pools without processes: their agents choose at once, in the order of their tasks."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from meeple.agents.agent import Agent
from meeple.agents.spec import agent
from meeple.errors import Stopped
from meeple.games.contract.registry import make_from
from meeple.server.errors import Busy, NoAnalysis
from meeple.server.thinking.thought import thought_of


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

    async def analyse(self, task: Any, seconds: float) -> AsyncIterator[dict[str, Any]]:
        if task:
            raise Busy("this pool analyses nothing")
        yield {}

    def stop(self, key: str) -> None:
        self.stopped.append(key)

    def forget(self, key: str) -> None:
        self._agents.pop(key, None)

    @property
    def load(self) -> tuple[int, int]:
        return 0, 0


class AnalysingPool(InstantPool):
    """Each analysis returns the same result twice, or none while `quiet`."""

    def __init__(self) -> None:
        super().__init__()
        self.quiet = False
        self.silent: set[int] = set()  # plies of which nothing is reported
        self.closed: list[str] = []

    async def analyse(self, task: Any, seconds: float) -> AsyncIterator[dict[str, Any]]:
        self.tasks.append(task)
        if self.busy:
            raise Busy("all workers are busy")
        try:
            if self.quiet:
                await asyncio.Event().wait()
            game = make_from(task.game, task.options)
            position = game.start(task.seed)
            for action in task.actions:
                position.play(action)
            thinker = agent(task.spec, game, task.agent_seed)
            thinker.choose(position)
            if thinker.analysis is None or len(task.actions) in self.silent:
                raise NoAnalysis(f"{task.spec} reports no analysis")
            thought = thought_of(task.spec, position, thinker.analysis)
            yield {**thought, "final": False}
            yield {**thought, "final": True}
        finally:
            self.closed.append(task.key)
