"""Exports the metrics of a run to TensorBoard: event files in its folder `tensorboard`."""

import os
import shutil
from pathlib import Path
from typing import Any

from meeple.errors import RunError
from meeple.extras import need
from meeple.learn.run.folder import METRICS, TENSORBOARD, holds_run
from meeple.learn.run.metrics import all_waves
from meeple.learn.run.schema import WaveMetrics


def export(run: str | Path) -> Path:
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
    try:
        shutil.rmtree(target, ignore_errors=True)
        _write(target, waves)
    except OSError as error:
        raise RunError(f"cannot write {target}: {error.strerror or error}") from error
    return target


def _write(folder: Path, waves: list[WaveMetrics]) -> None:
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(folder))
    for wave in waves:
        writer.add_event(_event(wave))
    writer.close()


def _event(wave: WaveMetrics) -> Any:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary

    values = [Summary.Value(tag=name, simple_value=x) for name, x in wave.metrics.items()]
    return Event(wall_time=wave.time, step=wave.episodes, summary=Summary(value=values))
