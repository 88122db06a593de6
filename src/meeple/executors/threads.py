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
from meeple.executors.executor import Account, Job, Result

Stop = Callable[[], bool]
Worker = TypeVar("Worker")
Do = Callable[[Worker, Job, Stop], Result]
"""Has a worker do a job; raises Stopped where it is told so in the middle."""

AHEAD = 4  # jobs in flight for each thread: none waits while this thread stores a result


class InThisThread(Generic[Worker, Job, Result]):
    """One worker, whose jobs are done as they are gathered, one at a time in their order."""

    def __init__(self, worker: Worker, do: Do[Worker, Job, Result]) -> None:
        self.account = Account()
        self._worker, self._do = worker, do
        self._jobs: deque[Job] = deque()

    @property
    def wanted(self) -> int:
        return 0 if self._jobs else 1

    def submit(self, jobs: Sequence[Job]) -> None:
        self._jobs.extend(jobs)
        self.account.begun += len(jobs)

    def gather(self) -> Sequence[Result]:
        result = self._do(self._worker, self._jobs[0], lambda: False)
        self._jobs.popleft()
        self.account.finished += 1
        return [result]

    def stop(self) -> None:
        self.account.dropped += len(self._jobs)
        self._jobs.clear()

    def close(self) -> None:
        pass


class InThreads(Generic[Worker, Job, Result]):
    """Several workers, each in a thread of its own, which begins when there is a job for it."""

    def __init__(self, workers: Sequence[Worker], do: Do[Worker, Job, Result]) -> None:
        self.account = Account()
        self._idle = list(workers)[::-1]  # without a thread yet
        self._do = do
        self._most = AHEAD * len(workers)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()  # None: end
        self._done: queue.SimpleQueue[tuple[Result] | BaseException] = queue.SimpleQueue()
        self._begun: list[Worker] = []
        self._stopping = threading.Event()

    @property
    def wanted(self) -> int:
        return 1 if self.account.in_flight < self._most else 0

    def submit(self, jobs: Sequence[Job]) -> None:
        self._stopping.clear()  # nothing is in flight where it was set
        for job in jobs:
            self.account.begun += 1
            self._jobs.put(job)
            if self._idle:
                worker = self._idle.pop()
                self._begun.append(worker)
                # Daemons: a second Ctrl-C ends the process without waiting for moves being
                # thought of.
                threading.Thread(target=self._work, args=(worker,), daemon=True).start()

    def gather(self) -> Sequence[Result]:
        item = self._done.get()
        if isinstance(item, BaseException):
            self.account.dropped += 1
            if self._stopping.is_set() and isinstance(item, Stopped):
                return []
            raise item
        self.account.finished += 1
        return item

    def stop(self) -> None:
        self._stopping.set()
        with contextlib.suppress(queue.Empty):
            while True:
                self._jobs.get_nowait()
                self.account.dropped += 1

    def close(self) -> None:
        self.stop()
        for _ in self._begun:
            self._jobs.put(None)

    def _work(self, worker: Worker) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._done.put((self._do(worker, job, self._stopping.is_set),))
            except BaseException as error:  # handed to the thread that gathers, which raises it
                self._done.put(error)
