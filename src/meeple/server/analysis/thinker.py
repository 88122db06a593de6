"""Evaluates the positions of a game by agents, and reviews its moves."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from meeple.arena.figures.statistics import wilson_interval
from meeple.errors import UsageError
from meeple.games.contract.capabilities import in_setup
from meeple.games.contract.points import spread_of
from meeple.games.contract.replay import Replay
from meeple.kernels import CHANCE, OVER
from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.asked import Asked, Json
from meeple.server.analysis.review import MoveEvaluation, review
from meeple.server.errors import Forbidden, NoAnalysis, refusal
from meeple.server.thinking.job import AgentTask

AGENT_SEED = 1  # of all analysing agents, so that results are reproducible
QUICK_GAMES = 2_000  # from one position of a set-up
QUICK_SECONDS = 60.0  # at most, for all of them
QUICK_SPEC = "random"  # of the session, whose agent is not used
GLANCE_SECONDS = 0.25  # of the search beside the quick games


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
            raise refusal(UsageError, "nothing_to_analyse")
        if mover == CHANCE:
            raise refusal(UsageError, "chance_decides")
        async with contextlib.aclosing(self._search(asked, ply, (), spec, seconds)) as thoughts:
            async for thought in thoughts:
                yield thought

    async def _search(
        self, asked: Asked, ply: int, more: Sequence[int], spec: str, seconds: float
    ) -> AsyncGenerator[Json, None]:
        """Yield search results for the position after `more` actions from `ply` on."""
        actions = (*asked.line.actions[:ply], *more)
        task = self._task(asked.line, ply, actions, await self._analyst.settled(spec))
        thoughts = self._pool.analyse(task, seconds)
        try:
            async for thought in thoughts:
                yield {**thought, "spec": spec, "final": bool(thought.get("final")), "ply": ply}
        finally:
            self._pool.stop(task.key)
            await _close(thoughts)

    def _task(self, line: Replay, ply: int, actions: Sequence[int], spec: str) -> AgentTask:
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
            actions=tuple(actions),
            spec=spec,
            agent_seed=AGENT_SEED,
        )

    async def quick_games(
        self, asked: Asked, ply: int, name: str, spec: str
    ) -> AsyncGenerator[Json, None]:
        """Yield results of quick games after one action of a game's set-up; the last is `final`.

        Each has the number of `games`, the mover's `share` of the win with its 95 % Wilson
        `interval`, and the `chance` of the action by a short search of `spec`.

        Raises:
            MeepleError: The position is not of a set-up, or as for `think`.
        """
        asked.viewer(ply)
        line, mover = asked.line, asked.line.movers[ply]
        with line.at(ply) as position:
            if mover < 0 or not in_setup(position):
                raise refusal(UsageError, "quick_games_at_setup")
            action = position.parse_action(name)
        told: Json = {"games": 0, "most": QUICK_GAMES, "action": action, "name": name}
        thought = await self._last_thought(asked, ply, (action,), spec, GLANCE_SECONDS)
        value = thought.get("value")
        told |= {"judge": thought.get("judge"), "chance": None if value is None else value[mover]}
        yield {**told, "final": False}
        actions = (*line.actions[:ply], action)
        task = replace(self._task(line, ply, actions, QUICK_SPEC), games=QUICK_GAMES)
        stream = self._pool.analyse(task, QUICK_SECONDS)
        try:
            async for found in stream:
                games, share = found["games"], found["value"][mover]
                interval = [round(end, 4) for end in wilson_interval(share * games, games)]
                result = {"games": games, "share": share, "interval": interval}
                yield {**told, **result, "final": bool(found.get("final"))}
        finally:
            self._pool.stop(task.key)
            await _close(stream)

    async def sweep(self, asked: Asked, spec: str, seconds: float) -> AsyncGenerator[Json, None]:
        """Yield the value of each position of a game that the client may search, and the review.

        Each has the best move, the `chance` that it gives the mover, and the `loss`: the share that
        the played move lost against the best one, None if unknown. The last message has
        `type` "review"; see `review`.

        Raises:
            NoAnalysis: The agent reports no result of the first position; others are left out.
            MeepleError: As for `think`, or no position may be searched.
        """
        before: _SweepResult | None = None
        refusal: Forbidden | None = None
        evaluations: list[MoveEvaluation] = []
        await self._analyst.describe(asked)
        for ply, mover in enumerate(asked.line.movers):
            found: _SweepResult | None = None
            if mover == OVER:
                found = _SweepResult(ply, mover, {"value": asked.line.payoffs})
            elif mover != CHANCE:
                try:
                    thought = await self._last_thought(asked, ply, (), spec, seconds)
                    found = _SweepResult(ply, mover, thought)
                except Forbidden as error:
                    refusal = error
                except NoAnalysis:  # of this position; others follow
                    if before is None and not evaluations:
                        raise
            if before is not None:
                better = await self._after_best(asked, before, found, spec, seconds)
                evaluations.append(before.evaluation(asked.line, better, found))
                yield before.message(evaluations[-1], better)
            before = found
        if before is not None:
            evaluations.append(before.evaluation(asked.line, None, None))
            yield before.message(evaluations[-1], None)
        elif refusal is not None and not evaluations:
            raise refusal
        game = asked.line.game
        spread = await asyncio.to_thread(spread_of, game)
        yield {"type": "review", **review(evaluations, game.seats, spread)}

    async def _last_thought(
        self, asked: Asked, ply: int, more: Sequence[int], spec: str, seconds: float
    ) -> Json:
        asked.viewer(ply)
        last: Json = {}
        async with contextlib.aclosing(self._search(asked, ply, more, spec, seconds)) as thoughts:
            async for thought in thoughts:
                last = thought
        return last

    async def _after_best(
        self,
        asked: Asked,
        before: "_SweepResult",
        after: "_SweepResult | None",
        spec: str,
        seconds: float,
    ) -> "_SweepResult | None":
        """Return the result of a search after the best move where another one was played.

        Its value and the one after the played move come from equal searches. None where the
        best move was played, and where chance or another player's hidden cards follow.
        """
        line, best = asked.line, before.best_action
        if after is None or best is None or line.game.hides or best == line.actions[before.ply]:
            return None
        with line.at(before.ply) as position:
            reached = position.copy()
        reached.play(best)
        if reached.is_over:
            return _SweepResult(before.ply + 1, OVER, {"value": reached.payoffs.tolist()})
        if reached.to_move == CHANCE:
            return None
        try:
            thought = await self._last_thought(asked, before.ply, (best,), spec, seconds)
        except NoAnalysis:
            return None
        return _SweepResult(before.ply + 1, reached.to_move, thought)


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
    def best_action(self) -> int | None:
        """The best action, or None."""
        best = self.best
        return None if best is None else int(self.thought["actions"][best])

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

    def words_of(self, number: int) -> str:
        """Return what an action is called, by its index: its label, or else its name."""
        return str(self.thought["labels"][number] or self.thought["names"][number])

    def message(self, evaluation: MoveEvaluation, better: "_SweepResult | None") -> Json:
        """Return the message about this ply; `better` follows the best move."""
        best, promise = self.best, (better or self).promise
        return {
            "ply": self.ply,
            "judge": self.thought.get("judge"),
            "value": self.thought.get("value"),
            "best": None if best is None else self.thought["names"][best],
            "best_words": None if best is None else self.words_of(best),
            "chance": None if promise is None or self.mover < 0 else promise[self.mover],
            "loss": evaluation.loss,
        }

    def evaluation(
        self, line: Replay, better: "_SweepResult | None", after: "_SweepResult | None"
    ) -> MoveEvaluation:
        """Judge the played move; `better` and `after` follow the best move and the played one.

        Before a chance node, this search's own values of the moves are used, to exclude luck.
        A part of a longer action, such as an offer, is not judged: its value is that of the whole.
        """
        value = self.thought.get("value")
        shares = None if value is None else tuple(value)
        best, promise, loss, drift = self.best_action, self.promise, None, None
        played = line.actions[self.ply] if self.ply < line.plies else None
        if played is not None and line.is_part(self.ply):
            best = None
        if best is not None and promise is not None and played is not None:
            reached = None if after is None else after.promise
            if best == played:
                loss = 0.0
                drift = None if reached is None else promise[self.mover] - reached[self.mover]
            else:
                actions = self.thought["actions"]
                if better is not None and better.promise is not None:
                    promise = better.promise
                if reached is None and played in actions:
                    reached = self.after(actions.index(played))
                if reached is not None:
                    loss = round(max(0.0, promise[self.mover] - reached[self.mover]), 4)
        is_best = best is not None and (best == played or loss == 0.0)
        return MoveEvaluation(self.ply, self.mover, shares, loss, is_best, drift)


async def _close(thoughts: Any) -> None:
    """Close a stream early if it is a generator."""
    if isinstance(thoughts, AsyncGenerator):
        await thoughts.aclose()
