"""Expectimax and max^n: lookahead for any number of players, chance and hidden cards. Game-blind.

Every player maximises their own share (Luckhardt and Irani, "An algorithmic solution of N-person
games", 1986); a chance node is worth the mean of its outcomes by their probabilities (Michie,
"Game-playing and game-learning automata", 1966). What a player cannot know is sampled: an action
is worth the mean over determinizations, in each of which the search sees everything. The search
tries all actions, or only the sensible ones if the game has `prune`. If turns consist of many
actions (`narrow`), it stops at the end of the player's turn and the chance outcome that follows.
Between equal shares, the mover prefers the sooner result if it is good and the later one if it is
bad, then the first action. Plies count players' actions, not chance outcomes.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, LEGAL, NARROW, PRUNE, inlined, kernel, record
from meeple.kernels import cache as kernel_cache
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.determinization import Determinizer, sensible_actions
from meeple.search.lenient import gumbel_noise
from meeple.search.machine.leaves import estimate_shares, known_shares
from meeple.search.machine.stack import (
    DONE,
    NO_NUMBER,
    RUNNING,
    Stack,
    count_nodes,
    enter,
    extend_line,
    new_stack,
    play_next,
    root_line,
    root_nodes,
    run,
    set_root,
    write_children,
)
from meeple.search.minimax.deepening import (
    MAX_DEPTH,
    PLAIN,
    Iteration,
    Lookahead,
    MinimaxSettings,
    deepen,
    rules_for,
)
from meeple.search.moves import ensure_chances, list_moves, narrow_moves, seat_to_move
from meeple.search.patterns.evaluation import PatternEvaluation

MAX_ROWS = 4 * MAX_DEPTH  # rows of a stack; positions below are evaluated without search
SHARE_TOLERANCE = 1e-12  # shares closer than this are the same
BELOW_ALL = -1e9  # the bonus of a certain loss
ESTIMATE_SHRINKAGE = 2.0**-24  # of estimates to the mean, so that results weigh more

Frame = record(
    remaining=np.int64,  # players' actions left
    next=np.int64,  # the next child
    count=np.int64,  # children
    best=np.int64,  # the best child so far
    acted=np.int64,  # the player who acted last
    complete=np.bool_,  # whether the whole subtree was searched to the end
)
"""A node on the path to the current one."""


class Search(NamedTuple):
    """One search's memory; W is the most actions or outcomes, P the number of players."""

    rules: npt.NDArray[np.int64]  # [kernels] of `rules_for`
    stack: Stack  # of Frame
    odds: npt.NDArray[np.float64]  # [d, W] of outcomes, summing to 1
    values: npt.NDArray[np.float64]  # [d, P + 1] shares so far, and plies from the root to them
    below: npt.NDArray[np.float64]  # [W, P] the root's children's shares
    bonus: npt.NDArray[np.float64]  # [W] added to the root's shares that are not proven
    one_turn: bool  # whether the search stops when another player is to move


def new_search(game: Game, rules: npt.NDArray[np.int64]) -> Search:
    """Allocate memory for a search; unused pages are free."""
    width, rows, players = game.max_moves, min(game.max_plies, MAX_ROWS) + 1, game.players
    return Search(
        rules=rules,
        stack=new_stack(game, rows, Frame),
        odds=np.zeros((rows, width)),
        values=np.zeros((rows, players + 1)),
        below=np.zeros((width, players)),
        bonus=np.zeros(width),
        one_turn=game.has(NARROW),
    )


# ---------------------------------------------------------------- the search, a step at a time


@kernel
def run_expectimax(search: Any, nodes: int) -> Any:
    """Continue the search for up to `nodes` nodes (positions played to)."""
    return run(search, nodes, _open, _advance, _take_node)


@inlined
def _enter(search: Any, ply: int, remaining: int, acted: int) -> None:
    """Make the node whose state is in row `ply` the one to be opened."""
    frame = search.stack.frames[ply]
    frame.remaining, frame.acted = remaining, acted
    frame.complete = True
    search.values[ply, :] = 0.0
    enter(search.stack, ply)


@kernel
def open_root(search: Any, state: Any, actions: Any, depth: int) -> None:
    """Begin at a root, with its actions [n] in the order in which they are searched."""
    set_root(search.stack, state, actions)
    _enter(search, 0, depth, 0)


@inlined
def _open(search: Any, ply: int) -> int:
    """List the sensible actions, or the outcomes with their probabilities."""
    rules, stack, moves = search.rules, search.stack, search.stack.moves
    if ply == 0:
        return RUNNING
    mover = seat_to_move(stack.states[ply])
    listed = PRUNE if rules[PRUNE] != 0 and mover != CHANCE else LEGAL
    count = list_moves(rules, listed, stack.states[ply], moves)
    if listed == PRUNE and rules[NARROW] != 0:
        again = seat_to_move(stack.states[ply - 1]) == mover
        last = np.int64(stack.actions[ply - 1, stack.frames[ply - 1].next]) if again else -1
        count = narrow_moves(rules, stack.states[ply], moves, last)
    write_children(stack, ply, count)
    if mover == CHANCE:
        ensure_chances(moves, count)
        total = 0.0
        for child in range(count):
            total += moves.weights[child]
        for child in range(count):
            search.odds[ply, child] = moves.weights[child] / total
    return RUNNING


@inlined
def _advance(search: Any, ply: int) -> int:
    """Play to a node's next child: take its shares if it is a leaf, or enter it."""
    rules, stack, frame = search.rules, search.stack, search.stack.frames[ply]
    if frame.next == frame.count:
        return DONE
    state, shares, mover = (
        stack.states[ply + 1],
        stack.shares,
        np.int64(np.int8(stack.states[ply, 0])),
    )
    next_mover = play_next(rules, stack, ply)
    acted = frame.acted if mover == CHANCE else mover
    remaining = frame.remaining if mover == CHANCE else frame.remaining - 1
    deeper = remaining > 0
    if search.one_turn and next_mover != acted:
        deeper = next_mover == CHANCE  # reveal what was bought before evaluating
    known = known_shares(rules, state, next_mover, shares)
    if not known and deeper and ply + 2 < stack.states.shape[0]:
        _enter(search, ply + 1, remaining, acted)
        return RUNNING
    players = shares.shape[0]
    if not known:
        estimate_shares(rules, state, shares)
        for player in range(players):
            if np.isnan(shares[player]):
                return NO_NUMBER
            shares[player] += (1.0 / players - shares[player]) * ESTIMATE_SHRINKAGE
    for player in range(players):
        search.values[ply + 1, player] = shares[player]
    search.values[ply + 1, players] = ply + 1
    _take(search, ply, known)
    return RUNNING


@inlined
def _take_node(search: Any, ply: int) -> None:
    """Take the shares of the next child, which was searched.

    The result is certain also if the mover there has a whole share, which only a won game gives.
    """
    mover = np.int64(np.int8(search.stack.states[ply + 1, 0]))
    won = mover != CHANCE and search.values[ply + 1, mover] > 1.0 - SHARE_TOLERANCE
    _take(search, ply, search.stack.frames[ply + 1].complete or won)


@kernel
def _take(search: Any, ply: int, complete: bool) -> None:
    """Take the shares of a node's next child from the row below and advance to the next child."""
    stack, frame = search.stack, search.stack.frames[ply]
    child, players = frame.next, stack.shares.shape[0]
    frame.next = child + 1
    if not complete:
        frame.complete = False
    if ply == 0:
        count_nodes(stack, child)
        for player in range(players):
            search.below[child, player] = search.values[1, player]
    value, other = search.values[ply], search.values[ply + 1]
    mover = np.int64(np.int8(stack.states[ply, 0]))
    if mover == CHANCE:
        for column in range(players + 1):
            value[column] += search.odds[ply, child] * other[column]
    elif child == 0 or _is_better(search, ply, complete, mover):
        for column in range(players + 1):
            value[column] = other[column]
        extend_line(stack, ply, stack.actions[ply, child])
        if ply == 0:
            frame.best = child
            search.bonus[child] = _bonus(search, child, complete, value[mover])


@inlined
def _is_better(search: Any, ply: int, complete: bool, mover: int) -> Any:
    """Whether a player prefers a node's next child, whose shares are in the row below.

    The last column holds the plies from the root to those shares.
    """
    new, old = search.values[ply + 1], search.values[ply]
    players = new.shape[0] - 1
    gain = new[mover] - old[mover]
    if ply == 0:
        frame = search.stack.frames[0]
        gain += _bonus(search, frame.next - 1, complete, new[mover])
        gain -= search.bonus[frame.best]
    if abs(gain) > SHARE_TOLERANCE:
        return gain > 0.0
    edge = new[mover] - 1.0 / players
    if abs(edge) <= SHARE_TOLERANCE:
        return False
    delay = new[players] - old[players]
    return delay < -SHARE_TOLERANCE if edge > 0.0 else delay > SHARE_TOLERANCE


@inlined
def _bonus(search: Any, child: int, complete: bool, share: float) -> Any:
    """The bonus of a root's child: a random part of the margin, or noise, which is negative.

    A certain result gets no part of the margin. With noise, a certain win is above all other
    actions, and a certain loss below them.
    """
    bonus = search.bonus[child]
    if not complete:
        return bonus
    if bonus > 0.0 or share > 1.0 - SHARE_TOLERANCE:
        return 0.0
    return BELOW_ALL if bonus < 0.0 and share < SHARE_TOLERANCE else bonus


# ---------------------------------------------------------------- from Python


class Expectimax:
    """A search of any game. Equal for equal seeds and depths."""

    def __init__(
        self,
        game: Game,
        settings: MinimaxSettings = PLAIN,
        *,
        patterns: PatternEvaluation | None = None,
        seed: int = 0,
    ) -> None:
        """Make a search of any game; `patterns` evaluates positions instead of the heuristic.

        Raises:
            UsageError: the game cannot be searched; the message says what can be done.
        """
        self.game, self.settings = game, settings
        rows = settings.determinizations
        if rows < 1:
            raise UsageError(f"determinizations must be at least 1, not {rows}")
        self._patterns = patterns  # its memory is read by address
        self._search = new_search(game, rules_for(game, settings.heuristic, patterns))
        self.determinizer = Determinizer(game)
        self._rows = np.zeros((rows if game.hides else 1, game.state_bytes), np.uint8)
        self.begin(seed)
        with kernel_cache.compiling("search"):  # so that no search's clock pays for it
            open_root(self._search, game.start(0).row, np.zeros(0, np.int32), 1)
            run_expectimax(self._search, 0)

    def begin(self, seed: int) -> None:
        """Begin a new game; the order of equal actions depends on the seed."""
        self._rng = numpy_rng(seed)
        self._determinizer_rng = kernels.new_rng(seed)
        self.determinizer.begin(seed)

    def run(
        self,
        position: Position,
        depth: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Lookahead:
        """Search a position until any limit given is reached; see `deepening.deepen`.

        With several determinizations, each gets an equal part of the time, and the result's `depth`
        is the smallest of theirs.
        """
        if self.settings.loss:
            self._bonus = gumbel_noise(self._rng, self.game.num_actions, self.settings.loss) - 1.0
        else:
            self._bonus = self.settings.margin * self._rng.random(self.game.num_actions)
        if not self.game.hides or position.to_move < 0:
            return deepen(self, position, self._rng, depth, seconds, stop)
        rows = self._rows if len(sensible_actions(position)) > 1 else self._rows[:1]
        self.determinizer.fill(position, rows, self._determinizer_rng)
        time = None if seconds is None else seconds / len(rows)
        found = []
        for row in rows:
            determinization = position.copy()
            determinization.row[:] = row
            found.append(deepen(self, determinization, self._rng, depth, time, stop))
        return self._averaged(found, position.to_move)

    def _averaged(self, found: list[Lookahead], mover: int) -> Lookahead:
        """Average the searches of the same actions in several determinizations."""
        actions, plies = found[0].actions, min(one.depth for one in found)
        values = np.mean([one.values for one in found], axis=0)  # NaN where one was cut off
        chosen = values[:, mover] + self._bonus[actions]
        chosen[values[:, mover] > 1 - SHARE_TOLERANCE] = np.inf  # a certain win
        chosen[np.isnan(chosen)] = -np.inf
        best = int(np.argmax(chosen))
        line = next((o.principal_variation for o in found if o.best == actions[best]), None)
        return Lookahead(
            actions=actions,
            visits=np.sum([one.visits for one in found], axis=0),
            values=values,
            value=values[best],
            best=int(actions[best]),
            proven=False,
            principal_variation=line or [int(actions[best])],
            depth=plies,
            nodes=sum(one.nodes for one in found),
            seconds=sum(one.seconds for one in found),
        )

    def root_actions(self, position: Position) -> npt.NDArray[np.int32]:
        """[n] the sensible actions if the game has `prune`; see `deepening.Searcher`."""
        return sensible_actions(position)

    def enter(self, position: Position, order: npt.NDArray[np.int32], depth: int) -> None:
        """Begin an iteration; see `deepening.Searcher`."""
        self._search.bonus[: len(order)] = self._bonus[order]
        open_root(self._search, position.row, order, depth)

    def advance(self, nodes: int) -> int:
        """Continue the search; see `deepening.Searcher`."""
        return int(run_expectimax(self._search, nodes))

    def iteration(self) -> Iteration:
        """How far the iteration has come; see `deepening.Searcher`."""
        search, stack, players = self._search, self._search.stack, self.game.players
        frame = stack.frames[0]
        count, finished = int(frame.count), int(frame.next)
        values = np.full((count, players), np.nan)
        values[:finished] = search.below[:finished]
        value = search.values[0, :players].copy()
        mover = int(np.int8(stack.states[0, 0]))
        won = value[mover] > 1 - SHARE_TOLERANCE  # estimates are lower
        known = bool(won or (frame.complete and finished == count))
        # With noise, the choice may be a lesser one.
        is_greatest = value[mover] > values[:finished, mover].max(initial=0.0) - SHARE_TOLERANCE
        pruned = self.game.has(PRUNE)  # then nothing is sure, as other actions were not tried
        return Iteration(
            finished=finished,
            order=stack.actions[0, :count].copy(),
            nodes=root_nodes(stack),
            values=values,
            value=value,
            line=root_line(stack),
            proven=bool(known and is_greatest and not pruned),
            final=known,
        )
