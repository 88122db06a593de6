"""Checks games in forks of two processes, which have imported what all checks need.

`CheckProcesses.start` stands in for `subprocess.Popen` of `meeple.games.check.findings`: starting
Python and importing Numba takes longer than most checks.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MODE = "NUMBA_DISABLE_JIT"


class CheckProcesses:
    """A process for each mode of the compiler, started by the first check in it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0
        self._started: dict[str, subprocess.Popen[str]] = {}

    def start(self, words: Any, *, env: Mapping[str, str], **_: Any) -> "ForkedCheck":
        """Return a check with this environment, which begins once its order is written."""
        mode = env[MODE]
        if mode not in self._started:
            self._started[mode] = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=env,
            )
        self._count += 1
        return ForkedCheck(self._started[mode], self._folder / str(self._count), env)

    def end(self) -> None:
        for process in self._started.values():
            process.communicate()


class ForkedCheck:
    """What a `subprocess.Popen` of one check offers; `stdin` takes the order, as JSON."""

    def __init__(self, server: Any, folder: Path, env: Mapping[str, str]) -> None:
        self._server, self._folder, self._env = server, folder, dict(env)
        self.stdin, self.stdout, self.returncode = Order(self._run), io.StringIO(), 0
        folder.mkdir()

    def __enter__(self) -> "ForkedCheck":
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()

    def _run(self, order: str) -> None:
        (self._folder / "order").write_text(order)
        print(json.dumps([str(self._folder), self._env]), file=self._server.stdin, flush=True)
        self.returncode = int(self._server.stdout.readline())
        self.stdout = io.StringIO((self._folder / "report").read_text())

    def wait(self) -> int:
        return self.returncode

    def kill(self) -> None:
        """Do nothing: the check has ended."""


class Order(io.StringIO):
    """Runs a check with the text written to it, once it is closed."""

    def __init__(self, run: Any) -> None:
        super().__init__()
        self._run = run

    def close(self) -> None:
        if not self.closed:
            text = self.getvalue()
            super().close()
            self._run(text)


def main() -> None:
    """Run the orders that are named on stdin, each in a fork, and print their exit codes."""
    from meeple.games.check import child

    for line in sys.stdin:
        folder, environment = json.loads(line)
        process = os.fork()
        if process == 0:
            os.environ.update(environment)
            streams = {"order": os.O_RDONLY, "report": os.O_WRONLY | os.O_CREAT}
            for number, (name, flags) in enumerate(streams.items()):
                os.dup2(os.open(os.path.join(folder, name), flags), number)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            sys.stdin = os.fdopen(0)
            child.run_program(child.Inspector)  # which exits
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
