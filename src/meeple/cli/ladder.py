"""`meeple ladder`: rate the built-in agents of a game on one scale."""

import json
from typing import Annotated

import typer

from meeple.arena.figures.columns import cells, heads
from meeple.arena.ladder import GAMES, LadderResult, play_ladder
from meeple.cli.playing import GamesOptions, Output, PairGames, print_first_faults, with_options
from meeple.cli.shared.arguments import GameName, open_game
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.terminal import console
from meeple.cli.shared.words import title
from meeple.cli.tournament import write_report


@with_options
def ladder(
    game: GameName,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="Agents in addition.")
    ] = None,
    games: PairGames = GAMES,
    *,
    playing: GamesOptions,
    output: Output = None,
) -> None:
    """Rate a game's built-in agents on one scale.

    The game's levels, its built-in networks and the given agents play a round robin from openings.
    Random play is 0.
    """
    opened = open_game(game, playing.option)
    with progress_bar("playing") as progress:
        result = play_ladder(playing.conditions(opened, progress), more or (), games)
    if output is not None:
        write_report(output, result.tournament)
    if playing.as_json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        print_ladder(result)
    print_first_faults(result.tournament.faults.values())
    if result.tournament.interrupted:
        playing.end_early()


def print_ladder(result: LadderResult) -> None:
    """Print the ladder as a table, the weakest first."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    played = result.tournament
    print(
        f"{title(played.game)}, {len(played.outcomes)} games, {played.games_per_group} for each "
        f"group, seed {played.seed}; Elo points above {result.rungs[result.anchor].spec}"
    )
    table = Table(box=SIMPLE_HEAD)
    agents = result.to_json()["agents"]
    for head in ("name", "agent"):
        table.add_column(head, overflow="fold")
    for head in heads(agents[0], terminal=True):
        table.add_column(head, justify="right", no_wrap=True)
    for agent in agents:
        table.add_row(agent["name"], agent["spec"], *cells(agent, terminal=True))
    console().print(table)
