"""`meeple solve`: the value of a position under perfect play, and the winning moves."""

import json
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from meeple.agents.exploitability import SAMPLES, exploitability
from meeple.cli.shared.arguments import AsJson, GameName, GameOptions, open_game
from meeple.cli.shared.progress import progress_line
from meeple.cli.shared.terminal import in_colour
from meeple.cli.shared.words import title
from meeple.errors import TooLarge, UsageError
from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import legal_line
from meeple.games.contract.result import percent, result_text
from meeple.search.exact.cfr import Equilibrium
from meeple.search.exact.information_tree import MAX_NODES
from meeple.search.exact.solver import MAX_POSITIONS, ChanceMet, Solution
from meeple.search.exact.solver import solve as solve_position
from meeple.search.exact.whole import solve_whole
from meeple.search.minimax.deepening import Lookahead
from meeple.search.minimax.solving import solve_position as search_exactly

FORCED_SECONDS = 10.0  # that the search for a forced win may take
_MAX_SHOWN = 12  # decisions
_MAX_SHOWN_DEPTH = 3  # actions and outcomes before a shown decision


def solve(
    game: GameName,
    option: GameOptions = None,
    after: Annotated[
        str, typer.Option("--after", metavar="MOVES", help='Moves to play first: "c4 d5".')
    ] = "",
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=1,
            help=f"Maximum number of stored positions, by default {MAX_POSITIONS:,}; for a game "
            f"with chance or hidden information of nodes, {MAX_NODES:,}. `perfect` has the same "
            "limits.",
        ),
    ] = None,
    evaluate: Annotated[
        str | None,
        typer.Option(
            "--evaluate",
            metavar="SPEC",
            help="Instead of solving: how much a best response wins against this agent.",
        ),
    ] = None,
    samples: Annotated[
        int,
        typer.Option("--samples", min=1, help="Choices of --evaluate in each information set."),
    ] = SAMPLES,
    as_json: AsJson = False,
) -> None:
    """Find a position's exact value and all winning moves.

    The game must have two players. A position that is too large is searched for a forced win if
    the game has such a search, as Gomoku has: the result is one winning move and its line. A small
    game with chance or hidden information is solved as a whole: the expected payoffs of both
    players, and their strategies.
    """
    position = open_game(game, option).start()
    if evaluate is not None:
        if after:
            raise UsageError("--evaluate is of the whole game: leave out --after")
        print(evaluation(position.game, evaluate, samples, limit, as_json=as_json))
        return
    if not position.game.hides:
        play_moves(position, after)
    elif after:
        raise _as_a_whole(position, "hides something")
    found = solution_of(position, limit)
    if isinstance(found, Lookahead):
        print(json.dumps(forced_data(position, found)) if as_json else forced_text(position, found))
    elif isinstance(found, Solution):
        print(json.dumps(as_data(position, found)) if as_json else as_text(position, found))
    else:
        print(json.dumps(equilibrium_data(found)) if as_json else equilibrium_text(found))


def evaluation(game: Game, spec: str, samples: int, limit: int | None, *, as_json: bool) -> str:
    """Return the exploitability of an agent as a sentence, or as JSON.

    Raises:
        TooLarge: the game's tree has more than `limit` nodes (None: MAX_NODES).
        SpecError: the spec is wrong.
    """
    with progress_line() as report:
        found = exploitability(
            spec,
            game,
            samples=samples,
            limit=limit or MAX_NODES,
            report=lambda done, of: report(f"{done:,} of {of:,} information sets"),
        )
    if as_json:
        return json.dumps({"spec": spec, "exploitability": found, "samples": samples})
    return (
        f"{title(game)}: a best response to {spec} wins {100 * found:.2f} % more than half, as the "
        f"mean of both seats; {samples} choices in each information set."
    )


def _as_a_whole(position: Position, what: str) -> UsageError:
    return UsageError(f"{position.game.name} {what}: it is solved as a whole, without --after")


def solution_of(position: Position, limit: int | None) -> Solution | Equilibrium | Lookahead:
    """Solve a position, or the whole game if it has chance or hidden information.

    If the position is too large, the result is a forced win that the game's own solver finds.

    Raises:
        TooLarge: It takes more than `limit` positions or nodes (None: the solvers' defaults).
        UsageError: The game is solved as a whole, but the position is not its first.
    """
    with progress_line() as report:
        if not position.game.hides:
            try:
                most = MAX_POSITIONS if limit is None else limit
                return solve_position(position, most, lambda kept: report(f"{kept:,} positions"))
            except ChanceMet:
                if position.actions:
                    raise _as_a_whole(position, "has chance") from None
            except TooLarge:
                forced = forced_result(position)
                if forced is None:
                    raise
                return forced
        return solve_whole(position.game, limit, report)


def forced_result(position: Position) -> Lookahead | None:
    """Return what the game's own solver decides within FORCED_SECONDS; None if it has none."""
    solver = None if position.is_over else position_solver(position.game)
    if solver is None:
        return None
    return search_exactly(solver, position, FORCED_SECONDS / solver.share)


def play_moves(position: Position, moves: str) -> None:
    """Play moves by name, separated by commas, or by spaces if no name has a space.

    Raises:
        IllegalAction: A move is illegal; the message names the first one and the legal moves.
    """
    for word in moves.split(",") if "," in moves else moves.split():
        position.play(position.parse_action(word.strip()))


def as_data(position: Position, solution: Solution) -> dict[str, Any]:
    """Return a solution as JSON, with actions by name."""
    return {
        "payoffs": solution.payoffs.tolist(),
        "winning_actions": [position.action_name(a) for a in solution.winning_actions],
        "best_actions": [position.action_name(a) for a in solution.best_actions],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 3),
    }


def forced_data(position: Position, found: Lookahead) -> dict[str, Any]:
    """Return a forced result as JSON, with actions by name; other moves may be as good."""
    best = [position.action_name(found.best)]
    return {
        "payoffs": found.value.tolist(),
        "winning_actions": best if found.value[position.to_move] == 1.0 else [],
        "best_actions": best,
        "line": [
            walk.action_name(action)
            for walk, action in legal_line(position, found.principal_variation)
        ],
        "plies": found.depth,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 3),
    }


def forced_text(position: Position, found: Lookahead) -> str:
    """Return a forced result as text: the board with the move, the value, the line of play."""
    game, data = position.game, forced_data(position, found)
    players = result_text(found.value.tolist(), game.player_names)
    return "\n".join(
        [
            title(game),
            game.draw_marked(position, [found.best], in_colour()),
            "",
            f"By force, {game.player_name(position.to_move)} to move: {players}.",
            f"Within {found.depth} plies: {', '.join(data['line'])}",
            f"{found.nodes:,} nodes, {found.seconds:.2f} s",
        ]
    )


def equilibrium_data(found: Equilibrium) -> dict[str, Any]:
    """Return an equilibrium as JSON: for each information set a path to it, and its strategy."""
    return {
        "payoffs": found.payoffs.tolist(),
        "exploitability": found.exploitability,
        "iterations": found.iterations,
        "nodes": len(found.tree.mover),
        "information_sets": found.tree.sets.number,
        "strategy": [one._asdict() for one in decisions_of(found)],
        "seconds": round(found.seconds, 3),
    }


class Decision(NamedTuple):
    """The strategy of an equilibrium in an information set."""

    seat: int
    example: list[str]  # one path to the information set, including chance
    chances: dict[str, float]


def decisions_of(found: Equilibrium) -> Iterator[Decision]:
    """Yield all information sets, those reached first at the front."""
    tree, sets = found.tree, found.tree.sets
    nodes = np.unique(tree.slot, return_index=True)
    node_of = dict(zip(nodes[0].tolist(), tree.parent[nodes[1]].tolist(), strict=True))
    for number in range(sets.number):
        position, example = tree.game.start(), []
        for action in tree.actions_to(node_of[int(sets.first[number])]):
            example.append(position.action_name(action))
            position.play(action)
        slots = range(int(sets.first[number]), int(sets.first[number + 1]))
        chances = {
            position.action_name(int(sets.action[slot])): round(float(found.strategy[slot]), 4)
            for slot in slots
        }
        yield Decision(int(sets.mover[number]), example, chances)


def equilibrium_text(found: Equilibrium) -> str:
    """Return an equilibrium as text: the expected payoffs and the first decisions."""
    game = found.tree.game
    shares = ", ".join(
        f"{game.player_name(seat)} {percent(share)}"
        for seat, share in enumerate(found.payoffs.tolist())
    )
    lines = [title(game), f"With optimal play of both: {shares}.", "First decisions:"]
    first = [one for one in decisions_of(found) if len(one.example) <= _MAX_SHOWN_DEPTH][
        :_MAX_SHOWN
    ]
    for one in first:
        chances = ", ".join(f"{name} {percent(chance)}" for name, chance in one.chances.items())
        way = ", ".join(one.example) or "at the start"
        lines.append(f"  {game.player_name(one.seat)}, as after {way}: {chances}")
    lines.append(
        f"{found.tree.sets.number:,} information sets; a best response wins at most "
        f"{percent(found.exploitability)} more ({found.iterations:,} iterations, "
        f"{found.seconds:.2f} s). All decisions: --json"
    )
    return "\n".join(lines)


def as_text(position: Position, solution: Solution) -> str:
    """Return a solution as text: the board with marked best moves, the value, the moves."""
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
    """Return the exact value of a position as a sentence."""
    game, payoffs = position.game, solution.payoffs.tolist()
    if position.is_over:
        start = "The game is over: "
    else:
        start = f"With perfect play from here, {game.player_name(position.to_move)} to move: "
    return f"{start}{result_text(payoffs, game.player_names)}."
