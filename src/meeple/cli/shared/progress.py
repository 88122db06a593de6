"""Progress of long work: a bar on a terminal; for training without a terminal, lines."""

import contextlib
import math
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self

from meeple.agents.agent import Agent
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord

if TYPE_CHECKING:  # matches and tournaments show progress too, and need nothing of training
    from meeple.learn.run.cluster import ClusterState

Watch = Callable[[int, Position], None]
"""Called with the number of an episode, and each of its positions as it is reached."""

Progress = Callable[[int, int], None]
"""Called with the number of finished items and of all items."""

LINE_SECONDS = 10.0  # seconds between two plain lines
CLUSTER_LINE_SECONDS = 20.0  # seconds between lines about a cluster while no wave ends
RECENT = 30  # waves over which the speed is measured
MIN_MEASURED_SECONDS = 10.0  # after a session's first wave, which also compiles and loads


class GameBar:
    """A progress bar of games, with an optional text beside it."""

    def __init__(self, bar: Any = None, task: Any = None) -> None:
        self._bar, self._task = bar, task

    def __call__(self, done: int, total: int) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total)

    def say(self, words: str) -> None:
        """Show this text beside the bar."""
        if self._bar is not None:
            self._bar.update(self._task, words=words)


@contextlib.contextmanager
def progress_bar(what: str, hidden: bool = False) -> Iterator[GameBar]:
    """Show a bar on stderr, removed at the end; nothing without a terminal or if `hidden`."""
    if hidden or not sys.stderr.isatty():
        yield GameBar()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("games"),
        TimeRemainingColumn(), TextColumn("{task.fields[words]}"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield GameBar(bar, bar.add_task(what, total=None, words=""))


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Show the progress of the exact solver in a line on stderr, on a terminal."""
    from rich.console import Console

    with Console(stderr=True).status("solving…") as status:
        yield lambda words: status.update(f"solving… {words}")


@contextlib.contextmanager
def solving(agent: Agent) -> Iterator[None]:
    """Show that line while an agent chooses, if the agent reports its progress."""
    if not hasattr(agent, "report"):
        yield
        return
    reporting: Any = agent
    with progress_line() as report:
        reporting.report = report
        try:
            yield
        finally:
            reporting.report = None


class TrainingProgress:
    """A reporter that prints to stderr; `watch` receives the positions of shown episodes.

    A context manager. With `watch` there is no bar, since it would collide with the drawings.
    """

    def __init__(
        self,
        episodes: int,
        minutes: float | None = None,
        watch: Watch | None = None,
        unit: str = "episode",
    ) -> None:
        """Set the run's limits, `episodes` and `minutes`, and its `unit`, such as episode."""
        self._unit = unit
        self.episodes, self.watch = episodes, watch
        self._limit = math.inf if minutes is None else 60 * minutes
        self._bar: Any = None
        self._task: Any = None
        self._recent: deque[tuple[int, float]] = deque(maxlen=RECENT)  # (episodes, seconds)
        self._measured_from = math.inf  # seconds of the run after the session's first wave
        self._printed = time.perf_counter()
        self._accuracy: float | None = None  # of a run that learns from records
        self._cluster = ""  # the state of the run's cluster, as a line
        self._cluster_printed = -math.inf  # when that line was printed last

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and self.watch is None:
            self._bar = _bar(f"{self._unit}s")
            self._task = self._bar.add_task("", total=self.episodes, figures="")
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def message(self, text: str) -> None:
        print(f"{text}.", file=sys.stderr)

    def cluster(self, state: "ClusterState") -> None:
        """Show the state of a run's cluster under the bar, or in a separate line."""
        from meeple.learn.run.cluster import summary_of

        before, self._cluster = self._cluster, summary_of(state)
        if self._bar is not None:
            self._bar.below = self._cluster
            return
        now = time.perf_counter()
        is_late = state.running and now - self._cluster_printed > CLUSTER_LINE_SECONDS
        if self._cluster and (not before or is_late):
            self._cluster_printed = now
            print(f"on {state.place}: {self._cluster}", file=sys.stderr, flush=True)

    def game(self, record: GameRecord) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        speed = self._speed(episodes, seconds)
        figures = []
        if speed:
            amount = f"{speed:.2g}" if speed < 10 else f"{speed:.0f}"
            figures.append(f"{amount} {self._unit}s/s")
        if "loss/loss" in metrics:
            figures.append(f"loss {metrics['loss/loss']:.3f}")
        self._accuracy = metrics.get("records/accuracy", self._accuracy)
        if self._accuracy is not None:
            figures.append(f"predicts {100 * self._accuracy:.1f} % of the held-out moves")
        if speed:
            left = min((self.episodes - episodes) / speed, max(self._limit - seconds, 0))
            figures.append(f"{duration(left)} left")
        now = time.perf_counter()
        if self._bar is not None:
            self._bar.update(self._task, completed=episodes, figures=" · ".join(figures))
        elif now - self._printed > LINE_SECONDS or episodes == self.episodes:
            self._printed = now
            done = f"{self._unit} {episodes} of {self.episodes}"
            print(" · ".join([done, *figures]), file=sys.stderr, flush=True)
            if self._cluster:
                self._cluster_printed = now
                print(f"    {self._cluster}", file=sys.stderr, flush=True)

    def _speed(self, episodes: int, seconds: float) -> float | None:
        """Return episodes a second of the recent waves, or None before it is measured."""
        if not self._recent:
            self._measured_from = seconds
        self._recent.append((episodes, seconds))
        if seconds - self._measured_from < MIN_MEASURED_SECONDS:
            return None
        before, then = self._recent[0]
        return (episodes - before) / max(seconds - then, 1e-9)


def _bar(units: str) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.text import Text

    class Bar(Progress):
        """A bar with a line below it."""

        below = ""

        def get_renderables(self) -> Iterator[Any]:
            yield from super().get_renderables()
            if self.below:
                yield Text(self.below, overflow="ellipsis", no_wrap=True)

    columns = (
        TextColumn("learning"), BarColumn(), MofNCompleteColumn(), TextColumn(units),
        TextColumn("{task.fields[figures]}"),
    )  # fmt: skip
    return Bar(*columns, console=Console(stderr=True))


def duration(seconds: float) -> str:
    """Return a duration as text: "40 s", "3 min", "2 h 5 min"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


class Several:
    """Forwards all reports to several reporters."""

    def __init__(self, *reporters: Any) -> None:
        self._reporters = reporters

    @property
    def watch(self) -> Watch | None:
        """The first reporter's `watch` that is not None."""
        return next((one.watch for one in self._reporters if one.watch is not None), None)

    def message(self, text: str) -> None:
        for reporter in self._reporters:
            reporter.message(text)

    def cluster(self, state: "ClusterState") -> None:
        for reporter in self._reporters:
            reporter.cluster(state)

    def game(self, record: GameRecord) -> None:
        for reporter in self._reporters:
            reporter.game(record)

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        for reporter in self._reporters:
            reporter.wave(episodes, seconds, metrics)
