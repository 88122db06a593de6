"""The one player of games: fixtures go in, outcomes come out, and a store keeps them in between."""

import os
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Self

from meeple.agents.agent import Agent
from meeple.agents.spec import parse
from meeple.arena.forfeit import FaultRule
from meeple.arena.outcome import Outcome
from meeple.arena.schedule import Fixture
from meeple.arena.store import Store
from meeple.arena.workers import OnPosition, Take, Worker
from meeple.errors import RunError, UsageError
from meeple.executors.executor import Executor, run_all
from meeple.executors.threads import InThisThread, InThreads
from meeple.games.contract.game import Game

MAX_WORKERS = 64  # games at once


class Runner:
    """Plays fixtures with agents that are made once for each worker. Use it as a context: at its
    end, whatever ends it, agents that have a `close` are closed.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[str | Agent],
        *,
        workers: int | None = None,
        rule: FaultRule | None = None,
        store: Store | None = None,
        on_position: OnPosition | None = None,
    ) -> None:
        """Agents are specs, or ready-made ones, which are not closed.

        `workers`: see `default_workers`; with ready-made agents or `on_position` there is one.
        What `store` holds is not played again. Raises what the making of an agent raises.
        """
        if workers is not None and not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"workers must be from 1 to {MAX_WORKERS}, not {workers}")
        rule = rule or FaultRule()
        rule.check()
        alone = on_position is not None or any(not isinstance(agent, str) for agent in agents)
        count = 1 if alone else workers or default_workers([str(agent) for agent in agents])
        self._workers = [Worker(game, agents, rule, on_position) for _ in range(count)]
        self._executor: Executor[Fixture, Outcome] = (
            InThisThread(self._workers[0], Worker.play)
            if count == 1
            else InThreads(self._workers, Worker.play)
        )
        self._store = store
        self._known = {} if store is None else store.outcomes()
        try:
            self._workers[0].prepare()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def specs(self) -> list[str]:
        """The agents by name."""
        return self._workers[0].specs

    def play(self, fixtures: Iterable[Fixture], take: Take) -> bool:
        """Play games, and have `take` told of each once it is stored, in this thread.

        Ends when `take` returns that it has enough. Returns False where Ctrl-C ended it.
        """

        def keep(outcome: Outcome) -> bool:
            if self._store is not None and outcome.number not in self._known:
                self._store.add(outcome)
                self._known[outcome.number] = outcome
            return take(outcome)

        return run_all(self._executor, fixtures, keep, self._kept)

    def close(self) -> None:
        """Let go of all agents that were made here."""
        self._executor.close()
        for worker in self._workers:
            worker.close()

    def _kept(self, fixture: Fixture) -> Outcome | None:
        """What is known of a game."""
        known = self._known.get(fixture.number)
        if known is not None and known.lineup != fixture.lineup:
            raise RunError(f"the store holds another game {fixture.number + 1}: choose another run")
        return known


def default_workers(specs: Sequence[str]) -> int:
    """One a core, or one where an agent stops by the clock or waits for a human."""
    parsed = [parse(spec) for spec in specs]
    if any(spec.name == "human" or "seconds" in spec.options for spec in parsed):
        return 1
    return min(os.cpu_count() or 1, MAX_WORKERS)


class Counter:
    """Tells a caller's hooks of outcomes as they come, and gathers them."""

    def __init__(
        self,
        games: int,
        progress: Callable[[int, int], None] | None,
        on_outcome: Callable[[Outcome], None] | None,
    ) -> None:
        self.outcomes: list[Outcome] = []
        self._games, self._progress, self._on_outcome = games, progress, on_outcome

    def take(self, outcome: Outcome) -> bool:
        """Count a game; it is never enough."""
        self.outcomes.append(outcome)
        if self._on_outcome:
            self._on_outcome(outcome)
        if self._progress:
            self._progress(len(self.outcomes), self._games)
        return False

    @property
    def in_order(self) -> list[Outcome]:
        """All of them by their numbers."""
        return sorted(self.outcomes, key=lambda outcome: outcome.number)
