"""Compiling on two cores: another process compiles into the disk cache what this one needs too.

Numba compiles one kernel at a time in a process. Where much is missing, a second process begins
with the first of the tasks, and this one helps from the last; what either compiles, both can load.

Run as `python -m meeple.kernels.compile_process`, it is that second process: it reads the tasks as
JSON, and writes the number of each as it begins it, and their count at the end.
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple


class Task(NamedTuple):
    """Something to compile: a call that loads it from disk where it is there already."""

    function: str  # "module:function"
    arguments: tuple[Any, ...] = ()  # what JSON can say

    def do(self) -> None:
        """Compile or load it."""
        module, _, name = self.function.partition(":")
        getattr(importlib.import_module(module), name)(*self.arguments)


@contextlib.contextmanager
def compiled_beside(tasks: Sequence[Task], later: Sequence[Task] = ()) -> Iterator[None]:
    """Have cold tasks compiled by another process while the block runs; then see them all done.

    What is to be used `later` the other process compiles last, while this one goes on. This process
    does what the other one cannot do, and all of it where there is one core only.
    """
    other = _start([*tasks, *later]) if tasks and usable_cores() > 1 else None
    yield
    if other is not None:
        mine = len(tasks)
        while mine > other.begun + 1 and not other.ended.is_set():
            mine -= 1
            tasks[mine].do()
        other.wait_until(mine)
    for task in tasks:
        task.do()


class _Other:
    """The other process, and how far it is."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.begun = -1  # the task that it does
        self.ended = threading.Event()
        self._process = process
        self._news = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def wait_until(self, task: int) -> None:
        """Wait until it has done all before this task, or has ended."""
        with self._news:
            self._news.wait_for(lambda: self.begun >= task or self.ended.is_set())

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            with self._process.stdout as lines:
                for line in lines:
                    with self._news:
                        self.begun = int(line)
                        self._news.notify_all()
            self._process.wait()
        finally:
            with self._news:
                self.ended.set()
                self._news.notify_all()


def _start(tasks: Sequence[Task]) -> _Other | None:
    """Another process at work; None where none can be started."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "meeple.kernels.compile_process", json.dumps(tasks)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"MEEPLE_QUIET": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    except OSError:
        return None
    return _Other(process)


def usable_cores() -> int:
    """The cores that this process may run on, where the system tells; otherwise all there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> None:
    """Do the tasks that it is told; one that fails ends it, and is left to the first process."""
    tasks = [Task(function, tuple(arguments)) for function, arguments in json.loads(sys.argv[1])]
    # What modules print as they are imported goes elsewhere.
    with (
        contextlib.suppress(KeyboardInterrupt, BrokenPipeError),
        os.fdopen(os.dup(1), "w", buffering=1) as report,
        contextlib.redirect_stdout(sys.stderr),
    ):
        for number, task in enumerate(tasks):
            report.write(f"{number}\n")
            task.do()
        report.write(f"{len(tasks)}\n")


if __name__ == "__main__":
    main()
