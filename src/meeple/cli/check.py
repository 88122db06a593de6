"""`meeple check`: whether a game, of a file or by its name, keeps all its promises."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer

from meeple.cli.arguments import AsJson, GameOptions, parse_options
from meeple.games.check.findings import SECONDS, CheckReport, GameFinding, Listener, check_game
from meeple.games.contract.game_words import as_word
from meeple.games.contract.registry import file_of_class, game_class
from meeple.options import OptionValue

MOST_NAMED = 12  # actions that led to a finding


def check(
    game: Annotated[
        str, typer.Argument(metavar="GAME|FILE.py", help="A game, or a .py file that defines one.")
    ],
    option: GameOptions = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", min=1, max=3600, help="How long to look at each of its examples."
        ),
    ] = SECONDS,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only see whether it can be played.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps what search and learning rely on.

    It is played at random in a process of its own, with every index checked, then compiled. Without
    options, with each of the examples that its class names, and with each option at its least and
    greatest value. Exit code 1 where something is wrong.
    """
    options = parse_options(option) if option else None
    with _progress() as listener:
        report = check_game(
            _file_or_name(game), options, seconds=seconds, quick=quick, listener=listener
        )
    print(json.dumps(as_data(report)) if as_json else as_text(game, report))
    if report.findings:
        raise typer.Exit(1)


def _file_or_name(game: str) -> str:
    """What the processes that look at a game are told: its file, where it came from one."""
    if game.endswith(".py"):
        return game
    file = file_of_class(game_class(game))
    return game if file is None else str(file)


@contextmanager
def _progress() -> Iterator[Listener]:
    """On a terminal, a line on stderr that says what is being looked at."""
    from rich.console import Console

    with Console(stderr=True).status("checking…") as status:
        yield lambda doing: status.update(f"{doing}…")


def as_data(report: CheckReport) -> dict[str, object]:
    """A report as JSON."""
    return {
        "findings": [finding.as_data() for finding in report.findings],
        "promises": list(report.promises),
        "options": [dict(options) for options in report.options],
    }


def as_text(game: str, report: CheckReport) -> str:
    """A report for people: a sentence for each finding, and how to come to it."""
    if not report.findings:
        played = [_words(options) for options in report.options if options]
        usual = "the usual options" if {} in report.options or not played else ""
        listed = "; ".join([usual, *played] if usual else played)
        looked = f"{len(report.promises)} things were looked at"
        return f"{game}: nothing found; {looked}, with {listed}."
    count = len(report.findings)
    lines = [f"{game}: {count} thing{'s' * (count > 1)} found."]
    for finding in report.findings:
        place = f"{finding.place}: " if finding.place else ""
        lines += ["", f"{place}{finding.sentence}", *(f"  {line}" for line in _way(finding))]
    return "\n".join(lines)


def _way(finding: GameFinding) -> list[str]:
    """How a game came to where it showed."""
    lines = [f"seen while checking that {finding.promise}"]
    if finding.options:
        lines.append(f"with the options {_words(finding.options)}")
    if finding.seed is not None:
        first = ", ".join(map(str, finding.actions[-MOST_NAMED:]))
        more = "..., " if len(finding.actions) > MOST_NAMED else ""
        after = f"after the actions {more}{first}" if finding.actions else "at the start"
        lines.append(f"{after} (seed {finding.seed})")
    if finding.action is not None:
        lines.append(f"as action {finding.action} was played")
    return lines


def _words(options: Mapping[str, OptionValue]) -> str:
    """Options as the command line takes them."""
    return " ".join(f"{name}={as_word(value)}" for name, value in options.items())
