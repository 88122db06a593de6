"""`meeple match`: play many games between agents, and count the results."""

import json
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.figures.match_result import games_in_words, habits_as_text, lines_of
from meeple.arena.figures.sprt import ERROR, parse_hypotheses, state_of
from meeple.arena.match import GAMES, MAX_SPRT_GAMES, play_match
from meeple.cli.playing import ShownGamesOptions, Specs, print_first_faults, with_options
from meeple.cli.shared.arguments import GameName, open_game
from meeple.cli.shared.reports import save_games
from meeple.cli.shared.words import title
from meeple.games.contract.game_words import command_for


@with_options
def match(
    game: GameName,
    specs: Specs,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"Number of games, by default {GAMES}; with --sprt the maximum, by default "
            f"{MAX_SPRT_GAMES:,}.",
        ),
    ] = None,
    *,
    playing: ShownGamesOptions,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Stop once a sequential test decides whether the first agent is stronger by LOW "
            "or by HIGH Elo points; with openings.",
        ),
    ] = None,
    alpha: Annotated[
        float, typer.Option(help="Probability that --sprt falsely accepts HIGH.")
    ] = ERROR,
    beta: Annotated[
        float, typer.Option(help="Probability that --sprt falsely accepts LOW.")
    ] = ERROR,
    habits: Annotated[
        bool,
        typer.Option(
            "--habits", help="Also print statistics of the agents' play, if the game has any."
        ),
    ] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the games, a line each.")
    ] = None,
) -> None:
    """Play a match between agents, in rotated seats."""
    opened = open_game(game, playing.option)
    tested = None if sprt is None else parse_hypotheses(sprt, alpha, beta)
    most = games or (GAMES if tested is None else MAX_SPRT_GAMES)
    with playing.shown(opened, specs, openings=tested is not None) as (conditions, progress):
        result = play_match(
            conditions, specs, most, sprt=tested, on_round=lambda test: progress.say(state_of(test))
        )
    if save is not None:
        save_games(save, result.records)
    if playing.as_json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        heading = f"{title(opened)}, {games_in_words(result)}, seed {playing.seed}"
        print("\n".join([heading, *lines_of(result)]))
        if habits and result.games:
            print("\n".join(habits_as_text(result)))
        if save is not None:
            line = command_for(opened, "watch", save, "--game", "1")
            print(f"Games saved to {save}; show one with: {line}")
    print_first_faults(result.faults)
    if result.interrupted:
        playing.end_early(f"Stopped after {result.games} of {most} games.")
