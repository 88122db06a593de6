"""Plays fixtures with threads or a backend, and stores each outcome before announcing it."""

import os
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Self

from meeple.agents.agent import Agent
from meeple.agents.spec import parse
from meeple.arena.games.conditions import (
    MAX_WORKERS,
    Conditions,
    OnPosition,
    Terms,
    specs_of,
)
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.store import Store
from meeple.arena.games.workers import Take, Worker
from meeple.arena.plan.schedule import Fixture
from meeple.errors import RunError, UsageError
from meeple.executors.backend import BACKENDS, Place
from meeple.executors.executor import Account, Executor, lost_in_words, run_all
from meeple.executors.threads import InThisThread, InThreads


class Runner:
    """Plays fixtures with agents that are built once for each worker.

    A context manager: at its end, agents that were built here and have a `close` method are closed,
    and so is the store.
    """

    def __init__(
        self,
        conditions: Conditions,
        agents: Sequence[str | Agent],
        kind: str,
        schedule: Terms = MappingProxyType({}),
    ) -> None:
        """Open the store, if there is a folder for it, and build the agents.

        Args:
            conditions: with ready-made agents or `on_position` there is one worker.
            agents: specs, or ready-made agents, which are not closed.
            kind: "match" or "tournament", for the store.
            schedule: the settings of the schedule, for the store.

        Raises:
            RunError: The folder cannot be used, or holds other games.
            MeepleError: An agent cannot be built.
        """
        self.specs = specs_of(agents)
        """The specs of the agents."""
        self._place = conditions.place
        self._stored = 0
        self._workers: list[Worker] = []
        self._executor: Executor[Fixture, Outcome] | None = None
        self._store: Store | None = None
        if conditions.run is not None:
            self._store = Store(conditions.run, conditions.terms(kind, agents, schedule))
        try:
            self._known = {} if self._store is None else self._store.outcomes()
            if self._place is None:
                self._open_threads(conditions, agents)
            else:
                self._open_backend(self._place, conditions, agents)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _open_threads(self, conditions: Conditions, agents: Sequence[str | Agent]) -> None:
        shown = conditions.on_position is not None
        alone = shown or any(not isinstance(agent, str) for agent in agents)
        count = 1 if alone else conditions.workers or default_workers(self.specs)
        self._workers = [Worker(conditions, agents) for _ in range(count)]
        self._workers[0].prepare()
        self._executor = (
            InThisThread(self._workers[0], Worker.play)
            if count == 1
            else InThreads(self._workers, Worker.play)
        )

    def _open_backend(
        self, place: Place, conditions: Conditions, agents: Sequence[str | Agent]
    ) -> None:
        _check_remote(place.backend, agents, conditions.on_position)
        workers = conditions.workers
        if workers is None and _by_clock(self.specs):
            workers = 1
        games = BACKENDS.target(place.backend, "games")
        self._executor = games(place, conditions, self.specs, workers)

    def play(self, fixtures: Iterable[Fixture], take: Take) -> bool:
        """Play games, and call `take` in this thread with each outcome after it is stored.

        Ends when `take` returns true. Returns False if Ctrl-C ended it.
        """

        def store(outcome: Outcome) -> bool:
            if self._store is not None and outcome.number not in self._known:
                self._store.add(outcome)
                self._known[outcome.number] = outcome
                self._stored += 1
            return take(outcome)

        assert self._executor is not None, "closed, or never opened"
        return run_all(self._executor, fixtures, store, self._stored_outcome)

    def close(self) -> None:
        """Close the agents that were built here, the executor and the store."""
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.close()
            if self._place is not None:
                self._place.say(account_in_words(self._place, executor.account, self._stored))
        for worker in self._workers:
            worker.close()
        if self._store is not None:
            self._store.close()

    def _stored_outcome(self, fixture: Fixture) -> Outcome | None:
        known = self._known.get(fixture.number)
        if known is not None and known.lineup != fixture.lineup:
            raise RunError(f"the store holds another game {fixture.number + 1}: choose another run")
        return known


def default_workers(specs: Sequence[str]) -> int:
    """Return one worker a core, or one if an agent stops by the clock or is human."""
    return 1 if _by_clock(specs) else min(os.cpu_count() or 1, MAX_WORKERS)


def _by_clock(specs: Sequence[str]) -> bool:
    """Return whether an agent stops by the clock or is human."""
    parsed = [parse(spec) for spec in specs]
    return any(spec.name == "human" or "seconds" in spec.options for spec in parsed)


def _check_remote(
    backend: str, agents: Sequence[str | Agent], on_position: OnPosition | None
) -> None:
    """Raise UsageError for agents and hooks that need this process."""
    if on_position is not None:
        raise UsageError(f"games on {backend} cannot be shown as they are played: leave out --show")
    if any(not isinstance(agent, str) for agent in agents):
        raise UsageError(
            f"ready-made agents play in this process alone: give specs to play on {backend}"
        )
    if any(parse(str(agent)).name == "human" for agent in agents):
        raise UsageError(f"human plays in this process alone, and not on {backend}")


def account_in_words(on: Place, account: Account, stored: int) -> str:
    """Describe the numbers of games that a backend began, finished and lost."""
    losses = lost_in_words(account.lost, account.deaths, account.dropped)
    return (
        f"{on.name}: games begun {account.begun}, finished {account.finished}, "
        + ", ".join([f"stored {stored}", *losses])
        + "."
    )


class GameCollector:
    """Collects outcomes, and reports each to the hooks of the conditions."""

    def __init__(self, conditions: Conditions, games: int) -> None:
        """Collect at most `games` outcomes."""
        self.outcomes: list[Outcome] = []
        self._conditions, self._games = conditions, games

    def take(self, outcome: Outcome) -> bool:
        """Add an outcome; return False, since every game is played."""
        self.outcomes.append(outcome)
        if self._conditions.on_game:
            self._conditions.on_game(outcome.number, outcome.record)
        if self._conditions.progress:
            self._conditions.progress(len(self.outcomes), self._games)
        return False

    @property
    def in_order(self) -> list[Outcome]:
        """Return the outcomes in the order of their numbers."""
        return sorted(self.outcomes, key=lambda outcome: outcome.number)
