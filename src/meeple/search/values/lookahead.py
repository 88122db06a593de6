"""What a state is worth to a seat: judged where it is quiet, looked into where it is not.

A position is quiet where the game says that it can be judged as it stands (`quiet`). In the midst
of something, the seat itself does what is best for it, chance is weighed by its odds, and the
others do what is likeliest by the weights of `prune`. What is rare is judged as it stands: chance
may follow on chance for ever.
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

DEEPEST = 48  # actions and outcomes below a state that are looked into, at most
RAREST = 0.03  # chance of the way to a chance node that is looked into, at least

_COUNT, _NEXT, _SEAT, _LEFT = range(4)  # of a frame: moves, the next one, who moves, actions left


class Stack(NamedTuple):
    """The states on the way to the one that is looked at, and what was found below each."""

    states: npt.NDArray[np.uint8]  # [DEEPEST, state bytes]
    frames: npt.NDArray[np.int64]  # [DEEPEST, 4]
    actions: npt.NDArray[np.int32]  # [DEEPEST, C]
    odds: npt.NDArray[np.float32]  # [DEEPEST, C] of outcomes
    chances: npt.NDArray[np.float64]  # [DEEPEST] of the outcomes on the way
    values: npt.NDArray[np.float64]  # [DEEPEST, players]


class Judge(NamedTuple):
    """How states are judged: by a network where there is one, else by the game's heuristic."""

    rules: npt.NDArray[np.int64]
    kernel: int  # of the network; 0: there is none
    network: int  # where its weights are
    features: npt.NDArray[np.uint8]  # [bytes] what it is given: a record of `features_of(game)`
    observed: int  # where in it each seat's observation goes; 0: the game fills the record itself
    observation_bytes: int
    shares: npt.NDArray[np.float64]  # [players] what is found
    flag: npt.NDArray[np.int8]  # [1]
    moves: Moves
    stack: Stack


def new_judge(game: Game, network: ValueNetwork | None) -> Judge:
    """A judge of a game's states; the network must outlive it."""
    width = game.max_moves
    return Judge(
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
            states=np.zeros((DEEPEST, game.state_bytes), dtype=np.uint8),
            frames=np.zeros((DEEPEST, 4), dtype=np.int64),
            actions=np.zeros((DEEPEST, width), dtype=np.int32),
            odds=np.zeros((DEEPEST, width), dtype=np.float32),
            chances=np.ones(DEEPEST),
            values=np.zeros((DEEPEST, game.players)),
        ),
    )


@kernel
def note_features(judge: Any, state: Any, features: Any) -> None:
    """Write what a network is given of a state into bytes of `empty_features`."""
    if judge.observed == 0:
        invoke2(judge.rules[SEAT_FEATURES], state.ctypes.data, features.ctypes.data)
        return
    place = features.ctypes.data + judge.observed
    for seat in range(judge.shares.shape[0]):
        invoke3(judge.rules[OBSERVE], state.ctypes.data, np.int64(seat), place)
        place += judge.observation_bytes


@kernel
def judge_state(judge: Any, state: Any) -> None:
    """Each seat's share of a state into `judge.shares`: as it ended, or as it looks."""
    if seat_to_move(state) == OVER:
        invoke2(judge.rules[PAYOFFS], state.ctypes.data, judge.shares.ctypes.data)
    elif judge.kernel == 0:
        invoke2(judge.rules[HEURISTIC], state.ctypes.data, judge.shares.ctypes.data)
    else:
        note_features(judge, state, judge.features)
        invoke3(judge.kernel, judge.network, judge.features.ctypes.data, judge.shares.ctypes.data)


@inlined
def is_quiet(judge: Any, state: Any) -> bool:
    """Whether a state can be judged as it stands: always, where the game does not say, or not
    what is likely where it cannot.
    """
    if judge.rules[QUIET] == 0 or judge.rules[PRUNE] == 0:
        return True
    invoke2(judge.rules[QUIET], state.ctypes.data, judge.flag.ctypes.data)
    return bool(judge.flag[0] != 0)


@kernel
def likeliest(judge: Any, state: Any) -> int:
    """The sensible action of the greatest weight."""
    count = list_sensible(judge.rules, state, judge.moves)
    best = 0
    for index in range(1, count):
        if judge.moves.weights[index] > judge.moves.weights[best]:
            best = index
    return int(judge.moves.actions[best])


@kernel
def worth(judge: Any, seat: int, actions: int) -> float:
    """What the first state of the stack is worth to a seat that may act so often once it is quiet.

    It looks no further than to where another seat begins something of its own. All seats' shares
    are left in `judge.shares`.
    """
    stack = judge.stack
    stack.frames[0, _LEFT] = actions
    ply = 0
    while True:
        if _is_leaf(judge, seat, ply):
            judge_state(judge, stack.states[ply])
            ply = _taken(judge, seat, ply - 1)
        else:
            _open(judge, seat, ply)
        if ply < 0:
            return np.float64(judge.shares[seat])
        ply = _descend(judge, seat, ply)


@kernel
def _is_leaf(judge: Any, seat: int, ply: int) -> bool:
    """Play on to where the seat or chance has a choice, or the position is quiet; True if judged.

    A leaf has no moves listed.
    """
    stack = judge.stack
    frame, state = stack.frames[ply], stack.states[ply]
    frame[_COUNT] = -1
    while True:
        mover = seat_to_move(state)
        if mover == OVER or ply + 1 == stack.states.shape[0]:
            return True
        if mover == CHANCE and stack.chances[ply] < RAREST:
            return True
        quiet = mover != CHANCE and is_quiet(judge, state)
        if mover != CHANCE and mover != seat:
            if quiet:
                return True
            play(judge.rules, state, likeliest(judge, state))
            continue
        frame[_SEAT] = mover
        if quiet:
            frame[_LEFT] -= 1
        return bool(quiet and frame[_LEFT] < 0)


@kernel
def _open(judge: Any, seat: int, ply: int) -> None:
    """List what may be done in a state of the stack."""
    stack, moves = judge.stack, judge.moves
    frame, state = stack.frames[ply], stack.states[ply]
    for other in range(judge.shares.shape[0]):
        stack.values[ply, other] = 0.0
    if frame[_SEAT] == CHANCE:
        count = list_moves(judge.rules, LEGAL, state, moves)
    else:
        count = list_tree_moves(judge.rules, state, moves, NO_ACTION)
        stack.values[ply, seat] = -1.0  # less than any share
    frame[_COUNT], frame[_NEXT] = count, 0
    for index in range(count):
        stack.actions[ply, index] = moves.actions[index]
        stack.odds[ply, index] = moves.weights[index]


@kernel
def _descend(judge: Any, seat: int, ply: int) -> int:
    """Play the next move of a state of the stack; return the ply that it leads to."""
    stack = judge.stack
    frame = stack.frames[ply]
    copy_state(stack.states[ply], stack.states[ply + 1])
    play(judge.rules, stack.states[ply + 1], stack.actions[ply, frame[_NEXT]])
    stack.frames[ply + 1, _LEFT] = frame[_LEFT]
    stack.chances[ply + 1] = stack.chances[ply]
    if frame[_SEAT] == CHANCE:
        stack.chances[ply + 1] *= stack.odds[ply, frame[_NEXT]]
    return ply + 1


@kernel
def _taken(judge: Any, seat: int, ply: int) -> int:
    """Take `judge.shares` up the stack, to the first state with moves left; -1 where there is none.

    The seat takes the action that gives it most.
    """
    stack, shares = judge.stack, judge.shares
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
def judge_plans(judge: Any, own: Any, plans: Any, lengths: Any, deeper: int, found: Any) -> None:
    """All seats' shares after each plan, the first [N] actions of `plans` [N, L], in a state.

    Shares go into `found` [N, P], NaN where the rules do not allow a plan; `deeper` is how many
    actions the mover of the state `own` looks further, in the same turn.
    """
    seat, state = seat_to_move(own), judge.stack.states[0]
    for number in range(plans.shape[0]):
        copy_state(own, state)
        possible = _follow(judge, state, plans[number, : lengths[number]])
        if possible:
            worth(judge, seat, deeper)
        for other in range(found.shape[1]):
            found[number, other] = judge.shares[other] if possible else np.nan


@kernel
def _follow(judge: Any, state: Any, plan: Any) -> bool:
    """Play a plan; False where one of its actions is not legal."""
    for step in range(plan.shape[0]):
        if seat_to_move(state) < 0:
            return False
        legal = False
        for index in range(list_moves(judge.rules, LEGAL, state, judge.moves)):
            legal = legal or judge.moves.actions[index] == plan[step]
        if not legal:
            return False
        play(judge.rules, state, plan[step])
    return True


@kernel
def judge_actions(judge: Any, states: Any, actions: Any, deeper: int, judged: Any) -> None:
    """The mover's mean worth over states [W, bytes] after each action [A], into `judged` [A].

    `deeper`: actions that it looks further, in the same turn.
    """
    seat = seat_to_move(states[0])
    for index in range(actions.shape[0]):
        total = 0.0
        for state in range(states.shape[0]):
            copy_state(states[state], judge.stack.states[0])
            play(judge.rules, judge.stack.states[0], actions[index])
            total += worth(judge, seat, deeper)
        judged[index] = total / states.shape[0]
