"""Check a game from outside: start the checking processes, watch them and collect findings.

No fault of a game ends or hangs this process, or raises an error other than `MeepleError`.
"""

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from meeple.errors import OptionError
from meeple.kernels.cache import cache_folder, ensure_writable
from meeple.kernels.source_stamp import package_hash
from meeple.options import OptionValue
from meeple.shell import command_line

PROGRAM = "meeple.games.check.child"
SECONDS = 20.0  # time limit per example of a game
QUICK_SECONDS = 6.0  # the same for the quick checks
PLY_SECONDS = 20.0  # time without a ply after which a kernel counts as an endless loop
_EXTRA_SECONDS = 420.0  # added to the time limits before a process is killed

Listener = Callable[[str], None]


@dataclass(frozen=True)
class GameFinding:
    """A defect of a game, and where it was detected."""

    sentence: str
    promise: str  # the requirement that was being checked
    file: str = ""
    line: int = 0  # of the file; 0 if no line is known
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seed: int | None = None  # of the game
    actions: tuple[int, ...] = ()  # from the start to the position, including chance outcomes
    action: int | None = None  # the action that was being played

    @property
    def place(self) -> str:
        """Return the file and line in the format of editors; "" if unknown."""
        if not self.file:
            return ""
        return f"{self.file}:{self.line}" if self.line else self.file

    def as_data(self) -> dict[str, Any]:
        """Return the finding as JSON data."""
        return {**asdict(self), "actions": list(self.actions), "options": dict(self.options)}


@dataclass(frozen=True)
class CheckReport:
    """The checks that ran, and their findings."""

    findings: tuple[GameFinding, ...]
    promises: tuple[str, ...]  # the requirements that were checked
    options: tuple[Mapping[str, OptionValue], ...] = ()  # the sets of options that were played
    notes: tuple[str, ...] = ()  # what its author may want to know, though it is no mistake


def check_game(
    game: str,
    options: Mapping[str, str] | None = None,
    *,
    seconds: float = SECONDS,
    quick: bool = False,
    only_games: bool = True,
    searches: str | None = None,
    listener: Listener | None = None,
) -> CheckReport:
    """Check a game, given by its name or by the file that defines it, in separate processes.

    Args:
        game: the name of a game, or a path that ends in .py.
        options: options of the game; by default the class's `examples`, and each option at its
            limits.
        seconds: time limit for each example, and for all limits of options together.
        quick: only check whether the game can be played.
        only_games: whether a file that defines classes but no game is a finding.
        searches: the module of a program that plays the game by searches, if nothing is found.
        listener: called with each requirement when its check begins.

    Raises:
        OptionError: the file does not exist.
    """
    if game.endswith(".py") and not Path(game).expanduser().is_file():
        raise OptionError(f"there is no Python file {game}")
    file = str(Path(game).expanduser().resolve()) if game.endswith(".py") else game
    order: dict[str, Any] = {
        "game": file,
        "options": None if options is None else dict(options),
        "seconds": seconds,
        "ply_seconds": PLY_SECONDS,
        "quick": quick,
        "only_games": only_games,
    }
    plain = {"NUMBA_DISABLE_JIT": "1"}
    played = [_CheckProcess(order, plain, listener)]
    if not played[0].findings:
        traced = {**order, "traces": played[0].traces}
        played.append(_CheckProcess(traced, {"NUMBA_DISABLE_JIT": "0"}, listener))
    if searches is not None and not quick and not played[-1].findings:
        played.append(_CheckProcess(order, plain, listener, searches))
    promises = dict.fromkeys(promise for one in played for promise in one.promises)
    notes = dict.fromkeys(note for one in played for note in one.notes)
    return CheckReport(
        tuple(played[-1].findings), tuple(promises), tuple(played[0].options), tuple(notes)
    )


def ensure_playable(
    file: str | os.PathLike[str], beginning: Callable[[], None] = lambda: None
) -> None:
    """Check quickly, once for each version of a file, whether the game in it can be played.

    Args:
        file: the file of the game.
        beginning: called before a check, which takes seconds.

    Raises:
        OptionError: the file does not exist, or has a finding; the first one is cited.
    """
    path = Path(file).expanduser().resolve()
    if not path.is_file():
        raise OptionError(f"there is no Python file {file}")
    mark = _mark_of(path)
    if mark.exists():
        return
    beginning()
    report = check_game(str(path), quick=True, seconds=QUICK_SECONDS, only_games=False)
    if report.findings:
        first = report.findings[0]
        more = command_line("check", Path(file))
        raise OptionError(f"{first.place or path}: {first.sentence}; `{more}` says more")
    try:
        ensure_writable(mark.parent)
        mark.touch()
    except OSError:
        pass  # the file is checked again next time


def _mark_of(path: Path) -> Path:
    """Return the marker file that exists once this version of a game's file has been checked."""
    digest = hashlib.sha256(package_hash().encode() + os.fsencode(path) + path.read_bytes())
    return cache_folder() / "checked" / digest.hexdigest()


class _CheckProcess:
    """One checking process and its collected output."""

    def __init__(
        self,
        order: Mapping[str, Any],
        mode: Mapping[str, str],
        listener: Listener | None,
        program: str = PROGRAM,
    ) -> None:
        self.findings: list[GameFinding] = []
        self.promises: list[str] = []
        self.traces: list[Any] = []
        self.options: list[Mapping[str, OptionValue]] = []
        self.notes: list[str] = []
        self._listener, self._done = listener, False
        environment = {"MEEPLE_QUIET": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with subprocess.Popen(
            [sys.executable, "-m", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **mode, **environment},
        ) as process:
            alarm = threading.Timer(order["seconds"] * 50 + _EXTRA_SECONDS, process.kill)
            alarm.start()
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write(json.dumps(order))
                    process.stdin.close()
                for line in process.stdout:
                    self._process_message(json.loads(line))
                process.wait()
            finally:
                alarm.cancel()
                process.kill()
        if not self._done and not self.findings:
            self.findings.append(GameFinding(self._describe_end(process.returncode), self._doing))

    def _process_message(self, message: Mapping[str, Any]) -> None:
        if "doing" in message:
            self.promises.append(message["doing"])
            if self._listener is not None:
                self._listener(message["doing"])
        elif "finding" in message:
            found = message["finding"]
            self.findings.append(GameFinding(**{**found, "actions": tuple(found["actions"])}))
        elif "options" in message:
            self.options.append(message["options"])
        elif "note" in message:
            self.notes.append(message["note"])
        elif "traces" in message:
            self.traces.append(message["traces"])
        else:
            self._done = True

    @property
    def _doing(self) -> str:
        return self.promises[-1] if self.promises else "the game is loaded"

    def _describe_end(self, code: int) -> str:
        how = f"signal {-code}" if code < 0 else f"status {code}"
        return (
            f"the process that played the game ended with {how} while it checked whether "
            f"{self._doing}"
        )
