"""`meeple tournament`: a round robin of agents, with ratings."""

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.ratings import signed
from meeple.arena.tournament import Tournament, play_tournament
from meeple.cli.arguments import AsJson, GameName, GameOptions, Seed, command_line, open_game
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.board.words import title
from meeple.cli.main import INTERRUPTED
from meeple.cli.match import Show, Specs, Workers
from meeple.cli.progress import progress_bar
from meeple.cli.reports import GAMES, REPORT, drawn, print_standings, save_report


def tournament(
    game: GameName,
    specs: Specs,
    games: Annotated[int, typer.Option("--games", min=1, help="Games of each pair.")] = 50,
    seed: Seed = 7,
    option: GameOptions = None,
    workers: Workers = None,
    as_json: AsJson = False,
    show: Show = False,
    delay: Delay = 0.0,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FOLDER", help="Write a report and the games there."),
    ] = None,
) -> None:
    """Play a round robin between agents, and rate them."""
    opened = open_game(game, option)
    with (
        GameShow(delay, with_key=show and "human" not in specs) as shown,
        progress_bar("playing", hidden=show or "human" in specs) as progress,
    ):
        result = play_tournament(
            opened,
            specs,
            games,
            seed,
            workers=workers,
            progress=progress,
            on_position=shown.position if show else None,
        )
    if output is not None:
        write_report(output, result)
    if as_json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        print(settings(result))
        print_standings(result.standings, specs, "agent", result.standings.ranking())
        print(verdict(result))
        if output is not None:
            print(f"Report: {output / REPORT}")
    if result.interrupted:
        typer.echo("Stopped before all games were played.", err=True)
        raise typer.Exit(INTERRUPTED)


def settings(result: Tournament) -> str:
    """A line on what was played."""
    uneven = f", games a group beyond equal seats: {result.uneven}" if result.uneven else ""
    return (
        f"{title(result.game)}, {len(result.standings.entries)} games, "
        f"{result.games_per_group} for each group, seed {result.seed}{uneven}"
    )


def verdict(result: Tournament) -> str:
    """Who leads, and whether that is proven."""
    first, second = result.standings.ranking()[:2]
    names = result.standings.names
    gap, low, high = result.standings.ratings.difference(first, second)
    sure = "leads" if low > 0 else "leads, though it is not proven,"
    return (
        f"{names[first]} {sure} by {gap:.0f} Elo before {names[second]} "
        f"(95 % interval {signed(low)} to {signed(high)})."
    )


def write_report(folder: Path, result: Tournament) -> None:
    """The report, picture, figures and games of a tournament, into a folder."""
    from meeple.arena.report import RATING_NOTE, html_report

    names = result.standings.names
    png = drawn(result.standings, names)
    watch = f"watch {shlex.quote(str(folder / GAMES))} --game 1"
    page = html_report(
        f"Tournament of {result.game.name}",
        settings(result),
        verdict(result),
        result.standings,
        names,
        png,
        [RATING_NOTE],
        [("See a game", command_line(result.game, watch))],
    )
    records = [entry.record for entry in result.standings.entries]
    save_report(folder, records, page, png, result.to_json())
