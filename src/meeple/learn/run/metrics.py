"""How training reports its progress, and the metrics of a run, one JSON line per wave.

`Reporter` is what training calls. A line of the file `metrics.jsonl` is:

    {"episodes": 64, "seconds": 12.3, "time": 1763800000.0, "starts": true, "metrics": {...}}

`seconds` counts from the start of the run and `time` from 1970; `starts` marks the first wave of a
session. If a session was killed after its last save, the next one repeats the waves since then:
they are in the file twice, and the later line counts.
"""

import contextlib
import json
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from meeple.errors import RunError
from meeple.extras import need
from meeple.files import open_file, open_for_append, reported
from meeple.games.contract.records import GameRecord
from meeple.learn.run.cluster import ClusterState
from meeple.learn.run.folder import METRICS, TENSORBOARD, holds_run
from meeple.learn.run.schema import WaveMetrics, read_line

if TYPE_CHECKING:
    from meeple.learn.selfplay.play import Watch

MAX_LINE_BYTES = 1_000_000  # longer lines are skipped
TAIL_BYTES = 2_000_000  # read from the end of the file to get its last waves
SPEED_WAVES = 30  # last waves over which the speed is measured


class Reporter(Protocol):
    """Receives the progress of a run."""

    @property
    def watch(self) -> "Watch | None":
        """Callback for the moves of the first episode of each wave; None for no callback."""

    def message(self, text: str) -> None:
        """Receive a sentence for the user, for instance about resuming."""

    def cluster(self, state: ClusterState) -> None:
        """Receive the state of a run on a cluster, every few seconds."""

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        """Receive the metrics by name of a wave that was learned from.

        `episodes` and `seconds` of training are counted from the start of the run.
        """

    def game(self, record: GameRecord) -> None:
        """Receive an episode of the wave; called before `wave`."""


class Silent:
    """A reporter that ignores everything."""

    watch = None

    def message(self, text: str) -> None: ...

    def cluster(self, state: ClusterState) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None: ...

    def game(self, record: GameRecord) -> None: ...


class MetricsLog(Silent):
    """A reporter that appends the metrics of each wave to the file."""

    def __init__(self, run: str | Path) -> None:
        """Create no file: it is created with the first wave."""
        self._path = Path(run) / METRICS
        self._file: IO[str] | None = None

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        line = {
            "episodes": episodes,
            "seconds": seconds,
            "time": time.time(),
            "starts": self._file is None,
            "metrics": metrics,
        }
        with reported(f"cannot write {self._path}"):
            self._file = self._file or open_for_append(self._path)
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


class MetricsReader:
    """Reads the metrics of a run while the file grows."""

    def __init__(self, run: str | Path, last_bytes: int | None = None) -> None:
        """`last_bytes`: read at the end of the file only; None: read all of it."""
        self._path = Path(run) / METRICS
        self._bytes = 0  # read so far
        if last_bytes is not None:
            with contextlib.suppress(OSError):  # `new_waves` reports the error
                self._bytes = max(0, self._path.stat().st_size - last_bytes)

    def new_waves(self) -> Iterator[WaveMetrics]:
        """Yield the waves written since the last call; incomplete or invalid lines are skipped.

        Raises RunError if the file exists and cannot be read.
        """
        for line in self._new_lines():
            wave = read_line(line, WaveMetrics)
            if wave is not None:
                yield wave

    def _new_lines(self) -> Iterator[bytes]:
        missing = contextlib.suppress(FileNotFoundError)
        with reported(f"cannot read {self._path}"), missing, open_file(self._path) as file:
            file.seek(self._bytes)
            # A line over the limit is returned in pieces, which are all invalid.
            while (line := file.readline(MAX_LINE_BYTES)).endswith(b"\n") or len(
                line
            ) == MAX_LINE_BYTES:
                self._bytes += len(line)
                yield line


def all_waves(run: str | Path, last_bytes: int | None = None) -> list[WaveMetrics]:
    """Return the waves that the network has learned from, in order, each once.

    `last_bytes`: as `MetricsReader` takes it. Raises RunError if the file cannot be read.
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


# ------------------------------------------------------------ TensorBoard


def export_to_tensorboard(run: str | Path) -> Path:
    """Write all metrics of a run as events, replacing an earlier export.

    Returns:
        The folder to open in TensorBoard.

    Raises:
        RunError: the folder holds no run, or no metrics that can be read.
        UsageError: TensorBoard is not installed.
    """
    need("tensorboard", "the export to TensorBoard")
    folder = Path(run)
    if not holds_run(folder):
        raise RunError(f"{run} holds no run")
    waves = all_waves(folder)
    if not waves and os.path.exists(folder / METRICS):
        raise RunError(f"{folder / METRICS} is corrupt: no line holds the metrics of a wave")
    if not waves:
        raise RunError(f"{run} has no metrics yet: the first wave of episodes writes them")
    target = folder / TENSORBOARD
    with reported(f"cannot write {target}"):
        shutil.rmtree(target, ignore_errors=True)
        _write_events(target, waves)
    return target


def _write_events(folder: Path, waves: list[WaveMetrics]) -> None:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    with contextlib.closing(EventFileWriter(str(folder))) as writer:
        for wave in waves:
            values = [Summary.Value(tag=name, simple_value=x) for name, x in wave.metrics.items()]
            event = Event(wall_time=wave.time, step=wave.episodes, summary=Summary(value=values))
            writer.add_event(event)
