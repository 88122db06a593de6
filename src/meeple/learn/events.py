"""A run's figures as TensorBoard events, in the folder `tensorboard` of the run."""

import time
from pathlib import Path
from typing import Any

from meeple.errors import RunError
from meeple.games.contract.records import GameRecord
from meeple.learn.run_folder import TENSORBOARD

FLUSH = 2  # seconds until a wave's figures can be read, at most


class EventLog:
    """A reporter that writes each wave's metrics, by episode.

    The first wave of a session makes TensorBoard forget what a session before it, which was killed
    after its last save, wrote from that episode on.
    """

    def __init__(self, run: str | Path) -> None:
        """Nothing is written or imported before the first wave."""
        self._folder = Path(run) / TENSORBOARD
        self._writer: Any = None

    def message(self, text: str) -> None: ...

    def game(self, record: GameRecord) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        try:
            if self._writer is None:
                self._writer = EventFileWriter(str(self._folder), flush_secs=FLUSH)
                start = SessionLog(status=SessionLog.START)
                self._add(Event(wall_time=time.time(), step=episodes, session_log=start))
            values = [Summary.Value(tag=name, simple_value=x) for name, x in metrics.items()]
            self._add(Event(wall_time=time.time(), step=episodes, summary=Summary(value=values)))
        except OSError as error:
            raise RunError(f"cannot write {self._folder}: {error.strerror or error}") from error

    def _add(self, event: Any) -> None:
        self._writer.add_event(event)

    def close(self) -> None:
        """Write what is buffered."""
        if self._writer is not None:
            self._writer.close()
