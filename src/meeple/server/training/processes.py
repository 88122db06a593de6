"""The child processes that train runs and rate networks, found again after a server restart.

A child inherits a lock on a file in the run's folder. The system releases the lock when the child
ends in any way, so the lock shows whether the child runs. The file has the child's process id. The
child's output goes to a log file in the same folder.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from meeple.errors import MeepleError, RunError
from meeple.files import read_bounded
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import every_option
from meeple.server.errors import Busy, refusal
from meeple.shell import command_line

if sys.platform != "win32":
    import fcntl

Kind = Literal["train", "topp"]
Excess = Literal["", "disk", "memory", "time"]  # what a process takes too much of
NICENESS = 5  # lower priority than the server and the playing agents
MAX_OUTPUT_LINES, MAX_OUTPUT_BYTES = 12, 4096  # of a child's output that is shown
MAX_PROCESS_FILE_BYTES = 10_000
INTERRUPTED = (130, -signal.SIGINT)  # exit codes after Ctrl-C


@dataclass(config=ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
class RunProcess:
    """The state of a run's child process of one kind."""

    pid: Annotated[int, Field(ge=0, lt=2**31)] = 0  # 0: there was none
    started: float = 0.0  # seconds since 1970, as the next two
    asked: float | None = None  # time of the request to stop
    ended: float | None = None
    code: int | None = None  # exit code; None if it ended unobserved
    minutes: Annotated[float, Field(ge=0)] = 0.0  # for a game; 0: as its configuration says
    owner: str = ""  # hash of the token of the visitor who started it
    excess: Excess = ""  # why the server stopped it
    running: bool = False
    late: bool = False  # whether it still runs long after the request to stop

    @property
    def failed(self) -> bool:
        """Whether the process ended by an error."""
        return self.code not in (None, 0, *INTERRUPTED)


_JOB = TypeAdapter(RunProcess)


class RunProcesses:
    """Starts and stops child processes; thread-safe."""

    def __init__(self, game_files: Sequence[str], stop_seconds: float) -> None:
        """Create the processes; `stop_seconds` after a request to stop, a child is late."""
        self._stop_seconds = stop_seconds
        self._lock = threading.Lock()
        self._loads = [word for file in game_files for word in ("--load", str(Path(file)))]

    def look(self, folder: Path, kind: Kind) -> RunProcess:
        """Return the state of a run's child process."""
        with self._lock:
            return self._look(folder, kind)

    def start(
        self,
        folder: Path,
        kind: Kind,
        owner: str = "",
        game: Game | None = None,
        minutes: float = 0.0,
    ) -> None:
        """Start or resume training, or start a rating; raise Busy if it runs already.

        With `minutes`, the game is learned by the method that wins a race.
        """
        words = _arguments(folder, kind)
        if game is not None and minutes:
            words = ["train", game.name, *every_option(game)]
            words += ["--minutes", f"{minutes:g}", "--run", str(folder)]
        if sys.platform == "win32":
            raise refusal(MeepleError, "windows_terminal", command=command_line(*words))
        with self._lock:
            try:
                self._start(folder, kind, words, RunProcess(owner=owner, minutes=minutes))
            except OSError as error:
                raise refusal(
                    RunError, "cannot_start", name=folder.name, reason=error.strerror
                ) from error

    def stop(self, folder: Path, kind: Kind, excess: Excess = "") -> None:
        """Ask a child to save and end; a second call, to end at once."""
        with self._lock:
            job = self._look(folder, kind)
            if not job.running or job.pid < 2:
                return
            with contextlib.suppress(ProcessLookupError):
                os.kill(job.pid, signal.SIGINT)
            job.asked, job.excess = job.asked or time.time(), excess or job.excess
            _write(_file(folder, kind), job)

    def output(self, folder: Path, kind: Kind) -> list[str]:
        """Return the last lines of a child's output, without the path of the runs' folder."""
        try:
            with open(_log(folder, kind), "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - MAX_OUTPUT_BYTES))
                text = file.read(MAX_OUTPUT_BYTES).decode(errors="replace")
        except OSError:
            return []
        return text.replace(f"{folder.parent}{os.sep}", "").splitlines()[-MAX_OUTPUT_LINES:]

    # ------------------------------------------------------------ with the lock held

    def _look(self, folder: Path, kind: Kind) -> RunProcess:
        file = _file(folder, kind)
        try:
            job = _JOB.validate_json(read_bounded(file, MAX_PROCESS_FILE_BYTES))
        except (OSError, ValidationError):
            job = RunProcess()
        job.running = _is_locked(file)
        if job.pid and not job.running and job.ended is None:
            job.ended = time.time()  # an upper bound
            with contextlib.suppress(OSError):
                _write(file, job)
        asked = job.asked if job.running else None
        job.late = asked is not None and time.time() - asked > self._stop_seconds
        return job

    def _start(self, folder: Path, kind: Kind, words: Sequence[str], job: RunProcess) -> None:
        with _locked(_file(folder, kind)) as descriptor, open(_log(folder, kind), "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "meeple", *self._loads, *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(descriptor,),  # the child's copy of the lock
                start_new_session=True,  # so that Ctrl-C or the end of the server do not stop it
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
            job.pid, job.started = process.pid, time.time()
            _write(_file(folder, kind), job)
        watcher = threading.Thread(
            target=self._record_exit, args=(process, folder, kind), daemon=True
        )
        watcher.start()

    def _record_exit(self, process: "subprocess.Popen[bytes]", folder: Path, kind: Kind) -> None:
        code = process.wait()
        with self._lock, contextlib.suppress(OSError):
            job = self._look(folder, kind)
            if job.pid == process.pid:
                job.ended, job.code = time.time(), code
                _write(_file(folder, kind), job)


def _arguments(folder: Path, kind: Kind) -> list[str]:
    where = str(folder)
    return ["train", "--resume", "--run", where] if kind == "train" else ["topp", where]


def _file(folder: Path, kind: Kind) -> Path:
    return folder / f"{kind}.process"


def _log(folder: Path, kind: Kind) -> Path:
    return folder / f"{kind}.log"


def _write(file: Path, job: RunProcess) -> None:
    """Overwrite the file in place: a replaced file would lose the lock."""
    data = {key: value for key, value in asdict(job).items() if key not in ("running", "late")}
    with open(file, "r+b") as target:
        target.write(json.dumps(data).encode())
        target.truncate()


@contextlib.contextmanager
def _locked(file: Path) -> Iterator[int]:
    """Open and lock a file; raise Busy if another process has locked it."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        if sys.platform != "win32":
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise refusal(Busy, "run_at_work", name=file.parent.name) from None
        yield descriptor
    finally:
        os.close(descriptor)


def _is_locked(file: Path) -> bool:
    try:
        with _locked(file) if file.exists() else contextlib.nullcontext():
            return False
    except Busy:
        return True
    except OSError:
        return False
