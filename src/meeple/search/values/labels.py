"""Labels sibling actions of a decision with their mean results over several playouts.

A kernel plays games with one policy for each seat. At some decisions, each sensible action is
followed until the position is quiet. From there a policy plays several playouts, to the end or for
`horizon` moves. The mean of the payoffs, or of the network's values where playouts stop, is the
label of the quiet position's features. Playouts of siblings use common random numbers (the same
dice), which reduces the variance of their differences.

Networks play by a brief lookahead (`lookahead.py`): it is 2.5 times as fast.

All cards are open: policies see the true state, including what is hidden from their seat. A network
learns values of open positions; an agent that uses it averages over determinizations.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CHANCE,
    HEURISTIC,
    LEGAL,
    NARROW,
    OBSERVE,
    OVER,
    PRUNE,
    QUIET,
    SEAT_FEATURES,
    RecordType,
    below,
    inlined,
    kernel,
    scramble,
    uniform,
)
from meeple.search.moves import (
    NO_ACTION,
    copy_state,
    draw_legal,
    draw_sensible,
    list_moves,
    list_sensible,
    narrow_moves,
    one_less,
    play,
    plies_of,
    seat_to_move,
)
from meeple.search.state_hash import GOLDEN
from meeple.search.values.examples import ValueExamples, joined_examples
from meeple.search.values.features import empty_features, features_of
from meeple.search.values.lookahead import (
    StateEvaluator,
    ends_lookahead,
    evaluate_actions,
    evaluate_state,
    new_greedy_evaluator,
    new_state_evaluator,
    note_features,
    worth,
)
from meeple.search.values.network import ValueNetwork

WEIGHTED, GREEDY, NETWORK, OTHER, PAST, RANDOM = range(6)
"""Policies: draw by the weights of `prune`, choose the best next state by the heuristic, the
network, another network, or a past network; only in playouts: draw from all legal actions."""

STREAMS = 16
"""Number of random streams. A chance node with n outcomes uses stream n, so that siblings see the
same dice even if one of them draws more cards; the last stream is for decisions."""
_DECISIONS = STREAMS - 1


def quick_policy(game: Game) -> int:
    """Return the best policy without search: greedy, or weighted if the game has no heuristic."""
    return GREEDY if game.has(HEURISTIC) else WEIGHTED


class Settings(NamedTuple):
    """How decisions are found and labelled."""

    share: float  # fraction of decisions that are labelled
    siblings: int  # maximum for each decision; a random subset of more
    playouts: int  # of each sibling; 0: the decision itself gets the game's result, no siblings
    horizon: int  # moves of a playout before the network evaluates an unfinished game
    policy: int  # plays the playouts
    slips: float  # probability of a weighted draw in place of a policy's action
    lookahead: bool = False  # whether the network evaluates after its best action


JUST_PLAY = Settings(share=0.0, siblings=0, playouts=0, horizon=0, policy=GREEDY, slips=0.0)


class Playing(NamedTuple):
    """Evaluators and working memory of the playing kernels."""

    heuristic: StateEvaluator  # its list of moves is shared by all policies
    network: StateEvaluator
    other: StateEvaluator
    past: StateEvaluator
    greedy: StateEvaluator
    judge: StateEvaluator  # evaluates where playouts stop
    evaluated: npt.NDArray[np.float64]  # [C]
    listed: npt.NDArray[np.int32]  # [C]
    rngs: npt.NDArray[np.void]  # [STREAMS] of playouts
    states: npt.NDArray[np.uint8]  # [2, state bytes] after an action, and in a playout


class Room(NamedTuple):
    """Memory of the labels of a decision, at most K siblings."""

    features: npt.NDArray[np.uint8]  # [K, bytes] records of `features_of(game)`
    shares: npt.NDArray[np.float32]  # [K, players] mean payoffs
    actions: npt.NDArray[np.int32]  # [K]

    def examples(self, count: int, seat: int, kind: RecordType) -> ValueExamples:
        """Return copies of the labels of the first `count` siblings, with features of a `kind`."""
        features, players = self.features[:count].view(kind)[:, 0], self.shares.shape[1]
        return ValueExamples(
            own=features["own"][:, :players].astype(np.float16),
            sites=features["sites"][:, :players].astype(np.float16),
            table=features["table"].astype(np.float16),
            players=np.full(count, players, dtype=np.int8),
            shares=self.shares[:count].copy(),
            decisions=np.zeros(count, dtype=np.int32),
            seats=np.full(count, seat, dtype=np.int8),
            actions=self.actions[:count].copy(),
        )


class Labeller:
    """Plays games of one game and labels decisions. Equal for equal seeds."""

    def __init__(
        self,
        game: Game,
        network: ValueNetwork | None = None,
        other: ValueNetwork | None = None,
        past: ValueNetwork | None = None,
    ) -> None:
        """Take the networks of the policies; the heuristic replaces a missing one."""
        game.compile(PRUNE, NARROW, HEURISTIC, QUIET, SEAT_FEATURES, OBSERVE)
        self.game = game
        self._networks = network, other, past  # references keep their weights alive
        self._playing = new_playing(game, *self._networks)

    def label_game(
        self, seed: int, policies: npt.NDArray[np.int8], settings: Settings
    ) -> ValueExamples:
        """Play a game with one policy for each seat and label some of its decisions."""
        position = self.game.start(seed)
        rngs = _streams(seed, 0)
        state = position.row.copy()
        room, kind = new_room(self.game, settings.siblings), features_of(self.game)
        found = [room.examples(0, 0, kind)]
        while True:
            seat = find_decision(self._playing, state, rngs, policies, settings)
            if seat < 0:
                break
            if settings.playouts == 0:
                if note_state(self._playing, state, room):
                    found.append(room.examples(1, seat, kind))
            else:
                base = np.uint64(kernels.next_uint64(rngs[_DECISIONS]))
                count = int(label_decision(self._playing, state, rngs, settings, base, room))
                if count > 1:
                    found.append(room.examples(count, seat, kind))
            play_policy(self._playing, state, rngs, policies, settings)
        labels = joined_examples(found)
        if settings.playouts == 0:
            labels.shares[:] = self._result(state)
        return labels

    def play_game(
        self, seed: int, policies: npt.NDArray[np.int8], luck: int = 0
    ) -> npt.NDArray[np.float64]:
        """Play a game with one policy for each seat and all cards open; return the payoffs [P].

        `seed` sets up the board and `luck` seeds everything else. Games with equal `seed` and
        `luck` have the same dice under any policies.
        """
        state = self.game.start(seed).row.copy()
        rngs = _streams(seed, luck)
        find_decision(self._playing, state, rngs, policies, JUST_PLAY)
        return self._result(state).copy()

    def play_on(
        self, position: Position, policies: npt.NDArray[np.int8], luck: int
    ) -> npt.NDArray[np.float64]:
        """Play from a position to the end, with all cards open; return the payoffs [P].

        `luck` seeds everything; the position is unchanged.
        """
        state = position.row.copy()
        find_decision(self._playing, state, _streams(luck, 0), policies, JUST_PLAY)
        return self._result(state).copy()

    def _result(self, state: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
        """The payoffs of a game that is over."""
        evaluate_state(self._playing.heuristic, state)
        return self._playing.heuristic.stack.shares


def new_playing(
    game: Game,
    network: ValueNetwork | None = None,
    other: ValueNetwork | None = None,
    past: ValueNetwork | None = None,
) -> Playing:
    """Make evaluators and memory; the networks must outlive them, the heuristic replaces none."""
    by_network, by_other, by_past = (
        new_state_evaluator(game, one, rows=2, brief=True) for one in (network, other, past)
    )
    return Playing(
        heuristic=new_state_evaluator(game, None),
        network=by_network,
        other=by_other,
        past=by_past,
        greedy=new_greedy_evaluator(game),
        judge=new_state_evaluator(game, network),
        evaluated=np.zeros(game.max_moves),
        listed=np.zeros(game.max_moves, dtype=np.int32),
        rngs=np.zeros(STREAMS, dtype=kernels.Rng),
        states=np.zeros((2, game.state_bytes), dtype=np.uint8),
    )


def _streams(seed: int, luck: int) -> npt.NDArray[np.void]:
    return np.concatenate([kernels.new_rng(seed, luck, stream) for stream in range(STREAMS)])


def new_room(game: Game, siblings: int) -> Room:
    """Allocate room for a number of siblings."""
    return Room(
        empty_features(game, siblings),
        np.zeros((siblings, game.players), dtype=np.float32),
        np.zeros(siblings, dtype=np.int32),
    )


# ---------------------------------------------------------------- playing


@kernel
def play_outcome(rules: Any, state: Any, moves: Any, rngs: Any) -> None:
    """Draw and play an outcome, using the random stream of the number of outcomes."""
    count = list_moves(rules, LEGAL, state, moves)
    mark = uniform(rngs[min(count, _DECISIONS - 1)])
    index = 0
    while index < count - 1:
        mark -= moves.weights[index]
        if mark < 0.0:
            break
        index += 1
    play(rules, state, moves.actions[index])


@kernel
def choose_by(playing: Any, state: Any, rngs: Any, policy: int) -> int:
    """Return a policy's action; consumes the stream of decisions."""
    rules, moves = playing.heuristic.rules, playing.heuristic.stack.moves
    if policy == WEIGHTED:
        return int(draw_sensible(rules, state, moves, rngs[_DECISIONS], False))
    count = list_sensible(rules, state, moves)
    narrowed = policy != GREEDY and count > 1 and rules[NARROW] != 0
    if narrowed and not ends_lookahead(playing.heuristic, state):
        count = narrow_moves(rules, state, moves, NO_ACTION)
    if count == 1:
        return int(moves.actions[0])
    for index in range(count):
        playing.listed[index] = moves.actions[index]
    own = state.reshape((1, state.shape[0]))
    if policy == GREEDY:
        evaluate_actions(playing.greedy, own, playing.listed[:count], 0, playing.evaluated)
    elif policy == NETWORK:
        evaluate_actions(playing.network, own, playing.listed[:count], 0, playing.evaluated)
    elif policy == OTHER:
        evaluate_actions(playing.other, own, playing.listed[:count], 0, playing.evaluated)
    else:
        evaluate_actions(playing.past, own, playing.listed[:count], 0, playing.evaluated)
    best, equal = 0, 1
    for index in range(1, count):
        if playing.evaluated[index] > playing.evaluated[best] + 1e-12:
            best, equal = index, 1
        elif playing.evaluated[index] >= playing.evaluated[best] - 1e-12:
            equal += 1
            if below(rngs[_DECISIONS], equal) == 0:
                best = index
    return int(playing.listed[best])


@kernel
def play_out(playing: Any, state: Any, rngs: Any, policy: int, horizon: int) -> None:
    """Play all seats by one policy to a quiet position after `horizon` moves, or to the end."""
    rules, moves, played = playing.heuristic.rules, playing.heuristic.stack.moves, 0
    left = plies_of(moves)
    while seat_to_move(state) != OVER:
        left = one_less(left)
        if seat_to_move(state) == CHANCE:
            play_outcome(rules, state, moves, rngs)
            continue
        if played >= horizon and ends_lookahead(playing.heuristic, state):
            return
        if policy == WEIGHTED:  # here, since to pass `playing` on takes longer than to draw
            action = int(draw_sensible(rules, state, moves, rngs[_DECISIONS], False))
        elif policy == RANDOM:
            action = int(draw_legal(rules, state, moves, rngs[_DECISIONS]))
        else:
            action = choose_by(playing, state, rngs, policy)
        play(rules, state, action)
        played += 1


@kernel
def find_decision(playing: Any, state: Any, rngs: Any, policies: Any, settings: Any) -> int:
    """Play to the next decision that is to be labelled; return its seat, -1 at the end."""
    evaluator, left = playing.heuristic, plies_of(playing.heuristic.stack.moves)
    while True:
        mover = seat_to_move(state)
        if mover == OVER:
            return -1
        left = one_less(left)
        if mover == CHANCE:
            play_outcome(evaluator.rules, state, evaluator.stack.moves, rngs)
            continue
        drawn = uniform(rngs[_DECISIONS]) < settings.share
        if drawn and list_sensible(evaluator.rules, state, evaluator.stack.moves) > 1:
            return int(mover)
        play_policy(playing, state, rngs, policies, settings)


@kernel
def play_policy(playing: Any, state: Any, rngs: Any, policies: Any, settings: Any) -> None:
    """Play the action of the policy of the seat to move, or a slip."""
    policy = policies[seat_to_move(state)]
    if uniform(rngs[_DECISIONS]) < settings.slips:
        policy = WEIGHTED
    play(playing.heuristic.rules, state, choose_by(playing, state, rngs, policy))


# ---------------------------------------------------------------- labelling


@kernel
def note_state(playing: Any, state: Any, room: Any) -> bool:
    """Write the features of a state if it is quiet; return whether it is."""
    evaluator = playing.heuristic
    if not ends_lookahead(evaluator, state):
        return False
    note_features(evaluator, state, room.features[0])
    return True


@kernel
def label_decision(playing: Any, state: Any, rngs: Any, settings: Any, base: Any, room: Any) -> int:
    """Label the siblings of a decision and return their number; the state is unchanged.

    `base` seeds the common random numbers.
    """
    evaluator = playing.heuristic
    count = _list_siblings(playing, state, rngs, room.actions)
    kept = 0
    after = playing.states[0]
    for index in range(count):
        copy_state(state, after)
        play(evaluator.rules, after, room.actions[index])
        seed_streams(playing.rngs, base)
        _settle(playing, after)
        if seat_to_move(after) != OVER:
            room.actions[kept] = room.actions[index]
            note_features(evaluator, after, room.features[kept])
            _play_outs(playing, after, settings, base, room.shares[kept])
            kept += 1
    return kept


@inlined
def seed_streams(rngs: Any, base: Any) -> None:
    """Reseed all streams."""
    for stream in range(rngs.shape[0]):
        rngs[stream].state = scramble(base + np.uint64(stream + 1) * GOLDEN)


@kernel
def _list_siblings(playing: Any, state: Any, rngs: Any, actions: Any) -> int:
    """List the sensible actions.

    If `actions` is too short, list a random subset of those that a search tree would try.
    """
    rules, moves = playing.heuristic.rules, playing.heuristic.stack.moves
    count = list_sensible(rules, state, moves)
    if count > actions.shape[0] and rules[NARROW] != 0:
        count = narrow_moves(rules, state, moves, NO_ACTION)
    kept = min(count, actions.shape[0])
    for index in range(kept):
        other = index + below(rngs[_DECISIONS], count - index)
        actions[index] = moves.actions[other]
        moves.actions[other] = moves.actions[index]
    return int(kept)


@kernel
def _settle(playing: Any, state: Any) -> None:
    """Play by weights until the position is quiet."""
    rules, moves = playing.heuristic.rules, playing.heuristic.stack.moves
    left = plies_of(moves)
    while seat_to_move(state) != OVER:
        left = one_less(left)
        if seat_to_move(state) == CHANCE:
            play_outcome(rules, state, moves, playing.rngs)
        elif ends_lookahead(playing.heuristic, state):
            return
        else:
            play(rules, state, choose_by(playing, state, playing.rngs, WEIGHTED))


@kernel
def judge_end(playing: Any, state: Any, lookahead: bool) -> None:
    """Write the network's value of a playout's last state into its shares."""
    if lookahead and seat_to_move(state) != OVER:
        copy_state(state, playing.judge.stack.states[0])
        worth(playing.judge, seat_to_move(state), 1)
    else:
        evaluate_state(playing.judge, state)


@kernel
def _play_outs(playing: Any, start: Any, settings: Any, base: Any, shares: Any) -> None:
    """Average the shares of playouts from a state, with dice common to all siblings."""
    found, state = playing.judge.stack.shares, playing.states[1]
    for seat in range(shares.shape[0]):
        shares[seat] = 0.0
    for number in range(settings.playouts):
        seed_streams(playing.rngs, scramble(base + np.uint64(number + 1)))
        copy_state(start, state)
        play_out(playing, state, playing.rngs, settings.policy, settings.horizon)
        judge_end(playing, state, settings.lookahead)
        for seat in range(shares.shape[0]):
            shares[seat] += found[seat] / settings.playouts
