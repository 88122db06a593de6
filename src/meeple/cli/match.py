"""`meeple match`: play many games between agents, and count the results."""

import json
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.figures.match_result import habits_as_text, lines_of
from meeple.arena.figures.sprt import ERROR, parse_hypotheses, state_of
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.match import GAMES, MAX_SPRT_GAMES, play_match
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.main import INTERRUPTED
from meeple.cli.shared.arena import (
    Book,
    MoveSeconds,
    On,
    OnFault,
    Openings,
    Run,
    Show,
    Specs,
    WithoutToken,
    Workers,
    openings_of,
    place_asked,
    print_first_faults,
    print_stopped,
)
from meeple.cli.shared.arguments import AsJson, GameName, GameOptions, Seed, open_game
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.reports import save_games
from meeple.cli.shared.words import title
from meeple.games.contract.game_words import command_for


def match(
    game: GameName,
    specs: Specs,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            help=f"Number of games, by default {GAMES}; with --sprt the maximum, by default "
            f"{MAX_SPRT_GAMES:,}.",
        ),
    ] = None,
    seed: Seed = 7,
    option: GameOptions = None,
    openings: Openings = False,
    book: Book = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="LOW,HIGH",
            help="Stop once a sequential test decides whether the first agent is stronger by LOW "
            "or by HIGH Elo points; with openings.",
        ),
    ] = None,
    alpha: Annotated[
        float, typer.Option("--alpha", help="Probability that --sprt falsely accepts HIGH.")
    ] = ERROR,
    beta: Annotated[
        float, typer.Option("--beta", help="Probability that --sprt falsely accepts LOW.")
    ] = ERROR,
    run: Run = None,
    on_fault: OnFault = None,
    move_seconds: MoveSeconds = None,
    workers: Workers = None,
    on: On = None,
    without_token: WithoutToken = False,
    as_json: AsJson = False,
    show: Show = False,
    delay: Delay = 0.0,
    habits: Annotated[
        bool,
        typer.Option(
            "--habits", help="Also print statistics of the agents' play, if the game has any."
        ),
    ] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Save the games, a line each.")
    ] = None,
) -> None:
    """Play a match between agents, in rotated seats."""
    opened = open_game(game, option)
    tested = None if sprt is None else parse_hypotheses(sprt, alpha, beta)
    most = games or (GAMES if tested is None else MAX_SPRT_GAMES)
    with (
        GameShow(delay, with_key=show and "human" not in specs) as shown,
        progress_bar("playing", hidden=show or "human" in specs) as progress,
    ):
        conditions = Conditions(
            opened,
            seed,
            openings=openings_of(opened, openings or tested is not None, book, seed),
            rule=FaultRule(on_fault, move_seconds),
            run=run,
            workers=workers,
            on=place_asked(on, without_token),
            progress=progress,
            on_position=shown.position if show else None,
        )
        result = play_match(
            conditions,
            specs,
            most,
            sprt=tested,
            on_round=lambda test: progress.say(state_of(test)),
        )
    if save is not None:
        save_games(save, result.records)
    if as_json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        print("\n".join([f"{title(opened)}, {result.games} games, seed {seed}", *lines_of(result)]))
        if habits and result.games:
            print("\n".join(habits_as_text(result)))
        if save is not None:
            line = command_for(opened, "watch", save, "--game", "1")
            print(f"Games saved to {save}; show one with: {line}")
    print_first_faults(result.faults)
    if result.interrupted:
        print_stopped(run, f"Stopped after {result.games} of {most} games.")
        raise typer.Exit(INTERRUPTED)
