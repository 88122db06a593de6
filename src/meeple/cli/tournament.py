"""`meeple tournament`: play a tournament between agents, and rate them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.evaluators import contenders
from meeple.agents.spec import within_seconds
from meeple.arena.figures.costs import faults_as_text
from meeple.arena.figures.ratings import signed
from meeple.arena.plan.groups import Format
from meeple.arena.tournament import Pairing, Tournament, play_tournament
from meeple.cli.playing import (
    Output,
    PairGames,
    ShownGamesOptions,
    print_first_faults,
    with_options,
)
from meeple.cli.shared.arguments import GameName, open_game
from meeple.cli.shared.reports import GAMES, REPORT, drawn, print_standings, save_report
from meeple.cli.shared.words import title
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import command_for


@with_options
def tournament(
    game: GameName,
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SPEC]...", help="Agents, such as random, uct:sims=1000, policy:PATH."
        ),
    ] = None,
    games: PairGames = 50,
    *,
    playing: ShownGamesOptions,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            help="Equal time for a move of all agents that take it; without agents, all built-in "
            "ones that search the game.",
        ),
    ] = None,
    format_: Annotated[
        Format,
        typer.Option(
            "--format",
            help="Pairings: all groups of as many agents as seats; all pairs, which share the "
            "seats; the first agent with all others; or similar scores.",
        ),
    ] = "round-robin",
    first: Annotated[
        int, typer.Option(min=1, help="Gauntlet: number of first agents that meet all others.")
    ] = 1,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Swiss: rounds; by default enough to find one winner.")
    ] = None,
    output: Output = None,
) -> None:
    """Play a tournament between agents, and rate them."""
    opened = open_game(game, playing.option)
    specs = specs_of(opened, named or [], seconds)
    with playing.shown(opened, specs) as (conditions, _):
        result = play_tournament(conditions, specs, games, Pairing(format_, first, rounds))
    if output is not None:
        write_report(output, result)
    if playing.as_json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        print(settings(result))
        print_standings(result.standings, specs, "agent", result.ranking())
        print("\n".join([verdict(result), *faults(result)]))
        if output is not None:
            print(f"Report: {output / REPORT}")
    print_first_faults(result.faults.values())
    if result.interrupted:
        playing.end_early()


def specs_of(game: Game, named: list[str], seconds: float | None) -> list[str]:
    """Return the agents of a tournament, with `seconds` for a move, by default all of the game."""
    if seconds is None:
        if not named:
            raise UsageError("name agents, or give --seconds to let all built-in ones play")
        return named
    return [within_seconds(spec, seconds) for spec in named] or contenders(game, seconds)


def settings(result: Tournament) -> str:
    """Return a line on the games that were played."""
    uneven = f", games a group beyond equal seats: {result.uneven}" if result.uneven else ""
    return (
        f"{title(result.game)}, {len(result.standings.entries)} games, "
        f"{result.games_per_group} for each group, seed {result.seed}{uneven}"
    )


def verdict(result: Tournament) -> str:
    """Return a sentence on the leading agents, and whether their lead is significant."""
    standings = result.standings
    names, (first, second) = standings.names, standings.ranking()[:2]
    gap, low, high = standings.ratings.difference(first, second)
    if standings.scores is not None:
        score, following = (standings.scores.points[agent] for agent in (first, second))
        is_tied = score - following < 1e-9
        lead = "by its rating" if is_tied else f"{score - following:.2f} points"
        return (
            f"{names[first]} is first with {score:.2f} points, {lead} before {names[second]}; the "
            f"ratings differ by {signed(gap)} Elo (95 % interval {signed(low)} to {signed(high)})."
        )
    sure = "leads" if low > 0 else "leads, though not significantly,"
    return (
        f"{names[first]} {sure} by {gap:.0f} Elo before {names[second]} "
        f"(95 % interval {signed(low)} to {signed(high)})."
    )


def faults(result: Tournament) -> list[str]:
    """Return lines on games lost by failing."""
    return [
        f"{name} {faults_as_text(costs.faults)}."
        for name, costs in zip(result.standings.names, result.costs, strict=True)
        if costs.faults
    ]


def write_report(folder: Path, result: Tournament) -> None:
    """Write the report, picture, figures and games of a tournament into a folder."""
    from meeple.arena.report.page import RATING_NOTE, html_report
    from meeple.arena.report.sections import by_opening, games_to_see, time_and_faults

    names, entries = result.standings.names, result.standings.entries
    png = drawn(result.standings, names)
    watch = command_for(result.game, "watch", folder / GAMES, "--game", "1")
    page = html_report(
        f"Tournament of {result.game.name}",
        settings(result),
        verdict(result),
        result.standings,
        names,
        png,
        [RATING_NOTE],
        [("See a game", watch)],
        [
            *time_and_faults(names, result.costs, result.ranking(), result.faults),
            *by_opening(entries),
            *games_to_see(entries),
        ],
    )
    records = [entry.record for entry in entries]
    save_report(folder, records, page, png, result.to_json())
