"""`meeple solve`: what a position is worth under perfect play, and which moves win."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from meeple.cli.arguments import AsJson, GameName, GameOptions, open_game
from meeple.cli.board.terminal import in_colour
from meeple.cli.board.words import percent, title
from meeple.games.contract.game import Position
from meeple.search.exact.solver import LIMIT, Progress, Solution
from meeple.search.exact.solver import solve as solve_position


def solve(
    game: GameName,
    option: GameOptions = None,
    after: Annotated[
        str, typer.Option("--after", metavar="MOVES", help='Moves to play first, as in "c4 d5".')
    ] = "",
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Positions to keep before giving up.")
    ] = LIMIT,
    as_json: AsJson = False,
) -> None:
    """Find a position's exact value and all winning moves."""
    position = open_game(game, option).start()
    play_moves(position, after)
    with progress_line() as progress:
        solution = solve_position(position, limit, progress)
    print(json.dumps(as_data(position, solution)) if as_json else as_text(position, solution))


def play_moves(position: Position, moves: str) -> None:
    """Play moves given by their names, apart by commas, or by spaces where no name has one.

    Raises IllegalAction that names the first wrong one and the legal ones.
    """
    for word in moves.split(",") if "," in moves else moves.split():
        position.play(position.parse_action(word.strip()))


@contextmanager
def progress_line() -> Iterator[Progress]:
    """On a terminal, a line on stderr that counts positions while the search goes on."""
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("solving…") as status:
        yield lambda kept: status.update(f"solving… {kept:,} positions")


def as_data(position: Position, solution: Solution) -> dict[str, Any]:
    """A solution as JSON, with actions by their names."""
    return {
        "payoffs": solution.payoffs.tolist(),
        "winning_actions": [position.action_name(a) for a in solution.winning_actions],
        "best_actions": [position.action_name(a) for a in solution.best_actions],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
    }


def as_text(position: Position, solution: Solution) -> str:
    """A solution for people: the board with the best moves marked, the verdict, the moves."""
    game = position.game
    best = solution.best_actions
    telling = bool(solution.winning_actions) or len(best) < len(position.legal_actions())
    lines = [
        title(game),
        game.draw_marked(position, best if telling else (), in_colour()),
        "",
        verdict(position, solution),
    ]
    if not position.is_over:
        names = ", ".join(position.action_name(a) for a in best)
        if solution.winning_actions:
            lines.append(f"Winning moves: {names}")
        elif telling:
            lines.append(f"Best moves: {names}")
        lines.append(f"{solution.nodes:,} positions, {solution.seconds:.2f} s")
    return "\n".join(lines)


def verdict(position: Position, solution: Solution) -> str:
    """Who wins, in a sentence."""
    game, payoffs = position.game, solution.payoffs.tolist()
    if position.is_over:
        start = "The game is over: "
    else:
        start = f"With perfect play from here, {game.player_name(position.to_move)} to move, "
    if max(payoffs) == 1:
        return f"{start}{game.player_name(payoffs.index(1))} wins."
    if payoffs[0] == payoffs[1]:
        return f"{start}the game is a draw."
    shares = ", ".join(
        f"{game.player_name(seat)} {percent(share)}" for seat, share in enumerate(payoffs)
    )
    return f"{start}the win is shared: {shares}."
