"""Lookahead by plies: iterative deepening, its limits and its result.

It drives the two searches `alphabeta` and `expectimax`.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CANDIDATES,
    CHANCE,
    FORCED_WIN,
    HEURISTIC,
    IDENTITY,
    KNOWN_RESULT,
    NARROW,
    PRUNE,
    QUIET,
    SIMPLE_HEURISTIC,
)
from meeple.search.checks import check_position, check_seconds
from meeple.search.machine.slices import Clock
from meeple.search.machine.stack import CHANCE_MET, DONE, NO_NUMBER
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.room import faults_reported

HEURISTICS = ("game", "simple", "even")
"""How unfinished positions are evaluated: by one of the game's kernels, or as equal shares."""

SELECTIVE = (CANDIDATES, FORCED_WIN, QUIET)
"""The kernels of a game that only a selective search calls."""

MAX_DEPTH = 999  # maximum depth of a search, in plies
DEFAULT_MARGIN = 0.01  # share an agent may give up so that its games differ
FIRST_SLICE = 64  # nodes: most searches of one ply are done then, in one call of a kernel
TIME_OF_SINGLE = 0.1  # share of the time for which a single action is searched


class MinimaxSettings(NamedTuple):
    """How games are searched by plies; a field says for which search it is."""

    heuristic: str = "game"  # one of HEURISTICS
    margin: float = 0.0
    """A random action may be worse than the best by this share, if neither is proven."""
    loss: float = 0.0  # scale of the shares that moves give away (`lenient.py`); replaces `margin`
    selective: bool = False
    """alpha-beta: search only the candidates that a game names, late ones less deep, and wins by
    threats at leaves; and, with a limit of time only, probe by patterns."""
    threads: int = 1  # alpha-beta: threads that search side by side
    determinizations: int = 8  # expectimax: of a position with hidden information


PLAIN = MinimaxSettings()


class ChanceMet(UsageError):
    """Alpha-beta met a chance node, which it cannot search: expectimax can."""


@dataclass(frozen=True)
class Lookahead:
    """The result of a search by plies, for A actions in ascending order and P players."""

    actions: npt.NDArray[np.int32]  # [A]
    visits: npt.NDArray[np.int64]  # [A] nodes below each action, in all iterations
    values: npt.NDArray[np.float64]  # [A, P] shares after each; NaN if only a bound is known
    value: npt.NDArray[np.float64]  # [P]
    best: int  # the action to play
    proven: bool  # whether `value` is exact and `best` reaches it
    principal_variation: list[int]  # actions, `best` first
    depth: int  # plies of the last finished iteration
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Iteration:
    """The root's results in one iteration so far; arrays follow `order`."""

    finished: int  # actions searched, from the first of `order`
    order: npt.NDArray[np.int32]  # [A]
    nodes: npt.NDArray[np.int64]  # [A]
    values: npt.NDArray[np.float64]  # [A, P]
    value: npt.NDArray[np.float64]  # [P]
    line: list[int]  # the principal variation, the best action so far first
    proven: bool  # whether `value` is exact
    final: bool  # whether deeper iterations cannot change the result


class Searcher(Protocol):
    """A search that `deepen` drives: one iteration at a time, in slices."""

    game: Game

    def root_actions(self, position: Position) -> npt.NDArray[np.int32]:
        """[A] the actions to search for the player to move."""
        ...

    def enter(self, position: Position, order: npt.NDArray[np.int32], depth: int) -> None:
        """Begin an iteration of `depth` plies; the root's actions are searched in this order."""
        ...

    def advance(self, nodes: int) -> int:
        """Continue for `nodes` nodes; return RUNNING, DONE, CHANCE_MET or NO_NUMBER."""
        ...

    def iteration(self) -> Iteration:
        """Return the results of this iteration so far."""
        ...


def rules_for(
    game: Game,
    heuristic: str,
    patterns: PatternEvaluation | None = None,
    selective: bool = False,
) -> npt.NDArray[np.int64]:
    """Return the game's kernels for a search: [KERNELS + 1] addresses.

    The entry at HEURISTIC is the chosen kernel, 0 for `even`. If the search evaluates by
    `patterns`, which must outlive it, the entries at EVALUATE_STATE and TABLES_AT are the
    evaluation's kernel and its memory, and the heuristic is not used.

    Raises:
        UsageError: the heuristic is unknown, or the game does not have it.
    """
    if heuristic not in HEURISTICS:
        raise UsageError(f"heuristic must be one of {', '.join(HEURISTICS)}, not '{heuristic}'")
    game.compile(IDENTITY, KNOWN_RESULT, NARROW, PRUNE)
    if selective:
        game.compile(*SELECTIVE)
    place = {"game": HEURISTIC, "simple": SIMPLE_HEURISTIC}.get(heuristic)
    if place is not None and patterns is None:
        game.compile(place)
    rules = np.append(game.addresses, 0)  # the addresses no longer change
    if not selective:
        rules[list(SELECTIVE)] = 0
    if patterns is not None:
        patterns.evaluate_in(rules)
        return rules
    rules[HEURISTIC] = 0 if place is None else rules[place]
    if place is not None and not rules[HEURISTIC]:
        kind = "heuristic" if heuristic == "game" else "simple heuristic"
        raise UsageError(
            f"{game.name} has no {kind} of its own to evaluate positions by; with heuristic=even "
            "unfinished positions count as equal shares"
        )
    return rules


def deepen(
    searcher: Searcher,
    position: Position,
    rng: np.random.Generator,
    depth: int | None,
    seconds: float | None,
    stop: Callable[[], bool] | None = None,
) -> Lookahead:
    """Search one ply deep, then two, three and so on, until a limit is reached or all is known.

    At least one limit must be given. The first iteration always finishes. The actions that an
    interrupted iteration did search count, since it began with the best action so far. A single
    action is searched for a tenth of the time, for its value. Actions of equal value are tried in
    an order drawn from `rng`, and the first is played.

    Args:
        searcher: the search of one iteration.
        position: the root; a player must be to move.
        rng: draws the order of the root's actions.
        depth: maximum depth in plies; None: no limit.
        seconds: wall-clock limit; None: no limit.
        stop: called between slices; True stops the search.

    Raises:
        UsageError: no limit is given or one is invalid, the position cannot be searched, or the
            heuristic returned NaN.
        ChanceMet: alpha-beta met a chance node.
    """
    clock = Clock(seconds=seconds, stop=stop, first=FIRST_SLICE)
    _check(searcher.game, position, depth, seconds, stop)
    with faults_reported(searcher.game, position):
        actions = np.sort(searcher.root_actions(position))
    if seconds is not None and len(actions) == 1:
        clock = dataclasses.replace(clock, seconds=TIME_OF_SINGLE * seconds)
    deepest = searcher.game.max_plies - len(position.actions)
    deepest = max(1, min(deepest, MAX_DEPTH if depth is None else depth))
    visits = np.zeros(len(actions), dtype=np.int64)
    order = rng.permutation(actions)
    with faults_reported(searcher.game, position):
        best, finished = _search_deeper(searcher, position, order, deepest, clock, visits)
    places = np.argsort(best.order)
    return Lookahead(
        actions=actions,
        visits=visits,
        values=best.values[places],
        value=best.value,
        best=best.line[0],
        proven=best.proven,
        principal_variation=best.line,
        depth=finished,
        nodes=int(visits.sum()),
        seconds=clock.elapsed,
    )


def _search_deeper(
    searcher: Searcher,
    position: Position,
    order: npt.NDArray[np.int32],
    deepest: int,
    clock: Clock,
    visits: npt.NDArray[np.int64],
) -> tuple[Iteration, int]:
    """Run iterations until a limit is reached; return the last result, and its finished plies.

    Adds the nodes of all iterations to `visits` [A], by actions in ascending order.
    """
    actions = np.sort(order)
    best: Iteration | None = None
    finished = 0
    for plies in range(1, deepest + 1):
        searcher.enter(position, order, plies)
        whole = _run_iteration(searcher, clock if best else Clock(first=FIRST_SLICE))
        found = searcher.iteration()
        visits[np.searchsorted(actions, found.order)] += found.nodes
        if whole or found.finished:
            best = found
        if not whole:
            break
        finished = plies
        if found.final or clock.is_spent():
            break
        is_best = found.order == found.line[0]
        order = np.concatenate((found.order[is_best], found.order[~is_best]))
    assert best is not None
    return best, finished


def _check(
    game: Game,
    position: Position,
    depth: int | None,
    seconds: float | None,
    stop: Callable[[], bool] | None,
) -> None:
    if depth is None and seconds is None and stop is None:
        raise UsageError("a search by plies needs a limit: depth, seconds, or both")
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise UsageError(f"depth must be from 1 to {MAX_DEPTH} plies, not {depth}")
    check_seconds(seconds)
    check_position(game, position)
    if position.to_move == CHANCE:
        raise UsageError("there is nothing to choose: chance moves next")


def _run_iteration(searcher: Searcher, clock: Clock) -> bool:
    """Advance until the iteration is finished; return False if a limit came first."""
    for nodes in clock.slices():
        status = searcher.advance(nodes)
        if status == CHANCE_MET:
            raise ChanceMet(
                f"alpha-beta needs a game without chance, and {searcher.game.name} has chance "
                "moves; expectimax searches it"
            )
        if status == NO_NUMBER:
            raise UsageError(
                f"the heuristic of {searcher.game.name} gave a share that is no number"
            )
        if status == DONE:
            return True
    return False
