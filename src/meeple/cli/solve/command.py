"""`meeple solve`: the value of a position under perfect play, and the winning moves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from meeple.agents.exploitability import SAMPLES, exploitability
from meeple.cli.shared.arguments import AsJson, GameName, GameOptions, Seed, open_game
from meeple.cli.shared.progress import progress_line
from meeple.cli.shared.terminal import in_colour
from meeple.cli.shared.words import title
from meeple.cli.solve.equilibria import equilibrium_data, equilibrium_text
from meeple.cli.solve.sampled import ITERATIONS, sample, sampled_data, sampled_text, say_stopped
from meeple.errors import TooLarge, UsageError
from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Game, Position
from meeple.games.contract.pasted import read_pasted
from meeple.games.contract.records import legal_line
from meeple.games.contract.result import result_text
from meeple.search.exact.cfr import Equilibrium
from meeple.search.exact.information_tree import MAX_NODES
from meeple.search.exact.solver import MAX_POSITIONS, ChanceMet, Solution
from meeple.search.exact.solver import solve as solve_position
from meeple.search.exact.whole import solve_whole
from meeple.search.minimax.deepening import Lookahead
from meeple.search.minimax.solving import solve_position as search_exactly

FORCED_SECONDS = 10.0  # that the search for a forced win may take
FEW_POSITIONS = 100_000  # stored before a forced win is looked for: some seconds


def solve(
    game: GameName,
    option: GameOptions = None,
    after: Annotated[
        str, typer.Option(metavar="MOVES", help='Moves to play first, "c4 d5"; or a board.')
    ] = "",
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"Maximum number of stored positions, by default {MAX_POSITIONS:,}; for a game "
            f"with chance or hidden information of nodes, {MAX_NODES:,}. `perfect` has the same "
            "limits.",
        ),
    ] = None,
    evaluate: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Instead of solving: how much a best response wins against this agent.",
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=1, help="Choices of --evaluate in each information set.")
    ] = SAMPLES,
    method: Annotated[
        Literal["exact", "mccfr"],
        typer.Option(
            help="exact; or mccfr: external sampling, for games that are too large to be solved "
            "exactly. It shows its exploitability where the tree has at most --limit nodes."
        ),
    ] = "exact",
    iterations: Annotated[
        int | None, typer.Option(min=1, help=f"Of --method mccfr; by default {ITERATIONS:,}.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Of --method mccfr: save the strategy, which strategy:FILE plays; if the file "
            "exists, continue from it.",
        ),
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Find a position's exact value and all winning moves.

    The game must have two players, except with --method mccfr. If a game has a search for a forced
    win, as Gomoku has, a position that is not solved at once is first searched for one: the result
    is one winning move and its line. A small game with chance or hidden information is solved as a
    whole: the expected payoffs of both players, and their strategies.
    """
    position = open_game(game, option).start()
    if evaluate is not None:
        if after:
            raise UsageError("--evaluate is of the whole game: leave out --after")
        print(evaluation(position.game, evaluate, samples, limit, as_json=as_json))
        return
    if method == "mccfr":
        if after:
            raise UsageError("--method mccfr is of the whole game: leave out --after")
        sampled = sample(position.game, iterations or ITERATIONS, seed, limit, output)
        say_stopped(sampled)
        print(json.dumps(sampled_data(sampled)) if as_json else sampled_text(sampled))
        return
    if iterations is not None or output is not None:
        raise UsageError("--iterations and --output go with --method mccfr")
    if not position.game.hides:
        position = read_pasted(position, after)
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

    If `FEW_POSITIONS` do not suffice, the game's own solver looks for a forced win before the
    search continues.

    Raises:
        TooLarge: It takes more than `limit` positions or nodes (None: the solvers' defaults).
        UsageError: The game is solved as a whole, but the position is not its first.
    """
    with progress_line() as report:
        if not position.game.hides:
            try:
                return _solved_or_forced(position, limit or MAX_POSITIONS, report)
            except ChanceMet:
                if position.actions:
                    raise _as_a_whole(position, "has chance") from None
        return solve_whole(position.game, limit, report)


def _solved_or_forced(
    position: Position, limit: int, report: Callable[[str], None]
) -> Solution | Lookahead:
    """Solve a position of a game without chance. Raises TooLarge, ChanceMet."""

    def solved(most: int) -> Solution:
        return solve_position(position, most, lambda kept: report(f"{kept:,} positions"))

    if position_solver(position.game) is None:
        return solved(limit)
    few = min(FEW_POSITIONS, limit)
    try:
        return solved(few)
    except TooLarge:
        report("looking for a forced win")
        forced = forced_result(position)
        if forced is not None:
            return forced
        if few == limit:
            raise
    return solved(limit)


def forced_result(position: Position) -> Lookahead | None:
    """Return what the game's own solver decides within FORCED_SECONDS; None if it has none."""
    solver = None if position.is_over else position_solver(position.game)
    if solver is None:
        return None
    return search_exactly(solver, position, FORCED_SECONDS / solver.share)


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
    return f"{start}{result_text(payoffs, game.player_names, tally=position.tally)}."
