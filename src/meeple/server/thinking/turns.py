"""Which task a worker takes next, and which running task gives way: fair by caller.

The caller whose tasks have used the least time recently is first. Moves at tables that no client
watches, such as those of cups, are counted apart and as if they had used some seconds more.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from meeple.server.limits import ServerLimits
from meeple.server.thinking.job import PoolJob, WorkerSlot
from meeple.server.thinking.worker import THINKING
from meeple.server.work import RecentWork

MAX_CANDIDATES = 16  # waiting tasks for which a running one may give way, in one look


class Account(NamedTuple):
    """Whose time a task uses; what no client waits for is counted apart."""

    caller: str
    is_awaited: bool


class Rank(NamedTuple):
    """The order of waiting tasks; the lowest is first."""

    used: float  # recent seconds of its account, more if no client waits for it
    had_turn: bool
    since: float


class Turns:
    """The order of tasks, and the time that each account has used."""

    def __init__(
        self,
        limits: ServerLimits,
        is_awaited: Callable[[str], bool],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create the order; `is_awaited` says whether a client waits for the task of a key."""
        self._limits, self._is_awaited, self._now = limits, is_awaited, now
        self._used: RecentWork[Account] = RecentWork(now)

    def charge(self, job: PoolJob) -> None:
        """Charge a task that has just left its worker."""
        seconds = self._now() - job.begun
        job.ran += seconds
        self._used.charge(self._account(job), seconds)

    def next_for(
        self, place: WorkerSlot, places: Sequence[WorkerSlot], waiting: Sequence[PoolJob]
    ) -> PoolJob | None:
        """Return the next task of an idle worker, or None."""
        rank = self._ranking(places)
        fitting = (job for job in _free(places, waiting) if self._fits(job, place, places))
        return min(fitting, key=rank, default=None)

    def to_interrupt(
        self, places: Sequence[WorkerSlot], waiting: Sequence[PoolJob]
    ) -> WorkerSlot | None:
        """Return the worker whose task should give way to a waiting one, or None."""
        rank = self._ranking(places)
        running = sorted(
            (place for place in places if place.job is not None and self._may_end(place.job)),
            key=lambda place: rank(_job(place)),
            reverse=True,
        )
        if not running:
            return None
        for job in sorted(_free(places, waiting), key=rank)[:MAX_CANDIDATES]:
            for place in running:
                fits = self._fits(job, place, places)
                if fits and self._is_due(job, rank(job), _job(place), rank(_job(place))):
                    return place
        return None

    def _is_due(self, job: PoolJob, rank: Rank, running: PoolJob, its: Rank) -> bool:
        """Return whether a running task has had its turn, compared with a waiting one."""
        if self._account(job) != self._account(running):
            return rank.used + self._limits.turn_seconds < its.used
        long = self._now() - running.begun > self._limits.unsliced_turn_seconds
        return long and running.resumes and not rank.had_turn

    def _may_end(self, job: PoolJob) -> bool:
        limits = self._limits
        least = limits.turn_seconds if job.resumes else limits.unsliced_turn_seconds
        is_at_work = job.state == THINKING and not (job.stopped or job.gives_way)
        return is_at_work and self._now() - job.begun > least

    def _fits(self, job: PoolJob, place: WorkerSlot, places: Iterable[WorkerSlot]) -> bool:
        """Return whether a worker may take a task; for a while only the one with its tree may."""
        key = job.task.key
        elsewhere = key not in place.memory and any(key in other.memory for other in places)
        return not elsewhere or self._now() - job.ready >= job.patience

    def _ranking(self, places: Iterable[WorkerSlot]) -> Callable[[PoolJob], Rank]:
        """Return the rank of tasks at this moment, running time included."""
        now = self._now()
        running: defaultdict[Account, float] = defaultdict(float)
        for place in places:
            if place.job is not None:
                running[self._account(place.job)] += now - place.job.begun
        used: dict[Account, float] = {}

        def rank(job: PoolJob) -> Rank:
            account = self._account(job)
            if account not in used:
                more = 0.0 if account.is_awaited else self._limits.unwatched_seconds
                used[account] = self._used.of(account) + running[account] + more
            return Rank(used[account], job.ran > 0.0, job.since)

        return rank

    def _account(self, job: PoolJob) -> Account:
        return Account(job.task.caller, self._is_awaited(job.task.key))


def _job(place: WorkerSlot) -> PoolJob:
    assert place.job is not None
    return place.job


def _free(places: Sequence[WorkerSlot], waiting: Iterable[PoolJob]) -> Iterator[PoolJob]:
    """Yield the waiting tasks that may begin: one of a key, and a worker is left for moves."""
    active = [place.job for place in places if place.job is not None]
    busy = {job.task.key for job in active}
    analyses = sum(job.seconds is not None for job in active)
    full = analyses >= max(1, len(places) - 1)
    for job in waiting:
        if job.task.key not in busy and not (full and job.seconds is not None):
            yield job
