"""`meeple match`: agents meet many times, and the result is counted."""

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.match import MAX_WORKERS
from meeple.arena.match import match as play_match
from meeple.arena.result import AgentResult, Habit, MatchResult
from meeple.cli.arguments import AsJson, GameName, GameOptions, Seed, command_line, open_game
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.board.words import title
from meeple.cli.main import INTERRUPTED
from meeple.cli.progress import progress_bar
from meeple.cli.reports import save_games

Specs = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC SPEC...", help="Agents, such as random, uct:sims=1000, policy:PATH."
    ),
]
Show = Annotated[
    bool, typer.Option("--show", help="Draw the games as they are played, one at a time.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MAX_WORKERS,
        help="Games at once; by default one a core, or one if an agent stops by the clock.",
    ),
]


def match(
    game: GameName,
    specs: Specs,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 200,
    seed: Seed = 7,
    option: GameOptions = None,
    openings: Annotated[
        bool,
        typer.Option(
            "--openings",
            help="Begin every round of seats after other first moves: for agents that would play "
            "the same game again and again.",
        ),
    ] = False,
    workers: Workers = None,
    as_json: AsJson = False,
    show: Show = False,
    delay: Delay = 0.0,
    habits: Annotated[
        bool,
        typer.Option(
            "--habits", help="Tell how the agents played, too, where the game counts something."
        ),
    ] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Keep the games, a line each.")
    ] = None,
) -> None:
    """Play a match between agents, in rotated seats."""
    opened = open_game(game, option)
    with (
        GameShow(delay, with_key=show and "human" not in specs) as shown,
        progress_bar("playing", hidden=show or "human" in specs) as progress,
    ):
        result = play_match(
            opened,
            specs,
            games,
            seed,
            openings=openings,
            workers=workers,
            progress=progress,
            on_position=shown.position if show else None,
        )
    if save is not None:
        save_games(save, result.records)
    if as_json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        print("\n".join([f"{title(opened)}, {result.games} games, seed {seed}", *as_text(result)]))
        if habits and result.games:
            print("\n".join(habits_as_text(result)))
        if save is not None:
            line = command_line(opened, f"watch {shlex.quote(str(save))} --game 1")
            print(f"Games saved to {save}; see one with: {line}")
    if result.interrupted:
        typer.echo(f"Stopped after {result.games} of {games} games.", err=True)
        raise typer.Exit(INTERRUPTED)


def as_text(result: MatchResult) -> list[str]:
    """The result, a line on each agent and one on what it proves."""
    if not result.games:
        return ["No game was finished."]
    width = max(len(agent.spec) for agent in result.agents)
    lines = [_line(agent, width) for agent in result.agents]
    if result.uneven:
        lines.append(
            f"Seats are uneven: games beyond an equal number in every seat: {result.uneven}."
        )
    if result.different <= result.games // 2:
        lines.append(
            f"Only {result.different} of the games are different, so the intervals are too narrow; "
            "--openings makes games differ."
        )
    if result.p_value is not None:
        lines.append(
            f"Between equals a result this uneven has a chance of {result.p_value:.2g} (sign test)."
        )
    return lines


def habits_as_text(result: MatchResult) -> list[str]:
    """How the agents played: a table for each, or a line where the game counts nothing."""
    if not result.agents[0].habits:
        return [f"{result.game} counts nothing that agents do."]
    lines = ["A game and seat, on average: all games, games won, games lost"]
    for agent in result.agents:
        lines.append(agent.spec)
        lines += [f"  {name:<34}{_figures(habit)}" for name, habit in agent.habits.items()]
    return lines


def _figures(habit: Habit) -> str:
    return "".join("       -" if number is None else f"{number:8.2f}" for number in habit)


def _line(agent: AgentResult, width: int) -> str:
    low, high = (100 * end for end in agent.interval)
    seats = ", ".join(
        f"{100 * seat.share:.0f} % in seat {number}"
        for number, seat in enumerate(agent.seats, start=1)
        if seat.games
    )
    by_time = "seconds=" in agent.spec and agent.simulations_per_move > 0
    made = f", {agent.simulations_per_move:,.0f} simulations/move" if by_time else ""
    return (
        f"{agent.spec:<{width}}  {100 * agent.share:5.1f} % (95 %: {low:.1f} to {high:.1f})  "
        f"{agent.wins} won, {agent.draws} drawn, {agent.losses} lost; {seats}; "
        f"{agent.ms_per_move:.2f} ms/move{made}"
    )
