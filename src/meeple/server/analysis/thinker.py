"""What agents think of the positions of a game, and where it swung."""

import contextlib
import hashlib
import secrets
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.kernels import CHANCE, OVER
from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.asked import Asked, Json
from meeple.server.errors import Forbidden
from meeple.server.line import Line
from meeple.server.thinking.job import Task

AGENT_SEED = 1  # of all agents that analyse: what they find can be found again


class Thinker:
    """Has positions searched for one who asks, one after the other."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst, self._pool = analyst, analyst.pool
        self._name = f"analysis-{secrets.token_hex(8)}"
        self._keys: set[str] = set()

    def close(self) -> None:
        """Let the pool forget what it remembers for this one."""
        for key in self._keys:
            self._pool.forget(key)
        self._keys.clear()

    async def think(
        self, asked: Asked, ply: int, spec: str, seconds: float
    ) -> AsyncGenerator[Json, None]:
        """Thoughts about one position, ever better; the last one is `final`.

        Closing it ends the thinking. Raises MeepleError, Busy too, in a sentence.
        """
        asked.viewer(ply)
        mover = asked.line.movers[ply]
        if mover == OVER:
            raise UsageError("the game is over here: there is nothing to think about")
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
            raise MeepleError(str(error).replace(task.spec, spec)) from None  # no paths of ours
        finally:
            self._pool.stop(task.key)
            await _close(thoughts)

    def _task(self, line: Line, ply: int, spec: str) -> Task:
        """One tree serves a whole game; where something is hidden, one for each seat."""
        seat = line.movers[ply] if line.game.hides else ""
        parts = (line.game.name, dict(line.game.options), line.seed, spec, seat)
        key = f"{self._name}:{hashlib.sha256(repr(parts).encode()).hexdigest()[:12]}"
        self._keys.add(key)
        return Task(
            key=key,
            game=line.game.name,
            options=dict(line.game.options),
            seed=line.seed,
            actions=line.actions[:ply],
            spec=spec,
            agent_seed=AGENT_SEED,
        )

    async def sweep(self, asked: Asked, spec: str, seconds: float) -> AsyncGenerator[Json, None]:
        """The value of every position of a game that may be searched, one after the other.

        Each comes with the best move, and with what the move played gave away against it:
        `swing`, a share of the mover's, None where nobody can tell. Raises MeepleError.
        """
        before: _Found | None = None
        refusal: Forbidden | None = None
        told = False
        for ply, mover in enumerate(asked.line.movers):
            found: _Found | None = None
            if mover == OVER:
                found = _Found(ply, mover, {"value": asked.line.payoffs})
            elif mover != CHANCE:
                try:
                    found = _Found(ply, mover, await self._last_thought(asked, ply, spec, seconds))
                except Forbidden as error:
                    refusal = error
            if before is not None:
                told = True
                yield before.judged(asked.line, found)
            before = found
        if before is not None:
            yield before.judged(asked.line, None)
        elif refusal is not None and not told:
            raise refusal

    async def _last_thought(self, asked: Asked, ply: int, spec: str, seconds: float) -> Json:
        last: Json = {}
        async with contextlib.aclosing(self.think(asked, ply, spec, seconds)) as thoughts:
            async for thought in thoughts:
                last = thought
        return last


@dataclass(frozen=True)
class _Found:
    """What a sweep found at a ply."""

    ply: int
    mover: int
    thought: Json

    @property
    def best(self) -> int | None:
        """The number of the action that was chosen."""
        line, actions = self.thought.get("line"), self.thought.get("actions")
        return actions.index(line[0]) if line and actions and line[0] in actions else None

    @property
    def promise(self) -> list[float] | None:
        """Every player's share after the best action; a tree's mean is lower for the mover."""
        best = self.best
        after = None if best is None else self.after(best)
        value = self.thought.get("value")
        return after or (None if value is None else list(value))

    def after(self, number: int) -> list[float] | None:
        """Every player's share after an action by its number, where the search looked at it."""
        values = self.thought.get("action_values")
        return list(values[number]) if values and None not in values[number] else None

    def judged(self, line: Line, after: "_Found | None") -> Json:
        """The message about this ply; `after` is what was found at the next."""
        best = self.best
        return {
            "ply": self.ply,
            "judge": self.thought.get("judge"),
            "value": self.thought.get("value"),
            "best": None if best is None else self.thought["names"][best],
            "swing": self._swing(line, after),
        }

    def _swing(self, line: Line, after: "_Found | None") -> float | None:
        """What the move played gave away: against the best one, as the next search saw it.

        Where chance comes next, its luck is no fault: then as this search saw the move.
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
    """End a stream before its end, where it is one that can be ended."""
    if isinstance(thoughts, AsyncGenerator):
        await thoughts.aclose()
