"""The agent of the spec `minimax`: alpha-beta, or expectimax and max^n."""

import dataclasses
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from meeple.agents.agent import Analysis
from meeple.agents.network_files import PATTERNS, check_kind
from meeple.errors import SpecError, UsageError
from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Game, Position
from meeple.kernels import HEURISTIC
from meeple.search.determinization import searched_by_determinization
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import DEFAULT_MARGIN, ChanceMet, Lookahead, MinimaxSettings
from meeple.search.minimax.expectimax import Expectimax
from meeple.search.minimax.solving import solve_position
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import load_patterns
from meeple.sentences import say

USUAL = MinimaxSettings(margin=DEFAULT_MARGIN, selective=True)
MIN_SECONDS = 0.001  # that are left for a search after the solver's


class MinimaxAgent:
    """Plays the best action at the depth it reaches; the seed decides between nearly equal ones.

    Games of two players are searched by alpha-beta until a chance node is met; all others by
    expectimax and max^n, with determinizations of what is hidden.
    """

    def __init__(
        self,
        game: Game,
        settings: MinimaxSettings = USUAL,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        patterns: PatternEvaluation | None = None,
        solver: bool = True,
        seed: int = 0,
    ) -> None:
        """Make the agent; at least one limit is needed, and the first reached ends a search.

        Args:
            game: the game to play.
            settings: of both searches.
            depth: plies.
            seconds: wall clock a move.
            patterns: evaluates positions instead of the heuristic.
            solver: whether the game's solver, if it has one, is asked before a search by seconds.
            seed: of all randomness.

        Raises:
            UsageError: the game cannot be searched in this way; the message says what to do.
        """
        self.spec = "minimax"
        self.analysis: Analysis | None = None
        self.depth = depth
        self.seconds = seconds
        self._game, self._settings = game, settings
        self._alphabeta = None
        if game.players == 2 and not searched_by_determinization(game):
            self._alphabeta = AlphaBeta(game, settings, patterns=patterns)
        elif settings.threads > 1:
            raise UsageError(
                "threads are for games of two players without hidden information, which alpha-beta "
                f"searches; {game.name} takes none"
            )
        self._solver = position_solver(game) if solver and seconds is not None else None
        if patterns is not None and self._solver is not None:
            self._solver.order_by(patterns.kernel, patterns.address)
        self._patterns = patterns
        self._expectimax: Expectimax | None = None
        self.begin(seed)

    @property
    def resumes(self) -> bool:
        """Whether searching a position again searches deeper, from the stored table."""
        return self._search is self._alphabeta and self.depth is None

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self.analysis = None
        self._search = self._alphabeta or self._for_chance()
        self._seed = seed
        self._search.begin(seed)

    def _for_chance(self) -> Expectimax:
        if self._expectimax is None:
            self._expectimax = Expectimax(self._game, self._settings, patterns=self._patterns)
        return self._expectimax

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return the action of the best value, or an exact one that the game's solver knows.

        Where the solver finds that every action loses, the search chooses, since its value tells
        how hard the win is to find.
        """
        seconds, solved = self.seconds, None
        if self._solver is not None and seconds is not None:
            began = time.perf_counter()
            solved = solve_position(self._solver, position, seconds, stop)
            if solved is not None and solved.value[position.to_move] > 0.0:
                reasons = {}
                if solved.value[position.to_move] == 1.0:
                    reasons[solved.best] = forced_win(solved.depth)
                self.analysis = dataclasses.replace(analysis_of(solved), reasons=reasons)
                return solved.best
            seconds = max(seconds - (time.perf_counter() - began), MIN_SECONDS)
        try:
            result = self._search.run(position, self.depth, seconds, stop)
        except ChanceMet:
            self._search = self._for_chance()
            self._search.begin(self._seed)
            result = self._search.run(position, self.depth, seconds, stop)
        if solved is not None:
            exact = np.tile(solved.value, (len(result.actions), 1))
            result = dataclasses.replace(
                result, value=solved.value, values=exact, proven=True, depth=solved.depth
            )
        self.analysis = analysis_of(result)
        return result.best


def forced_win(plies: int) -> str:
    """Return a phrase on a win of the player to move after at most this number of plies."""
    moves = (plies + 1) // 2
    return "wins at once" if moves == 1 else f"wins by force within {moves} moves"


def analysis_of(result: Lookahead) -> Analysis:
    """Return a lookahead's result as an agent reports it; visits are nodes."""
    return Analysis(
        actions=result.actions,
        visits=result.visits,
        policy=(result.actions == result.best).astype(np.float32),
        value=result.value,
        principal_variation=tuple(result.principal_variation),
        simulations=0,
        seconds=result.seconds,
        action_values=result.values,
        depth=result.depth,
        proven=result.proven,
    )


def make_minimax(game: Game, options: Mapping[str, Any], seed: int) -> MinimaxAgent:
    """Make the agent of `minimax:depth=N`, `minimax:seconds=T`, or both limits.

    Raises SpecError without a limit, UsageError for a game that cannot be searched so.
    """
    depth, seconds = options.get("depth"), options.get("seconds")
    if depth is None and seconds is None:
        raise SpecError(
            say("agent.needs_limit", agent="minimax", spec="minimax:depth=4 or minimax:seconds=0.5")
        )
    given = {key: options[key] for key in MinimaxSettings._fields if key in options}
    to_the_end = depth is not None and depth >= game.max_plies and seconds is None
    if to_the_end and not game.has(HEURISTIC):
        given["heuristic"] = "even"  # no unfinished position is evaluated
    margin = 0.0 if searched_by_determinization(game) else DEFAULT_MARGIN
    settings = MinimaxSettings(**{"margin": margin, **given})
    patterns = None
    if options.get("eval") is not None:
        check_kind(options["eval"], PATTERNS)
        patterns = load_patterns(options["eval"], game)
    return MinimaxAgent(game, settings, depth=depth, seconds=seconds, patterns=patterns, seed=seed)
