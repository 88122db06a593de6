"""Kernels that look for decisive moves (`decisive.py`), and prove them in a tree."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import LEGAL, OVER, PAYOFFS, PLAY, WINNING_ACTIONS, invoke2, kernel
from meeple.search.loading import load_kernels
from meeple.search.mcts.proofs import note_proven_child, set_proven
from meeple.search.mcts.selection import prepare_selection
from meeple.search.mcts.transpositions import shares_states
from meeple.search.mcts.tree import PROVEN, ROOT, block_of, forget_value
from meeple.search.moves import (
    COUNT,
    checked_count,
    copy_and_play,
    copy_state,
    ensure_actions,
    new_moves,
    seat_to_move,
)

OPEN = -1  # in `winners`: no certain winner after an action
MAX_CHECKED = 16  # actions whose replies are listed before the search, once one reply wins
WHOLE_SHARE = 1.0 - 1e-9  # minimum share of a sole winner
NOTHING, SHARE, SOME, ALL_LOSE = range(4)
"""What `find_decisive` returns. SHARE: nothing is decisive, but an action ends with a share."""


class LookAhead(NamedTuple):
    """What the kernels call, and their working memory."""

    rules: npt.NDArray[np.int64]
    states: npt.NDArray[np.uint8]  # [3, state_bytes] the root, the states after an action and reply
    lists: npt.NDArray[np.int32]  # [2, ...] of `Moves.memory`: the root's actions, and replies
    shares: npt.NDArray[np.float64]  # [players]
    winners: npt.NDArray[np.int8]  # [num_actions] the certain winner after each action, or OPEN
    ending: npt.NDArray[np.float64]  # [2] the root action that ends the game with the largest share
    hides: bool  # a winning reply holds for its determinization alone


def new_look_ahead(game: Game) -> LookAhead:
    """Allocate the working memory for a game, and load its kernels."""
    no_rules = np.zeros_like(game.addresses)
    no_rules.setflags(write=False)  # of the type of the game's own
    look = LookAhead(
        rules=no_rules,
        states=np.zeros((3, game.state_bytes), dtype=np.uint8),
        lists=np.stack([new_moves(game).memory] * 2),
        shares=np.zeros(game.players, dtype=np.float64),
        winners=np.full(game.num_actions, OPEN, dtype=np.int8),
        ending=np.zeros(2),
        hides=game.hides,
    )

    def load() -> None:
        find_decisive(look, look.states[0])
        check_action(look, 0)

    load_kernels(game, (WINNING_ACTIONS,), load)
    return look._replace(rules=game.addresses)


@kernel
def find_decisive(look: Any, root: Any) -> int:
    """Set `winners` for a root, [state_bytes].

    Returns NOTHING, SHARE, SOME, or ALL_LOSE: then those actions are OPEN that leave the fewest
    wins. Without rules it does nothing: such a call only compiles.
    """
    winners, actions = look.winners, look.lists[0]
    if look.rules[PLAY] == 0:
        return NOTHING
    winners[:] = OPEN
    look.ending[1] = 0.0
    copy_state(root, look.states[0])
    win = _find_win(look, 0)
    if win >= 0:
        winners[win] = seat_to_move(look.states[0])
        return SOME
    count = _list(look, LEGAL, 0)
    if count == 1:
        winners[:] = OPEN
        return NOTHING
    reply = _winning_reply(look, actions[1])
    if reply >= 0:
        _refute(look, count, reply)
        _check_the_rest(look, count)
    elif look.rules[WINNING_ACTIONS] != 0:  # then nothing was noted on the way
        return NOTHING
    left = 0
    for index in range(count):
        left += winners[actions[1 + index]] == OPEN
    if left == 0:
        return _reopen(look, count)
    if left < count:
        return SOME
    return SHARE if look.ending[1] > 0.0 else NOTHING


@kernel
def check_action(look: Any, action: int) -> int:
    """Return the other player that certainly wins after an action of the last root, or OPEN.

    If the game hides nothing, a winning reply is tried against all other actions too.
    """
    if look.rules[PLAY] == 0:
        return OPEN
    reply, following = _winning_reply(look, action), seat_to_move(look.states[1])
    if reply >= 0 and not look.hides:
        _refute(look, _list(look, LEGAL, 0), reply)
    elif reply >= 0:
        look.winners[action] = following
    elif following == OVER:
        look.winners[action] = _other_winner(look, 1, seat_to_move(look.states[0]))
    return int(look.winners[action])


@kernel
def _list(look: Any, which: int, ply: int) -> int:
    """List moves of a state by a kernel of the game; return their number."""
    moves, state = look.lists[ply], look.states[ply]
    moves[COUNT] = 0
    invoke2(look.rules[which], state.ctypes.data, moves.ctypes.data)
    if which == WINNING_ACTIONS and moves[COUNT] == 0:
        return 0
    count = int(checked_count(moves, (moves.shape[0] - 1) // 2 - 1, state))
    if seat_to_move(state) >= 0:
        ensure_actions(moves, count, seat_to_move(state))
    return count


@kernel
def _try(look: Any, ply: int, action: int) -> int:
    """Play an action on a copy of a state; return the seat to move next."""
    return int(copy_and_play(look.rules, look.states, ply, ply + 1, action))


@kernel
def _read_payoffs(look: Any, ply: int) -> None:
    """Write the payoffs of a finished state into `shares`."""
    invoke2(look.rules[PAYOFFS], look.states[ply].ctypes.data, look.shares.ctypes.data)


@kernel
def _other_winner(look: Any, ply: int, seat: int) -> int:
    """Return the sole winner of a finished state; OPEN if it is `seat`, or there is none."""
    _read_payoffs(look, ply)
    winner = OPEN
    for player in range(look.shares.shape[0]):
        if look.shares[player] >= WHOLE_SHARE and player != seat:
            winner = player
    return winner


@kernel
def _find_win(look: Any, ply: int) -> int:
    """Return the first action of a state by which its mover wins at once, or -1.

    At the root it also records actions that lose at once, and the best that ends with a share.
    """
    moves = look.lists[ply]
    if look.rules[WINNING_ACTIONS] != 0:
        return int(moves[1]) if _list(look, WINNING_ACTIONS, ply) > 0 else -1
    mover = seat_to_move(look.states[ply])
    for index in range(_list(look, LEGAL, ply)):
        action = int(moves[1 + index])
        if _try(look, ply, action) != OVER:
            continue
        _read_payoffs(look, ply + 1)
        share = look.shares[mover]
        if share >= WHOLE_SHARE:
            return action
        if ply == 0:
            look.winners[action] = _other_winner(look, 1, mover)
            if share > look.ending[1]:
                look.ending[0], look.ending[1] = action, share
    return -1


@kernel
def _winning_reply(look: Any, action: int) -> int:
    """Return the first reply to an action by which another player wins at once, or -1.

    Leaves the state after the action as that of ply 1.
    """
    following = _try(look, 0, action)
    if following < 0 or following == seat_to_move(look.states[0]):
        return -1
    return int(_find_win(look, 1))


@kernel
def _refute(look: Any, count: int, reply: int) -> None:
    """Record all OPEN actions of the `count` listed after which a reply wins at once."""
    actions, replies, winners = look.lists[0], look.lists[1], look.winners
    for index in range(count):
        action = actions[1 + index]
        if winners[action] != OPEN:
            continue
        following = _try(look, 0, action)
        if following < 0 or following == seat_to_move(look.states[0]):
            continue
        legal = _is_listed(replies, _list(look, LEGAL, 1), reply)
        if legal and _wins(look, following, reply):
            winners[action] = following


@kernel
def _is_listed(moves: Any, count: int, action: int) -> bool:
    found = False
    for index in range(count):
        found |= moves[1 + index] == action
    return found


@kernel
def _wins(look: Any, mover: int, reply: int) -> bool:
    """Return whether a legal reply wins at once, in the state of ply 1."""
    if _try(look, 1, reply) != OVER:
        return False
    _read_payoffs(look, 2)
    return bool(look.shares[mover] >= WHOLE_SHARE)


@kernel
def _check_the_rest(look: Any, count: int) -> None:
    """Look for winning replies to at most MAX_CHECKED actions that are OPEN."""
    actions, winners = look.lists[0], look.winners
    checked = 0
    for index in range(count):
        action = actions[1 + index]
        if winners[action] == OPEN and checked < MAX_CHECKED:
            checked += 1
            reply = _winning_reply(look, action)
            if reply >= 0:
                _refute(look, count, reply)


@kernel
def _reopen(look: Any, count: int) -> int:
    """If all actions lose, make those OPEN that leave the fewest winning replies."""
    actions, winners = look.lists[0], look.winners
    counts = actions[1 + count :]  # behind the actions, in the room of their weights
    least = np.int64(1) << 30
    for index in range(count):
        replies = _count_wins(look, actions[1 + index])
        counts[index] = replies
        least = min(least, replies)
    for index in range(count):
        if counts[index] == least:
            winners[actions[1 + index]] = OPEN
    return ALL_LOSE


@kernel
def _count_wins(look: Any, action: int) -> int:
    """Count the replies to an action that win at once; 2**29 if the action itself loses."""
    following = _try(look, 0, action)
    if following < 0:
        return 1 << 29
    if look.rules[WINNING_ACTIONS] != 0:
        return int(_list(look, WINNING_ACTIONS, 1))
    moves, wins = look.lists[1], 0
    for index in range(_list(look, LEGAL, 1)):
        wins += _wins(look, following, moves[1 + index])
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
        action = tree.action[child]
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
    action = tree.action[child]
    tree.action[child] = tree.action[to]
    tree.action[to] = action
    if block.opened == block.size:
        prepare_selection(tree, block, tree.nodes[ROOT].to_move)
    return to
