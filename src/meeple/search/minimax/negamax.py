"""The compiled search of `alphabeta`: its stack and its resumable steps. Game-blind.

Principal variation search (Marsland and Campbell, "Parallel search of strongly ordered game trees",
1982) with a transposition table, killer moves (Akl and Newborn, 1977) and the history heuristic
(Schaeffer, 1989). An explicit stack lets it stop and resume at any node. A player may move several
times in a row.
"""

from typing import Any

import numpy as np

from meeple.kernels import CANDIDATES, CHANCE, FORCED_WIN, LEGAL, inlined, kernel, scramble
from meeple.search.minimax.bounds import (
    EXACT,
    KNOWN,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    find,
    keep,
    key_of,
)
from meeple.search.minimax.deepening import (
    CHANCE_MET,
    DONE,
    NO_NUMBER,
    RUNNING,
    estimate_shares,
    known_shares,
)
from meeple.search.minimax.probcut import (
    NOT_PROBED,
    PROBE_DONE,
    PROBED_HIGH,
    PROBED_LOW,
    probe_decides,
    probe_depth,
)
from meeple.search.minimax.stack import (
    AGAIN,
    AGE,
    ALPHA,
    BEFORE,
    BEST,
    BEST_ACTION,
    BETA,
    BOTTOM,
    COMPLETE,
    COUNT,
    DEEPEST,
    DRAW,
    ENTERING,
    HINT,
    INFINITE,
    LIMITED,
    LINE_PLIES,
    MARGIN,
    NARROW,
    NEXT,
    NODES,
    PLY,
    PROBE,
    REDUCED,
    REDUCING,
    REMAINING,
    SALT,
    SHARE,
    WIDTH,
    WIN,
    at_ply,
    score_of,
)
from meeple.search.moves import copy_and_play, copy_state, list_moves
from meeple.search.selective import (
    WINNING_NODES,
    forced_win,
    is_quiet,
    list_candidates,
    margin_of,
    reduction_of,
    width_of,
)

SORTED_FROM = 4  # remaining plies at which children are sorted by the heuristic first

# Ranks: history up to 2**36, then killer moves, then the estimated share.
_MOST_HISTORY, _KILLER, _JUDGED, _TABLE_MOVE = 1 << 36, 1 << 37, 1 << 40, 1 << 62
_LISTED = 1 << 37  # of a place in the list of candidates
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_TO_20_BITS = np.uint64(44)

# ---------------------------------------------------------------- the search, a step at a time


@kernel
def run_negamax(rules: Any, stack: Any, nodes: int) -> Any:
    """Continue the search for about `nodes` nodes (positions played to)."""
    cursor, frames = stack.cursor, stack.frames
    last = cursor[NODES] + nodes
    while cursor[NODES] < last:
        ply = cursor[PLY]
        frame = frames[ply]
        if cursor[ENTERING]:
            cursor[ENTERING] = 0
            if _expand(rules, stack, ply):
                cursor[PLY] = ply - 1
                _return(stack, ply)
                continue
            if cursor[ENTERING]:  # a probe
                continue
        if frame[NEXT] == frame[WIDTH] or frame[BEST] >= frame[BETA]:
            if frame[LIMITED] and frame[NEXT] == frame[WIDTH]:
                _doubt_loss(frame)
            if ply == 0:
                return DONE
            _store(stack, ply)
            cursor[PLY] = ply - 1
            _return(stack, ply)
            continue
        status = _visit(rules, stack, ply)
        if status != RUNNING:
            return status
    return RUNNING


@kernel
def _expand(rules: Any, stack: Any, ply: int) -> bool:
    """List and rank a node's children; True if the table answers for the node."""
    frame = stack.frames[ply]
    key = key_of(rules, stack.states[ply], stack.identity) ^ stack.cursor[SALT]
    stack.keys[ply] = key
    if ply == 0:
        listed = rules[CANDIDATES] != 0 and _list_actions(rules, stack, ply)  # the same, in order
        frame[WIDTH] = frame[COUNT]
        _rank(rules, stack, ply, stack.cursor[HINT], listed)
        return False
    hint = -1
    meta, stored = find(stack.table, key)
    if meta != 0:
        score = at_ply(stored, ply)
        if _answers(frame, meta, score):
            frame[BEST] = score
            frame[COMPLETE] = depth_of(meta) == KNOWN
            return True
        hint = action_of(meta)
    elif rules[FORCED_WIN] != 0:
        plies = forced_win(rules, stack.states[ply], WINNING_NODES, stack.distance)
        if plies > 0:
            frame[BEST] = SHARE - (ply + plies)
            frame[BEST_ACTION] = 0
            _store(stack, ply)
            return True
    if _is_futile(rules, stack, ply):
        return True
    if frame[PROBE] == NOT_PROBED and _probe(rules, stack, ply):
        return False
    listed = _list_actions(rules, stack, ply)
    _rank(rules, stack, ply, hint, listed)
    return False


@inlined
def _answers(frame: Any, meta: int, score: int) -> Any:
    """Whether an entry says enough of a node; where a line is wanted, it never does."""
    if depth_of(meta) < frame[REMAINING] or frame[BETA] - frame[ALPHA] > 1:
        return False
    bound = bound_of(meta)
    return (bound != UPPER and score >= frame[BETA]) or (bound != LOWER and score <= frame[ALPHA])


@inlined
def _is_futile(rules: Any, stack: Any, ply: int) -> bool:
    """Give a node near the leaves its bound if its estimate lies far outside its null window.

    The margin is a reducing search's, or that of a probe of no plies.
    """
    frame, margin = stack.frames[ply], 0.0
    if stack.cursor[REDUCING]:
        margin = margin_of(frame[REMAINING])
    elif frame[PROBE] == NOT_PROBED and probe_depth(frame[REMAINING]) == 0:
        margin = stack.margins[frame[REMAINING]] / (2.0 * SHARE)
    if margin == 0.0 or frame[BETA] - frame[ALPHA] > 1 or abs(frame[BETA]) >= WIN:
        return False
    if not is_quiet(rules, stack.states[ply], stack.flag):
        return False
    estimate_shares(rules, stack.states[ply], stack.shares)
    share = stack.shares[np.int64(np.int8(stack.states[ply, 0]))]
    if score_of(share - margin, ply, WIN) >= frame[BETA]:
        frame[BEST] = frame[BETA]
    elif score_of(share + margin, ply, WIN) <= frame[ALPHA]:
        frame[BEST] = frame[ALPHA]
    else:
        return False
    frame[COMPLETE] = 0
    return True


@inlined
def _probe(rules: Any, stack: Any, ply: int) -> bool:
    """Open a shallower search of a node that probably lies far outside its null window."""
    frame = stack.frames[ply]
    frame[PROBE] = PROBE_DONE
    margin = stack.margins[frame[REMAINING]]
    if margin == 0 or probe_depth(frame[REMAINING]) == 0 or frame[BETA] - frame[ALPHA] > 1:
        return False
    estimate_shares(rules, stack.states[ply], stack.shares)
    share = stack.shares[np.int64(np.int8(stack.states[ply, 0]))]
    is_high = score_of(share, ply, WIN) >= frame[BETA]
    bound = frame[BETA] + margin if is_high else frame[ALPHA] - margin + 1
    if abs(bound) > WIN:
        return False
    frame[PROBE] = PROBED_HIGH if is_high else PROBED_LOW
    copy_state(stack.states[ply], stack.states[ply + 1])
    _open(stack, ply + 1, probe_depth(frame[REMAINING]), bound - 1, bound)
    stack.frames[ply + 1, PROBE] = PROBE_DONE
    return True


@inlined
def _end_probe(stack: Any, ply: int, score: int) -> None:
    """Take the score of a node's probe: end the node, or enter it again."""
    frame, margin = stack.frames[ply], stack.margins[stack.frames[ply, REMAINING]]
    if probe_decides(frame[PROBE], score, frame[ALPHA], frame[BETA], margin):
        frame[BEST] = frame[BETA] if frame[PROBE] == PROBED_HIGH else frame[ALPHA]
        frame[BEST_ACTION] = max(stack.frames[ply + 1, BEST_ACTION], 0)
        frame[COMPLETE] = 0
        frame[WIDTH] = frame[NEXT]
    else:
        stack.cursor[ENTERING] = 1
    frame[PROBE] = PROBE_DONE


@inlined
def _store(stack: Any, ply: int) -> None:
    """Keep a finished node in the table."""
    frame = stack.frames[ply]
    bound = EXACT if frame[BEST] > frame[BOTTOM] else UPPER
    if frame[BEST] >= frame[BETA]:
        bound = LOWER
    depth = KNOWN if frame[COMPLETE] else frame[REMAINING]
    score = at_ply(frame[BEST], -ply)
    keep(stack.table, stack.keys[ply], score, frame[BEST_ACTION], depth, bound, stack.cursor[AGE])


@inlined
def _list_actions(rules: Any, stack: Any, ply: int) -> Any:
    """List a node's candidates, or else all its actions; return whether they are candidates."""
    moves, frame = stack.moves, stack.frames[ply]
    count = 0
    if rules[CANDIDATES] != 0:
        count = list_candidates(rules, stack.states[ply], moves, stack.flag)
        frame[LIMITED] = count > 0 and stack.flag[0] == 0
    listed = count > 0
    if not listed:
        count = list_moves(rules, LEGAL, stack.states[ply], moves)
    for child in range(count):
        stack.actions[ply, child] = moves.actions[child]
    frame[COUNT] = frame[WIDTH] = count
    if frame[LIMITED] and ply > 0:
        frame[WIDTH] = min(count, width_of(frame[REMAINING]))
    return listed


@inlined
def _rank(rules: Any, stack: Any, ply: int, hint: int, listed: bool) -> None:
    """Give every child its rank: the table's move, then by its own score or by what cut before.

    Candidates are `listed` in order, and not estimated.
    """
    frame = stack.frames[ply]
    mover = np.int64(np.int8(stack.states[ply, 0]))
    scratch = stack.states.shape[0] - 1
    for child in range(frame[COUNT]):
        action = np.int64(stack.actions[ply, child])
        if action == hint:
            stack.ranks[ply, child] = _TABLE_MOVE
            continue
        rank = stack.history[mover, action]
        if action == stack.killers[ply, 0]:
            rank += 2 * _KILLER
        elif action == stack.killers[ply, 1]:
            rank += _KILLER
        if listed:
            rank += (frame[COUNT] - child) * _LISTED
        elif frame[REMAINING] >= SORTED_FROM:
            next_mover = copy_and_play(rules, stack.states, ply, scratch, action)
            if next_mover != CHANCE:
                if not known_shares(rules, stack.states[scratch], next_mover, stack.shares):
                    estimate_shares(rules, stack.states[scratch], stack.shares)
                rank += np.int64(stack.shares[mover] * (1 << 20)) * _JUDGED
        stack.ranks[ply, child] = rank


@kernel
def _visit(rules: Any, stack: Any, ply: int) -> int:
    """Play to a node's next child: take its score if it is a leaf, or enter it."""
    frame, states = stack.frames[ply], stack.states
    if not frame[AGAIN]:
        _bring_best_forward(stack, ply)
    child = frame[NEXT]
    mover = np.int64(np.int8(states[ply, 0]))
    next_mover = copy_and_play(rules, states, ply, ply + 1, stack.actions[ply, child])
    if ply == 0 and not frame[AGAIN]:
        stack.cursor[BEFORE] = stack.cursor[NODES]
    stack.cursor[NODES] += 1
    if next_mover == CHANCE:
        return CHANCE_MET
    if known_shares(rules, states[ply + 1], next_mover, stack.shares):
        _take(stack, ply, score_of(stack.shares[mover], ply + 1, SHARE), True, False)
        return RUNNING
    remaining = frame[REMAINING] - 1
    if (
        remaining == 0
        and ply + 1 < stack.cursor[DEEPEST]
        and not is_quiet(rules, states[ply + 1], stack.flag)
    ):
        remaining = 1
    if remaining == 0:
        if rules[FORCED_WIN] != 0:
            plies = forced_win(rules, states[ply + 1], WINNING_NODES, stack.distance)
            if plies > 0:
                score = SHARE - (ply + 1 + plies)
                _take(stack, ply, score if next_mover == mover else -score, True, False)
                return RUNNING
        estimate_shares(rules, states[ply + 1], stack.shares)
        share = stack.shares[mover]
        if np.isnan(share):
            return NO_NUMBER
        _take(stack, ply, score_of(share, ply + 1, WIN), False, False)
        return RUNNING
    frame[REDUCED] = 0
    if stack.cursor[REDUCING] and not frame[AGAIN]:
        frame[REDUCED] = reduction_of(frame[REMAINING], child)
    alpha, beta = _bound(frame, _bonus(stack, ply)), frame[BETA]
    if child > 0 and not frame[AGAIN] and beta - alpha > 1:
        frame[NARROW] = 1
        beta = alpha + 1
    else:
        frame[NARROW] = 0
    if next_mover != mover:
        alpha, beta = -beta, -alpha
    _open(stack, ply + 1, remaining - frame[REDUCED], alpha, beta)
    return RUNNING


@inlined
def _open(stack: Any, ply: int, remaining: int, alpha: int, beta: int) -> None:
    """Make a node, whose state is in its row, the one to be entered."""
    frame = stack.frames[ply]
    frame[REMAINING] = remaining
    frame[BOTTOM] = alpha
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[BEST] = -INFINITE
    frame[BEST_ACTION] = -1
    frame[NEXT] = 0
    frame[NARROW] = 0
    frame[AGAIN] = 0
    frame[COMPLETE] = 1
    frame[REDUCED] = 0
    frame[LIMITED] = 0
    frame[PROBE] = NOT_PROBED
    stack.line[ply, 0] = 0
    stack.cursor[PLY] = ply
    stack.cursor[ENTERING] = 1


@kernel
def open_root(stack: Any, depth: int) -> None:
    """Begin at the root, whose state and actions are in their rows, with the widest window."""
    _open(stack, 0, depth, -INFINITE, INFINITE)


@inlined
def _bring_best_forward(stack: Any, ply: int) -> None:
    """Exchange the next child with the one of the highest rank still to come."""
    ranks, actions, child = stack.ranks[ply], stack.actions[ply], stack.frames[ply, NEXT]
    best = child
    for other in range(child + 1, stack.frames[ply, COUNT]):
        if ranks[other] > ranks[best]:
            best = other
    rank, action = ranks[best], actions[best]
    ranks[best], actions[best] = ranks[child], actions[child]
    ranks[child], actions[child] = rank, action


@inlined
def _return(stack: Any, ply: int) -> None:
    """Hand a finished node's score to its parent."""
    frame = stack.frames[ply]
    score = frame[BEST]
    if stack.states[ply, 0] != stack.states[ply - 1, 0]:
        score = -score
    if stack.frames[ply - 1, PROBE] in (PROBED_HIGH, PROBED_LOW):
        _end_probe(stack, ply - 1, score)
        return
    _take(stack, ply - 1, score, frame[COMPLETE] != 0, True)


@kernel
def _take(stack: Any, ply: int, score: int, complete: bool, searched: bool) -> None:
    """Take the next child's score: search it once more, or go on to the one after."""
    frame, bonus = stack.frames[ply], _bonus(stack, ply)
    if frame[REDUCED] and _bound(frame, bonus) < score <= WIN:  # a win is one at any depth
        frame[REDUCED] = 0
        frame[NARROW] = 0
        frame[AGAIN] = 1
        return
    if frame[NARROW] and _bound(frame, bonus) < score < frame[BETA]:
        frame[NARROW] = 0
        frame[AGAIN] = 1
        return
    child = frame[NEXT]
    frame[NEXT] = child + 1
    frame[NARROW] = 0
    frame[AGAIN] = 0
    if not complete:
        frame[COMPLETE] = 0
    if ply == 0:
        stack.scores[child] = score
        stack.exact[child] = score > _bound(frame, bonus)
        stack.nodes[child] = stack.cursor[NODES] - stack.cursor[BEFORE]
    if abs(score) <= WIN and (bonus < 0 or not complete):
        score = min(max(score + bonus, -WIN), WIN)
    if score <= frame[BEST]:
        return
    action = stack.actions[ply, child]
    frame[BEST] = score
    frame[BEST_ACTION] = action
    if score <= frame[ALPHA]:
        return
    if frame[BETA] - frame[ALPHA] > 1:
        _extend_line(stack, ply, action, searched)
    frame[ALPHA] = score
    if score >= frame[BETA]:
        # The values of the other children no longer matter.
        frame[COMPLETE] = complete or score > WIN
        _remember_cut(stack, ply, action)


@inlined
def _doubt_loss(frame: Any) -> None:
    """Take back the proof of a loss: an action that was left out may not lose."""
    frame[BEST] = max(frame[BEST], -WIN)
    frame[COMPLETE] = frame[BEST] > WIN


@inlined
def _bonus(stack: Any, ply: int) -> Any:
    """The bonus added to an unproven score of the root's next child; 0 at any other node.

    It is the noise of the action or, without noise, a random part of the margin; both are equal in
    every iteration.
    """
    bonus = 0
    if ply == 0:
        action = np.int64(stack.actions[0, stack.frames[0, NEXT]])
        bonus = stack.noise[action]
        if stack.cursor[MARGIN] > 0:
            word = scramble(np.uint64(stack.cursor[DRAW]) + np.uint64(action)) >> _TO_20_BITS
            bonus = (np.int64(word) * stack.cursor[MARGIN]) >> 20
    return bonus


@inlined
def _bound(frame: Any, bonus: int) -> Any:
    """The lower bound of a child's window: below it, not even the bonus makes it the best.

    A proven win gets no bonus, so that the bound stays below all of them.
    """
    return min(frame[ALPHA] - bonus, max(frame[ALPHA], WIN))


@inlined
def _extend_line(stack: Any, ply: int, action: int, searched: bool) -> None:
    line = stack.line[ply]
    line[0] = 1
    line[1] = action
    if searched:
        below = stack.line[ply + 1]
        line[0] += min(below[0], LINE_PLIES - 1)
        for place in range(1, line[0]):
            line[1 + place] = below[place]


@inlined
def _remember_cut(stack: Any, ply: int, action: int) -> None:
    frame = stack.frames[ply]
    if stack.killers[ply, 0] != action:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = action
    history = stack.history[np.int64(np.int8(stack.states[ply, 0]))]
    if history[action] < _MOST_HISTORY:
        history[action] += frame[REMAINING] * frame[REMAINING]
