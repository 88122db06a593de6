"""Decisive moves: actions that win at once, and actions that let the next player win at once.

A look-ahead of two plies at the root (Teytaud and Teytaud, "On the huge benefit of decisive moves
in Monte-Carlo tree search algorithms", 2010), a named phase beside the textbook's descent: without
it a search is what `examples/mcts.py` shows. Before the search, it looks for a win in one, and for
a winning reply to one action, which it then tries after all other actions. After the search, it
looks for a winning reply to the chosen action; if there is one, it chooses the next best. So if
nothing is decisive, the phase lists moves three times, not once for each action.

An action is decisive if one player then has won, or can win by its next action. The look-ahead ends
at a chance node, and if the same player acts again.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    KERNELS,
    LEGAL,
    OVER,
    PAYOFFS,
    PLAYING,
    WINNING_ACTIONS,
    inlined,
    invoke2,
    kernel,
)
from meeple.kernels import cache as kernel_cache
from meeple.kernels.table import is_compilation_deferred
from meeple.search.determinization import Determinizer
from meeple.search.mcts.proofs import note_proven_child, set_proven
from meeple.search.mcts.selection import keep_exploration
from meeple.search.mcts.transpositions import shares_states
from meeple.search.mcts.tree import PROVEN, ROOT, block_of, forget_value
from meeple.search.moves import copy_state, play, seat_to_move
from meeple.search.result import SearchResult, with_choice

DETERMINIZATIONS = 32
"""Number of determinizations; an action is decisive if it is decisive in all of them."""

OPEN = -1  # in `winners`: no certain winner after an action
MAX_CHECKED = 16  # actions whose replies are listed before the search, once one reply wins
WHOLE_SHARE = 1.0 - 1e-9  # minimum share of a sole winner
ENDING_TOLERANCE = 0.01  # shares given up at most for an action that ends the game
NOTHING, SOME, ALL_LOSE = range(3)  # what `find_decisive` returns


class DecisiveScratch(NamedTuple):
    """Working memory: the root, the state after an action, and the state after a reply.

    C is the maximum number of moves, P the number of players. All arrays lie in one block of
    memory: a call from Python with one array takes a third of the time of a call with a tuple.
    """

    rules: npt.NDArray[np.int64]  # [len(KERNELS)] addresses of the game's kernels
    states: npt.NDArray[np.uint8]  # [3, state_bytes]
    lists: npt.NDArray[np.int32]  # [2, 1 + 2 C] the root's actions, and replies: records of moves
    shares: npt.NDArray[np.float64]  # [P + 2] the last two: an action that ends the game, its share
    winners: npt.NDArray[np.int8]  # [num_actions] the certain winner after each action, or OPEN


class DecisiveMoves:
    """Finds the decisive moves of positions.

    `winners` [num_actions] holds the certain winner after each action, or OPEN.
    """

    def __init__(
        self, game: Game, *, determinizer: Determinizer | None = None, seed: int = 0
    ) -> None:
        """`determinizer`: that of the search; None: a new one, used if the game hides something."""
        self.game = game
        self._hides = game.hides
        self._is_shared = determinizer is not None
        self._determinizer = determinizer or Determinizer(game)
        self._memory = _new_memory(game)
        self._scratch: DecisiveScratch = _arrays_in(self._memory)
        self._row = np.zeros((1, game.state_bytes), dtype=np.uint8)
        self._found: int = NOTHING
        self.winners = self._scratch.winners
        self.begin(seed)
        if not is_compilation_deferred():
            with kernel_cache.compiling("search"):  # so that no search's clock pays for it
                find_decisive(self._scratch.states[0, :0], self._memory)
                check_action(self._memory, -1, True)
                is_safe(self._memory, -1)

    def begin(self, seed: int) -> None:
        """Start another game: load the kernels and seed the generator."""
        self.game.compile(*PLAYING, WINNING_ACTIONS)
        self._scratch.rules[:] = self.game.rules
        self._rng = kernels.new_rng(seed, DETERMINIZATIONS)
        if not self._is_shared:
            self._determinizer.begin(seed)

    def look(self, position: Position, root: npt.NDArray[np.uint8]) -> bool:
        """Set `winners` before a position is searched; True if any action is decisive.

        `root` [state_bytes] is the position's state.
        """
        root = self._determinize(position) if self._hides else root
        self._found = find_decisive(root, self._memory)
        if self._hides and self._found != NOTHING:
            self._found = self._agreed(position)
        return self._found != NOTHING

    def settled(self, result: SearchResult, position: Position) -> SearchResult:
        """Return a search result with a decisive choice; call `look` before the search.

        The choice is a win in one if there is any, and no action that lets the next player win at
        once if there is another. An action that ends the game is chosen if the search expects at
        most ENDING_TOLERANCE more of its own choice.
        """
        unknown = self._found != NOTHING or self._hides
        if not unknown and is_safe(self._memory, result.best):
            return result
        seat = position.to_move
        if self._found != NOTHING:
            won = np.flatnonzero(self.winners == seat)
            if len(won):
                if result.proven and result.best in won:
                    return result
                return with_choice(result, int(won[0]), np.arange(self.game.players) == seat)
        best = self._safe(result, position)
        if not self._hides:
            ending, share = self._scratch.shares[-2:].tolist()
            expected = result.values[result.actions == best, seat]
            if share > 0.0 and (expected <= share + ENDING_TOLERANCE).any():
                best = int(ending)
        return result if best == result.best else with_choice(result, best)

    def _safe(self, result: SearchResult, position: Position) -> int:
        """Return the most visited action after which no other player wins at once.

        If there is none, return the search's choice.
        """
        best = result.best
        while True:
            lost = self.winners[best] != OPEN
            if not lost and (self._found == ALL_LOSE or not self._loses(best, position)):
                return int(best)
            left = np.flatnonzero(self.winners[result.actions] == OPEN)
            if not len(left):
                break
            order = np.lexsort((-result.priors[left], -result.visits[left]))
            best = int(result.actions[left[order[0]]])
        for action in position.legal_actions():  # also those that the tree left out
            if self.winners[action] == OPEN and not self._loses(action, position):
                return int(action)
        return result.best

    def _loses(self, action: int, position: Position) -> bool:
        """Return whether another player wins after an action, in every determinization."""
        if not self._hides:
            return bool(check_action(self._memory, action, False) != OPEN)
        if not self.game.open_actions:
            return False
        winners = set()
        for index in range(DETERMINIZATIONS):
            if index > 0:  # the first is that of `look`
                self._scratch.states[0] = self._determinize(position)
            winners.add(check_action(self._memory, action, True))
            if len(winners) > 1 or OPEN in winners:
                self.winners[action] = OPEN
                return False
        return True

    def _agreed(self, position: Position) -> int:
        """Set `winners` to the results that hold in every determinization.

        A reply counts only in games whose players see all actions: in others the next player would
        choose by hidden information.
        """
        if not self.game.open_actions:
            self.winners[self.winners != position.to_move] = OPEN
        agreed = self.winners.copy()
        for _ in range(DETERMINIZATIONS - 1):
            if (agreed == OPEN).all():
                return self._none()
            find_decisive(self._determinize(position), self._memory)
            agreed[agreed != self.winners] = OPEN
        self.winners[:] = agreed
        lost = (agreed[position.legal_actions()] != OPEN).all()
        return self._none() if lost else SOME

    def _none(self) -> int:
        self.winners[:] = OPEN
        return NOTHING

    def _determinize(self, position: Position) -> npt.NDArray[np.uint8]:
        """Return a determinization of a position, [state_bytes]."""
        self._determinizer.fill(position, self._row, self._rng)
        return self._row[0]


def _new_memory(game: Game) -> npt.NDArray[np.uint8]:
    """Return a block of memory for a `DecisiveScratch`."""
    sizes = np.array((game.state_bytes, game.max_moves, game.players), dtype=np.int64)
    words = len(sizes) + len(KERNELS) + game.players + 2 + 1 + 2 * game.max_moves
    memory = np.zeros(8 * words + 3 * game.state_bytes + game.num_actions, dtype=np.uint8)
    memory[: sizes.nbytes] = sizes.view(np.uint8)
    return memory


# ---------------------------------------------------------------- kernels


def _arrays_in(memory: Any) -> DecisiveScratch:
    """Return the arrays in a block of memory, which begins with their sizes."""
    sizes = memory[:24].view(np.int64)
    state_bytes, max_moves, players = sizes[0], sizes[1], sizes[2]
    shares_at = 24 + 8 * len(KERNELS)
    lists_at = shares_at + 8 * (players + 2)
    states_at = lists_at + 8 * (1 + 2 * max_moves)
    winners_at = states_at + 3 * state_bytes
    return DecisiveScratch(
        rules=memory[24:shares_at].view(np.int64),
        states=memory[states_at:winners_at].reshape((3, state_bytes)),
        lists=memory[lists_at:states_at].view(np.int32).reshape((2, 1 + 2 * max_moves)),
        shares=memory[shares_at:lists_at].view(np.float64),
        winners=memory[winners_at:].view(np.int8),
    )


_scratch_in = inlined(_arrays_in)


@kernel
def find_decisive(root: Any, memory: Any) -> int:
    """Set `winners` for a root, [state_bytes] or empty, only to compile.

    Returns NOTHING, SOME, or ALL_LOSE: then those actions are OPEN that leave the fewest wins.
    """
    scratch = _scratch_in(memory)
    rules, states, winners = scratch.rules, scratch.states, scratch.winners
    actions = scratch.lists[0]
    winners[:] = OPEN
    scratch.shares[-1] = 0.0
    if root.shape[0] == 0:
        return NOTHING
    copy_state(root, states[0])
    win = _find_win(rules, scratch, 0)
    if win >= 0:
        winners[win] = seat_to_move(states[0])
        return SOME
    count = _list(rules, LEGAL, states[0], actions)
    if count == 1:
        winners[:] = OPEN
        return NOTHING
    reply = _winning_reply(rules, scratch, actions[1])
    if reply >= 0:
        _refute(rules, scratch, count, reply)
        _check_the_rest(rules, scratch, count)
    elif rules[WINNING_ACTIONS] != 0:  # then nothing was noted on the way
        return NOTHING
    left = 0
    for index in range(count):
        left += winners[actions[1 + index]] == OPEN
    if left == 0:
        return _reopen(rules, scratch, count)
    return SOME if left < count else NOTHING


@kernel
def check_action(memory: Any, action: int, alone: bool) -> int:
    """Return the other player that certainly wins after a root action, or OPEN; -1: only compile.

    Unless `alone`, a winning reply is tried against all other actions too.
    """
    scratch = _scratch_in(memory)
    rules, winners = scratch.rules, scratch.winners
    if action < 0:
        return OPEN
    reply = _winning_reply(rules, scratch, action)
    if reply >= 0 and not alone:
        _refute(rules, scratch, _list(rules, LEGAL, scratch.states[0], scratch.lists[0]), reply)
    elif reply >= 0:
        winners[action] = seat_to_move(scratch.states[1])
    elif seat_to_move(scratch.states[1]) == OVER:
        winners[action] = _other_winner(rules, scratch, 1, seat_to_move(scratch.states[0]))
    return int(winners[action])


@kernel
def is_safe(memory: Any, action: int) -> bool:
    """Return whether no reply to an action wins, and no action ends the game with a share."""
    loses = check_action(memory, action, False) != OPEN
    return not loses and not _scratch_in(memory).shares[-1] > 0.0


@inlined
def _list(rules: Any, which: int, state: Any, moves: Any) -> int:
    """List moves by a kernel of the game; return their number."""
    moves[0] = 0
    invoke2(rules[which], state.ctypes.data, moves.ctypes.data)
    return int(moves[0])


@inlined
def _try(rules: Any, states: Any, ply: int, action: int) -> int:
    """Play an action on a copy of a state; return the seat to move next."""
    copy_state(states[ply], states[ply + 1])
    play(rules, states[ply + 1], action)
    return seat_to_move(states[ply + 1])


@inlined
def _other_winner(rules: Any, scratch: Any, ply: int, seat: int) -> int:
    """Return the sole winner of a finished state; OPEN if it is `seat`, or there is none."""
    shares = scratch.shares
    invoke2(rules[PAYOFFS], scratch.states[ply].ctypes.data, shares.ctypes.data)
    winner = OPEN
    for player in range(shares.shape[0] - 2):
        if shares[player] >= WHOLE_SHARE and player != seat:
            winner = player
    return winner


@kernel
def _find_win(rules: Any, scratch: Any, ply: int) -> int:
    """Return the first action of a state by which its mover wins at once, or -1.

    At the root it also records actions that lose at once, and the best that ends with a share.
    """
    states, moves, shares = scratch.states, scratch.lists[ply], scratch.shares
    if rules[WINNING_ACTIONS] != 0:
        return int(moves[1]) if _list(rules, WINNING_ACTIONS, states[ply], moves) > 0 else -1
    mover = seat_to_move(states[ply])
    for index in range(_list(rules, LEGAL, states[ply], moves)):
        action = int(moves[1 + index])
        if _try(rules, states, ply, action) != OVER:
            continue
        winner = _other_winner(rules, scratch, ply + 1, mover)
        if shares[mover] >= WHOLE_SHARE:
            return action
        if ply == 0:
            scratch.winners[action] = winner
            if shares[mover] > shares[-1]:
                shares[-2] = action
                shares[-1] = shares[mover]
    return -1


@kernel
def _winning_reply(rules: Any, scratch: Any, action: int) -> int:
    """Return the first reply to an action by which another player wins at once, or -1.

    Leaves the state after the action in `scratch.states[1]`.
    """
    following = _try(rules, scratch.states, 0, action)
    if following < 0 or following == seat_to_move(scratch.states[0]):
        return -1
    return int(_find_win(rules, scratch, 1))


@kernel
def _refute(rules: Any, scratch: Any, count: int, reply: int) -> None:
    """Record all OPEN actions of the `count` listed after which a reply wins at once."""
    states, winners = scratch.states, scratch.winners
    for index in range(count):
        action = scratch.lists[0, 1 + index]
        if winners[action] != OPEN:
            continue
        following = _try(rules, states, 0, action)
        if following < 0 or following == seat_to_move(states[0]):
            continue
        listed = _list(rules, LEGAL, states[1], scratch.lists[1])
        legal = _is_listed(scratch.lists[1], listed, reply)
        if legal and _wins(rules, scratch, following, reply):
            winners[action] = following


@inlined
def _is_listed(moves: Any, count: int, action: int) -> bool:
    found = False
    for index in range(count):
        found |= moves[1 + index] == action
    return found


@inlined
def _wins(rules: Any, scratch: Any, mover: int, reply: int) -> bool:
    """Return whether a legal reply in `scratch.states[1]` wins at once."""
    if _try(rules, scratch.states, 1, reply) != OVER:
        return False
    invoke2(rules[PAYOFFS], scratch.states[2].ctypes.data, scratch.shares.ctypes.data)
    return bool(scratch.shares[mover] >= WHOLE_SHARE)


@kernel
def _check_the_rest(rules: Any, scratch: Any, count: int) -> None:
    """Look for winning replies to at most MAX_CHECKED actions that are OPEN."""
    checked = 0
    for index in range(count):
        action = scratch.lists[0, 1 + index]
        if scratch.winners[action] == OPEN and checked < MAX_CHECKED:
            checked += 1
            reply = _winning_reply(rules, scratch, action)
            if reply >= 0:
                _refute(rules, scratch, count, reply)


@kernel
def _reopen(rules: Any, scratch: Any, count: int) -> int:
    """If all actions lose, make those OPEN that leave the fewest winning replies."""
    actions, winners = scratch.lists[0], scratch.winners
    counts = actions[1 + count :]  # behind the actions, in the room of their weights
    least = np.int64(1) << 30
    for index in range(count):
        replies = _count_wins(rules, scratch, actions[1 + index])
        counts[index] = replies
        least = min(least, replies)
    for index in range(count):
        if counts[index] == least:
            winners[actions[1 + index]] = OPEN
    return ALL_LOSE


@kernel
def _count_wins(rules: Any, scratch: Any, action: int) -> int:
    """Count the replies to an action that win at once; 2**29 if the action itself loses."""
    moves = scratch.lists[1]
    following = _try(rules, scratch.states, 0, action)
    if following < 0:
        return 1 << 29
    if rules[WINNING_ACTIONS] != 0:
        return _list(rules, WINNING_ACTIONS, scratch.states[1], moves)
    wins = 0
    for index in range(_list(rules, LEGAL, scratch.states[1], moves)):
        wins += _wins(rules, scratch, following, moves[1 + index])
    return wins


@kernel
def prove_root_children(tree: Any, winners: Any, shares: Any, added: Any) -> None:
    """Prove children of a visited and expanded root by the certain winner after each action.

    `winners` is that of `DecisiveMoves`; `added` [num_actions] counts the visits given to children
    that had none; `shares` [players] is the caller's scratch.
    """
    block = block_of(tree, ROOT)
    for offset in range(block.size):
        child = int(block.first + offset)
        action = tree.nodes[child].action
        winner = winners[action]
        if winner < 0 or tree.nodes[child].proof == PROVEN:
            continue
        if not shares_states(tree):  # in shared trees, unopened children are in random order
            child = _opened(tree, block, child)
        if tree.nodes[child].visits == 0:
            forget_value(tree, child)
            tree.nodes[child].visits = 1
            added[action] += 1
        for player in range(shares.shape[0]):
            shares[player] = 1.0 if player == winner else 0.0
        set_proven(tree, child, shares)
        if note_proven_child(tree, ROOT, child, shares):
            set_proven(tree, ROOT, shares)


@kernel
def _opened(tree: Any, block: Any, child: int) -> int:
    """Open a child of a block that `open_at_random` opens, if needed; return its node."""
    to = int(block.first + block.opened)
    if child < to:
        return child
    block.opened += 1
    if block.opened == block.size:
        keep_exploration(block)
    action = tree.nodes[child].action
    tree.nodes[child].action = tree.nodes[to].action
    tree.nodes[to].action = action
    return to
