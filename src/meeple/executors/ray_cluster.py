"""Jobs done on a Ray cluster (https://docs.ray.io): the one file that knows Ray.

Of Ray's parts only actors are used. What goes to and fro is JSON. An actor keeps nothing that
matters: one that dies is replaced by another, and its jobs are begun again. Nobody but the process
that made a cluster executor may use it, and all that it has on the cluster ends with it.
"""

import contextlib
import json
import os
import secrets
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic

from meeple.errors import MeepleError, RunError, UsageError
from meeple.executors.executor import Account, Job, Result
from meeple.executors.place import Place
from meeple.executors.remote import Remote, identity, raised
from meeple.extras import need

BATCH_SECONDS = 1.0  # that a batch should take: Ray's own work for one is some milliseconds
MOST_JOBS = 2000  # in a batch
FASTER = 4  # a batch has at most so many times the jobs of the last one
AHEAD = 2  # batches of each worker in flight: it has the next while this one's results are stored
GRACE = 2.0  # seconds for batches that are near their end when all is stopped
PATIENCE = 5.0  # seconds until a cluster that cannot be reached is given up
WAIT = 15.0  # seconds without any news after which it is said that workers are waited for
TRIES = 5  # workers that a job may cost before it is held to kill them
STORE_BYTES = 80 * 2**20  # of shared memory, in a cluster of one's own: containers often have 64 MB
ONE_THREAD = dict.fromkeys(
    ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
"""A worker has one processor. Ray sets OMP's number alone, and Numba counts by its own."""


@dataclass(frozen=True)
class Task(Generic[Job, Result]):
    """What workers are to do, see `meeple.executors.remote`."""

    target: str
    arguments: Mapping[str, Any]
    encode: Callable[[Job], Any]
    decode: Callable[[Any], Result]


class RayActor(Remote):
    """What Ray starts in a process on a node."""

    def asks_for_token(self) -> bool:
        """Whether the node lets nobody in without the cluster's token."""
        import ray._raylet

        mode: Any = ray._raylet
        return bool(mode.get_authentication_mode() != mode.AuthenticationMode.DISABLED)


@dataclass(eq=False)
class _Worker:
    handle: Any
    ready: bool = False
    batches: int = 0  # in flight


@dataclass
class _Trial(Generic[Job]):
    job: Job
    deaths: int = 0  # of workers that had it


@dataclass
class _Batch(Generic[Job]):
    worker: _Worker
    trials: list[_Trial[Job]] = field(default_factory=list)  # none: the order to begin


class OnRay(Generic[Job, Result]):
    """Workers of a cluster, each with one processor."""

    def __init__(self, place: Place, workers: int | None, task: Task[Job, Result]) -> None:
        """`workers`: None, one for each processor of the cluster.

        Raises UsageError where Ray is not installed, or there are fewer processors than asked;
        RunError where the cluster cannot be used; and what the making of a worker raises.
        """
        need("ray", "playing on Ray")
        _set_environment(place)
        import ray

        self.account = Account()
        self._ray: Any = ray
        self._place, self._task = place, task
        self._workers: list[_Worker] = []
        self._flight: dict[Any, _Batch[Job]] = {}  # by Ray's reference of the answer
        self._again: deque[_Trial[Job]] = deque()
        self._size = 1
        self._deaths_in_a_row = 0
        self._failure: MeepleError | None = None  # of a job, not raised yet
        self._deadline: float | None = None  # of what is in flight, once all is to stop
        self._is_own = not ray.is_initialized()
        try:
            self._connect()
            self._count = self._processors(workers)
            self._check_token()
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
        self.account.begun += len(jobs)
        self._send([_Trial(job) for job in jobs])

    def gather(self) -> Sequence[Result]:
        if self._failure is not None:
            failure, self._failure = self._failure, None
            self.account.dropped += 1
            raise failure
        while self._again and self._free() is not None:
            count = min(self._size, len(self._again))
            self._send([self._again.popleft() for _ in range(count)])
        return self._listen()

    def stop(self) -> None:
        self._deadline = time.monotonic() + GRACE
        self.account.dropped += len(self._again)
        self._again.clear()

    def close(self) -> None:
        for worker in self._workers:
            self._kill(worker)
        self._workers.clear()
        self._flight.clear()
        if self._is_own and self._ray.is_initialized():
            self._ray.shutdown()

    # ------------------------------------------------------------ the cluster

    def _connect(self) -> None:
        """Join the cluster of the place, or start one of this machine."""
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        place = self._place
        if place.host is None:
            if not self._is_own:  # this process is on a cluster already
                return
            self._init(
                address="local",
                object_store_memory=STORE_BYTES,
                include_dashboard=False,
                **quiet,
            )
            return
        try:
            socket.create_connection((place.host.strip("[]"), place.port), PATIENCE).close()
        except OSError as error:
            reason = error.strerror or str(error) or type(error).__name__
            raise RunError(f"there is no Ray cluster at {place.name}: {reason}") from None
        if not self._is_own:
            there = self._ray.get_runtime_context().gcs_address
            if not there.endswith(f":{place.port}"):
                raise UsageError(f"this process is on the Ray cluster at {there}, not {place.name}")
            return
        self._init(address=f"{place.host}:{place.port}", **quiet)

    def _init(self, **options: Any) -> None:
        name = self._place.name
        try:
            with _silence():
                self._ray.init(**options)
            # Ray tells of workers that died on stdout, where results are printed; here it is told
            # by `Place.say`. Ray has no option for it.
            self._ray._private.worker.print_to_stdstream = lambda *data, **how: None
        except self._ray.exceptions.AuthenticationError as error:
            raise RunError(
                f"{name} asks for its token, and the one here is none or another: put the "
                f"cluster's into RAY_AUTH_TOKEN or ~/.ray/auth_token, with RAY_AUTH_MODE=token "
                f"({_first_line(error)})"
            ) from None
        except ConnectionError:
            raise RunError(
                f"{name} answers, but does not let this machine in: it must be a node of that "
                "cluster, with the same token in RAY_AUTH_TOKEN or ~/.ray/auth_token and "
                "RAY_AUTH_MODE=token"
            ) from None
        except (RuntimeError, ValueError, self._ray.exceptions.RayError) as error:
            line = _first_line(error)
            if "ersion mismatch" in str(error):
                line = "it runs another version of Ray or Python than this machine: " + line
            raise RunError(f"{name} cannot be used: {line}") from None

    def _processors(self, wanted: int | None) -> int:
        there = int(self._ray.cluster_resources().get("CPU", 0))
        if there < (wanted or 1):
            raise UsageError(
                f"{self._place.name} has {there} processors, and {wanted or 1} workers were asked "
                "for: one each"
            )
        return wanted or there

    def _check_token(self) -> None:
        """Refuse a cluster that anybody may use, before anything runs there."""
        worker = self._new_worker()
        self._workers.append(worker)
        asked = worker.handle.asks_for_token.remote()
        if not self._answer_of(asked) and not self._place.without_token:
            raise RunError(
                f"{self._place.name} has no token, so that anybody who reaches it may run programs "
                "there: start it with RAY_AUTH_MODE=token, or say --without-token"
            )
        self._order(worker)

    def _answer_of(self, reference: Any) -> Any:
        """What is said by a worker that has just been started."""
        told = False
        while not self._ray.wait([reference], timeout=WAIT)[0]:
            if not told:
                self._place.say("Waiting for a free processor of the cluster.")
            told = True
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            raise RunError(
                f"no worker can be started on {self._place.name}: Meeple must be installed on "
                "all its machines, and all must have been started with the same token and "
                f"RAY_AUTH_MODE ({_last_line(error)})"
            ) from None

    # ------------------------------------------------------------ workers

    def _new_worker(self) -> _Worker:
        # Ray gives an actor no processor unless that is said; and it restarts none by default,
        # which is as it should be: a new one needs its order first.
        options = {"num_cpus": 1, "max_restarts": 0, "runtime_env": {"env_vars": ONE_THREAD}}
        return _Worker(self._ray.remote(RayActor).options(**options).remote())

    def _start_worker(self) -> None:
        worker = self._new_worker()
        self._workers.append(worker)
        self._order(worker)

    def _order(self, worker: _Worker) -> None:
        order = {
            "target": self._task.target,
            "arguments": self._task.arguments,
            "identity": identity(),
            "folder": str(Path.cwd()),
        }
        self._flight[worker.handle.begin.remote(json.dumps(order))] = _Batch(worker)

    def _free(self) -> _Worker | None:
        """The worker with least to do that may have a batch; those that have begun go first."""
        while len(self._workers) < self._count:  # some were given up at the last stop
            self._start_worker()
        ready = [worker for worker in self._workers if worker.ready]
        least = min(ready or self._workers, key=lambda worker: worker.batches)
        return least if least.batches < AHEAD else None

    def _send(self, trials: list[_Trial[Job]]) -> None:
        worker = self._free()
        assert worker is not None, "a batch was handed in that was not wanted"
        worker.batches += 1
        jobs = json.dumps([self._task.encode(trial.job) for trial in trials])
        self._flight[worker.handle.do.remote(jobs)] = _Batch(worker, trials)

    def _kill(self, worker: _Worker) -> None:
        if self._ray.is_initialized():
            self._ray.kill(worker.handle)

    # ------------------------------------------------------------ answers

    def _listen(self) -> list[Result]:
        """Wait for one answer, and give the results in it."""
        wait = WAIT if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        ready, _ = self._ray.wait(list(self._flight), num_returns=1, timeout=wait)
        if not ready:
            if self._deadline is not None:
                self._give_up()
            elif not any(worker.ready for worker in self._workers):
                self._place.say("Waiting for workers of the cluster.")
            return []
        batch = self._flight.pop(ready[0])
        try:
            answer = json.loads(self._ray.get(ready[0]))
        except self._ray.exceptions.RayTaskError:
            self.account.dropped += len(batch.trials)
            raise
        except self._ray.exceptions.RayError as error:
            self._bury(batch, error)
            return []
        if not batch.trials:
            batch.worker.ready = True
        else:
            batch.worker.batches -= 1
        return self._results(batch, answer)

    def _results(self, batch: _Batch[Job], answer: Mapping[str, Any]) -> list[Result]:
        results = [self._task.decode(one) for one in answer.get("results", ())]
        self.account.finished += len(results)
        if "error" in answer:
            # Told once the results before it are taken; until then its job counts as in flight.
            self._failure = raised(answer["error"])
            if not batch.trials:
                raise self._failure
            self.account.dropped += len(batch.trials) - len(results) - 1
        elif results:
            self._deaths_in_a_row = 0
            each = max(answer["seconds"] / len(results), 1e-6)
            most = min(MOST_JOBS, FASTER * max(self._size, len(results)))
            self._size = max(1, min(most, round(BATCH_SECONDS / each)))
        return results

    def _bury(self, batch: _Batch[Job], error: Exception) -> None:
        """A worker has died: another takes its place, and its jobs are begun again."""
        dead = batch.worker
        lost = [*batch.trials]
        for reference, other in list(self._flight.items()):
            if other.worker is dead:
                lost += other.trials
                del self._flight[reference]
        self._kill(dead)  # where it only cannot be reached
        self._workers.remove(dead)
        self.account.deaths += 1
        self.account.lost += len(lost)
        self.account.begun += len(lost)
        self._again.extend(lost)
        for trial in lost:
            trial.deaths += 1
        self._deaths_in_a_row += 1
        if self._deadline is not None:
            self.stop()
            return
        worst = max((trial.deaths for trial in lost), default=0)
        if worst >= TRIES or self._deaths_in_a_row > TRIES * self._count:
            raise RunError(
                f"workers on {self._place.name} die again and again: {_last_line(error)}"
            )
        self._place.say(f"A worker was lost; games that are played again: {len(lost)}.")
        self._start_worker()

    def _give_up(self) -> None:
        """End workers that are still busy when all was to stop."""
        for batch in self._flight.values():
            self.account.dropped += len(batch.trials)
        busy = {id(batch.worker): batch.worker for batch in self._flight.values()}
        self._flight.clear()
        for worker in busy.values():
            self._kill(worker)
            self._workers.remove(worker)


def _set_environment(place: Place) -> None:
    """Say what Ray reads from the environment once, when it is imported; what is set there stays.

    A cluster of one's own gets a token that is nowhere else.
    """
    given = os.environ
    given.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if "ray" in sys.modules:
        return
    named = {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"}
    if place.host is None and not named & given.keys():
        given["RAY_AUTH_MODE"], given["RAY_AUTH_TOKEN"] = "token", secrets.token_hex(32)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keep off stderr what Ray's own threads write there, a line for each try to get in."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _last_line(error: BaseException) -> str:
    return [type(error).__name__, *str(error).strip().splitlines()][-1].strip()
