"""The interface of executors, and the loop that submits jobs and gathers results.

The caller defines jobs and results; those of the arena are games.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
Stop = Callable[[], bool]
"""Returns whether to stop; work that is stopped raises `Stopped`."""
_JobIn = TypeVar("_JobIn", contravariant=True)
_ResultOut = TypeVar("_ResultOut", covariant=True)


@dataclass
class Account:
    """Counts of jobs by outcome, each job weighted by its size.

    When none is in flight, `begun` is `finished` plus `dropped` plus `lost`.
    """

    begun: int = 0  # sent to a worker; a repeated job counts each time
    finished: int = 0
    dropped: int = 0  # cancelled, as their results were not needed
    lost: int = 0  # with a worker that died; they are begun again
    deaths: int = 0  # of workers

    @property
    def in_flight(self) -> int:
        """Number of jobs begun but not yet finished, dropped or lost."""
        return self.begun - self.finished - self.dropped - self.lost


def one_each(job: object) -> int:
    """Return 1, the size of every job."""
    return 1


def lost_in_words(lost: int, deaths: int, dropped: int) -> list[str]:
    """Return clauses for the lost and the dropped jobs; none for a count of 0."""
    counts = (lost, f"begun again, as workers were lost ({deaths})"), (dropped, "given up")
    return [f"{count} {what}" for count, what in counts if count]


class Executor(Protocol[_JobIn, _ResultOut]):
    """Runs jobs concurrently. Only one thread may call its methods."""

    account: Account

    @property
    def wanted(self) -> int:
        """Number of jobs that the next batch should have; 0: call `gather` first."""

    def submit(self, jobs: Sequence[_JobIn]) -> None:
        """Start a batch of at most `wanted` jobs."""

    def gather(self) -> Sequence[_ResultOut]:
        """Wait until jobs in flight have ended, and return their results.

        The result is empty if none of them has one. Raises the exception of a failed job.
        """

    def stop(self) -> None:
        """Cancel the jobs in flight if possible; `gather` still returns the others."""

    def close(self) -> None:
        """End the workers and drop the jobs in flight."""


def run_all(
    executor: Executor[Job, Result],
    jobs: Iterable[Job],
    take: Callable[[Result], bool],
    known: Callable[[Job], Result | None] = lambda job: None,
) -> bool:
    """Run jobs until all are done, or until `take` returns True.

    Args:
        executor: runs the jobs.
        jobs: read lazily, as the executor wants them.
        take: called with each result as it arrives; returns True if no more are needed. After
            that, or after Ctrl-C, it still gets the results of jobs that end soon.
        known: returns the result of a job that need not be run, or None.

    Returns:
        False if Ctrl-C ended the jobs, otherwise True.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed twice.
        Exception: the first that a job raised, when nothing is in flight.
    """
    waiting = iter(jobs)
    arrived: deque[Result] = deque()
    interrupted = stopping = False
    failure: Exception | None = None
    while True:
        try:
            if arrived:
                if take(arrived.popleft()):
                    stopping = True
                    executor.stop()
            elif not stopping and (wanted := executor.wanted):
                batch, found = _next_batch(waiting, wanted, known)
                if batch:
                    executor.submit(batch)
                if found is not None:
                    arrived.append(found)
                stopping = not batch and found is None
            elif executor.account.in_flight:
                try:
                    arrived.extend(executor.gather())
                except Exception as error:
                    failure, stopping = failure or error, True
                    executor.stop()
            else:
                break
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = stopping = True
            executor.stop()
        except BaseException:  # from a callback of the caller: end the workers
            executor.stop()
            raise
    if failure is not None:
        raise failure
    return not interrupted


def _next_batch(
    waiting: Iterator[Job], wanted: int, known: Callable[[Job], Result | None]
) -> tuple[list[Job], Result | None]:
    """Return up to `wanted` jobs to run, or those before a job with a known result, and that."""
    batch: list[Job] = []
    for job in waiting:
        found = known(job)
        if found is not None:
            return batch, found
        batch.append(job)
        if len(batch) == wanted:
            break
    return batch, None
