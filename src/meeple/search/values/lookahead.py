"""The value of a state to a seat: evaluated if it is quiet, else searched to quiet states.

A position is quiet if the game declares that it can be evaluated directly (`quiet`). In any other,
the seat plays its best action, chance is averaged by its probabilities, and other seats play the
likeliest action by the weights of `prune`. Improbable states are evaluated directly, since chance
nodes may follow each other without end.

A brief lookahead, for playouts, never branches on actions: the seat too plays its likeliest ones
until the position is quiet. Chance with many outcomes is evaluated directly.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    HEURISTIC,
    LEGAL,
    OBSERVE,
    OVER,
    PAYOFFS,
    PRUNE,
    QUIET,
    SEAT_FEATURES,
    inlined,
    invoke2,
    invoke3,
    kernel,
    record,
)
from meeple.search.machine.stack import (
    DONE,
    RUNNING,
    Stack,
    enter,
    new_stack,
    play_next,
    run,
    write_children,
)
from meeple.search.moves import (
    NO_ACTION,
    copy_state,
    ensure_chances,
    list_moves,
    list_sensible,
    list_tree_moves,
    one_less,
    play,
    plies_of,
    seat_to_move,
)
from meeple.search.selective import is_quiet
from meeple.search.values.acceptance import Plan
from meeple.search.values.features import empty_features, observed_from
from meeple.search.values.network import ValueNetwork

MAX_DEPTH = 48  # maximum depth of the lookahead, in actions and outcomes
MIN_PATH_PROBABILITY = 0.03  # minimum path probability of a chance node that is expanded
MAX_BRIEF_OUTCOMES = 6  # of a chance node that a brief lookahead expands

_ALL = 1 << 62  # nodes: the lookahead is never interrupted

Frame = record(
    next=np.int64,  # the next move
    count=np.int64,  # moves
    seat=np.int64,  # in row 0: whose value is computed
    left=np.int64,  # the seat's actions left
    chance=np.float64,  # probability of the outcomes on the path
)


class StateEvaluator(NamedTuple):
    """Evaluates states with a network, or with the game's heuristic if there is no network."""

    rules: npt.NDArray[np.int64]
    kernel: int  # address of the network's kernel; 0: no network
    network: int  # address of its weights
    features: npt.NDArray[np.uint8]  # [bytes] the input: a record of `features_of(game)`
    observed: int  # byte offset of the observations; 0: the game fills the record itself
    observation_bytes: int
    flag: npt.NDArray[np.int8]  # [1]
    brief: bool
    stack: Stack  # of Frame; its `shares` are the result
    odds: npt.NDArray[np.float32]  # [d, C] of outcomes
    values: npt.NDArray[np.float64]  # [d, players] found so far


def new_state_evaluator(
    game: Game, network: ValueNetwork | None, rows: int = MAX_DEPTH, *, brief: bool = False
) -> StateEvaluator:
    """Make an evaluator of a game's states; the network must outlive it.

    `rows` limits the states on a path: the last is evaluated directly. `brief`: the lookahead
    branches on outcomes only.
    """
    return StateEvaluator(
        rules=game.addresses,
        kernel=network.kernel if network else 0,
        network=network.address if network else 0,
        features=empty_features(game, 1)[0],
        observed=0 if game.has(SEAT_FEATURES) else observed_from(game),
        observation_bytes=4 * int(np.prod(game.observation_shape)),
        flag=np.zeros(1, dtype=np.int8),
        brief=brief,
        stack=new_stack(game, rows, Frame),
        odds=np.zeros((rows, game.max_moves), dtype=np.float32),
        values=np.zeros((rows, game.players)),
    )


def new_greedy_evaluator(game: Game) -> StateEvaluator:
    """Make an evaluator by the heuristic, right after an action or the outcome that follows it."""
    rules = game.addresses.copy()
    rules[QUIET] = 0
    return new_state_evaluator(game, None, rows=2)._replace(rules=rules)


@kernel
def note_features(evaluator: Any, state: Any, features: Any) -> None:
    """Write the network input of a state into a record of `empty_features`."""
    if evaluator.observed == 0:
        invoke2(evaluator.rules[SEAT_FEATURES], state.ctypes.data, features.ctypes.data)
        return
    features[evaluator.observed :] = 0  # `observe` may write only what is not 0
    place = features.ctypes.data + evaluator.observed
    for seat in range(evaluator.stack.shares.shape[0]):
        invoke3(evaluator.rules[OBSERVE], state.ctypes.data, np.int64(seat), place)
        place += evaluator.observation_bytes


@inlined
def evaluate_state(evaluator: Any, state: Any) -> None:
    """Write each seat's share into `evaluator.stack.shares`: the payoffs, or the estimate."""
    shares = evaluator.stack.shares.ctypes.data
    if seat_to_move(state) == OVER:
        invoke2(evaluator.rules[PAYOFFS], state.ctypes.data, shares)
    elif evaluator.kernel == 0:
        invoke2(evaluator.rules[HEURISTIC], state.ctypes.data, shares)
    else:
        note_features(evaluator, state, evaluator.features)
        invoke3(evaluator.kernel, evaluator.network, evaluator.features.ctypes.data, shares)


@inlined
def ends_lookahead(evaluator: Any, state: Any) -> bool:
    """Whether a state can be evaluated directly: it is quiet, or the game has no `prune`."""
    return bool(evaluator.rules[PRUNE] == 0 or is_quiet(evaluator.rules, state, evaluator.flag))


@kernel
def likeliest(evaluator: Any, state: Any) -> int:
    """Return the sensible action with the greatest weight."""
    moves, best = evaluator.stack.moves, 0
    for index in range(1, list_sensible(evaluator.rules, state, moves)):
        if moves.weights[index] > moves.weights[best]:
            best = index
    return int(moves.actions[best])


@inlined
def worth(evaluator: Any, seat: int, actions: int) -> float:
    """Return a seat's value of the stack's first state, with `actions` actions once it is quiet.

    The lookahead ends at a quiet position of another seat. All seats' shares are left in
    `evaluator.stack.shares`.
    """
    stack, frame = evaluator.stack, evaluator.stack.frames[0]
    frame.seat, frame.left, frame.chance = seat, actions, 1.0
    enter(stack, 0)
    run(evaluator, _ALL, _open, _advance, _take)
    return np.float64(stack.shares[seat])


@inlined
def _open(evaluator: Any, ply: int) -> int:
    """Evaluate a leaf, or list the moves of any other state."""
    stack, seat = evaluator.stack, evaluator.stack.frames[0].seat
    if _is_leaf(evaluator, ply):
        evaluate_state(evaluator, stack.states[ply])
        return DONE
    evaluator.values[ply, :] = 0.0
    if seat_to_move(stack.states[ply]) == CHANCE:
        count = list_moves(evaluator.rules, LEGAL, stack.states[ply], stack.moves)
        ensure_chances(stack.moves, count)
    else:
        count = list_tree_moves(evaluator.rules, stack.states[ply], stack.moves, NO_ACTION)
        evaluator.values[ply, seat] = -1.0  # less than any share
    write_children(stack, ply, count)
    for index in range(count):
        evaluator.odds[ply, index] = stack.moves.weights[index]
    return RUNNING


@inlined
def _is_leaf(evaluator: Any, ply: int) -> bool:
    """Play to a choice of the seat or of chance, or to a quiet position; True at a leaf."""
    stack, seat = evaluator.stack, evaluator.stack.frames[0].seat
    frame, state, left = stack.frames[ply], stack.states[ply], plies_of(stack.moves)
    while True:
        mover = seat_to_move(state)
        if mover == OVER or ply + 1 == stack.states.shape[0]:
            return True
        if mover == CHANCE:
            return bool(frame.chance < MIN_PATH_PROBABILITY or _is_too_broad(evaluator, state))
        quiet = ends_lookahead(evaluator, state)
        if mover == seat and (quiet or not evaluator.brief):
            frame.left -= quiet
            return bool(quiet and frame.left < 0)
        if quiet:
            return True
        left = one_less(left)
        play(evaluator.rules, state, likeliest(evaluator, state))


@inlined
def _is_too_broad(evaluator: Any, state: Any) -> bool:
    """Whether a brief lookahead evaluates a chance node directly."""
    if not evaluator.brief:
        return False
    count = list_moves(evaluator.rules, LEGAL, state, evaluator.stack.moves)
    return bool(count > MAX_BRIEF_OUTCOMES)


@inlined
def _advance(evaluator: Any, ply: int) -> int:
    """Play a state's next move, or finish the state."""
    stack, frame = evaluator.stack, evaluator.stack.frames[ply]
    if frame.next == frame.count:
        for seat in range(stack.shares.shape[0]):
            stack.shares[seat] = evaluator.values[ply, seat]
        return DONE
    below = stack.frames[ply + 1]
    below.left, below.chance = frame.left, frame.chance
    if seat_to_move(stack.states[ply]) == CHANCE:
        below.chance *= evaluator.odds[ply, frame.next]
    play_next(evaluator.rules, stack, ply)
    enter(stack, ply + 1)
    return RUNNING


@inlined
def _take(evaluator: Any, ply: int) -> None:
    """Back up the shares after a state's next move: chance averages, the seat takes its best."""
    stack, frame, values = evaluator.stack, evaluator.stack.frames[ply], evaluator.values[ply]
    shares, seat = stack.shares, stack.frames[0].seat
    if seat_to_move(stack.states[ply]) == CHANCE:
        for other in range(shares.shape[0]):
            values[other] += evaluator.odds[ply, frame.next] * shares[other]
    elif shares[seat] > values[seat]:
        for other in range(shares.shape[0]):
            values[other] = shares[other]
    frame.next += 1


def plan_arrays(plans: Sequence[Plan]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return the actions of plans [K, L], padded with 0, and their lengths [K]."""
    lengths = np.array([len(plan) for plan in plans], dtype=np.int64)
    actions = np.zeros((len(plans), max(1, lengths.max())), dtype=np.int32)
    for number, plan in enumerate(plans):
        actions[number, : len(plan)] = plan
    return actions, lengths


@kernel
def evaluate_plans(
    evaluator: Any, own: Any, plans: Any, lengths: Any, deeper: int, found: Any
) -> None:
    """Compute all seats' shares after each plan in the state `own`.

    Plan n is the first `lengths[n]` actions of `plans[n]`, `plans` being [N, L]. Shares go into
    `found` [N, P], NaN if the rules do not allow a plan. The mover looks `deeper` actions further
    in the same turn.
    """
    seat, state = seat_to_move(own), evaluator.stack.states[0]
    for number in range(plans.shape[0]):
        copy_state(own, state)
        possible = follow_plan(evaluator, state, plans[number, : lengths[number]])
        if possible:
            worth(evaluator, seat, deeper)
        for other in range(found.shape[1]):
            found[number, other] = evaluator.stack.shares[other] if possible else np.nan


@kernel
def follow_plan(evaluator: Any, state: Any, plan: Any) -> bool:
    """Play a plan; return False if one of its actions is not legal."""
    for step in range(plan.shape[0]):
        if seat_to_move(state) < 0:
            return False
        legal = False
        for index in range(list_moves(evaluator.rules, LEGAL, state, evaluator.stack.moves)):
            legal = legal or evaluator.stack.moves.actions[index] == plan[step]
        if not legal:
            return False
        play(evaluator.rules, state, plan[step])
    return True


@kernel
def evaluate_actions(
    evaluator: Any, states: Any, actions: Any, deeper: int, evaluated: Any
) -> None:
    """Write the mover's mean value over states [W, bytes] after each action into `evaluated` [A].

    The mover looks `deeper` actions further in the same turn.
    """
    seat = seat_to_move(states[0])
    for index in range(actions.shape[0]):
        total = 0.0
        for state in range(states.shape[0]):
            copy_state(states[state], evaluator.stack.states[0])
            play(evaluator.rules, evaluator.stack.states[0], actions[index])
            total += worth(evaluator, seat, deeper)
        evaluated[index] = total / states.shape[0]
