"""Executors of this process: in the calling thread, or in several threads.

Threads help if kernels do the work, since those release the GIL.
"""

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from meeple.errors import Stopped
from meeple.executors.executor import Account, Job, Result, Stop, one_each

Worker = TypeVar("Worker")
Do = Callable[[Worker, Job, Stop], Result]
"""Runs a job with a worker; raises Stopped if `Stop` returns True before the end."""

AHEAD = 4  # jobs in flight per thread, so that none idles while a result is stored


class InThisThread(Generic[Worker, Job, Result]):
    """Runs jobs with one worker inside `gather`, one at a time and in order."""

    def __init__(
        self, worker: Worker, do: Do[Worker, Job, Result], size: Callable[[Job], int] = one_each
    ) -> None:
        """Use `size` as the weight of a job in the account."""
        self.account = Account()
        self._worker, self._do, self._size = worker, do, size
        self._jobs: deque[Job] = deque()

    @property
    def wanted(self) -> int:
        return 0 if self._jobs else 1

    def submit(self, jobs: Sequence[Job]) -> None:
        self._jobs.extend(jobs)
        self.account.begun += sum(map(self._size, jobs))

    def gather(self) -> Sequence[Result]:
        result = self._do(self._worker, self._jobs[0], lambda: False)
        self.account.finished += self._size(self._jobs.popleft())
        return [result]

    def stop(self) -> None:
        self.account.dropped += sum(map(self._size, self._jobs))
        self._jobs.clear()

    def close(self) -> None:
        pass


class InThreads(Generic[Worker, Job, Result]):
    """Runs jobs with several workers, each in a thread that starts with its first job."""

    def __init__(
        self,
        workers: Sequence[Worker],
        do: Do[Worker, Job, Result],
        size: Callable[[Job], int] = one_each,
    ) -> None:
        """Use `size` as the weight of a job in the account."""
        self.account = Account()
        self._idle = list(workers)[::-1]  # have no thread yet
        self._do, self._size = do, size
        self._pending = 0  # jobs submitted, and not yet gathered or dropped
        self._max_pending = AHEAD * len(workers)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()  # None: end
        self._ended: queue.SimpleQueue[tuple[Job, tuple[Result] | BaseException]]
        self._ended = queue.SimpleQueue()
        self._begun: list[Worker] = []
        self._stopping = threading.Event()

    @property
    def wanted(self) -> int:
        return 1 if self._pending < self._max_pending else 0

    def submit(self, jobs: Sequence[Job]) -> None:
        self._stopping.clear()  # nothing is in flight if it was set
        for job in jobs:
            self._pending += 1
            self.account.begun += self._size(job)
            self._jobs.put(job)
            if self._idle:
                worker = self._idle.pop()
                self._begun.append(worker)
                # Daemons, so that a second Ctrl-C ends the process without waiting for searches.
                threading.Thread(target=self._work, args=(worker,), daemon=True).start()

    def gather(self) -> Sequence[Result]:
        job, found = self._ended.get()
        self._pending -= 1
        if isinstance(found, BaseException):
            self.account.dropped += self._size(job)
            if self._stopping.is_set() and isinstance(found, Stopped):
                return []
            raise found
        self.account.finished += self._size(job)
        return found

    def stop(self) -> None:
        self._stopping.set()
        with contextlib.suppress(queue.Empty):
            while (job := self._jobs.get_nowait()) is not None:
                self._pending -= 1
                self.account.dropped += self._size(job)

    def close(self) -> None:
        self.stop()
        for _ in self._begun:
            self._jobs.put(None)

    def _work(self, worker: Worker) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._ended.put((job, (self._do(worker, job, self._stopping.is_set),)))
            except BaseException as error:  # handed to the thread that gathers, which raises it
                self._ended.put((job, error))
