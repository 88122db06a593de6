"""The pool of workers: assigns tasks to worker processes in turns, and cancels them.

All of it runs in the event loop without blocking; `process` communicates with the processes.
"""

import asyncio
import itertools
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from meeple.errors import EngineError, MeepleError, Stopped
from meeple.server.errors import Busy, NoAnalysis, refusal
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.thinking.job import (
    WAITING,
    AgentTask,
    PoolJob,
    Stream,
    WorkerSlot,
)
from meeple.server.thinking.process import WorkerProcess, new_flags
from meeple.server.thinking.turns import Turns
from meeple.server.thinking.worker import THINKING


class Pool:
    """Worker processes that choose for agents and analyse."""

    def __init__(
        self,
        workers: int,
        queue: int,
        game_files: Sequence[str] = (),
        runs: Path | None = None,
        limits: ServerLimits = LIMITS,
    ) -> None:
        """Create the pool.

        Args:
            workers: number of processes.
            queue: maximum number of waiting tasks.
            game_files: Python files that define further games.
            runs: folder of the runs whose networks specs may name.
            limits: of the server.
        """
        self._limits = limits
        self.workers = max(1, workers)
        self.queue = queue
        self.game_files, self.runs = tuple(game_files), runs
        self.is_awaited: Callable[[str], bool] = lambda key: True
        """Returns whether a client waits for the task of a key."""
        self.on_state: Callable[[str, str, str], None] | None = None
        """Called with a key, its state ("waiting", "preparing" or "thinking"), and what is
        prepared.
        """
        self._places: list[WorkerSlot] = []
        self._waiting: list[PoolJob] = []
        self._turns = Turns(limits, lambda key: self.is_awaited(key))
        self._streams: set[Stream] = set()
        self._numbers = itertools.count(1)
        self._alarm: asyncio.TimerHandle | None = None
        self._closing = False

    async def start(self) -> None:
        """Start the processes; the first tasks wait for them."""
        self._loop = asyncio.get_running_loop()
        flags = new_flags(self.workers)
        for index in range(self.workers):
            on_message = self._message_handler(index)
            process = WorkerProcess(
                index, flags, self.game_files, self.runs, self._loop, on_message, self._limits
            )
            self._places.append(WorkerSlot(process))

    async def close(self) -> None:
        """End all processes; waiting callers get Stopped."""
        self._closing = True
        for job in self._waiting:
            job.fail(Stopped("the server is closing"))
        self._waiting.clear()
        for place in self._places:
            place.process.close()
            if place.job is not None:
                place.job.fail(Stopped("the server is closing"))
                place.process.kill()
        threads = [place.process.thread for place in self._places]
        await asyncio.gather(*(asyncio.to_thread(thread.join) for thread in threads))
        if self._alarm is not None:
            self._alarm.cancel()

    # ------------------------------------------------------------ requests

    async def choose(self, task: AgentTask) -> tuple[int, dict[str, Any] | None]:
        """Return the agent's action, and its search result if it reports one.

        Raises:
            Busy: Too many tasks wait.
            Stopped: The task was cancelled before it began.
            MeepleError: The agent failed.
        """
        answer = await self._ask(task)
        return answer["action"], answer["thought"]

    async def analyse(self, task: AgentTask, seconds: float) -> AsyncIterator[dict[str, Any]]:
        """Yield search results of increasing length, up to `seconds`; the last has `final`: True.

        An agent that does not search yields one.

        Raises:
            Busy: Too many tasks or analyses wait.
            Stopped: The task was cancelled before it began.
            NoAnalysis: The agent reports no result.
            MeepleError: The agent failed.
        """
        of_caller = sum(stream.caller == task.caller for stream in self._streams)
        full = len(self._streams) >= self._limits.max_analyses
        if full or of_caller >= self._limits.max_analyses_per_caller:
            raise refusal(Busy, "analysis_busy")
        stream = Stream(task.key, task.caller)
        self._streams.add(stream)
        last: dict[str, Any] | None = None
        slices = max(1, math.ceil(seconds / self._limits.slice_seconds - 1e-9))
        try:
            for number in range(1, slices + 1):
                try:
                    whole = min(seconds, self._limits.max_unsliced_seconds)
                    answer = await self._ask(task, seconds / slices, whole, last is not None)
                except Stopped:
                    if last is None:
                        raise
                    yield {**last, "final": True}
                    return
                last = answer["thought"]
                if last is None:
                    raise refusal(NoAnalysis, "no_analysis", agent=task.spec)
                final = number == slices or not answer["more"] or stream.stopped
                yield {**last, "final": final}
                if final:
                    return
                if stream.stopped:  # while the consumer handled the result
                    yield {**last, "final": True}
                    return
        finally:
            self._streams.discard(stream)

    def stop(self, key: str) -> None:
        """Make the running task of a key answer now; its waiting tasks get Stopped."""
        for stream in self._streams:
            stream.stopped = stream.stopped or stream.key == key
        for job in [job for job in self._waiting if job.task.key == key]:
            self._waiting.remove(job)
            job.cancel()
        for place in self._places:
            if place.job is not None and place.works_on(key):
                self._interrupt(place, place.job)

    def forget(self, key: str) -> None:
        """Release the session of a key."""
        for place in self._places:
            if key in place.memory:
                del place.memory[key]
                place.forget.append(key)

    def state(self, key: str) -> str | None:
        """Return the state of a key's task, as for `on_state`, or None without a task."""
        jobs = [job for job in self._jobs() if job.task.key == key]
        return jobs[0].state if jobs else None

    @property
    def load(self) -> tuple[int, int]:
        """The numbers of waiting tasks and of busy workers."""
        return len(self._waiting), sum(place.job is not None for place in self._places)

    @property
    def analyses(self) -> int:
        """The number of analyses in progress."""
        return len(self._streams)

    @property
    def memories(self) -> list[frozenset[str]]:
        """The keys of each worker's sessions."""
        return [frozenset(place.memory) for place in self._places]

    def pid_of(self, key: str) -> int | None:
        """Return the id of the process that works on a key's task."""
        found = (place.process.pid for place in self._places if place.works_on(key))
        return next(found, None)

    @property
    def pids(self) -> list[int]:
        """The ids of the current processes."""
        return [pid for place in self._places if (pid := place.process.pid) is not None]

    async def _ask(
        self,
        task: AgentTask,
        seconds: float | None = None,
        whole: float | None = None,
        is_continued: bool = False,
    ) -> dict[str, Any]:
        """Return the answer of a worker; a continued analysis is never refused as Busy."""
        if self._closing or not self._places:
            raise refusal(Stopped, "closing")
        patience = self._limits.move_patience_seconds
        if seconds is not None:
            patience = self._limits.analysis_patience_seconds
        job = PoolJob(task, seconds, whole, self._loop.create_future(), patience)
        self._waiting.append(job)
        self._dispatch()
        if not is_continued and job.number == 0 and self._is_full(job):
            self._waiting.remove(job)
            raise refusal(Busy, "agents_busy")
        try:
            answer = await job.answer
        except asyncio.CancelledError:
            self._cancel(job)
            raise
        if "error" in answer and job.late:
            raise self._too_slow()
        if "fault" in answer:
            raise EngineError(answer["error"], answer["fault"])
        if "error" in answer:
            raise (Stopped if answer["stopped"] else MeepleError)(answer["error"])
        return answer

    def _is_full(self, job: PoolJob) -> bool:
        """Return whether too many tasks wait, moves and analyses counted apart."""
        kind = [one for one in self._waiting if (one.seconds is None) == (job.seconds is None)]
        of_caller = sum(one.task.caller == job.task.caller for one in kind)
        return len(kind) > self.queue or of_caller > self._limits.max_moves_per_caller

    def _cancel(self, job: PoolJob) -> None:
        """Cancel a job whose caller is gone."""
        if job in self._waiting:
            self._waiting.remove(job)
        for place in self._places:
            if place.job is job:
                self._interrupt(place, job)

    # ------------------------------------------------------------ assignment

    def _jobs(self) -> Iterator[PoolJob]:
        yield from (place.job for place in self._places if place.job is not None)
        yield from self._waiting

    def _dispatch(self) -> None:
        """Assign waiting jobs to idle workers, and interrupt a search that has had its turn."""
        idle = [place for place in self._places if place.job is None]
        idle.sort(key=lambda place: len(place.memory))
        for place in idle:
            job = self._turns.next_for(place, self._places, self._waiting)
            if job is not None:
                self._waiting.remove(job)
                self._assign(place, job)
        if self._waiting and self._alarm is None:
            self._alarm = self._loop.call_later(
                self._limits.move_patience_seconds / 4, self._dispatch_later
            )

    def _dispatch_later(self) -> None:
        """Dispatch again: a job may have waited long enough for its own worker, or for a turn."""
        self._alarm = None
        self._dispatch()
        place = self._turns.to_interrupt(self._places, self._waiting)
        if place is not None and place.job is not None:
            place.job.gives_way = True
            place.process.stop(place.job.number)

    def _assign(self, place: WorkerSlot, job: PoolJob) -> None:
        task = job.task
        for other in self._places:
            if other is not place and task.key in other.memory:  # it would become outdated there
                del other.memory[task.key]
                other.forget.append(task.key)
        place.job = job
        job.begun, job.gives_way = time.monotonic(), False
        place.memory[task.key] = None
        place.memory.move_to_end(task.key)
        if len(place.memory) > self._limits.max_agents:
            place.memory.popitem(last=False)  # the worker drops the same one
        job.number, job.tries = next(self._numbers), job.tries + 1
        order = job.order(place.forget)
        place.process.order(job.number, order)
        place.forget = []

    # ------------------------------------------------------------ answers

    def _message_handler(self, index: int) -> Callable[[int, dict[str, Any] | None], None]:
        return lambda number, message: self._on_message(self._places[index], number, message)

    def _on_message(self, place: WorkerSlot, number: int, message: dict[str, Any] | None) -> None:
        job = place.job
        if job is None or job.number != number:
            return
        if message is not None and "state" in message:
            job.resumes = message.get("resumes", False)
            if message["state"] == THINKING != job.state and job.seconds is None:
                left = max(0.0, self._limits.max_choice_seconds - job.ran)
                job.alarm = self._loop.call_later(left, self._stop_late, place, job)
            self._set_state(job, message["state"], message.get("step", ""))
            return
        place.job = None
        self._turns.charge(job)
        if job.alarm is not None:
            job.alarm.cancel()
        if message is None:
            place.memory.clear()
            self._retry_or_fail(job)
        elif job.gives_way and not job.stopped and message.get("more") and job.seconds is None:
            self._wait_again(job, message)
        else:
            job.give(message)
        self._dispatch()

    def _wait_again(self, job: PoolJob, partial: dict[str, Any]) -> None:
        """Queue an interrupted search, which continues in its worker."""
        if job.answer.done():
            return
        job.partial, job.ready = partial, time.monotonic()
        job.patience = self._limits.analysis_patience_seconds
        self._set_state(job, WAITING)
        self._waiting.append(job)

    def _set_state(self, job: PoolJob, state: str, step: str = "") -> None:
        job.state = state
        if self.on_state is not None and not job.answer.done():
            self.on_state(job.task.key, state, step)

    def _retry_or_fail(self, job: PoolJob) -> None:
        """Retry a job whose worker died, unless it was cancelled or retried before."""
        if job.answer.done():
            return
        if self._closing or job.stopped:
            job.fail(self._too_slow() if job.late else Stopped("the choice was cancelled"))
        elif job.tries < self._limits.max_tries:
            self._set_state(job, WAITING)
            self._waiting.insert(0, job)
        else:
            job.fail(MeepleError("the agent's process ended twice without an answer"))

    def _interrupt(self, place: WorkerSlot, job: PoolJob) -> None:
        """Make a worker answer now; replace it if it does not."""
        if job.stopped:
            return
        job.stopped = True
        place.process.stop(job.number)
        self._check_later(place, job, self._loop.time())

    def _stop_late(self, place: WorkerSlot, job: PoolJob) -> None:
        """Stop a choice that takes too long."""
        if place.job is job and not job.stopped:
            job.late = True
            self._interrupt(place, job)

    def _check_later(self, place: WorkerSlot, job: PoolJob, since: float) -> None:
        seconds = self._limits.grace_seconds
        self._loop.call_later(seconds, self._check_stopped, place, job, since)

    def _check_stopped(self, place: WorkerSlot, job: PoolJob, since: float) -> None:
        """Kill a worker that still searches; one that compiles or loads gets more time."""
        if place.job is not job:
            return
        job.fail(self._too_slow() if job.late else Stopped("the choice was cancelled"))
        if job.state == THINKING or self._loop.time() - since > self._limits.max_preparing_seconds:
            place.process.kill()
        else:
            self._check_later(place, job, since)

    def _too_slow(self) -> MeepleError:
        seconds = self._limits.max_choice_seconds
        return MeepleError(
            f"the agent has not chosen within {seconds:g} seconds: this is too hard for it"
        )
