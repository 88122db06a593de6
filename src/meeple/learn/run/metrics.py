"""Writes and reads the metrics of a run: one JSON line per wave in its file `metrics.jsonl`.

    {"episodes": 64, "seconds": 12.3, "time": 1763800000.0, "starts": true, "metrics": {...}}

`seconds` counts from the start of the run and `time` from 1970; `starts` marks the first wave of a
session. If a session was killed after its last save, the next one repeats the waves since then:
they are in the file twice, and the later line counts.
"""

import contextlib
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from meeple.errors import RunError
from meeple.files import open_file, open_for_append
from meeple.games.contract.records import GameRecord
from meeple.learn.run.cluster_state import ClusterState
from meeple.learn.run.folder import METRICS
from meeple.learn.run.schema import WaveMetrics, read_line

MAX_LINE_BYTES = 1_000_000  # longer lines are skipped
TAIL_BYTES = 2_000_000  # read from the end of the file to get its last waves
SPEED_WAVES = 30  # last waves over which the speed is measured


class MetricsLog:
    """A reporter that appends the metrics of each wave to the file."""

    def __init__(self, run: str | Path) -> None:
        """Create no file: it is created with the first wave."""
        self._path = Path(run) / METRICS
        self._file: IO[str] | None = None

    def message(self, text: str) -> None: ...

    def cluster(self, state: ClusterState) -> None: ...

    watch = None

    def game(self, record: GameRecord) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        line = {
            "episodes": episodes,
            "seconds": seconds,
            "time": time.time(),
            "starts": self._file is None,
            "metrics": metrics,
        }
        try:
            self._file = self._file or open_for_append(self._path)
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
        except OSError as error:
            raise RunError(f"cannot write {self._path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


class MetricsReader:
    """Reads the metrics of a run while the file grows."""

    def __init__(self, run: str | Path, last_bytes: int | None = None) -> None:
        """Open nothing yet.

        Args:
            run: the run's folder.
            last_bytes: read only this many bytes at the end of the file; None: read all of it.
        """
        self._path = Path(run) / METRICS
        self._bytes = 0  # read so far
        if last_bytes is not None:
            with contextlib.suppress(OSError):  # `new_waves` reports the error
                self._bytes = max(0, self._path.stat().st_size - last_bytes)

    def new_waves(self) -> Iterator[WaveMetrics]:
        """Yield the waves written since the last call. Incomplete or invalid lines are skipped.

        Raises:
            RunError: the file exists and cannot be read.
        """
        for line in self._new_lines():
            wave = read_line(line, WaveMetrics)
            if wave is not None:
                yield wave

    def _new_lines(self) -> Iterator[bytes]:
        try:
            with open_file(self._path) as file:
                file.seek(self._bytes)
                # A line over the limit is returned in pieces, which are all invalid.
                while (line := file.readline(MAX_LINE_BYTES)).endswith(b"\n") or len(
                    line
                ) == MAX_LINE_BYTES:
                    self._bytes += len(line)
                    yield line
        except FileNotFoundError:
            return
        except OSError as error:
            raise RunError(f"cannot read {self._path}: {error.strerror or error}") from error


def all_waves(run: str | Path, last_bytes: int | None = None) -> list[WaveMetrics]:
    """Return the waves that the network has learned from, in order, each once.

    Args:
        run: the run's folder.
        last_bytes: read only this many bytes at the end of the file; None: read all of it.

    Raises:
        RunError: the file exists and cannot be read.
    """
    waves: list[WaveMetrics] = []
    for wave in MetricsReader(run, last_bytes).new_waves():
        while waves and waves[-1].episodes >= wave.episodes:
            waves.pop()
        waves.append(wave)
    return waves


def speed_of(waves: Sequence[WaveMetrics]) -> float | None:
    """Return episodes per second over the last waves of the session; None before its second."""
    recent = list(waves[-SPEED_WAVES:])
    while any(wave.starts for wave in recent[1:]):  # waves of earlier sessions
        del recent[0]
    if len(recent) < 2:
        return None
    first, last = recent[0], recent[-1]
    if last.time <= first.time or last.episodes <= first.episodes:
        return None
    return (last.episodes - first.episodes) / (last.time - first.time)
