"""The value of a state to a seat: evaluated if it is quiet, else searched to quiet states.

A position is quiet if the game declares that it can be evaluated directly (`quiet`). In any other,
the seat plays its best action, chance is averaged by its probabilities, and other seats play the
likeliest action by the weights of `prune`. Improbable states are evaluated directly, since chance
nodes may follow each other without end.
"""

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
)
from meeple.search.moves import (
    NO_ACTION,
    Moves,
    copy_state,
    list_moves,
    list_sensible,
    list_tree_moves,
    new_moves,
    play,
    seat_to_move,
)
from meeple.search.values.features import empty_features, observed_from
from meeple.search.values.network import ValueNetwork

MAX_DEPTH = 48  # maximum depth of the lookahead, in actions and outcomes
MIN_PATH_PROBABILITY = 0.03  # minimum path probability of a chance node that is expanded

_COUNT, _NEXT, _SEAT, _LEFT = range(4)  # frame: moves, next move, seat to move, actions left


class Stack(NamedTuple):
    """The states on the path to the current one, and the values found below each."""

    states: npt.NDArray[np.uint8]  # [MAX_DEPTH, state bytes]
    frames: npt.NDArray[np.int64]  # [MAX_DEPTH, 4]
    actions: npt.NDArray[np.int32]  # [MAX_DEPTH, C]
    odds: npt.NDArray[np.float32]  # [MAX_DEPTH, C] of outcomes
    chances: npt.NDArray[np.float64]  # [MAX_DEPTH] probability of the outcomes on the path
    values: npt.NDArray[np.float64]  # [MAX_DEPTH, players]


class StateEvaluator(NamedTuple):
    """Evaluates states with a network, or with the game's heuristic if there is no network."""

    rules: npt.NDArray[np.int64]
    kernel: int  # address of the network's kernel; 0: no network
    network: int  # address of its weights
    features: npt.NDArray[np.uint8]  # [bytes] the input: a record of `features_of(game)`
    observed: int  # byte offset of the observations; 0: the game fills the record itself
    observation_bytes: int
    shares: npt.NDArray[np.float64]  # [players] the result
    flag: npt.NDArray[np.int8]  # [1]
    moves: Moves
    stack: Stack


def new_state_evaluator(game: Game, network: ValueNetwork | None) -> StateEvaluator:
    """Make an evaluator of a game's states; the network must outlive it."""
    width = game.max_moves
    return StateEvaluator(
        rules=game.rules,
        kernel=network.kernel if network else 0,
        network=network.address if network else 0,
        features=empty_features(game, 1)[0],
        observed=0 if game.has(SEAT_FEATURES) else observed_from(game),
        observation_bytes=4 * int(np.prod(game.observation_shape)),
        shares=np.zeros(game.players),
        flag=np.zeros(1, dtype=np.int8),
        moves=new_moves(width),
        stack=Stack(
            states=np.zeros((MAX_DEPTH, game.state_bytes), dtype=np.uint8),
            frames=np.zeros((MAX_DEPTH, 4), dtype=np.int64),
            actions=np.zeros((MAX_DEPTH, width), dtype=np.int32),
            odds=np.zeros((MAX_DEPTH, width), dtype=np.float32),
            chances=np.ones(MAX_DEPTH),
            values=np.zeros((MAX_DEPTH, game.players)),
        ),
    )


@kernel
def note_features(evaluator: Any, state: Any, features: Any) -> None:
    """Write the network input of a state into a record of `empty_features`."""
    if evaluator.observed == 0:
        invoke2(evaluator.rules[SEAT_FEATURES], state.ctypes.data, features.ctypes.data)
        return
    place = features.ctypes.data + evaluator.observed
    for seat in range(evaluator.shares.shape[0]):
        invoke3(evaluator.rules[OBSERVE], state.ctypes.data, np.int64(seat), place)
        place += evaluator.observation_bytes


@kernel
def evaluate_state(evaluator: Any, state: Any) -> None:
    """Write each seat's share into `evaluator.shares`: the payoffs, or the estimate."""
    if seat_to_move(state) == OVER:
        invoke2(evaluator.rules[PAYOFFS], state.ctypes.data, evaluator.shares.ctypes.data)
    elif evaluator.kernel == 0:
        invoke2(evaluator.rules[HEURISTIC], state.ctypes.data, evaluator.shares.ctypes.data)
    else:
        note_features(evaluator, state, evaluator.features)
        invoke3(
            evaluator.kernel,
            evaluator.network,
            evaluator.features.ctypes.data,
            evaluator.shares.ctypes.data,
        )


@inlined
def is_quiet(evaluator: Any, state: Any) -> bool:
    """Whether a state can be evaluated directly; True if the game has no `quiet` or `prune`."""
    if evaluator.rules[QUIET] == 0 or evaluator.rules[PRUNE] == 0:
        return True
    invoke2(evaluator.rules[QUIET], state.ctypes.data, evaluator.flag.ctypes.data)
    return bool(evaluator.flag[0] != 0)


@kernel
def likeliest(evaluator: Any, state: Any) -> int:
    """Return the sensible action with the greatest weight."""
    count = list_sensible(evaluator.rules, state, evaluator.moves)
    best = 0
    for index in range(1, count):
        if evaluator.moves.weights[index] > evaluator.moves.weights[best]:
            best = index
    return int(evaluator.moves.actions[best])


@kernel
def worth(evaluator: Any, seat: int, actions: int) -> float:
    """Return a seat's value of the stack's first state, with `actions` actions once it is quiet.

    The lookahead ends at a quiet position of another seat. All seats' shares are left in
    `evaluator.shares`.
    """
    stack = evaluator.stack
    stack.frames[0, _LEFT] = actions
    ply = 0
    while True:
        if _is_leaf(evaluator, seat, ply):
            evaluate_state(evaluator, stack.states[ply])
            ply = _taken(evaluator, seat, ply - 1)
        else:
            _open(evaluator, seat, ply)
        if ply < 0:
            return np.float64(evaluator.shares[seat])
        ply = _descend(evaluator, seat, ply)


@kernel
def _is_leaf(evaluator: Any, seat: int, ply: int) -> bool:
    """Play to a choice of the seat or of chance, or to a quiet position; True at a leaf.

    A leaf has no moves listed.
    """
    stack = evaluator.stack
    frame, state = stack.frames[ply], stack.states[ply]
    frame[_COUNT] = -1
    while True:
        mover = seat_to_move(state)
        if mover == OVER or ply + 1 == stack.states.shape[0]:
            return True
        if mover == CHANCE and stack.chances[ply] < MIN_PATH_PROBABILITY:
            return True
        quiet = mover != CHANCE and is_quiet(evaluator, state)
        if mover != CHANCE and mover != seat:
            if quiet:
                return True
            play(evaluator.rules, state, likeliest(evaluator, state))
            continue
        frame[_SEAT] = mover
        if quiet:
            frame[_LEFT] -= 1
        return bool(quiet and frame[_LEFT] < 0)


@kernel
def _open(evaluator: Any, seat: int, ply: int) -> None:
    """List the moves of a state of the stack."""
    stack, moves = evaluator.stack, evaluator.moves
    frame, state = stack.frames[ply], stack.states[ply]
    for other in range(evaluator.shares.shape[0]):
        stack.values[ply, other] = 0.0
    if frame[_SEAT] == CHANCE:
        count = list_moves(evaluator.rules, LEGAL, state, moves)
    else:
        count = list_tree_moves(evaluator.rules, state, moves, NO_ACTION)
        stack.values[ply, seat] = -1.0  # less than any share
    frame[_COUNT], frame[_NEXT] = count, 0
    for index in range(count):
        stack.actions[ply, index] = moves.actions[index]
        stack.odds[ply, index] = moves.weights[index]


@kernel
def _descend(evaluator: Any, seat: int, ply: int) -> int:
    """Play the next move of a state of the stack; return the new ply."""
    stack = evaluator.stack
    frame = stack.frames[ply]
    copy_state(stack.states[ply], stack.states[ply + 1])
    play(evaluator.rules, stack.states[ply + 1], stack.actions[ply, frame[_NEXT]])
    stack.frames[ply + 1, _LEFT] = frame[_LEFT]
    stack.chances[ply + 1] = stack.chances[ply]
    if frame[_SEAT] == CHANCE:
        stack.chances[ply + 1] *= stack.odds[ply, frame[_NEXT]]
    return ply + 1


@kernel
def _taken(evaluator: Any, seat: int, ply: int) -> int:
    """Back up `evaluator.shares` to the first state with moves left; -1 if none has.

    The seat takes the action with its greatest share.
    """
    stack, shares = evaluator.stack, evaluator.shares
    while ply >= 0:
        frame, values = stack.frames[ply], stack.values[ply]
        if frame[_SEAT] == CHANCE:
            for other in range(shares.shape[0]):
                values[other] += stack.odds[ply, frame[_NEXT]] * shares[other]
        elif shares[seat] > values[seat]:
            for other in range(shares.shape[0]):
                values[other] = shares[other]
        frame[_NEXT] += 1
        if frame[_NEXT] < frame[_COUNT]:
            return ply
        for other in range(shares.shape[0]):
            shares[other] = values[other]
        ply -= 1
    return -1


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
        possible = _follow(evaluator, state, plans[number, : lengths[number]])
        if possible:
            worth(evaluator, seat, deeper)
        for other in range(found.shape[1]):
            found[number, other] = evaluator.shares[other] if possible else np.nan


@kernel
def _follow(evaluator: Any, state: Any, plan: Any) -> bool:
    """Play a plan; return False if one of its actions is not legal."""
    for step in range(plan.shape[0]):
        if seat_to_move(state) < 0:
            return False
        legal = False
        for index in range(list_moves(evaluator.rules, LEGAL, state, evaluator.moves)):
            legal = legal or evaluator.moves.actions[index] == plan[step]
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
