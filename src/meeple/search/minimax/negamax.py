"""The compiled search of `alphabeta`: its stack and its resumable steps. Game-blind.

Principal variation search (Marsland and Campbell, "Parallel search of strongly ordered game trees",
1982) with a transposition table, killer moves (Akl and Newborn, 1977) and the history heuristic
(Schaeffer, 1989). An explicit stack lets it stop and resume at any node. A player may move several
times in a row.
"""

from typing import Any

import numpy as np

from meeple.kernels import CANDIDATES, CHANCE, FORCED_WIN, LEGAL, inlined, kernel, scramble
from meeple.search.machine.leaves import estimate_shares, known_shares
from meeple.search.machine.stack import (
    CHANCE_MET,
    DONE,
    NO_NUMBER,
    RUNNING,
    count_nodes,
    enter,
    extend_line,
    play_next,
    run,
    set_root,
    write_children,
)
from meeple.search.minimax.bounds import (
    EXACT,
    KNOWN,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    fetch,
    find,
    keep,
    key_of,
)
from meeple.search.minimax.memory import INFINITE, SHARE, WIN, at_ply, score_of
from meeple.search.minimax.probcut import (
    NOT_PROBED,
    PROBE_DONE,
    PROBED_HIGH,
    PROBED_LOW,
    probe_decides,
    probe_depth,
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

# Remaining plies at which a reducing search wants a move from the table: a node without one is
# searched a ply less deep, since its children are badly ordered.
ORDERED_FROM = 4
SORTED_FROM = 4  # remaining plies at which children are sorted by the heuristic first

# Ranks: history up to 2**36, then killer moves, then the estimated share.
_MOST_HISTORY, _KILLER, _JUDGED, _TABLE_MOVE = 1 << 36, 1 << 37, 1 << 40, 1 << 62
_LISTED = 1 << 37  # of a place in the list of candidates
_TO_20_BITS = np.uint64(44)

# ---------------------------------------------------------------- the search, a step at a time


@kernel
def run_negamax(search: Any, nodes: int) -> Any:
    """Continue the search for about `nodes` nodes (positions played to)."""
    return run(search, nodes, _open, _advance, _take_node)


@kernel
def _open(search: Any, ply: int) -> int:
    """List and rank a node's children, or open a probe; DONE if the node's score is known."""
    rules, stack, frame = search.rules, search.stack, search.stack.frames[ply]
    if ply == 0:
        listed = rules[CANDIDATES] != 0 and _list_actions(search, ply)  # the same, in order
        frame.width = frame.count
        _rank(search, ply, search.settings[0].hint, listed)
        return RUNNING
    reducing, outside, hint = search.settings[0].reducing, 0, -1
    meta = stored = np.int64(0)
    if not reducing:  # before the table, which `_enter` has begun to fetch
        outside = _outside(search, ply)
    if outside == 0:
        meta, stored = find(search.table, frame.key)
    if meta != 0:
        score = at_ply(stored, ply)
        if _answers(frame, meta, score):
            frame.best = score
            frame.complete = depth_of(meta) == KNOWN
            return DONE
        hint = action_of(meta)
    if reducing:
        if meta == 0 and frame.remaining >= ORDERED_FROM:
            frame.remaining -= 1
        outside = _outside(search, ply)
    if outside <= 0 and meta == 0 and rules[FORCED_WIN] != 0:
        plies = forced_win(rules, stack.states[ply], WINNING_NODES, search.distance)
        if plies > 0:
            frame.best = SHARE - (ply + plies)
            frame.best_action = 0
            _store(search, ply)
            return DONE
    if outside != 0:
        frame.best = frame.beta if outside > 0 else frame.alpha
        frame.complete = False
        return DONE
    if frame.probe != NOT_PROBED or not _probe(search, ply):
        listed = _list_actions(search, ply)
        _rank(search, ply, hint, listed)
    return RUNNING


@inlined
def _answers(frame: Any, meta: int, score: int) -> Any:
    """Whether an entry says enough of a node; where a line is wanted, it never does."""
    if depth_of(meta) < frame.remaining or frame.beta - frame.alpha > 1:
        return False
    bound = bound_of(meta)
    return (bound != UPPER and score >= frame.beta) or (bound != LOWER and score <= frame.alpha)


@inlined
def _outside(search: Any, ply: int) -> int:
    """Return 1 or -1 for a node near the leaves if its estimate is far above or below its window.

    Only of a null window. The margin is a reducing search's, or that of a probe of no plies.
    """
    rules, stack = search.rules, search.stack
    frame, margin, outside = stack.frames[ply], 0.0, 0
    if search.settings[0].reducing:
        margin = margin_of(frame.remaining, frame.beta / SHARE)
    elif frame.probe == NOT_PROBED and probe_depth(frame.remaining) == 0:
        margin = probe_margin(search, ply) / (2.0 * SHARE)
    if margin == 0.0 or frame.beta - frame.alpha > 1 or abs(frame.beta) >= WIN:
        return 0
    if is_quiet(rules, stack.states[ply], search.flag):
        estimate_shares(rules, stack.states[ply], stack.shares)
        share = stack.shares[np.int64(np.int8(stack.states[ply, 0]))]
        if score_of(share - margin, ply, WIN) >= frame.beta:
            outside = 1
        elif score_of(share + margin, ply, WIN) <= frame.alpha:
            outside = -1
    return outside


@inlined
def probe_margin(search: Any, ply: int) -> Any:
    """The margin of a node's probe: that of an even share, times the slope of shares by logits.

    Beyond the depths measured, it is that of the last one.
    """
    frame = search.stack.frames[ply]
    depth, bound = min(frame.remaining, search.margins.shape[1] - 1), frame.beta / SHARE
    return np.int64(search.margins[ply, depth] * max(1.0 - bound * bound, 0.0))


@inlined
def _probe(search: Any, ply: int) -> bool:
    """Open a shallower search of a node that probably lies far outside its null window."""
    rules, stack = search.rules, search.stack
    frame = stack.frames[ply]
    frame.probe = PROBE_DONE
    margin = probe_margin(search, ply)
    if margin == 0 or probe_depth(frame.remaining) == 0 or frame.beta - frame.alpha > 1:
        return False
    estimate_shares(rules, stack.states[ply], stack.shares)
    share = stack.shares[np.int64(np.int8(stack.states[ply, 0]))]
    is_high = score_of(share, ply, WIN) >= frame.beta
    bound = frame.beta + margin if is_high else frame.alpha - margin + 1
    if abs(bound) > WIN:
        return False
    frame.probe = PROBED_HIGH if is_high else PROBED_LOW
    copy_state(stack.states[ply], stack.states[ply + 1])
    _enter(search, ply + 1, probe_depth(frame.remaining), bound - 1, bound)
    stack.frames[ply + 1].probe = PROBE_DONE
    return True


@inlined
def _end_probe(search: Any, ply: int, score: int) -> None:
    """Take the score of a node's probe: end the node, or enter it again."""
    frame, below = search.stack.frames[ply], search.stack.frames[ply + 1]
    margin = probe_margin(search, ply)
    if probe_decides(frame.probe, score, frame.alpha, frame.beta, margin):
        frame.best = frame.beta if frame.probe == PROBED_HIGH else frame.alpha
        frame.best_action = max(below.best_action, 0)
        frame.complete = False
        frame.width = frame.next
    else:
        enter(search.stack, ply)
    frame.probe = PROBE_DONE


@inlined
def _store(search: Any, ply: int) -> None:
    """Keep a finished node in the table."""
    frame = search.stack.frames[ply]
    bound = EXACT if frame.best > frame.bottom else UPPER
    if frame.best >= frame.beta:
        bound = LOWER
    depth = KNOWN if frame.complete else frame.remaining
    score = at_ply(frame.best, -ply)
    keep(search.table, frame.key, score, frame.best_action, depth, bound, search.settings[0].age)


@inlined
def _list_actions(search: Any, ply: int) -> Any:
    """List a node's candidates, or else all its actions; return whether they are candidates."""
    rules, stack = search.rules, search.stack
    moves, frame = stack.moves, stack.frames[ply]
    count = 0
    if rules[CANDIDATES] != 0:
        count = list_candidates(rules, stack.states[ply], moves, search.flag)
        frame.limited = count > 0 and search.flag[0] == 0
    listed = count > 0
    if not listed:
        count = list_moves(rules, LEGAL, stack.states[ply], moves)
    write_children(stack, ply, count)
    frame.width = count
    if frame.limited and ply > 0:
        frame.width = min(count, width_of(frame.remaining))
    return listed


@inlined
def _rank(search: Any, ply: int, hint: int, listed: bool) -> None:
    """Give every child its rank: the table's move, then by its own score or by what cut before.

    Candidates are `listed` in order, and not estimated.
    """
    rules, stack = search.rules, search.stack
    frame = stack.frames[ply]
    mover = np.int64(np.int8(stack.states[ply, 0]))
    scratch = stack.states.shape[0] - 1
    for child in range(frame.count):
        action = np.int64(stack.actions[ply, child])
        if action == hint:
            search.ranks[ply, child] = _TABLE_MOVE
            continue
        rank = search.history[mover, action]
        if action == frame.killers[0]:
            rank += 2 * _KILLER
        elif action == frame.killers[1]:
            rank += _KILLER
        if listed:
            rank += (frame.count - child) * _LISTED
        elif frame.remaining >= SORTED_FROM:
            next_mover = copy_and_play(rules, stack.states, ply, scratch, action)
            if next_mover != CHANCE:
                if not known_shares(rules, stack.states[scratch], next_mover, stack.shares):
                    estimate_shares(rules, stack.states[scratch], stack.shares)
                rank += np.int64(stack.shares[mover] * (1 << 20)) * _JUDGED
        search.ranks[ply, child] = rank


@inlined
def _advance(search: Any, ply: int) -> int:
    """Visit a node's next child, or finish the node."""
    frame = search.stack.frames[ply]
    if frame.next < frame.width and frame.best < frame.beta:
        return _visit(search, ply)
    if frame.limited and frame.next == frame.width:
        _doubt_loss(frame)
    if ply > 0:
        _store(search, ply)
    return DONE


@kernel
def _visit(search: Any, ply: int) -> int:
    """Play to a node's next child: take its score if it is a leaf, or enter it."""
    rules, stack, frame = search.rules, search.stack, search.stack.frames[ply]
    if not frame.again:
        _bring_best_forward(search, ply)
    state, mover = stack.states[ply + 1], np.int64(np.int8(stack.states[ply, 0]))
    next_mover = play_next(rules, stack, ply)
    if next_mover == CHANCE:
        return CHANCE_MET
    if known_shares(rules, state, next_mover, stack.shares):
        _take(search, ply, score_of(stack.shares[mover], ply + 1, SHARE), True)
        return RUNNING
    remaining = frame.remaining - 1
    is_extended = remaining == 0 and ply + 1 < search.settings[0].deepest
    if is_extended and not is_quiet(rules, state, search.flag):
        remaining = 1
    if remaining > 0:
        _search_child(search, ply, remaining, next_mover == mover)
        return RUNNING
    estimate_shares(rules, state, stack.shares)
    share = stack.shares[mover]
    if np.isnan(share):
        return NO_NUMBER
    score, won = score_of(share, ply + 1, WIN), 0
    if rules[FORCED_WIN] != 0 and (
        next_mover == mover or score > _bound(frame, _bonus(search, ply))
    ):
        won = forced_win(rules, state, WINNING_NODES, search.distance)
    if won > 0:
        score = SHARE - (ply + 1 + won)
        score = score if next_mover == mover else -score
    _take(search, ply, score, won > 0)
    return RUNNING


@inlined
def _search_child(search: Any, ply: int, remaining: int, same_mover: bool) -> None:
    """Enter a node's next child; all but the first with a null window at first."""
    frame = search.stack.frames[ply]
    frame.reduced = 0
    if search.settings[0].reducing and not frame.again:
        frame.reduced = reduction_of(frame.remaining, frame.next)
    alpha, beta = _bound(frame, _bonus(search, ply)), frame.beta
    frame.narrow = frame.next > 0 and not frame.again and beta - alpha > 1
    if frame.narrow:
        beta = alpha + 1
    if not same_mover:
        alpha, beta = -beta, -alpha
    _enter(search, ply + 1, remaining - frame.reduced, alpha, beta)


@inlined
def _enter(search: Any, ply: int, remaining: int, alpha: int, beta: int) -> None:
    """Make a node, whose state is in its row, the one to be opened."""
    frame, salt = search.stack.frames[ply], search.settings[0].salt
    frame.key = key_of(search.rules, search.stack.states[ply], search.identity) ^ salt
    fetch(search.table, frame.key)
    frame.remaining = remaining
    frame.bottom = frame.alpha = alpha
    frame.beta = beta
    frame.best = -INFINITE
    frame.best_action = -1
    frame.next = frame.reduced = 0
    frame.narrow = frame.again = frame.limited = False
    frame.complete = True
    frame.probe = NOT_PROBED
    enter(search.stack, ply)


@kernel
def open_root(search: Any, state: Any, actions: Any, depth: int) -> None:
    """Begin at a root, with its actions [n] in their order, and with the widest window."""
    set_root(search.stack, state, actions)
    _enter(search, 0, depth, -INFINITE, INFINITE)


@inlined
def _bring_best_forward(search: Any, ply: int) -> None:
    """Exchange the next child with the one of the highest rank still to come."""
    ranks, actions, frame = search.ranks[ply], search.stack.actions[ply], search.stack.frames[ply]
    child = best = frame.next
    for other in range(child + 1, frame.count):
        if ranks[other] > ranks[best]:
            best = other
    rank, action = ranks[best], actions[best]
    ranks[best], actions[best] = ranks[child], actions[child]
    ranks[child], actions[child] = rank, action


@inlined
def _take_node(search: Any, ply: int) -> None:
    """Take the score of the next child, or of a probe, which has been searched."""
    stack, frame, below = search.stack, search.stack.frames[ply], search.stack.frames[ply + 1]
    score = below.best if stack.states[ply, 0] == stack.states[ply + 1, 0] else -below.best
    if frame.probe in (PROBED_HIGH, PROBED_LOW):
        _end_probe(search, ply, score)
    else:
        _take(search, ply, score, below.complete)


@kernel
def _take(search: Any, ply: int, score: int, complete: bool) -> None:
    """Take the next child's score: search it once more, or go on to the one after."""
    stack, frame, bonus = search.stack, search.stack.frames[ply], _bonus(search, ply)
    if frame.reduced and _bound(frame, bonus) < score <= WIN:  # a win is one at any depth
        frame.reduced = 0
        frame.narrow = False
        frame.again = True
        return
    if frame.narrow and _bound(frame, bonus) < score < frame.beta:
        frame.narrow = False
        frame.again = True
        return
    child = frame.next
    frame.next = child + 1
    frame.narrow = False
    frame.again = False
    if not complete:
        frame.complete = False
    if ply == 0:
        search.scores[child] = score
        search.exact[child] = score > _bound(frame, bonus)
        count_nodes(stack, child)
    if abs(score) <= WIN and (bonus < 0 or not complete):
        score = min(max(score + bonus, -WIN), WIN)
    if score <= frame.best:
        return
    action = stack.actions[ply, child]
    frame.best = score
    frame.best_action = action
    if score <= frame.alpha:
        return
    if frame.beta - frame.alpha > 1:
        extend_line(stack, ply, action)
    frame.alpha = score
    if score >= frame.beta:
        # The values of the other children no longer matter.
        frame.complete = complete or score > WIN
        _remember_cut(search, ply, action)


@inlined
def _doubt_loss(frame: Any) -> None:
    """Take back the proof of a loss: an action that was left out may not lose."""
    frame.best = max(frame.best, -WIN)
    frame.complete = frame.best > WIN


@inlined
def _bonus(search: Any, ply: int) -> Any:
    """The bonus added to an unproven score of the root's next child; 0 at any other node.

    It is the noise of the action or, without noise, a random part of the margin; both are equal in
    every iteration.
    """
    bonus = 0
    if ply == 0:
        stack, settings = search.stack, search.settings[0]
        action = np.int64(stack.actions[0, stack.frames[0].next])
        bonus = search.noise[action]
        if settings.margin > 0:
            word = scramble(np.uint64(settings.draw) + np.uint64(action)) >> _TO_20_BITS
            bonus = (np.int64(word) * settings.margin) >> 20
    return bonus


@inlined
def _bound(frame: Any, bonus: int) -> Any:
    """The lower bound of a child's window: below it, not even the bonus makes it the best.

    A proven win gets no bonus, so that the bound stays below all of them.
    """
    return min(frame.alpha - bonus, max(frame.alpha, WIN))


@inlined
def _remember_cut(search: Any, ply: int, action: int) -> None:
    stack, frame = search.stack, search.stack.frames[ply]
    if frame.killers[0] != action:
        frame.killers[1] = frame.killers[0]
        frame.killers[0] = action
    history = search.history[np.int64(np.int8(stack.states[ply, 0]))]
    if history[action] < _MOST_HISTORY:
        history[action] += frame.remaining * frame.remaining
