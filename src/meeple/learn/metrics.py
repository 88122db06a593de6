"""A run's figures, wave by wave: JSON lines in the file `metrics.jsonl` of the run's folder.

    {"episodes": 64, "seconds": 12.3, "time": 1763800000.0, "starts": true, "metrics": {...}}

`seconds` counts from the start of the run, `time` since 1970, and `starts` marks the first wave of
a session. Where a session before it was killed after its last save, what that one wrote from there
on is played again, and stands in the file twice: the later line counts.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from meeple.errors import RunError
from meeple.games.contract.records import GameRecord
from meeple.learn.run_folder import METRICS


class WaveMetrics(NamedTuple):
    """What was found of a wave."""

    episodes: int  # since the run began
    seconds: float  # since the run began
    time: float  # of day, in seconds since 1970
    starts: bool  # a session
    metrics: dict[str, float]


class MetricsLog:
    """A reporter that adds each wave's figures to the file."""

    def __init__(self, run: str | Path) -> None:
        """Nothing is written before the first wave."""
        self._path = Path(run) / METRICS
        self._file: IO[str] | None = None

    def message(self, text: str) -> None: ...

    def game(self, record: GameRecord) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        starts = self._file is None
        line = json.dumps(WaveMetrics(episodes, seconds, time.time(), starts, metrics)._asdict())
        try:
            self._file = self._file or _opened(self._path)
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise RunError(f"cannot write {self._path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()


def _opened(path: Path) -> IO[str]:
    """The file, at the beginning of a line: a session that was killed may have left half a line."""
    file = open(path, "a", encoding="utf-8")  # noqa: SIM115  # closed by `close`
    if file.tell() and not path.read_bytes().endswith(b"\n"):
        file.write("\n")
    return file


class MetricsReader:
    """Reads the file of a run as it grows."""

    def __init__(self, run: str | Path) -> None:
        self._path = Path(run) / METRICS
        self._bytes = 0  # read so far

    def new_waves(self) -> Iterator[WaveMetrics]:
        """The waves of whole lines written since the last time; lines that are none are skipped."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._bytes)
                found = file.read()
        except OSError:
            return
        whole = found[: found.rfind(b"\n") + 1]
        self._bytes += len(whole)
        for line in whole.splitlines():
            wave = _wave(line)
            if wave is not None:
                yield wave


def _wave(line: bytes) -> WaveMetrics | None:
    """A line as what it says; None where it is damaged."""
    try:
        data = json.loads(line)
        wave = WaveMetrics(
            int(data["episodes"]),
            float(data["seconds"]),
            float(data["time"]),
            data["starts"] is True,
            {str(name): float(value) for name, value in dict(data["metrics"]).items()},
        )
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    return wave if wave.episodes > 0 else None


def all_waves(run: str | Path) -> list[WaveMetrics]:
    """The waves that a run's network has learned from, in order, each once."""
    waves: list[WaveMetrics] = []
    for wave in MetricsReader(run).new_waves():
        while waves and waves[-1].episodes >= wave.episodes:
            waves.pop()
        waves.append(wave)
    return waves
