"""Jobs done in this process: one after the other, or side by side in threads.

Threads help where kernels do the work, which let go of the GIL.
"""

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from meeple.errors import Stopped
from meeple.executors.executor import Account, Job, Result, one_each

Stop = Callable[[], bool]
Worker = TypeVar("Worker")
Do = Callable[[Worker, Job, Stop], Result]
"""Has a worker do a job; raises Stopped where it is told so in the middle."""

AHEAD = 4  # jobs in flight for each thread: none waits while this thread stores a result


class InThisThread(Generic[Worker, Job, Result]):
    """One worker, whose jobs are done as they are gathered, one at a time in their order."""

    def __init__(
        self, worker: Worker, do: Do[Worker, Job, Result], size: Callable[[Job], int] = one_each
    ) -> None:
        """`size`: what a job counts as in the account."""
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
    """Several workers, each in a thread of its own, which begins when there is a job for it."""

    def __init__(
        self,
        workers: Sequence[Worker],
        do: Do[Worker, Job, Result],
        size: Callable[[Job], int] = one_each,
    ) -> None:
        """`size`: what a job counts as in the account."""
        self.account = Account()
        self._idle = list(workers)[::-1]  # without a thread yet
        self._do, self._size = do, size
        self._with_us = 0  # jobs handed in, and not gathered or given up
        self._most = AHEAD * len(workers)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()  # None: end
        self._ended: queue.SimpleQueue[tuple[Job, tuple[Result] | BaseException]]
        self._ended = queue.SimpleQueue()
        self._begun: list[Worker] = []
        self._stopping = threading.Event()

    @property
    def wanted(self) -> int:
        return 1 if self._with_us < self._most else 0

    def submit(self, jobs: Sequence[Job]) -> None:
        self._stopping.clear()  # nothing is in flight where it was set
        for job in jobs:
            self._with_us += 1
            self.account.begun += self._size(job)
            self._jobs.put(job)
            if self._idle:
                worker = self._idle.pop()
                self._begun.append(worker)
                # Daemons: a second Ctrl-C ends the process without waiting for moves being
                # thought of.
                threading.Thread(target=self._work, args=(worker,), daemon=True).start()

    def gather(self) -> Sequence[Result]:
        job, found = self._ended.get()
        self._with_us -= 1
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
                self._with_us -= 1
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
