"""`meeple train`: learn a game by self-play, as a configuration says."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meeple.arena.runner import MAX_REMOTE
from meeple.cli.arena import On, WithoutToken, place_asked
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.diagnose import print_diagnosis
from meeple.cli.interrupt import say_stopped, stopping
from meeple.cli.main import INTERRUPTED
from meeple.cli.progress import Several, TrainingProgress, Watch, duration
from meeple.cli.resumed import next_steps, resumed_config
from meeple.cli.train_records import train_on_records
from meeple.cli.train_values import train_values
from meeple.errors import RunError, UsageError
from meeple.executors.place import Place
from meeple.extras import need
from meeple.learn.config import (
    AnyConfig,
    Config,
    RecordsSection,
    check_resumed,
    documented,
    find_config,
    load,
    load_config,
    load_values_config,
    method_of,
    read_config,
    ready_configs,
)
from meeple.learn.evaluation.diagnosis import Adviser, summary
from meeple.learn.run.folder import CONFIG, config_of, holds_run
from meeple.learn.run.schema import RunState

if TYPE_CHECKING:
    from meeple.learn.methods.selfplay import MakeWorkers

RUNS = Path("runs")


def train(
    config: Annotated[
        str | None,
        typer.Argument(metavar="CONFIG", help="A .toml file, or a ready one's name such as hex5."),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", metavar="FOLDER", help="Of the run; by default runs/NAME."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.FIELD=VALUE", help="Change a field; repeatable."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the folder.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Draw an episode of each wave as it is played.")
    ] = False,
    delay: Delay = 0.0,
    from_records: Annotated[
        Path | None,
        typer.Option(
            "--from-records",
            metavar="FILE...",
            help="Learn from the games of files, in any format of records, not from self-play.",
        ),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="More files, after --from-records."),
    ] = None,
    on: On = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_REMOTE,
            help="With --on: processes that play; by default one a processor of the cluster, but "
            "for one that learns. In a run of mode values, threads here, by default one; and with "
            "--on by default one a processor.",
        ),
    ] = None,
    without_token: WithoutToken = False,
    diagnose: Annotated[
        bool,
        typer.Option("--diagnose", help="Train for five minutes only, and say what to change."),
    ] = False,
    show_config: Annotated[
        bool,
        typer.Option(
            "--show-config",
            help="Print every field of the configuration with its meaning and range; train "
            "nothing. With --resume: the run's own.",
        ),
    ] = False,
) -> None:
    """Learn a game by self-play, or go on with it."""
    if files and from_records is None:
        raise UsageError("files of games to learn from come after --from-records")
    values = _learns_values(run, config, resume)
    if show_config:
        whole = _whole_config(run, config, changes or (), resume, from_records is not None)
        print(documented(whole), end="")
        return
    folder = run or RUNS / find_config(_needed(config)).stem
    place = place_asked(on, without_token)
    if place is None and workers is not None and not values:
        raise UsageError("--workers is for --on; here, selfplay.workers says how many play")
    if place is not None:
        _check_place(show=show, diagnose=diagnose)
    if from_records is not None or (
        not values and _learns_records(folder, config, changes, resume)
    ):
        if values or show or diagnose:
            what = "a configuration of mode values" if values else "--show and --diagnose"
            raise UsageError(f"{what} cannot be had with records to learn from")
        if place is not None:
            raise UsageError("learning from records plays no games: leave out --on")
        paths = [] if from_records is None else [from_records, *(files or ())]
        train_on_records(folder, config, changes or (), paths, resume=resume)
        return
    if values:
        if show:
            raise UsageError("--show is for runs of self-play, not of mode values")
        if diagnose and workers is not None:
            raise UsageError("--diagnose learns in one thread: leave out --workers")
        if diagnose:
            need("torch", "training")
            print_diagnosis(load_values_config(find_config(_needed(config)), changes or ()))
            return
        file = find_config(config) if config else None
        train_values(folder, file, changes or (), resume=resume, on=place, workers=workers)
        return
    need("torch", "training")
    if diagnose:
        print_diagnosis(load_config(find_config(_needed(config)), changes or ()))
        return
    if resume:
        settings = resumed_config(folder, config, changes)
    else:
        settings = load_config(find_config(_needed(config)), changes or ())
        refuse_existing(folder)
    with contextlib.ExitStack() as shown:
        watch = watching(shown.enter_context(GameShow(delay))) if show else None
        state = learn(folder, settings, watch=watch, fresh=not resume, on=place, workers=workers)
    if state is None:
        raise typer.Exit(INTERRUPTED)
    print(f"Learned from {state.episodes} episodes in {duration(state.seconds)}.")
    for line in summary(folder, settings):
        print(line)
    for words, line in next_steps(folder, settings, state):
        print(f"{words}: {line}")


def _check_place(*, show: bool, diagnose: bool) -> None:
    """Raise UsageError for what cannot be had on a cluster."""
    if show:
        raise UsageError("games on Ray cannot be shown as they are played: leave out --show")
    if diagnose:
        raise UsageError("--diagnose trains in this process alone: leave out --on")


def _learns_values(run: Path | None, config: str | None, resume: bool) -> bool:
    """Whether a configuration, or the one of the run to go on with, is of a value network."""
    path = _config_file(run, config, resume)
    return path.exists() and method_of(read_config(path)) == "values"


def _whole_config(
    run: Path | None, config: str | None, changes: Sequence[str], resume: bool, from_records: bool
) -> AnyConfig:
    """Return the configuration that the same command would train with."""
    file = _config_file(run, config, resume)
    whole = load(file, changes)
    if resume and run and file == run / CONFIG:
        check_resumed(load(file), whole, str(run))
    if from_records and isinstance(whole, Config) and whole.records is None:
        return whole.model_copy(update={"records": RecordsSection()})
    return whole


def _config_file(run: Path | None, config: str | None, resume: bool) -> Path:
    """The file of the configuration that is named, else of the run to resume."""
    return run / CONFIG if resume and config is None and run else find_config(_needed(config))


def _learns_records(
    folder: Path, config: str | None, changes: list[str] | None, resume: bool
) -> bool:
    """Whether a configuration, or the one of the run to go on with, learns from records."""
    if resume:
        settled = config_of(folder) if holds_run(folder) else None
        return isinstance(settled, Config) and settled.records is not None
    return load_config(find_config(_needed(config)), changes or ()).records is not None


def _needed(config: str | None) -> str:
    if config is None:
        names = ", ".join(ready_configs())
        raise UsageError(f"name a configuration: a .toml file, or one of {names}")
    return config


def refuse_existing(folder: Path) -> None:
    """Raise RunError where a folder holds a run, before any time is spent."""
    if holds_run(folder):
        raise RunError(
            f"{folder} already holds a run; go on with --resume, or choose another folder"
        )


@contextlib.contextmanager
def workers_on(place: Place | None, workers: int | None) -> Iterator["MakeWorkers"]:
    """Give what makes workers: in this process, or on a cluster, which is joined.

    Raises UsageError and RunError if the cluster cannot be used.
    """
    from meeple.learn.methods.selfplay import local_workers

    if place is None:
        yield local_workers
        return
    from meeple.executors.ray_cluster import Cluster
    from meeple.learn.workers.ray import ClusterWorkers

    with contextlib.closing(Cluster(place, "training on Ray")) as cluster:
        cluster.check(workers)
        yield lambda run, reporter, stop: ClusterWorkers(run, reporter, stop, cluster, workers)


def watching(shown: GameShow) -> Watch:
    """Shows the positions of an episode, in which the network sits in every seat."""
    return lambda number, position: shown.position(
        number, ("the network",) * position.game.players, position
    )


def learn(
    folder: Path,
    settings: Config,
    *,
    watch: Watch | None,
    fresh: bool,
    on: Place | None = None,
    workers: int | None = None,
) -> RunState | None:
    """Train to the end and return where the run stands; None where Ctrl-C stopped it, and said so.

    `fresh` makes the run first. `on`: the cluster that plays and learns, with so many `workers`.
    All is saved in any case. Raises RunError or CheckpointError.
    """
    from meeple.learn.loop import start_run
    from meeple.learn.loop import train as train_run
    from meeple.learn.run.metrics import MetricsLog, all_waves

    limits = settings.run
    metrics = MetricsLog(folder)
    with (
        workers_on(on, workers) as make_workers,
        stopping() as stopped,
        TrainingProgress(limits.episodes, limits.minutes, watch) as progress,
    ):
        if fresh:
            start_run(settings, folder)
        players = settings.make_game().players
        adviser = Adviser(settings, players, all_waves(folder), progress.message)
        try:
            state = train_run(folder, Several(progress, metrics, adviser), stopped, make_workers)
        except KeyboardInterrupt:
            state = None
        finally:
            metrics.close()
    if state is None or (stopped() and state.episodes < limits.episodes):
        say_stopped(settings.make_game(), folder)
        return None
    return state
