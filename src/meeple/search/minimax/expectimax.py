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
from meeple.kernels import CHANCE, LEGAL, NARROW, PRUNE, inlined, kernel
from meeple.kernels import cache as kernel_cache
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.determinization import Determinizer, sensible_actions
from meeple.search.lenient import gumbel_noise
from meeple.search.minimax.deepening import (
    DONE,
    MAX_DEPTH,
    NO_NUMBER,
    RUNNING,
    Iteration,
    Lookahead,
    deepen,
    estimate_shares,
    known_shares,
    rules_for,
)
from meeple.search.moves import (
    Moves,
    copy_and_play,
    list_moves,
    narrow_moves,
    new_moves,
    seat_to_move,
)

__all__ = ["DETERMINIZATIONS", "Expectimax"]

MAX_ROWS = 4 * MAX_DEPTH  # rows of a stack; positions below are evaluated without search
DETERMINIZATIONS = 8  # searched for a position with hidden information
LINE_PLIES = 16  # plies of the principal variation that are recorded
SHARE_TOLERANCE = 1e-12  # shares closer than this are the same
BELOW_ALL = -1e9  # the bonus of a certain loss
ESTIMATE_SHRINKAGE = 2.0**-24  # of estimates to the mean, so that results weigh more

# Columns of `Stack.frames`: players' actions left, the next child, the number of children,
# whether the whole subtree was searched to the end, and which player acted last.
REMAINING, NEXT, COUNT, COMPLETE, ACTED = range(5)
# Words of `Stack.cursor`: the current ply, all nodes so far, nodes before the root's current child,
# the root's best child so far, and whether the search stops when another player is to move.
PLY, NODES, BEFORE, BEST, ONE_TURN = range(5)


class Stack(NamedTuple):
    """One search's memory; `[d]` is the node `d` actions and outcomes below the root.

    W is the most actions or outcomes, P the number of players.
    """

    states: npt.NDArray[np.uint8]  # [d, state bytes]
    actions: npt.NDArray[np.int32]  # [d, W]
    odds: npt.NDArray[np.float64]  # [d, W] of outcomes, summing to 1
    frames: npt.NDArray[np.int64]  # [d, 5]
    values: npt.NDArray[np.float64]  # [d, P + 1] shares so far, and plies from the root to them
    line: npt.NDArray[np.int32]  # [d, 1 + LINE_PLIES] length and actions
    below: npt.NDArray[np.float64]  # [W, P] the root's children's shares
    bonus: npt.NDArray[np.float64]  # [W] added to the root's shares that are not proven
    nodes: npt.NDArray[np.int64]  # [W] below each
    moves: Moves
    shares: npt.NDArray[np.float64]  # [P]
    cursor: npt.NDArray[np.int64]  # [5] PLY, NODES, BEFORE, BEST, ONE_TURN


def new_stack(game: Game, plies: int) -> Stack:
    """Allocate memory for up to `plies` actions and outcomes in a row; unused pages are free."""
    width, rows, players = game.max_moves, min(plies, MAX_ROWS) + 1, game.players
    return Stack(
        states=np.zeros((rows, game.state_bytes), np.uint8),
        actions=np.zeros((rows, width), np.int32),
        odds=np.zeros((rows, width), np.float64),
        frames=np.zeros((rows, 5), np.int64),
        values=np.zeros((rows, players + 1), np.float64),
        line=np.zeros((rows, 1 + LINE_PLIES), np.int32),
        below=np.zeros((width, players), np.float64),
        bonus=np.zeros(width),
        nodes=np.zeros(width, np.int64),
        moves=new_moves(width),
        shares=np.zeros(players),
        cursor=np.zeros(5, np.int64),
    )


# ---------------------------------------------------------------- the search, a step at a time


@kernel
def open_root(stack: Any, depth: int) -> None:
    """Begin at the root; its state, actions and action count must be in row 0."""
    count = stack.frames[0, COUNT]
    _open(stack, 0, depth)
    stack.frames[0, COUNT] = count


@kernel
def run_expectimax(rules: Any, stack: Any, nodes: int) -> int:
    """Continue the search for up to `nodes` nodes (positions played to)."""
    cursor, frames = stack.cursor, stack.frames
    last = cursor[NODES] + nodes
    while cursor[NODES] < last:
        ply = cursor[PLY]
        if frames[ply, COUNT] < 0:
            _list_actions(rules, stack, ply)
        if frames[ply, NEXT] == frames[ply, COUNT]:
            if ply == 0:
                return DONE
            cursor[PLY] = ply - 1
            _take(stack, ply - 1, frames[ply, COMPLETE] != 0 or _is_won(stack, ply))
        elif not _visit(rules, stack, ply):
            return NO_NUMBER
    return RUNNING


@inlined
def _is_won(stack: Any, ply: int) -> Any:
    """Whether the mover has a whole share, which only a won game gives: skip other children."""
    mover = np.int64(np.int8(stack.states[ply, 0]))
    return mover != CHANCE and stack.values[ply, mover] > 1.0 - SHARE_TOLERANCE


@inlined
def _open(stack: Any, ply: int, remaining: int) -> None:
    """Make the node whose state is in row `ply` the current one."""
    frame = stack.frames[ply]
    frame[REMAINING] = remaining
    frame[NEXT] = 0
    frame[COUNT] = -1  # not listed yet
    frame[COMPLETE] = 1
    stack.values[ply, :] = 0.0
    stack.line[ply, 0] = 0
    stack.cursor[PLY] = ply


@inlined
def _list_actions(rules: Any, stack: Any, ply: int) -> None:
    moves = stack.moves
    mover = seat_to_move(stack.states[ply])
    listed = PRUNE if rules[PRUNE] != 0 and mover != CHANCE else LEGAL
    count = list_moves(rules, listed, stack.states[ply], moves)
    if listed == PRUNE and rules[NARROW] != 0 and ply > 0:
        again = seat_to_move(stack.states[ply - 1]) == mover
        last = np.int64(stack.actions[ply - 1, stack.frames[ply - 1, NEXT]]) if again else -1
        count = narrow_moves(rules, stack.states[ply], moves, last)
    stack.frames[ply, COUNT] = count
    for child in range(count):
        stack.actions[ply, child] = moves.actions[child]
    if mover == CHANCE:
        total = 0.0
        for child in range(count):
            total += moves.weights[child]
        for child in range(count):
            stack.odds[ply, child] = moves.weights[child] / total


@inlined
def _visit(rules: Any, stack: Any, ply: int) -> bool:
    """Play to a node's next child: take its shares if it is a leaf, or open it.

    Returns False if the heuristic returned NaN.
    """
    frame, states, shares = stack.frames[ply], stack.states, stack.shares
    mover = np.int64(np.int8(states[ply, 0]))
    action = stack.actions[ply, frame[NEXT]]
    next_mover = copy_and_play(rules, states, ply, ply + 1, action)
    if ply == 0:
        stack.cursor[BEFORE] = stack.cursor[NODES]
    stack.cursor[NODES] += 1
    acted = frame[ACTED] if mover == CHANCE else mover
    remaining = frame[REMAINING] if mover == CHANCE else frame[REMAINING] - 1
    deeper = remaining > 0
    if stack.cursor[ONE_TURN] != 0 and next_mover != acted:
        deeper = next_mover == CHANCE  # reveal what was bought before evaluating
    known = known_shares(rules, states[ply + 1], next_mover, shares)
    if not known and deeper and ply + 2 < states.shape[0]:
        _open(stack, ply + 1, remaining)
        stack.frames[ply + 1, ACTED] = acted
        return True
    players = shares.shape[0]
    if not known:
        estimate_shares(rules, states[ply + 1], shares)
        for player in range(players):
            if np.isnan(shares[player]):
                return False
            shares[player] += (1.0 / players - shares[player]) * ESTIMATE_SHRINKAGE
    for player in range(players):
        stack.values[ply + 1, player] = shares[player]
    stack.values[ply + 1, players] = ply + 1
    stack.line[ply + 1, 0] = 0
    _take(stack, ply, known)
    return True


@kernel
def _take(stack: Any, ply: int, complete: bool) -> None:
    """Take the shares of a node's next child from the row below and advance to the next child."""
    frame, players = stack.frames[ply], stack.shares.shape[0]
    child = frame[NEXT]
    frame[NEXT] = child + 1
    if not complete:
        frame[COMPLETE] = 0
    if ply == 0:
        stack.nodes[child] = stack.cursor[NODES] - stack.cursor[BEFORE]
        for player in range(players):
            stack.below[child, player] = stack.values[1, player]
    value, other = stack.values[ply], stack.values[ply + 1]
    mover = np.int64(np.int8(stack.states[ply, 0]))
    if mover == CHANCE:
        for column in range(players + 1):
            value[column] += stack.odds[ply, child] * other[column]
    elif child == 0 or _is_better(stack, ply, complete, mover):
        for column in range(players + 1):
            value[column] = other[column]
        _extend_line(stack, ply, stack.actions[ply, child])
        if ply == 0:
            stack.cursor[BEST] = child
            stack.bonus[child] = _bonus(stack, child, complete, value[mover])


@inlined
def _is_better(stack: Any, ply: int, complete: bool, mover: int) -> Any:
    """Whether a player prefers a node's next child, whose shares are in the row below.

    The last column holds the plies from the root to those shares.
    """
    new, old = stack.values[ply + 1], stack.values[ply]
    players = new.shape[0] - 1
    gain = new[mover] - old[mover]
    if ply == 0:
        gain += _bonus(stack, stack.frames[0, NEXT] - 1, complete, new[mover])
        gain -= stack.bonus[stack.cursor[BEST]]
    if abs(gain) > SHARE_TOLERANCE:
        return gain > 0.0
    edge = new[mover] - 1.0 / players
    if abs(edge) <= SHARE_TOLERANCE:
        return False
    delay = new[players] - old[players]
    return delay < -SHARE_TOLERANCE if edge > 0.0 else delay > SHARE_TOLERANCE


@inlined
def _bonus(stack: Any, child: int, complete: bool, share: float) -> Any:
    """The bonus of a root's child: a random part of the margin, or noise, which is negative.

    A certain result gets no part of the margin. With noise, a certain win is above all other
    actions, and a certain loss below them.
    """
    bonus = stack.bonus[child]
    if not complete:
        return bonus
    if bonus > 0.0 or share > 1.0 - SHARE_TOLERANCE:
        return 0.0
    return BELOW_ALL if bonus < 0.0 and share < SHARE_TOLERANCE else bonus


@inlined
def _extend_line(stack: Any, ply: int, action: int) -> None:
    line, below = stack.line[ply], stack.line[ply + 1]
    line[0] = 1 + min(below[0], LINE_PLIES - 1)
    line[1] = action
    for place in range(1, line[0]):
        line[1 + place] = below[place]


# ---------------------------------------------------------------- from Python


class Expectimax:
    """A search of any game. Equal for equal seeds and depths."""

    def __init__(
        self,
        game: Game,
        *,
        heuristic: str = "game",
        margin: float = 0.0,
        loss: float = 0.0,
        determinizations: int = DETERMINIZATIONS,
        seed: int = 0,
    ) -> None:
        """Make a search.

        Args:
            game: any.
            heuristic: one of `deepening.HEURISTICS`.
            margin: a random action may be worse than the best by this share, if neither is proven.
            loss: scale of the shares that moves give away (`lenient.py`), in place of a margin.
            determinizations: drawn for each search if the game hides something.
            seed: of all randomness.

        Raises:
            UsageError: the game cannot be searched; the message says what can be done.
        """
        self.game = game
        self.margin, self.loss = margin, loss
        if determinizations < 1:
            raise UsageError(f"determinizations must be at least 1, not {determinizations}")
        self._rules = rules_for(game, heuristic)
        self.determinizer = Determinizer(game)
        self._rows = np.zeros((determinizations if game.hides else 1, game.state_bytes), np.uint8)
        self._stack = new_stack(game, game.max_plies)
        self._stack.cursor[ONE_TURN] = game.has(NARROW)
        self.begin(seed)
        with kernel_cache.compiling("search"):  # so that no search's clock pays for it
            open_root(self._stack, 1)
            run_expectimax(self._rules, self._stack, 0)

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
        if self.loss:
            self._bonus = gumbel_noise(self._rng, self.game.num_actions, self.loss) - 1.0
        else:
            self._bonus = self.margin * self._rng.random(self.game.num_actions)
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
        stack = self._stack
        stack.states[0] = position.row
        stack.actions[0, : len(order)] = order
        stack.bonus[: len(order)] = self._bonus[order]
        stack.frames[0, COUNT] = len(order)
        open_root(stack, depth)

    def advance(self, nodes: int) -> int:
        """Continue the search; see `deepening.Searcher`."""
        return int(run_expectimax(self._rules, self._stack, nodes))

    def iteration(self) -> Iteration:
        """How far the iteration has come; see `deepening.Searcher`."""
        stack, frame, players = self._stack, self._stack.frames[0], self.game.players
        count, finished = int(frame[COUNT]), int(frame[NEXT])
        values = np.full((count, players), np.nan)
        values[:finished] = stack.below[:finished]
        nodes = np.where(np.arange(count) < finished, stack.nodes[:count], 0)
        if finished < count:
            nodes[finished] = stack.cursor[NODES] - stack.cursor[BEFORE]
        value = stack.values[0, :players].copy()
        mover = int(np.int8(stack.states[0, 0]))
        won = value[mover] > 1 - SHARE_TOLERANCE  # estimates are lower
        known = bool(won or (frame[COMPLETE] and finished == count))
        # With noise, the choice may be a lesser one.
        is_greatest = value[mover] > values[:finished, mover].max(initial=0.0) - SHARE_TOLERANCE
        pruned = self.game.has(PRUNE)  # then nothing is sure, as other actions were not tried
        return Iteration(
            finished=finished,
            order=stack.actions[0, :count].copy(),
            nodes=nodes,
            values=values,
            value=value,
            line=stack.line[0, 1 : 1 + stack.line[0, 0]].tolist(),
            proven=bool(known and is_greatest and not pruned),
            final=known,
        )
