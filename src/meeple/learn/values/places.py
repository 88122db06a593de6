"""Where a run's work is done: in threads of this process, or on a Ray cluster."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from meeple.arena.lockstep import Stop
from meeple.errors import UsageError
from meeple.executors.executor import lost_in_words
from meeple.executors.place import Place
from meeple.learn.config import ValuesConfig
from meeple.learn.run.cluster_state import ClusterState
from meeple.learn.run.logs import RunLogs
from meeple.learn.values.folder import CONFIG
from meeple.learn.values.gate import MATCHES
from meeple.learn.values.labelling import LABELS
from meeple.learn.values.work import Tally, Work, WorkHere

MAX_THREADS, MAX_REMOTE = 64, 1024  # workers at most


@contextlib.contextmanager
def work_of(
    config: ValuesConfig,
    folder: str | Path,
    stop: Stop,
    place: Place | None = None,
    workers: int | None = None,
    tell: Callable[[ClusterState], None] = lambda state: None,
) -> Iterator[Work]:
    """Have the work of a run done in a place, and say in the end what became of all of it.

    `workers`: None, one on this machine, or one for each processor of a cluster; work on this
    machine is broken off where `stop` turns true. The `folder` need not hold the run yet, and
    what workers print is kept there once it does. `tell` is told what a cluster is at. Raises
    UsageError and RunError where the place cannot be used.
    """
    most = MAX_THREADS if place is None else MAX_REMOTE
    if workers is not None and not 1 <= workers <= most:
        raise UsageError(f"workers must be from 1 to {most}, not {workers}")
    if place is None:
        work: Work = WorkHere(config.make_games(), config.run.seed, stop, workers or 1)
        with contextlib.closing(work):
            yield work
        return
    from meeple.learn.values.on_ray import WorkOnRay

    with contextlib.closing(LateLogs(folder)) as logs:

        def told(state: ClusterState) -> None:
            logs.flush()
            tell(state)

        work = WorkOnRay(config, Path(folder), place, workers, logs.write, told)
        try:
            yield work
        finally:
            work.close()
            place.say(account_in_words(place, work))


class LateLogs:
    """Logs of workers, which may print before the run exists.

    Lines are written only once the run's folder has a configuration.
    """

    def __init__(self, folder: str | Path) -> None:
        self._config, self._logs = Path(folder) / CONFIG, RunLogs(folder)
        self._early: list[tuple[str, str]] = []

    def write(self, worker: str, text: str) -> None:
        """Append to a worker's log, or keep it until there is a run."""
        self._early.append((worker, text))
        self.flush()

    def flush(self) -> None:
        """Append what was kept, if there is a run by now."""
        if self._early and self._config.exists():
            for one in self._early:
                self._logs.write(*one)
            self._early.clear()

    def close(self) -> None:
        """Let go of all files."""
        self.flush()
        self._logs.close()


def account_in_words(place: Place, work: Work) -> str:
    """What became of all games that a cluster was given."""
    labels, matches = work.tally(LABELS), work.tally(MATCHES)
    return (
        f"{place.name}: {LABELS} {_words(labels, 'stored')}; "
        f"{MATCHES} {_words(matches, 'counted')}."
    )


def _words(tally: Tally, kept: str) -> str:
    besides = lost_in_words(tally.lost, tally.deaths, tally.dropped)
    counts = [f"begun {tally.begun}", f"finished {tally.finished}", f"{kept} {tally.kept}"]
    return ", ".join([*counts, *besides])
