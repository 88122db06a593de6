"""A run's figures for TensorBoard: its events, in the folder `tensorboard` of the run."""

import shutil
from pathlib import Path
from typing import Any

from meeple.errors import RunError
from meeple.extras import need
from meeple.learn.metrics import WaveMetrics, all_waves
from meeple.learn.run_folder import CONFIG, TENSORBOARD


def export(run: str | Path) -> Path:
    """Write all figures of a run anew, and return the folder to be shown.

    Raises RunError where there is no run or it has no figures yet, UsageError where TensorBoard is
    not installed.
    """
    need("tensorboard", "the export to TensorBoard")
    folder = Path(run)
    if not (folder / CONFIG).exists():
        raise RunError(f"{run} holds no run")
    waves = all_waves(folder)
    if not waves:
        raise RunError(f"{run} has no figures yet: they come with its first wave of episodes")
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
