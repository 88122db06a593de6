"""Plays fixtures with threads or a cluster, and stores each outcome before announcing it."""

import os
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from meeple.agents.agent import Agent
from meeple.agents.spec import parse
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.store import Store
from meeple.arena.games.workers import OnPosition, Take, Worker
from meeple.arena.plan.schedule import Fixture
from meeple.errors import RunError, UsageError
from meeple.executors.executor import Account, Executor, lost_in_words, run_all
from meeple.executors.place import Place
from meeple.executors.threads import InThisThread, InThreads
from meeple.games.contract.game import Game

if TYPE_CHECKING:
    from meeple.executors.ray_cluster import Cluster

MAX_WORKERS = 64  # games at once, in threads of this process
MAX_REMOTE = 1024  # on a cluster


class Runner:
    """Plays fixtures with agents that are built once for each worker.

    A context manager: at its end, agents that have a `close` method are closed.
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
        on: Place | None = None,
    ) -> None:
        """Build the agents.

        Args:
            agents: specs, or ready-made agents, which are not closed.
            workers: see `default_workers`; one with ready-made agents or `on_position`.
            on: a Ray cluster that plays, with at most one worker for each of its processors.
            store: holds outcomes that are not played again.

        Raises:
            MeepleError: An agent cannot be built.
        """
        most = MAX_WORKERS if on is None else MAX_REMOTE
        if workers is not None and not 1 <= workers <= most:
            raise UsageError(f"workers must be from 1 to {most}, not {workers}")
        rule = rule or FaultRule()
        rule.check()
        self.specs = [agent if isinstance(agent, str) else agent.spec for agent in agents]
        """The specs of the agents."""
        self._workers: list[Worker] = []
        self._on = on
        self._stored = 0
        self._executor: Executor[Fixture, Outcome] | None = None
        self._cluster: Cluster | None = None
        if on is not None:
            _check_remote(agents, on_position)
            if workers is None and _by_clock(self.specs):
                workers = 1
        self._store = store
        self._known = {} if store is None else store.outcomes()
        try:
            if on is None:
                self._play_here(game, agents, workers, rule, on_position)
            else:
                self._cluster, self._executor = _on_ray(on, workers, game, self.specs, rule)
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

    def _play_here(
        self,
        game: Game,
        agents: Sequence[str | Agent],
        workers: int | None,
        rule: FaultRule,
        on_position: OnPosition | None,
    ) -> None:
        """Return an executor of threads in this process."""
        alone = on_position is not None or any(not isinstance(agent, str) for agent in agents)
        count = 1 if alone else workers or default_workers(self.specs)
        self._workers = [Worker(game, agents, rule, on_position) for _ in range(count)]
        self._workers[0].prepare()
        self._executor = (
            InThisThread(self._workers[0], Worker.play)
            if count == 1
            else InThreads(self._workers, Worker.play)
        )

    def play(self, fixtures: Iterable[Fixture], take: Take) -> bool:
        """Play games, and call `take` in this thread with each outcome after it is stored.

        Ends when `take` returns true. Returns False if Ctrl-C ended it.
        """

        def keep(outcome: Outcome) -> bool:
            if self._store is not None and outcome.number not in self._known:
                self._store.add(outcome)
                self._known[outcome.number] = outcome
                self._stored += 1
            return take(outcome)

        assert self._executor is not None, "closed, or never opened"
        return run_all(self._executor, fixtures, keep, self._kept)

    def close(self) -> None:
        """Close the agents that were built here."""
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.close()
            if self._on is not None:
                self._on.say(account_in_words(self._on, executor.account, self._stored))
        if self._cluster is not None:
            self._cluster.close()
        for worker in self._workers:
            worker.close()

    def _kept(self, fixture: Fixture) -> Outcome | None:
        """Return the stored outcome of a fixture, if there is one."""
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


def _check_remote(agents: Sequence[str | Agent], on_position: OnPosition | None) -> None:
    """Raise UsageError for agents and hooks that need this process."""
    if on_position is not None:
        raise UsageError("games on Ray cannot be shown as they are played: leave out --show")
    if any(not isinstance(agent, str) for agent in agents):
        raise UsageError("ready-made agents play in this process alone: give specs to play on Ray")
    if any(parse(str(agent)).name == "human" for agent in agents):
        raise UsageError("human plays in this process alone, and not on Ray")


def _on_ray(
    on: Place, workers: int | None, game: Game, specs: Sequence[str], rule: FaultRule
) -> "tuple[Cluster, Executor[Fixture, Outcome]]":
    from meeple.arena.games.remote import TARGET, arguments_of
    from meeple.arena.games.wire import fixture_to_json, outcome_of
    from meeple.executors.on_ray import OnRay, Task
    from meeple.executors.ray_cluster import Cluster

    task = Task(TARGET, arguments_of(game, specs, rule), fixture_to_json, outcome_of)
    cluster = Cluster(on, "playing on Ray")
    try:
        return cluster, OnRay(cluster, workers, task)
    except BaseException:
        cluster.close()
        raise


def account_in_words(on: Place, account: Account, stored: int) -> str:
    """Describe the numbers of games that a cluster began, finished and lost."""
    besides = lost_in_words(account.lost, account.deaths, account.dropped)
    return (
        f"{on.name}: games begun {account.begun}, finished {account.finished}, "
        + ", ".join([f"stored {stored}", *besides])
        + "."
    )


class Counter:
    """Collects outcomes and calls the caller's hooks with each."""

    def __init__(
        self,
        games: int,
        progress: Callable[[int, int], None] | None,
        on_outcome: Callable[[Outcome], None] | None,
    ) -> None:
        self.outcomes: list[Outcome] = []
        self._games, self._progress, self._on_outcome = games, progress, on_outcome

    def take(self, outcome: Outcome) -> bool:
        """Add an outcome; return False, since every game is played."""
        self.outcomes.append(outcome)
        if self._on_outcome:
            self._on_outcome(outcome)
        if self._progress:
            self._progress(len(self.outcomes), self._games)
        return False

    @property
    def in_order(self) -> list[Outcome]:
        """Return the outcomes in the order of their numbers."""
        return sorted(self.outcomes, key=lambda outcome: outcome.number)
