"""`meeple match`: play many games between agents, and count the results."""

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.figures.match_result import AgentResult, Habit, MatchResult
from meeple.arena.figures.sprt import ERROR, SequentialTest, parse_hypotheses
from meeple.arena.games.conditions import Conditions
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
    fault_rule,
    faults_as_text,
    openings_of,
    place_asked,
    print_first_faults,
    print_stopped,
)
from meeple.cli.shared.arguments import AsJson, GameName, GameOptions, Seed, command_line, open_game
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.reports import save_games
from meeple.cli.shared.words import title


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
            rule=fault_rule(on_fault, move_seconds),
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
        print("\n".join([f"{title(opened)}, {result.games} games, seed {seed}", *as_text(result)]))
        if habits and result.games:
            print("\n".join(habits_as_text(result)))
        if save is not None:
            line = command_line(opened, f"watch {shlex.quote(str(save))} --game 1")
            print(f"Games saved to {save}; show one with: {line}")
    print_first_faults(result.faults)
    if result.interrupted:
        print_stopped(run, f"Stopped after {result.games} of {most} games.")
        raise typer.Exit(INTERRUPTED)


def state_of(test: SequentialTest) -> str:
    """Return the state of a sequential test: "LLR +0.31 (-2.94 to 2.94)"."""
    low, high = test.hypotheses.bounds
    return f"LLR {test.llr:+.2f} ({low:.2f} to {high:.2f})"


def decision(test: SequentialTest) -> str:
    """Return the decision of a sequential test as a sentence."""
    tested = test.hypotheses
    state = f"{state_of(test)} after {test.rounds} rounds of line-ups"
    if test.accepted is None:
        return f"Undecided between {tested.low:+g} and {tested.high:+g} Elo: {state}."
    elo, wrong = (
        (tested.high, tested.alpha) if test.accepted == "high" else (tested.low, tested.beta)
    )
    return (
        f"Accepted: {elo:+g} Elo for the first agent (error probability at most {wrong:g}): "
        f"{state}."
    )


def as_text(result: MatchResult) -> list[str]:
    """Return the result as lines: one on each agent, and one on its significance."""
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
            "use --openings to make them differ."
        )
    if result.p_value is not None and result.sprt is None:
        lines.append(
            "Between equal agents, a result this uneven has probability "
            f"{result.p_value:.2g} (sign test)."
        )
    if result.sprt is not None:
        lines.append(decision(result.sprt))
    return lines


def habits_as_text(result: MatchResult) -> list[str]:
    """Return a table of each agent's habits, or one line if the game has no habits."""
    if not result.agents[0].habits:
        return [f"{result.game} has no statistics of play."]
    lines = ["Mean a game and seat: all games, games won, games lost"]
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
    failed = f"; {faults_as_text(agent.faults)}" if agent.faults else ""
    return (
        f"{agent.spec:<{width}}  {100 * agent.share:5.1f} % (95 %: {low:.1f} to {high:.1f})  "
        f"{agent.wins} won, {agent.draws} drawn, {agent.losses} lost; {seats}; "
        f"{agent.ms_per_move:.2f} ms/move{made}{failed}"
    )
