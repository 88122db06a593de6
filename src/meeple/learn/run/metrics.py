"""A run's figures, wave by wave: JSON lines in the file `metrics.jsonl` of the run's folder.

    {"episodes": 64, "seconds": 12.3, "time": 1763800000.0, "starts": true, "metrics": {...}}

`seconds` counts from the start of the run, `time` since 1970, and `starts` marks the first wave of
a session. Where a session before it was killed after its last save, what that one wrote from there
on is played again, and stands in the file twice: the later line counts.
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

MOST_LINE = 1_000_000  # bytes of a line
TAIL_BYTES = 2_000_000  # of the file, that hold its last waves
RECENT = 30  # waves that the speed is measured over


class MetricsLog:
    """A reporter that adds each wave's figures to the file."""

    def __init__(self, run: str | Path) -> None:
        """Nothing is written before the first wave."""
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
        """Let go of the file."""
        if self._file is not None:
            self._file.close()


class MetricsReader:
    """Reads the file of a run as it grows."""

    def __init__(self, run: str | Path, last_bytes: int | None = None) -> None:
        """`last_bytes`: of the file, from which it is read; None: from its beginning."""
        self._path = Path(run) / METRICS
        self._bytes = 0  # read so far
        if last_bytes is not None:
            with contextlib.suppress(OSError):  # it is told when the file is read
                self._bytes = max(0, self._path.stat().st_size - last_bytes)

    def new_waves(self) -> Iterator[WaveMetrics]:
        """The waves of whole lines written since the last time; lines that are none are skipped.

        Raises RunError where there is something of that name that cannot be read.
        """
        for line in self._new_lines():
            wave = read_line(line, WaveMetrics)
            if wave is not None:
                yield wave

    def _new_lines(self) -> Iterator[bytes]:
        try:
            with open_file(self._path) as file:
                file.seek(self._bytes)
                # A line that is too long comes in pieces, and no piece is the figures of a wave.
                while (line := file.readline(MOST_LINE)).endswith(b"\n") or len(line) == MOST_LINE:
                    self._bytes += len(line)
                    yield line
        except FileNotFoundError:
            return
        except OSError as error:
            raise RunError(f"cannot read {self._path}: {error.strerror or error}") from error


def all_waves(run: str | Path, last_bytes: int | None = None) -> list[WaveMetrics]:
    """The waves that a run's network has learned from, in order, each once. Raises RunError.

    With `last_bytes`, only those that are in so many bytes at the end of the file.
    """
    waves: list[WaveMetrics] = []
    for wave in MetricsReader(run, last_bytes).new_waves():
        while waves and waves[-1].episodes >= wave.episodes:
            waves.pop()
        waves.append(wave)
    return waves


def speed_of(waves: Sequence[WaveMetrics]) -> float | None:
    """Episodes a second over the last waves of a session; None before its second wave."""
    recent = list(waves[-RECENT:])
    while any(wave.starts for wave in recent[1:]):  # of sessions before
        del recent[0]
    if len(recent) < 2:
        return None
    first, last = recent[0], recent[-1]
    if last.time <= first.time or last.episodes <= first.episodes:
        return None
    return (last.episodes - first.episodes) / (last.time - first.time)
