"""Evaluates the positions of a game by agents, and finds its swings."""

import contextlib
import hashlib
import secrets
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.replay import Replay
from meeple.kernels import CHANCE, OVER
from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.asked import Asked, Json
from meeple.server.errors import Forbidden
from meeple.server.thinking.job import AgentTask

AGENT_SEED = 1  # of all analysing agents, so that results are reproducible


class Thinker:
    """Searches positions for one client, one at a time."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst, self._pool = analyst, analyst.pool
        self._name = f"analysis-{secrets.token_hex(8)}"
        self._keys: set[str] = set()

    def close(self) -> None:
        """Release the client's sessions in the pool."""
        for key in self._keys:
            self._pool.forget(key)
        self._keys.clear()

    async def think(
        self, asked: Asked, ply: int, spec: str, seconds: float
    ) -> AsyncGenerator[Json, None]:
        """Yield search results of increasing length for one position; the last one is `final`.

        Closing the generator stops the search.

        Raises:
            MeepleError: The position cannot be searched, the agent failed, or the pool is Busy.
        """
        asked.viewer(ply)
        mover = asked.line.movers[ply]
        if mover == OVER:
            raise UsageError("the game is over here: there is nothing to analyse")
        if mover == CHANCE:
            raise UsageError("chance decides here: choose an outcome first")
        task = self._task(asked.line, ply, await self._analyst.settled(spec))
        thoughts = self._pool.analyse(task, seconds)
        try:
            async for thought in thoughts:
                yield {**thought, "spec": spec, "final": bool(thought.get("final")), "ply": ply}
        except MeepleError as error:
            if task.spec not in str(error):
                raise
            raise MeepleError(str(error).replace(task.spec, spec)) from None  # no server paths
        finally:
            self._pool.stop(task.key)
            await _close(thoughts)

    def _task(self, line: Replay, ply: int, spec: str) -> AgentTask:
        """Return a task; all tasks of a game share a tree, or those of a seat if it hides cards."""
        seat = line.movers[ply] if line.game.hides else ""
        parts = (line.game.name, dict(line.game.options), line.seed, spec, seat)
        key = f"{self._name}:{hashlib.sha256(repr(parts).encode()).hexdigest()[:12]}"
        self._keys.add(key)
        return AgentTask(
            key=key,
            game=line.game.name,
            options=dict(line.game.options),
            seed=line.seed,
            actions=line.actions[:ply],
            spec=spec,
            agent_seed=AGENT_SEED,
        )

    async def sweep(self, asked: Asked, spec: str, seconds: float) -> AsyncGenerator[Json, None]:
        """Yield the value of each position of a game that the client may search, in order.

        Each has the best move and the `swing`: the mover's share that the played move lost against
        the best one, None if unknown.

        Raises:
            MeepleError: As for `think`, or no position may be searched.
        """
        before: _SweepResult | None = None
        refusal: Forbidden | None = None
        has_result = False
        for ply, mover in enumerate(asked.line.movers):
            found: _SweepResult | None = None
            if mover == OVER:
                found = _SweepResult(ply, mover, {"value": asked.line.payoffs})
            elif mover != CHANCE:
                try:
                    found = _SweepResult(
                        ply, mover, await self._last_thought(asked, ply, spec, seconds)
                    )
                except Forbidden as error:
                    refusal = error
            if before is not None:
                has_result = True
                yield before.message(asked.line, found)
            before = found
        if before is not None:
            yield before.message(asked.line, None)
        elif refusal is not None and not has_result:
            raise refusal

    async def _last_thought(self, asked: Asked, ply: int, spec: str, seconds: float) -> Json:
        last: Json = {}
        async with contextlib.aclosing(self.think(asked, ply, spec, seconds)) as thoughts:
            async for thought in thoughts:
                last = thought
        return last


@dataclass(frozen=True)
class _SweepResult:
    """The result of a sweep at a ply."""

    ply: int
    mover: int
    thought: Json

    @property
    def best(self) -> int | None:
        """The index of the best action, or None."""
        line, actions = self.thought.get("line"), self.thought.get("actions")
        return actions.index(line[0]) if line and actions and line[0] in actions else None

    @property
    def promise(self) -> list[float] | None:
        """Every player's share after the best action.

        The mean of the tree, used as the fallback, is lower for the mover.
        """
        best = self.best
        after = None if best is None else self.after(best)
        value = self.thought.get("value")
        return after or (None if value is None else list(value))

    def after(self, number: int) -> list[float] | None:
        """Return every player's share after an action, by its index, if it was searched."""
        values = self.thought.get("action_values")
        return list(values[number]) if values and None not in values[number] else None

    def message(self, line: Replay, after: "_SweepResult | None") -> Json:
        """Return the message about this ply; `after` is the result at the next ply."""
        best = self.best
        return {
            "ply": self.ply,
            "judge": self.thought.get("judge"),
            "value": self.thought.get("value"),
            "best": None if best is None else self.thought["names"][best],
            "swing": self._swing(line, after),
        }

    def _swing(self, line: Replay, after: "_SweepResult | None") -> float | None:
        """Return the share that the played move lost against the best one, by the next search.

        Before a chance node, this search's own value of the move is used, to exclude luck.
        """
        best, promise = self.best, self.promise
        if best is None or promise is None or self.ply >= line.plies:
            return None
        actions, played = self.thought["actions"], line.actions[self.ply]
        if actions[best] == played:
            return 0.0
        reached = None if after is None else after.promise
        if reached is None and played in actions:
            reached = self.after(actions.index(played))
        if reached is None:
            return None
        return round(max(0.0, promise[self.mover] - reached[self.mover]), 4)


async def _close(thoughts: Any) -> None:
    """Close a stream early if it is a generator."""
    if isinstance(thoughts, AsyncGenerator):
        await thoughts.aclose()
