"""Compile kernels in a second process, which fills the disk cache while this one works.

Numba compiles one kernel at a time in a process. If kernels are missing from the cache, a second
process compiles from the first task on and this process from the last one back; each loads from
the cache what the other compiled.

`python -m meeple.kernels.compile_process TASKS` is the second process. It reads the tasks as JSON
and prints the index of each task before it begins it, and their number at the end.
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


class CompileTask(NamedTuple):
    """A call that compiles something, or loads it from disk."""

    function: str  # "module:function"
    arguments: tuple[Any, ...] = ()  # values that JSON can hold

    def do(self) -> None:
        """Call the function."""
        module, _, name = self.function.partition(":")
        getattr(importlib.import_module(module), name)(*self.arguments)


@contextlib.contextmanager
def compiled_in_parallel(
    tasks: Sequence[CompileTask],
) -> Iterator[None]:
    """Run tasks in a second process while the block runs; after the block, complete them here.

    Without a second core, or if the second process fails, this process does all tasks.

    Args:
        tasks: what is missing from the disk cache.
    """
    other = _start(tasks) if tasks and usable_cores() > 1 else None
    yield
    if other is not None:
        mine = len(tasks)
        while mine > other.begun + 1 and not other.ended.is_set():
            mine -= 1
            tasks[mine].do()
        other.wait_until(mine)
    for task in tasks:
        task.do()


class _SecondProcess:
    """The second process, and its progress."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.begun = -1  # the index of the task that it does
        self.ended = threading.Event()
        self._process = process
        self._changed = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def wait_until(self, task: int) -> None:
        """Wait until it has done all tasks before this one, or has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self.begun >= task or self.ended.is_set())

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            with self._process.stdout as lines:
                for line in lines:
                    with self._changed:
                        self.begun = int(line)
                        self._changed.notify_all()
            self._process.wait()
        finally:
            with self._changed:
                self.ended.set()
                self._changed.notify_all()


def _start(tasks: Sequence[CompileTask]) -> _SecondProcess | None:
    """Start a process that does the tasks; None if it cannot be started."""
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
    return _SecondProcess(process)


def usable_cores() -> int:
    """Return the number of cores that this process may use, or of all cores if not known."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> None:
    """Do the tasks of the command line; a task that fails ends the process."""
    tasks = [
        CompileTask(function, tuple(arguments)) for function, arguments in json.loads(sys.argv[1])
    ]
    # stdout is for the report; what modules print when imported goes to stderr.
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
