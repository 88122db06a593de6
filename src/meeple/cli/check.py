"""`meeple check`: check that a game, from a file or by name, keeps the game contract."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer

from meeple.cli.shared.arguments import AsJson, GameOptions, parse_options
from meeple.games.check.findings import SECONDS, CheckReport, GameFinding, Listener, check_game
from meeple.games.contract.game_words import as_word
from meeple.games.contract.registry import file_of_class, load_game
from meeple.options import OptionValue

SEARCHES = "meeple.agents.trials"
MAX_NAMED = 12  # last actions before a finding that are named


def check(
    game: Annotated[
        str, typer.Argument(metavar="GAME|FILE.py", help="A game, or a .py file that defines one.")
    ],
    option: GameOptions = None,
    seconds: Annotated[
        float, typer.Option(min=1, max=3600, help="Duration of the check of each example.")
    ] = SECONDS,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only check that the game can be played.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Look for mistakes in the rules of a game.

    The game is played at random in a separate process, first with every index checked, then
    compiled, and then by each agent that it can have, with every index checked. Without options,
    it is checked with each example that its class names, and with each option at its minimum and
    maximum. The exit code is 1 if something is wrong.
    """
    options = parse_options(option) if option else None
    with _progress() as listener:
        report = check_game(
            _file_or_name(game),
            options,
            seconds=seconds,
            quick=quick,
            searches=SEARCHES,
            listener=listener,
        )
    print(json.dumps(as_data(report)) if as_json else as_text(game, report))
    if report.findings:
        raise typer.Exit(1)


def _file_or_name(game: str) -> str:
    """Return the file of a game that is defined in one, else its name, for other processes."""
    if game.endswith(".py"):
        return game
    file = file_of_class(load_game(game))
    return game if file is None else str(file)


@contextmanager
def _progress() -> Iterator[Listener]:
    """Show the current check in a line on stderr, on a terminal."""
    from rich.console import Console

    with Console(stderr=True).status("checking…") as status:
        yield lambda doing: status.update(f"{doing}…")


def as_data(report: CheckReport) -> dict[str, object]:
    """Return a report as JSON."""
    return {
        "findings": [finding.as_data() for finding in report.findings],
        "promises": list(report.promises),
        "options": [dict(options) for options in report.options],
        "notes": list(report.notes),
    }


def as_text(game: str, report: CheckReport) -> str:
    """Return a report as text: a sentence for each finding, and how to reproduce it."""
    if not report.findings:
        played = [_words(options) for options in report.options if options]
        usual = "the usual options" if {} in report.options or not played else ""
        listed = "; ".join([usual, *played] if usual else played)
        looked = f"{len(report.promises)} properties were checked"
        found = f"{game}: no problem found; {looked}, with {listed}."
        return "\n".join([found, *(f"Note: {note}." for note in report.notes)])
    count = len(report.findings)
    lines = [f"{game}: {count} problem{'s' * (count > 1)} found."]
    for finding in report.findings:
        place = f"{finding.place}: " if finding.place else ""
        lines += ["", f"{place}{finding.sentence}", *(f"  {line}" for line in _way(finding))]
    return "\n".join(lines)


def _way(finding: GameFinding) -> list[str]:
    """Return the lines that say how to reproduce a finding."""
    lines = [f"found while checking that {finding.promise}"]
    if finding.options:
        lines.append(f"with the options {_words(finding.options)}")
    if finding.seed is not None:
        first = ", ".join(map(str, finding.actions[-MAX_NAMED:]))
        more = "..., " if len(finding.actions) > MAX_NAMED else ""
        after = f"after the actions {more}{first}" if finding.actions else "at the start"
        lines.append(f"{after} (seed {finding.seed})")
    if finding.action is not None:
        lines.append(f"while action {finding.action} was played")
    return lines


def _words(options: Mapping[str, OptionValue]) -> str:
    """Return options as the command line accepts them."""
    return " ".join(f"{name}={as_word(value)}" for name, value in options.items())
