"""`meeple reproduce`: run the experiments of a published study, beside its results."""

import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from meeple.agents.networks import STUDIES
from meeple.cli.main import INTERRUPTED
from meeple.cli.playing import On, WithoutToken, Workers, place_asked
from meeple.cli.shared.arguments import AsJson, Seed, parse_options
from meeple.cli.shared.progress import progress_bar
from meeple.errors import Stopped, UsageError
from meeple.extras import need
from meeple.options import describe_option
from meeple.shell import command_line
from meeple_studies.study import Effort, Experiment, ExperimentResult, Statistic, Study, reproduce

FOLDER = Path("runs") / STUDIES
QUICK_GAMES, QUICK_PACE = 2, 0.01

Row = tuple[Experiment, ExperimentResult]


Name = Literal["reversi-mcts", "gomoku", "catan-agents", "all"]
NAMES: tuple[str, ...] = get_args(Name)
STUDIES_BY_NAME = NAMES[:-1]


def reproduce_(
    name: Annotated[Name, typer.Argument(metavar="STUDY", help="Which: " + ", ".join(NAMES) + ".")],
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, help="Games of each experiment; by default its own number."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Run only this experiment; repeatable."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help=f"A trial: {QUICK_GAMES} games an experiment, and {QUICK_PACE * 100:g} % of the "
            "time a move and of the preceding games. Its results prove nothing.",
        ),
    ] = False,
    run: Annotated[
        Path | None,
        typer.Option(
            "--run", metavar="FOLDER", help=f"Folder of the results; by default {FOLDER}/STUDY."
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the study; repeatable."),
    ] = None,
    settings: Annotated[bool, typer.Option("--settings", help="Only list the settings.")] = False,
    seed: Seed = 7,
    workers: Workers = None,
    on: On = None,
    without_token: WithoutToken = False,
    as_json: AsJson = False,
) -> None:
    """Run the experiments of a published study, or of all.

    Each result, and each game of a match between specs, is saved at once; after Ctrl-C, the same
    command resumes. Shares are those of the agent named first, with their 95 % intervals. With
    --on, the cluster plays the matches between specs, and this process runs the rest.
    """
    names = STUDIES_BY_NAME if name == "all" else [name]
    if name == "all" and (only or set_ or settings):
        raise UsageError("--only, --set and --settings need one study: name it in place of all")
    if settings:
        print_settings(study_of(name), as_json)
        return
    for one in names:
        for library in study_of(one).needs:
            need(library, f"the study {one}")
    if quick:
        effort = Effort(QUICK_GAMES if games is None else games, seed, QUICK_PACE, workers)
    else:
        effort = Effort(games, seed, 1.0, workers)
    place = place_asked(on, without_token)
    effort = replace(effort, on=place, settings=parse_options(set_ or (), "setting", "d=2"))
    told = []
    for one in names:
        study = study_of(one)
        folder = FOLDER if run is None else run
        if run is None or len(names) > 1:
            folder /= f"{one}{'-quick' if quick else ''}"
        rows, interrupted = run_study(study, effort, folder, only or (), silent=as_json)
        told.append(as_data(study, rows, study.statistics(folder)))
        if not as_json:
            print_table(study, rows, study.statistics(folder), quick)
        if interrupted:
            break
    if as_json:
        print(json.dumps(told[0] if len(names) == 1 else {"studies": told}, indent=2))
    if interrupted:
        resume = command_line(*sys.argv[1:])
        print(f"Stopped; finished results are saved. Resume: {resume}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def run_study(
    study: Study, effort: Effort, folder: Path, only: Sequence[str], *, silent: bool
) -> tuple[list[Row], bool]:
    """Return the results, and whether Ctrl-C ended the study; print each unless `silent`."""
    rows: list[Row] = []

    def found(experiment: Experiment, result: ExperimentResult, kept: bool) -> None:
        rows.append((experiment, result))
        if not silent:
            again = " (saved before)" if kept else ""
            print(f"{experiment.name}: {experiment.question}: {shown(result)}{again}", flush=True)

    try:
        reproduce(
            study,
            effort,
            folder,
            only=only,
            on_found=found,
            progress_of=lambda experiment: progress_bar(experiment.name),
        )
    except (KeyboardInterrupt, Stopped):
        return rows, True
    return rows, False


def study_of(name: str) -> Study:
    """Return the study of this name."""
    study: Study = importlib.import_module(f"meeple_studies.{name.replace('-', '_')}").STUDY
    return study


def shown(found: ExperimentResult) -> str:
    """Return a share with its interval: "64.0 % (59.2 to 68.6)"."""
    if found.count == 0:
        return "no game was counted; more --games are needed"
    low, high = (100 * end for end in found.interval)
    return f"{100 * found.share:.1f} % ({low:.1f} to {high:.1f})"


def as_data(study: Study, rows: list[Row], statistics: Sequence[Statistic]) -> dict[str, Any]:
    """Return the results as JSON."""
    return {
        "study": study.name,
        "experiments": [
            {
                "name": experiment.name,
                "question": experiment.question,
                "theirs": experiment.theirs or None,
                "share": result.share if result.count else None,
                "interval": list(result.interval) if result.count else None,
                "count": result.count,
                "detail": result.detail,
            }
            for experiment, result in rows
        ],
        "statistics": {one.name: dict(one.values) for one in statistics},
        "notes": list(study.notes),
    }


def print_settings(study: Study, as_json: bool) -> None:
    """Print the settings with their allowed and default values."""
    told = [describe_option(name, option) for name, option in study.settings.items()]
    if as_json:
        print(json.dumps(told, indent=2))
    elif not told:
        print(f"{study.name} has no settings.")
    for one in () if as_json else told:
        print(f"{one['name']}={one['default']}  {one['help']}: {one['allowed']}")


def print_table(
    study: Study, rows: list[Row], statistics: Sequence[Statistic], quick: bool
) -> None:
    """Print the published results beside ours, with notes for the comparison.

    Rows without a counted game and empty columns are left out.
    """
    from rich.console import Console
    from rich.table import Table

    counted = [(experiment, result) for experiment, result in rows if result.count]
    compares = any(experiment.theirs for experiment, _ in counted)
    table = Table(title=study.title, title_justify="left")
    table.add_column("experiment")
    for column in ("there",) * compares + ("here", "95 % interval"):
        table.add_column(column, justify="right")
    table.add_column("counted")
    for experiment, result in counted:
        low, high = (100 * end for end in result.interval)
        table.add_row(
            experiment.question,
            *(experiment.theirs or "-",) * compares,
            f"{100 * result.share:.1f} %",
            f"{low:.1f} to {high:.1f}",
            result.detail,
        )
    console = Console()
    console.print()
    console.print(table)
    for one in statistics:
        if not any(one.values.values()):
            continue
        values = ", ".join(f"{value:,.4g} {name}" for name, value in one.values.items())
        console.print(f"{one.name}: {values}")
    for note in study.notes:
        console.print(f"- {note}", markup=False)
    if quick:
        console.print("- This is a quick trial with little time a move: it proves nothing.")
