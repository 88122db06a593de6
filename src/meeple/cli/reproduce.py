"""`meeple reproduce`: the experiments of a published study, run here, beside what it found."""

import enum
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.cli.arena import On, WithoutToken, Workers, place_asked
from meeple.cli.arguments import AsJson, Seed, parse_options
from meeple.cli.main import INTERRUPTED
from meeple.cli.progress import progress_bar
from meeple.errors import Stopped, UsageError
from meeple.extras import need
from meeple.options import describe_option
from meeple.studies.study import (
    STUDIES,
    Effort,
    Experiment,
    ExperimentResult,
    Statistic,
    Study,
    reproduce,
)

FOLDER = Path("runs") / STUDIES
QUICK_GAMES, QUICK_PACE = 2, 0.01

Row = tuple[Experiment, ExperimentResult]


class Name(enum.StrEnum):
    """The studies, by what they are about."""

    reversi_mcts = "reversi-mcts"
    gomoku = "gomoku"
    catan_agents = "catan-agents"
    all = "all"  # of them, one after the other


STUDIES_BY_NAME = [name for name in Name if name is not Name.all]


def reproduce_(
    name: Annotated[Name, typer.Argument(metavar="STUDY", help="Which: " + ", ".join(Name) + ".")],
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, help="Of each experiment; by default as many as it needs."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="One experiment by its name; repeatable."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help=f"{QUICK_GAMES} games each, and {QUICK_PACE * 100:g} % of the time a move and of "
            "the games before: to see it work. Proves nothing.",
        ),
    ] = False,
    run: Annotated[
        Path | None,
        typer.Option(
            "--run", metavar="FOLDER", help=f"Keeps the results; by default {FOLDER}/STUDY."
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the study; repeatable."),
    ] = None,
    settings: Annotated[
        bool, typer.Option("--settings", help="Only list what may be set.")
    ] = False,
    seed: Seed = 7,
    workers: Workers = None,
    on: On = None,
    without_token: WithoutToken = False,
    as_json: AsJson = False,
) -> None:
    """Run the experiments of a published study, or of all.

    Each result, and each game of a match between specs, is kept as soon as it is there: run the
    same command again after Ctrl-C, and it goes on. Shares are of the agent named first, with their
    95 % intervals. With --on, matches between specs are played there, and all else here.
    """
    names = STUDIES_BY_NAME if name is Name.all else [name]
    if name is Name.all and (only or set_ or settings):
        raise UsageError("--only, --set and --settings are of one study: name it in place of all")
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
        words = ["meeple", *sys.argv[1:]]
        print(f"Stopped; what is finished is kept. Go on: {shlex.join(words)}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def run_study(
    study: Study, effort: Effort, folder: Path, only: Sequence[str], *, silent: bool
) -> tuple[list[Row], bool]:
    """The results, printed as they come unless `silent`, and whether Ctrl-C ended it."""
    rows: list[Row] = []

    def found(experiment: Experiment, result: ExperimentResult, kept: bool) -> None:
        rows.append((experiment, result))
        if not silent:
            again = " (kept from before)" if kept else ""
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
    """A study by its name."""
    if name == Name.gomoku:
        from meeple.studies.gomoku import STUDY as gomoku

        return gomoku
    if name == Name.catan_agents:
        from meeple.studies.catan_agents import STUDY as catan_agents

        return catan_agents
    from meeple.studies.reversi_mcts import STUDY as reversi_mcts

    return reversi_mcts


def shown(found: ExperimentResult) -> str:
    """A share with its interval: "64.0 % (59.2 to 68.6)"."""
    if found.count == 0:
        return "nothing was counted; more --games are needed"
    low, high = (100 * end for end in found.interval)
    return f"{100 * found.share:.1f} % ({low:.1f} to {high:.1f})"


def as_data(study: Study, rows: list[Row], statistics: Sequence[Statistic]) -> dict[str, Any]:
    """The results as JSON."""
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
    """What may be set, what it may be, and what it is by default."""
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
    """The table, theirs beside ours, and what must be known to compare.

    Without rows of which nothing was counted, and without a column that would be empty.
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
        console.print("- These are quick games, with little time a move: they prove nothing.")
