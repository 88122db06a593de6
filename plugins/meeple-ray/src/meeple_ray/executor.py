"""An executor whose workers are processes on a Ray cluster.

Workers have no state that matters: a dead one is replaced, and its jobs are begun again.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic

from meeple.errors import MeepleError, RunError
from meeple.executors.executor import Account, Job, Result, one_each
from meeple_ray.cluster import WAIT, Actor, Cluster, Lost, Needs, Reference
from meeple_ray.remote import Answer, raised

BATCH_SECONDS = 1.0  # target duration of a batch; Ray's overhead is some milliseconds
MAX_BATCH_JOBS = 2000
MAX_GROWTH = 4  # of the number of jobs from one batch to the next
AHEAD = 2  # batches in flight per worker, so that none idles while results are stored
GRACE = 2.0  # seconds that `stop` gives batches in flight to end
MAX_DEATHS = 5  # of workers with the same job, before the executor fails


@dataclass(frozen=True)
class Task(Generic[Job, Result]):
    """The work of the workers, see `meeple_ray.remote`."""

    target: str
    arguments: Mapping[str, Any]  # of the target; each worker also gets its "name"
    encode: Callable[[Job], Any]  # to plain values
    decode: Callable[[Any], Result]
    what: str = "games"  # the unit that messages count
    size: Callable[[Job], int] = one_each  # number of these units in a job
    most: int = MAX_BATCH_JOBS  # limit of jobs in a batch
    peers: Callable[[str], Mapping[str, Actor] | None] = lambda worker: None
    """Processes that the worker of a name may call: see `Cluster.start`."""
    log: Callable[[str, str], None] = lambda worker, text: None
    """Called with the worker's name and what it printed."""
    look: Callable[[], None] = lambda: None
    """Called regularly while the executor waits for answers."""


@dataclass
class WorkerState:
    """The state of a worker, for reports."""

    name: str
    host: str = ""  # "" before it has started
    node: str = ""  # the cluster's identifier
    pid: int = 0
    finished: int = 0  # jobs
    seconds: float = 0.0  # duration of these jobs
    waits: bool = False  # whether it has no job


@dataclass(eq=False)
class _Worker:
    state: WorkerState
    actor: Actor
    ready: bool = False
    batches: int = 0  # in flight


@dataclass
class _Trial(Generic[Job]):
    job: Job
    deaths: int = 0  # of workers while they had it


@dataclass
class _Batch(Generic[Job]):
    worker: _Worker
    trials: list[_Trial[Job]] = field(default_factory=list)  # empty: the order to start


class OnRay(Generic[Job, Result]):
    """Runs jobs with workers of a cluster, each with one processor."""

    def __init__(
        self,
        cluster: Cluster,
        workers: int | None,
        task: Task[Job, Result],
        name: str = "worker",
        poll: float = WAIT,
        ahead: int = AHEAD,
    ) -> None:
        """Start the workers, and wait for the first.

        Args:
            cluster: on which they run.
            workers: their number; None for one per processor of the cluster.
            task: their work.
            name: prefix of their names, before a number.
            poll: seconds after which `gather` returns no results.
            ahead: batches in flight per worker.

        Raises:
            UsageError: the cluster has too few processors.
            RunError: no worker can be used.
            MeepleError: the target raised it.
        """
        self.account = Account()
        self._cluster, self._task = cluster, task
        self._workers: list[_Worker] = []
        self._named = 0  # workers started so far
        self._flight: dict[Reference, _Batch[Job]] = {}
        self._latest: dict[str, Reference] = {}  # the latest value of `tell`, by method
        self._telling: list[Reference] = []
        self._again: deque[_Trial[Job]] = deque()
        self._size = 1
        self._name, self._poll, self._ahead = name, poll, ahead
        self._answered = time.monotonic()  # time of the last answer
        self._deaths_in_a_row = 0
        self._failure: MeepleError | None = None  # of a job, to be raised by `gather`
        self._failed = 0  # the size of that job
        self._deadline: float | None = None  # of the jobs in flight, after `stop`
        self._count = workers or max(1, cluster.processors)
        cluster.check_processors(self._count)
        self._start_workers()

    def _start_workers(self) -> None:
        """Start all workers, and wait until one is ready."""
        try:
            while len(self._workers) < self._count:
                self._start_worker()
            while not any(worker.ready for worker in self._workers):
                self._listen()
        except BaseException:
            self.close()
            raise

    @property
    def wanted(self) -> int:
        if self._failure is not None or self._again or self._free() is None:
            return 0
        return self._size

    def submit(self, jobs: Sequence[Job]) -> None:
        self._deadline = None
        self.account.begun += sum(map(self._task.size, jobs))
        self._send([_Trial(job) for job in jobs])

    def gather(self) -> Sequence[Result]:
        self._task.look()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            self.account.dropped += self._failed
            raise failure
        while self._again and self._free() is not None:
            count = min(self._size, len(self._again))
            self._send([self._again.popleft() for _ in range(count)])
        return self._listen()

    def ready(self) -> Sequence[Result]:
        """Return the results of another finished batch without waiting; empty if there is none.

        An exception is raised by the next `gather`.
        """
        while self._flight and self._failure is None:
            reference = self._cluster.first_of(list(self._flight), 0.0)
            if reference is None:
                break
            try:
                found = self._hear(reference)
            except MeepleError as error:
                self._failure, self._failed = error, 0
                break
            if found:
                return found
        return []

    def stop(self) -> None:
        self._deadline = time.monotonic() + GRACE
        self.account.dropped += self._games(self._again)
        self._again.clear()

    def close(self) -> None:
        for worker in self._workers:
            self._cluster.end(worker.actor)
        self._workers.clear()
        self.account.dropped += self.account.in_flight
        self._flight.clear()

    def tell(self, method: str, value: Any) -> None:
        """Call a method of all workers with a value, beside their jobs.

        A worker that starts later gets the latest value before its first job, maybe twice.
        """
        value_reference = self._cluster.put(value)
        self._latest[method] = value_reference
        # Earlier calls are referenced until here, so that their value is not freed too early.
        self._telling = [
            worker.actor.call_beside(method, value_reference)
            for worker in self._workers
            if worker.ready
        ]

    def workers(self) -> list[WorkerState]:
        """Return the state of each worker."""
        return [replace(one.state, waits=one.ready and not one.batches) for one in self._workers]

    def _games(self, trials: Iterable[_Trial[Job]]) -> int:
        return sum(self._task.size(trial.job) for trial in trials)

    # ------------------------------------------------------------ workers

    def _start_worker(self) -> None:
        self._named += 1
        task, name = self._task, f"{self._name}-{self._named}"
        arguments = {**task.arguments, "name": name}
        actor, reference = self._cluster.start(Needs(), task.target, arguments, task.peers(name))
        worker = _Worker(WorkerState(name), actor)
        self._workers.append(worker)
        self._flight[reference] = _Batch(worker)
        # Before any job: if no worker is ready, this one may get jobs before it has started.
        self._telling += [actor.call(*call) for call in self._latest.items()]

    def _free(self) -> _Worker | None:
        """Return the least busy worker if it can take a batch; started ones come first."""
        while len(self._workers) < self._count:  # `stop` may have ended some
            self._start_worker()
        ready = [worker for worker in self._workers if worker.ready]
        least = min(ready or self._workers, key=lambda worker: worker.batches)
        return least if least.batches < self._ahead else None

    def _send(self, trials: list[_Trial[Job]]) -> None:
        worker = self._free()
        assert worker is not None, "submit was called while no batch was wanted"
        worker.batches += 1
        jobs = [self._task.encode(trial.job) for trial in trials]
        self._flight[worker.actor.do(jobs)] = _Batch(worker, trials)

    # ------------------------------------------------------------ answers

    def _listen(self) -> list[Result]:
        """Wait for one answer, and return its results."""
        now = time.monotonic()
        wait = self._poll if self._deadline is None else max(0.0, self._deadline - now)
        reference = self._cluster.first_of(list(self._flight), wait)
        if reference is None:
            if self._deadline is not None:
                self._give_up()
            elif now - self._answered > WAIT and not any(one.ready for one in self._workers):
                self._answered = now
                self._cluster.place.say("Waiting for workers of the cluster.")
            return []
        return self._hear(reference)

    def _hear(self, reference: Reference) -> list[Result]:
        """Return the results of an answer that has arrived."""
        self._answered = time.monotonic()
        batch = self._flight.pop(reference)
        try:
            answer = self._cluster.answer(reference)
        except Lost as error:
            self._bury(batch, error)
            return []
        except BaseException:
            self.account.dropped += self._games(batch.trials)
            raise
        worker = batch.worker
        if answer.log:
            self._task.log(worker.state.name, answer.log)
        if not batch.trials:
            return self._welcome(worker, answer)
        worker.batches -= 1
        return self._results(batch, answer)

    def _welcome(self, worker: _Worker, answer: Answer) -> list[Result]:
        """Register a worker that has started; raises the error of one that could not."""
        place = answer.result()
        state = worker.state
        state.host, state.node, state.pid = place["host"], place["node"], place["pid"]
        worker.ready = True
        self._task.log(state.name, begun(place))
        # Values of `tell` since its start; beside its jobs, which may wait for them.
        self._telling += [worker.actor.call_beside(*call) for call in self._latest.items()]
        return []

    def _results(self, batch: _Batch[Job], answer: Answer) -> list[Result]:
        results = [self._task.decode(one) for one in answer.value]
        done = self._games(batch.trials[: len(results)])
        self.account.finished += done
        batch.worker.state.finished += done
        batch.worker.state.seconds += answer.seconds
        if answer.error is not None:
            # Raised after the results before it; until then the job counts as in flight.
            self._failure = raised(answer.error)
            self._failed = self._games(batch.trials[len(results) :][:1])
            self.account.dropped += self._games(batch.trials[len(results) + 1 :])
        elif results:
            self._deaths_in_a_row = 0
            each = max(answer.seconds / len(results), 1e-6)
            most = min(self._task.most, MAX_GROWTH * max(self._size, len(results)))
            self._size = max(1, min(most, round(BATCH_SECONDS / each)))
        return results

    def _bury(self, batch: _Batch[Job], error: Exception) -> None:
        """Replace a dead worker, and begin its jobs again."""
        dead = batch.worker
        lost = [*batch.trials]
        for reference, other in list(self._flight.items()):
            if other.worker is dead:
                lost += other.trials
                del self._flight[reference]
        self._cluster.end(dead.actor)  # it may be alive but unreachable
        self._workers.remove(dead)
        self.account.deaths += 1
        games = self._games(lost)
        self.account.lost += games
        self.account.begun += games
        self._again.extend(lost)
        for trial in lost:
            trial.deaths += 1
        self._deaths_in_a_row += 1
        if self._deadline is not None:
            self.stop()
            return
        worst = max((trial.deaths for trial in lost), default=0)
        if worst >= MAX_DEATHS or self._deaths_in_a_row > MAX_DEATHS * self._count:
            raise RunError(f"workers on {self._cluster.place.name} die again and again: {error}")
        self._task.log(dead.state.name, f"This worker was lost: {error}\n")
        what = self._task.what
        self._cluster.place.say(f"A worker was lost; {what} that are begun again: {games}.")
        self._start_worker()

    def _give_up(self) -> None:
        """Kill the workers that are still busy after `GRACE` seconds."""
        for batch in self._flight.values():
            self.account.dropped += self._games(batch.trials)
        busy = {id(batch.worker): batch.worker for batch in self._flight.values()}
        self._flight.clear()
        for worker in busy.values():
            self._cluster.end(worker.actor)
            self._workers.remove(worker)


def begun(place: Mapping[str, Any]) -> str:
    """Return a line for a log with the host and process, see `Remote.where`."""
    return f"begun on {place['host']}, process {place['pid']}\n"
