"""The interface of all executors, and the one loop that keeps an executor busy.

What a job is, and what comes of it, is its caller's business: the arena's are games.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
_JobIn = TypeVar("_JobIn", contravariant=True)
_ResultOut = TypeVar("_ResultOut", covariant=True)


@dataclass
class Account:
    """What became of jobs, each counted by its size.

    `begun` is `finished` plus `dropped` plus `lost`, once none is in flight.
    """

    begun: int = 0  # given to a worker, each time that it was
    finished: int = 0
    dropped: int = 0  # given up, as no more were wanted
    lost: int = 0  # with the worker that had them, and then begun again
    deaths: int = 0  # of workers

    @property
    def in_flight(self) -> int:
        """Begun, and not yet at an end."""
        return self.begun - self.finished - self.dropped - self.lost


def one_each(job: object) -> int:
    """The size of jobs that count as one each."""
    return 1


def lost_in_words(lost: int, deaths: int, dropped: int) -> list[str]:
    """What did not end well of jobs, each in words; nothing of what there is none."""
    counts = (lost, f"begun again, as workers were lost ({deaths})"), (dropped, "given up")
    return [f"{count} {what}" for count, what in counts if count]


class Executor(Protocol[_JobIn, _ResultOut]):
    """Does jobs side by side. One thread alone calls it."""

    account: Account

    @property
    def wanted(self) -> int:
        """How many jobs the next batch should have; 0: no batch now, gather first."""

    def submit(self, jobs: Sequence[_JobIn]) -> None:
        """Hand in a batch, of no more jobs than are wanted."""

    def gather(self) -> Sequence[_ResultOut]:
        """Wait until jobs in flight have ended, and give what came of them.

        Empty where none has a result. Raises what a job raised.
        """

    def stop(self) -> None:
        """Give up what is in flight, as far as can be; the rest ends and is still gathered."""

    def close(self) -> None:
        """Let go of the workers; jobs in flight are lost."""


def run_all(
    executor: Executor[Job, Result],
    jobs: Iterable[Job],
    take: Callable[[Result], bool],
    known: Callable[[Job], Result | None] = lambda job: None,
) -> bool:
    """Have jobs done, and `take` called with each result as it comes, until one is enough.

    A job whose result is `known` is not done. After enough, or Ctrl-C, `take` is still told of
    jobs that were near their end. Returns whether all were done, or enough, which Ctrl-C prevents;
    a second Ctrl-C is raised. Raises what a job raised, once nothing is in flight.
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
        except BaseException:  # of a caller's hook: the workers must not go on unseen
            executor.stop()
            raise
    if failure is not None:
        raise failure
    return not interrupted


def _next_batch(
    waiting: Iterator[Job], wanted: int, known: Callable[[Job], Result | None]
) -> tuple[list[Job], Result | None]:
    """So many jobs that are to be done, or those before one whose result is known, and that."""
    batch: list[Job] = []
    for job in waiting:
        found = known(job)
        if found is not None:
            return batch, found
        batch.append(job)
        if len(batch) == wanted:
            break
    return batch, None
