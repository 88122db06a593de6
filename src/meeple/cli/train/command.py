"""`meeple train`: train a run as its configuration says, or resume one."""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.allowed import allow, allow_everything
from meeple.agents.networks import RUNS
from meeple.arena.games.conditions import MAX_REMOTE
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.main import INTERRUPTED
from meeple.cli.playing import On, WithoutToken, place_asked
from meeple.cli.shared.arguments import AllowEngines, GameOptions, open_game
from meeple.cli.shared.interrupt import stopping
from meeple.cli.shared.progress import Watch, duration, progress_bar
from meeple.cli.train.diagnose import print_diagnosis
from meeple.cli.train.learning import learn, learn_game
from meeple.cli.train.resumed import next_steps
from meeple.cli.train.sweep import MAX_SWEPT, plan_sweep, run_sweep
from meeple.errors import UsageError
from meeple.executors.backend import Place
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
from meeple.learn.evaluation.diagnosis import summary
from meeple.learn.run.chosen import read_race
from meeple.learn.run.folder import CONFIG, RunFolder, config_of, holds_run
from meeple.learn.run.view import SUPPORT, result_sentence
from meeple.learn.training_run import resumed_config


def train(
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="CONFIG",
            help="A .toml file, or a ready one's name such as hex5; with --minutes also a game, or "
            "its .py file.",
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            metavar="M",
            help="Minutes of the clock, beside compiling. A game is learned by the method that "
            "wins a race of those that fit it, in the first tenth of them.",
        ),
    ] = None,
    option: GameOptions = None,
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of the run; by default runs/NAME.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.FIELD=VALUE", help="Change a field; repeatable."),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            metavar="SECTION.FIELD=VALUE,VALUE",
            help=f"Train a run for each of up to {MAX_SWEPT} values of a field, in "
            "runs/NAME-sweep, and compare their networks.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --sweep: print JSON.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Draw an episode of each wave as it is played.")
    ] = False,
    delay: Delay = 0.0,
    from_records: Annotated[
        Path | None,
        typer.Option(
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
    if config is not None and (option or names_game(config, minutes)):
        others = (changes, resume, show, from_records, on, workers, diagnose, show_config)
        if minutes is None or any(others):
            raise UsageError(
                f"'{config}' is a game: it is learned with --minutes, --option and --run alone; "
                "all else is for configurations"
            )
        need("torch", "training")
        game = open_game(config, option)
        folder = run or RUNS / game.name
        if not learn_game(game, minutes, folder):
            raise typer.Exit(INTERRUPTED)
        _print_end(folder)
        return
    if minutes is not None:
        changes = [*(changes or ()), f"run.minutes={minutes}"]
    if sweep or as_json:
        refused = (option, show, from_records, files, on, workers, diagnose, show_config)
        if any(refused) or len(sweep or ()) != 1:
            raise UsageError(
                "--sweep takes one field of a configuration; of the other options it takes --set, "
                "--minutes, --run, --resume and --json"
            )
        _train_sweep(_needed(config), (sweep or [""])[0], changes or (), run, resume, as_json)
        return
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
    _print_end(folder)


def _train_sweep(
    config: str, text: str, changes: Sequence[str], run: Path | None, resume: bool, as_json: bool
) -> None:
    """Train a run for each value of a sweep, and print the table."""
    sweep = plan_sweep(text, config, changes, run)
    allow(texts_in(change for one in sweep.runs for change in one.changes))
    need("torch", "training")
    sweep.check_folders(resume=resume)
    where = ("--run", run) if run else ()
    sets = [word for change in changes for word in ("--set", change)]
    again = ("train", config, "--sweep", text, *sets, *where, "--resume")
    run_sweep(sweep, again, as_json)


def _print_end(folder: Path) -> None:
    """Print the result of a run that ended, and what to do with it."""
    race = read_race(folder)
    settings, (state, _) = config_of(folder), RunFolder(folder).newest_state()
    assert state is not None
    print(result_sentence(settings, state, duration(state.seconds)))
    for line in [*(race.strength if race else ()), *summary(folder, settings)]:
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
        raise UsageError(
            f"games on {place.backend} cannot be shown as they are played: leave out --show"
        )
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


def watching(shown: GameShow) -> Watch:
    """Return a hook that draws the positions of an episode of self-play."""
    return lambda number, position: shown.position(
        number, ("the network",) * position.game.players, position
    )


def names_game(config: str, minutes: float | None) -> bool:
    """Return whether an argument is a game, not a configuration."""
    is_config = config.endswith(".toml") or config in ready_configs()
    return config.endswith(".py") or (minutes is not None and not is_config)
