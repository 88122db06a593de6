"""Kernels that look for decisive moves (`decisive.py`), and prove them in a tree."""

from typing import Any

import numpy as np

from meeple.kernels import (
    OVER,
    array_at,
    inlined,
    invoke2,
    kernel,
    record,
    record_at,
)
from meeple.search.mcts.proofs import note_proven_child, set_proven
from meeple.search.mcts.selection import keep_exploration
from meeple.search.mcts.transpositions import shares_states
from meeple.search.mcts.tree import PROVEN, ROOT, block_of, forget_value
from meeple.search.moves import copy_state, seat_to_move

OPEN = -1  # in `winners`: no certain winner after an action
MAX_CHECKED = 16  # actions whose replies are listed before the search, once one reply wins
WHOLE_SHARE = 1.0 - 1e-9  # minimum share of a sole winner
NOTHING, SHARE, SOME, ALL_LOSE = range(4)
"""What `find_decisive` returns. SHARE: nothing is decisive, but an action ends with a share."""


LookAhead = record(
    legal=np.int64,  # addresses of the game's kernels; 0 for one that it lacks
    play=np.int64,
    payoffs=np.int64,
    winning_actions=np.int64,
    states=np.int64,  # [3, state_bytes] uint8: the root, the states after an action and a reply
    lists=np.int64,  # [2, list_items] int32: the root's actions, and replies; records of moves
    shares=np.int64,  # [players] float64
    winners=np.int64,  # [num_actions] int8: the certain winner after each action, or OPEN
    state_bytes=np.int64,
    list_items=np.int64,
    players=np.int64,
    num_actions=np.int64,
    hides=np.int8,  # a winning reply holds for its determinization alone
    ending=np.int32,  # the root action that ends the game with the largest share, if that is > 0
    ending_share=np.float64,
)
"""The argument of the kernels, as one record: what they call, and addresses of working memory.

A call from Python with one address takes a third of the time of a call with a tuple of arrays, and
Numba compiles kernels that pass on a record three times as fast as those that pass on the arrays.
"""


def load_look_ahead() -> None:
    """Compile or load the kernels."""
    nothing = np.zeros(1, dtype=LookAhead)
    find_decisive(nothing.ctypes.data, np.zeros(0, dtype=np.uint8))
    check_action(nothing.ctypes.data, 0)


@kernel
def find_decisive(address: int, root: Any) -> int:
    """Set `winners` for a root, [state_bytes]; `address` is that of a `LookAhead`.

    Returns NOTHING, SHARE, SOME, or ALL_LOSE: then those actions are OPEN that leave the fewest
    wins. A record of zeros is left as it is: such a call only compiles.
    """
    look = record_at(address, LookAhead)
    if look.play == 0:
        return NOTHING
    winners = _winners(look)
    winners[:] = OPEN
    look.ending_share = 0.0
    copy_state(root, _state(look, 0))
    win = _find_win(look, 0)
    if win >= 0:
        winners[win] = _to_move(look, 0)
        return SOME
    count = _list(look, look.legal, 0)
    actions = _moves(look, 0)
    if count == 1:
        winners[:] = OPEN
        return NOTHING
    reply = _winning_reply(look, actions[1])
    if reply >= 0:
        _refute(look, count, reply)
        _check_the_rest(look, count)
    elif look.winning_actions != 0:  # then nothing was noted on the way
        return NOTHING
    left = 0
    for index in range(count):
        left += winners[actions[1 + index]] == OPEN
    if left == 0:
        return _reopen(look, count)
    if left < count:
        return SOME
    return SHARE if look.ending_share > 0.0 else NOTHING


@kernel
def check_action(address: int, action: int) -> int:
    """Return the other player that certainly wins after an action of the last root, or OPEN.

    If the game hides nothing, a winning reply is tried against all other actions too.
    """
    look = record_at(address, LookAhead)
    if look.play == 0:
        return OPEN
    winners = _winners(look)
    reply = _winning_reply(look, action)
    if reply >= 0 and not look.hides:
        _refute(look, _list(look, look.legal, 0), reply)
    elif reply >= 0:
        winners[action] = _to_move(look, 1)
    elif _to_move(look, 1) == OVER:
        winners[action] = _other_winner(look, 1, _to_move(look, 0))
    return int(winners[action])


@inlined
def _state(look: Any, ply: int) -> Any:
    """Return the root, the state after an action, or the state after a reply: [state_bytes]."""
    return array_at(look.states + ply * look.state_bytes, np.uint8, look.state_bytes)


@kernel
def _to_move(look: Any, ply: int) -> int:
    return int(seat_to_move(_state(look, ply)))


@inlined
def _moves(look: Any, ply: int) -> Any:
    """Return the root's actions, or the replies: their number, then the actions."""
    return array_at(look.lists + 4 * ply * look.list_items, np.int32, look.list_items)


@inlined
def _winners(look: Any) -> Any:
    return array_at(look.winners, np.int8, look.num_actions)


@kernel
def _list(look: Any, lister: int, ply: int) -> int:
    """List moves of a state by the game's kernel at an address; return their number."""
    moves = _moves(look, ply)
    moves[0] = 0
    invoke2(lister, _state(look, ply).ctypes.data, moves.ctypes.data)
    return int(moves[0])


@kernel
def _try(look: Any, ply: int, action: int) -> int:
    """Play an action on a copy of a state; return the seat to move next."""
    after = _state(look, ply + 1)
    copy_state(_state(look, ply), after)
    invoke2(look.play, after.ctypes.data, np.int64(action))
    return int(seat_to_move(after))


@inlined
def _shares(look: Any, ply: int) -> Any:
    """Return the payoffs of a finished state: [players]."""
    invoke2(look.payoffs, _state(look, ply).ctypes.data, look.shares)
    return array_at(look.shares, np.float64, look.players)


@kernel
def _other_winner(look: Any, ply: int, seat: int) -> int:
    """Return the sole winner of a finished state; OPEN if it is `seat`, or there is none."""
    shares = _shares(look, ply)
    winner = OPEN
    for player in range(look.players):
        if shares[player] >= WHOLE_SHARE and player != seat:
            winner = player
    return winner


@kernel
def _find_win(look: Any, ply: int) -> int:
    """Return the first action of a state by which its mover wins at once, or -1.

    At the root it also records actions that lose at once, and the best that ends with a share.
    """
    moves = _moves(look, ply)
    if look.winning_actions != 0:
        return int(moves[1]) if _list(look, look.winning_actions, ply) > 0 else -1
    mover = _to_move(look, ply)
    for index in range(_list(look, look.legal, ply)):
        action = int(moves[1 + index])
        if _try(look, ply, action) != OVER:
            continue
        share = _shares(look, ply + 1)[mover]
        if share >= WHOLE_SHARE:
            return action
        if ply == 0:
            _winners(look)[action] = _other_winner(look, 1, mover)
            if share > look.ending_share:
                look.ending = action
                look.ending_share = share
    return -1


@kernel
def _winning_reply(look: Any, action: int) -> int:
    """Return the first reply to an action by which another player wins at once, or -1.

    Leaves the state after the action as that of ply 1.
    """
    following = _try(look, 0, action)
    if following < 0 or following == _to_move(look, 0):
        return -1
    return int(_find_win(look, 1))


@kernel
def _refute(look: Any, count: int, reply: int) -> None:
    """Record all OPEN actions of the `count` listed after which a reply wins at once."""
    actions, replies, winners = _moves(look, 0), _moves(look, 1), _winners(look)
    for index in range(count):
        action = actions[1 + index]
        if winners[action] != OPEN:
            continue
        following = _try(look, 0, action)
        if following < 0 or following == _to_move(look, 0):
            continue
        legal = _is_listed(replies, _list(look, look.legal, 1), reply)
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
    return bool(_shares(look, 2)[mover] >= WHOLE_SHARE)


@kernel
def _check_the_rest(look: Any, count: int) -> None:
    """Look for winning replies to at most MAX_CHECKED actions that are OPEN."""
    actions, winners = _moves(look, 0), _winners(look)
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
    actions, winners = _moves(look, 0), _winners(look)
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
    if look.winning_actions != 0:
        return int(_list(look, look.winning_actions, 1))
    moves = _moves(look, 1)
    wins = 0
    for index in range(_list(look, look.legal, 1)):
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
