"""`meeple train`: train a run as its configuration says, or resume one."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meeple.agents.allowed import allow, allow_everything
from meeple.agents.networks import RUNS
from meeple.arena.games.conditions import MAX_REMOTE
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.main import INTERRUPTED
from meeple.cli.shared.arena import On, WithoutToken, place_asked
from meeple.cli.shared.arguments import AllowEngines
from meeple.cli.shared.interrupt import say_stopped, stopping
from meeple.cli.shared.progress import Several, TrainingProgress, Watch, duration, progress_bar
from meeple.cli.train.diagnose import print_diagnosis
from meeple.cli.train.resumed import next_steps
from meeple.errors import UsageError
from meeple.executors.place import Place
from meeple.extras import need
from meeple.learn.config import (
    AnyConfig,
    check_resumed,
    documented,
    find_config,
    load,
    ready_configs,
    texts_in,
)
from meeple.learn.evaluation.diagnosis import Adviser, summary
from meeple.learn.run.folder import CONFIG, RunFolder, config_of, holds_run
from meeple.learn.run.schema import RunState
from meeple.learn.run.view import SUPPORT, result_sentence
from meeple.learn.training_run import resumed_config

if TYPE_CHECKING:
    from meeple.learn.workers.contract import Backend


def train(
    config: Annotated[
        str | None,
        typer.Argument(metavar="CONFIG", help="A .toml file, or a ready one's name such as hex5."),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", metavar="FOLDER", help="Folder of the run; by default runs/NAME."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.FIELD=VALUE", help="Change a field; repeatable."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
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
    allow_engines: AllowEngines = False,
) -> None:
    """Train a network on a game, or resume a run."""
    allow(texts_in(changes or ()))
    if allow_engines:
        allow_everything()
    if files and from_records is None:
        raise UsageError("files of games to learn from come after --from-records")
    if show_config:
        whole = _whole_config(run, config, changes or (), resume, from_records is not None)
        print(documented(whole), end="")
        return
    folder = _folder(run, config, resume)
    place = place_asked(on, without_token)
    paths = [] if from_records is None else [from_records, *(files or ())]
    if resume:
        settings = config_of(folder) if holds_run(folder) else None
    else:
        settings = load(find_config(_needed(config)), changes or ())
    if settings is not None:
        _check_options(
            settings.with_records() if paths else settings,
            show=show,
            diagnose=diagnose,
            place=place,
            workers=workers,
        )
    need("torch", "training")
    if resume:
        if paths:
            raise UsageError("a run resumes with the games that it has: leave out --from-records")
        settings = resumed_config(folder, config, changes or ())
    assert settings is not None
    if diagnose:
        print_diagnosis(settings)
        return
    fresh = not resume
    if fresh:
        RunFolder(folder).refuse_existing()
        if paths or not SUPPORT[settings.method].plays_games:
            settings, fresh = _gather_records(folder, config, settings, paths), False
    with contextlib.ExitStack() as shown:
        watch = watching(shown.enter_context(GameShow(delay))) if show else None
        state = learn(folder, settings, watch=watch, fresh=fresh, on=place, workers=workers)
    if state is None:
        raise typer.Exit(INTERRUPTED)
    print(result_sentence(settings, state, duration(state.seconds)))
    for line in summary(folder, settings):
        print(line)
    for words, line in next_steps(folder, settings, state):
        print(f"{words}: {line}")


def _check_options(
    settings: AnyConfig, *, show: bool, diagnose: bool, place: Place | None, workers: int | None
) -> None:
    """Raise UsageError for options that the training method or the cluster does not support."""
    support = SUPPORT[settings.method]
    if place is None and workers is not None and not support.threads:
        raise UsageError("--workers is for --on; here, selfplay.workers says how many play")
    if place is not None and show:
        raise UsageError("games on Ray cannot be shown as they are played: leave out --show")
    if place is not None and diagnose:
        raise UsageError("--diagnose trains in this process alone: leave out --on")
    if not support.plays_games and (show or diagnose):
        raise UsageError("--show and --diagnose cannot be had with records to learn from")
    if not support.plays_games and place is not None:
        raise UsageError("learning from records plays no games: leave out --on")
    if not support.cluster and place is not None:
        raise UsageError(f"a run of mode {settings.mode} learns in one thread: leave out --on")
    if show and not support.shows_games:
        raise UsageError(f"--show is for runs of self-play, not of mode {settings.mode}")
    if diagnose and workers is not None:
        raise UsageError("--diagnose learns in one thread: leave out --workers")


def _whole_config(
    run: Path | None, config: str | None, changes: Sequence[str], resume: bool, from_records: bool
) -> AnyConfig:
    """Return the configuration that the same command would train with."""
    file = run / CONFIG if resume and config is None and run else find_config(_needed(config))
    whole = load(file, changes)
    if resume and run and file == run / CONFIG:
        check_resumed(load(file), whole, str(run))
    return whole.with_records() if from_records else whole


def _gather_records(
    folder: Path, config: str | None, settings: AnyConfig, files: Sequence[Path]
) -> AnyConfig:
    """Make a run on the games of files, and return its configuration."""
    from meeple.learn.methods.records import start_records_run

    if not files:
        raise UsageError(f"{config} learns from records: name files after --from-records")
    with stopping() as stopped, progress_bar("reading") as progress:
        gathered = start_records_run(settings.with_records(), folder, files, stopped, progress)
    for line in gathered.sentences():
        typer.echo(f"{line}.", err=True)
    return config_of(folder)


def _needed(config: str | None) -> str:
    if config is None:
        names = ", ".join(ready_configs())
        raise UsageError(f"name a configuration: a .toml file, or one of {names}")
    return config


def _folder(run: Path | None, config: str | None, resume: bool) -> Path:
    """Return the folder of a run: as given, or named after its configuration."""
    if run is None and config is None and resume:
        raise UsageError("name the run to resume: --resume --run FOLDER")
    return run or RUNS / find_config(_needed(config)).stem


@contextlib.contextmanager
def workers_on(place: Place | None, workers: int | None) -> Iterator["Backend"]:
    """Yield the backend that starts workers, in this process or on a cluster.

    Raises:
        UsageError, RunError: the number of workers is out of range, or the cluster cannot be used.
    """
    from meeple.learn.workers.local import LocalBackend

    if place is None:
        yield LocalBackend(workers)
        return
    from meeple.executors.ray_cluster import Cluster
    from meeple.learn.workers.ray import ClusterBackend

    with contextlib.closing(Cluster(place, "training on Ray")) as cluster:
        cluster.check(workers)
        yield ClusterBackend(cluster, workers)


def watching(shown: GameShow) -> Watch:
    """Return a hook that draws the positions of an episode of self-play."""
    return lambda number, position: shown.position(
        number, ("the network",) * position.game.players, position
    )


def learn(
    folder: Path,
    settings: AnyConfig,
    *,
    watch: Watch | None,
    fresh: bool,
    on: Place | None = None,
    workers: int | None = None,
) -> RunState | None:
    """Train a run to its end; the run is saved however it ends.

    Args:
        folder: the run's folder.
        settings: the configuration of the run.
        watch: shows the first episode of each wave.
        fresh: whether to create the run first.
        on: the cluster that plays and learns; None: this process.
        workers: their number.

    Returns:
        The state at the end; None if Ctrl-C stopped the run, which has been reported.

    Raises:
        RunError, CheckpointError: the folder cannot be read or written.
    """
    from meeple.learn.loop import start_run
    from meeple.learn.loop import train as train_run
    from meeple.learn.run.metrics import MetricsLog, all_waves

    metrics = MetricsLog(folder)
    with (
        workers_on(on, workers) as backend,
        stopping() as stopped,
        TrainingProgress(
            settings.length, settings.run.minutes, watch, unit=settings.unit
        ) as progress,
    ):
        if fresh:
            start_run(settings, folder)
        players = settings.make_game().players
        adviser = Adviser(settings, players, all_waves(folder), progress.message)
        try:
            state = train_run(folder, Several(progress, metrics, adviser), stopped, backend)
        except KeyboardInterrupt:
            state = None
        finally:
            metrics.close()
    if state is None or (stopped() and state.episodes < settings.length):
        say_stopped(settings.make_game(), folder)
        return None
    return state
