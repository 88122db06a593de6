"""Games of a pattern evaluation against itself, and what it learns from them, in kernels.

Temporal differences as in Jaskowski, "Systematic n-tuple networks for Othello position evaluation",
2014, with TD(lambda), and temporal coherence step sizes (Beal and Smith, "Temporal coherence and
prediction decay in TD learning", 1999): the step of a weight is the share of its changes that did
not cancel out.

Games choose and learn by copies of the weights at the places of all views and entries, so that a
move is evaluated from the placements that it changes, without looking up which weight an entry has.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    OVER,
    PAYOFFS,
    below,
    inlined,
    invoke2,
    kernel,
    new_rng,
    uniform,
)
from meeple.search.moves import Moves, copy_and_play, copy_state, new_moves, play_chance
from meeple.search.patterns.contents import BOTH_SEATS, write_contents
from meeple.search.patterns.evaluation import change_entries, observe_cells, softmax, sum_of
from meeple.search.room import PliesExceeded, fits
from meeple.search.selective import list_searched, wins_by_force

STARTS = 32  # seeds of the starting positions, most of which are equal in most games
NO_VIEW = -1
CURRENT, TRIED = range(2)  # rows of `GameMemory.states`

Floats = npt.NDArray[np.float32]


class Learned(NamedTuple):
    """What is learned, by place: of each view and entry, and last of the bias; P places.

    The sums of the changes of a weight decide its next step. Where several places share a weight,
    each has a copy of it and of its sums.
    """

    weights: Floats  # [stages, P]
    sums: Floats  # [stages, P, 2] of changes, and of their absolute values
    next: npt.NDArray[np.int32]  # [P] the next place with the same weight, in a ring; [1] if alone


def new_learned(places: npt.NDArray[np.int64], stages: int) -> Learned:
    """Return zeros, and the rings of places [P] with the same weight."""
    order = np.argsort(places, kind="stable")
    first = np.flatnonzero(np.diff(places[order], prepend=-1))  # in `order`, of each weight
    following = np.arange(1, len(order) + 1)
    following[np.append(first[1:], len(order)) - 1] = first
    ring = np.zeros(len(order), np.int32)
    ring[order] = order[following]
    alone = len(first) == len(order)
    return Learned(
        np.zeros((stages, len(places)), np.float32),
        np.zeros((stages, len(places), 2), np.float32),
        np.zeros(1, np.int32) if alone else ring,
    )


class GameMemory(NamedTuple):
    """Rules and memory of a game that is played and learned from; T plies, B bytes of a state."""

    rules: npt.NDArray[np.int64]
    rng: npt.NDArray[np.void]  # [1]
    starts: npt.NDArray[np.uint8]  # [S, B] from which games begin
    states: npt.NDArray[np.uint8]  # [2, B]
    moves: Moves
    shares: npt.NDArray[np.float64]  # [players] of the result
    tried: npt.NDArray[np.int32]  # [C] the actions between which a move is chosen
    base_view: npt.NDArray[np.int64]  # [1] of `base_logit`, or NO_VIEW
    base_logit: npt.NDArray[np.float64]  # [1] of the position before the moves that are compared
    targets: npt.NDArray[np.float64]  # [players] that a position learns
    estimate: npt.NDArray[np.float64]  # [players] of a position, by the weights
    visited: npt.NDArray[np.uint8]  # [T, B] states after each ply
    explored: npt.NDArray[np.bool_]  # [T] whether the ply was a random one
    flag: npt.NDArray[np.int8]  # [1]
    distance: npt.NDArray[np.int32]  # [1]


class TdSettings(NamedTuple):
    """How games are played and learned from."""

    step: float = 4.0  # change of a logit by one unit of error, before temporal coherence
    decay: float = 0.7  # lambda of TD(lambda)
    exploration: float = 0.1  # probability of a random move
    opening: int = 10  # maximum number of random moves at the beginning of a game


def new_game_memory(game: Game) -> GameMemory:
    """Allocate the memory of a game."""
    return GameMemory(
        rules=game.addresses,
        rng=new_rng(0),
        starts=np.unique([game.start(seed).row for seed in range(STARTS)], axis=0),
        states=np.zeros((2, game.state_bytes), np.uint8),
        moves=new_moves(game),
        shares=np.zeros(game.players),
        tried=np.zeros(game.max_moves, np.int32),
        base_view=np.zeros(1, np.int64),
        base_logit=np.zeros(1),
        targets=np.zeros(game.players),
        estimate=np.zeros(game.players),
        visited=np.zeros((game.max_plies + 1, game.state_bytes), np.uint8),
        explored=np.zeros(game.max_plies + 1, np.bool_),
        flag=np.zeros(1, np.int8),
        distance=np.zeros(1, np.int32),
    )


@kernel
def learn_from_games(tables: Any, learned: Any, play: Any, games: int, settings: Any) -> float:
    """Play games and learn from each; return the sum of their mean squared errors."""
    total = 0.0
    for _ in range(games):
        opening = _drawn_opening(play, settings)
        plies = _play_game(tables, learned, play, settings.exploration, opening)
        total += _learn_backwards(tables, learned, play, plies, settings)
    return total


@kernel
def examples_of_game(tables: Any, learned: Any, play: Any, settings: Any, found: Any) -> int:
    """Play a game; write stage, logit and result of the positions after its random moves."""
    random = _drawn_opening(play, settings)
    plies = _play_game(tables, learned, play, settings.exploration, random)
    count = 0
    for ply in range(max(random - 1, 0), plies - 1):
        mover = np.int64(np.int8(play.visited[ply, 0]))
        observe_cells(tables, play.visited[ply].ctypes.data)
        stage = tables.stage_of[tables.occupied]
        found.stages[count] = stage
        found.logits[count] = _sum_of(tables, learned, stage, mover)
        found.shares[count] = play.shares[mover]
        count += 1
    return count


@kernel
def sample_positions(
    tables: Any, learned: Any, play: Any, games: int, settings: Any, stage: int, found: Any
) -> int:
    """Play games until `found` is full of positions of a stage; return how many were found."""
    count = 0
    for _ in range(games):
        if count == found.shape[0]:
            break
        opening = _drawn_opening(play, settings)
        plies = _play_game(tables, learned, play, settings.exploration, opening)
        seen = 0
        for ply in range(plies - 1):  # the last one is over, or decided
            observe_cells(tables, play.visited[ply].ctypes.data)
            if tables.stage_of[tables.occupied] == stage:
                seen += 1
                if below(play.rng[0], seen) == 0:
                    copy_state(play.visited[ply], found[count])
        count += seen > 0
    return count


@inlined
def _drawn_opening(play: Any, settings: Any) -> int:
    """Draw the number of random moves at the beginning of a game."""
    return int(below(play.rng[0], settings.opening + 1))


@kernel
def _play_game(tables: Any, learned: Any, play: Any, exploration: float, opening: int) -> int:
    """Play a game with the best moves by the evaluation, or random ones; return its plies.

    The result is in `play.shares`. A position that the mover wins by threats ends the game. Chance
    outcomes are drawn, and their states are not among the visited. Raises PliesExceeded at a game
    longer than `max_plies`.
    """
    rules, states, rng, ply = play.rules, play.states, play.rng[0], 0
    copy_state(play.starts[below(rng, play.starts.shape[0])], states[CURRENT])
    play_chance(rules, states[CURRENT], play.moves, rng)
    while not wins_by_force(rules, states[CURRENT], play.distance, play.shares):
        if np.int64(np.int8(states[CURRENT, 0])) == OVER:
            invoke2(rules[PAYOFFS], states[CURRENT].ctypes.data, play.shares.ctypes.data)
            break
        count = list_searched(rules, states[CURRENT], play.moves, play.flag)
        random = ply < opening or (count > 1 and uniform(rng) < exploration)
        if random:
            action = np.int64(play.moves.actions[below(rng, count)])
        else:
            action = best_action(tables, learned, play, count)
        copy_and_play(rules, states, CURRENT, TRIED, action)
        copy_state(states[TRIED], states[CURRENT])
        play_chance(rules, states[CURRENT], play.moves, rng)
        if not fits(play.visited, ply + 1):
            raise PliesExceeded
        copy_state(states[CURRENT], play.visited[ply])
        play.explored[ply] = random
        ply += 1
    return ply


@kernel
def best_action(tables: Any, learned: Any, play: Any, count: int) -> Any:
    """Return the listed action whose position is best for the mover; the first of equal ones.

    Where chance moves next, one outcome is drawn.
    """
    rules, states, rng = play.rules, play.states, play.rng[0]
    mover = np.int64(np.int8(states[CURRENT, 0]))
    best, best_share = np.int64(play.moves.actions[0]), -1.0
    if count == 1:
        return best
    for index in range(count):
        play.tried[index] = play.moves.actions[index]
    observe_cells(tables, states[CURRENT].ctypes.data)
    play.base_view[0] = NO_VIEW
    for index in range(count):
        action = np.int64(play.tried[index])
        next_mover = copy_and_play(rules, states, CURRENT, TRIED, action)
        if next_mover == CHANCE:
            play_chance(rules, states[TRIED], play.moves, rng)
            next_mover = np.int64(np.int8(states[TRIED, 0]))
        if next_mover == OVER:
            invoke2(rules[PAYOFFS], states[TRIED].ctypes.data, play.shares.ctypes.data)
            share = play.shares[mover]
        elif wins_by_force(rules, states[TRIED], play.distance, play.shares):
            share = play.shares[mover]
        elif is_pair(tables):
            logit = _logit_after(tables, learned, play, states[TRIED], next_mover)
            share = 1.0 / (1.0 + np.exp(-logit))
            share = share if next_mover == mover else 1.0 - share
        else:
            estimate_shares(tables, learned, states[TRIED], play.estimate)
            share = play.estimate[mover]
        if share > best_share:
            best, best_share = action, share
    return best


@inlined
def is_pair(tables: Any) -> Any:
    """Whether the game has two players, so that the logit of one tells all."""
    return tables.weight_of.shape[0] == BOTH_SEATS


@inlined
def _sum_of(tables: Any, learned: Any, stage: int, view: int) -> Any:
    """The logit of a view by the entries of all placements."""
    bias = learned.weights[stage, learned.weights.shape[1] - 1]
    weights = learned.weights[stage, _first_place(tables, view) :]
    return np.float64(sum_of(weights, tables.entries, bias))


@inlined
def _logit_after(tables: Any, learned: Any, play: Any, state: Any, mover: int) -> Any:
    """The mover's logit in a state after a move from the position that was observed last.

    The entries are changed for it and changed back.
    """
    stage = tables.stage_of[tables.occupied]
    if play.base_view[0] != mover:
        play.base_view[0], play.base_logit[0] = mover, _sum_of(tables, learned, stage, mover)
    write_contents(tables, state.ctypes.data)
    weights, before = learned.weights[stage, _first_place(tables, mover) :], tables.before
    logit = change_entries(tables, before, tables.cells, weights, play.base_logit[0])
    if tables.stage_of[tables.occupied] != stage:
        logit = _sum_of(tables, learned, tables.stage_of[tables.occupied], mover)
    change_entries(tables, tables.cells, before, weights[:1], 0.0)
    return logit


@inlined
def estimate_shares(tables: Any, learned: Any, state: Any, shares: Any) -> None:
    """Write the shares of all seats in an unfinished state, which is observed for a change."""
    mover, players = np.int64(np.int8(state[0])), shares.shape[0]
    observe_cells(tables, state.ctypes.data)
    stage = tables.stage_of[tables.occupied]
    if is_pair(tables):
        shares[mover] = 1.0 / (1.0 + np.exp(-_sum_of(tables, learned, stage, mover)))
        shares[1 - mover] = 1.0 - shares[mover]
        return
    for seat in range(players):
        shares[seat] = _sum_of(tables, learned, stage, mover * players + seat)
    softmax(shares, players)


@kernel
def _learn_backwards(tables: Any, learned: Any, play: Any, plies: int, settings: Any) -> float:
    """Move each position's shares towards what followed it; return the mean squared error."""
    errors, positions, decay, players = 0.0, 0, settings.decay, play.shares.shape[0]
    for seat in range(players):
        play.targets[seat] = play.shares[seat]
    for ply in range(plies - 2, -1, -1):
        estimate_shares(tables, learned, play.visited[ply], play.estimate)
        mover = np.int64(np.int8(play.visited[ply, 0]))
        for seat in range(players):
            error = play.targets[seat] - play.estimate[seat]
            if not is_pair(tables):
                view = mover * players + seat
                change_weights(tables, learned, view, error, settings.step)
            elif seat == mover:
                change_weights(tables, learned, mover, error, settings.step)
            errors += error * error / players
            if play.explored[ply]:
                play.targets[seat] = play.estimate[seat]
            else:
                play.targets[seat] -= (1.0 - decay) * error
        positions += 1
    return float(errors / max(positions, 1))


@inlined
def _first_place(tables: Any, view: int) -> Any:
    return view * tables.weight_of.shape[1]


@kernel
def change_weights(tables: Any, learned: Any, view: int, error: float, step: float) -> None:
    """Move a view's logit in the position that was observed last by `step * error`."""
    stage = tables.stage_of[tables.occupied]
    placements, first = tables.entries.shape[0] - 1, _first_place(tables, view)
    change = np.float32(step * error / (placements + 1))
    for placement in range(placements):
        place = np.int64(first + tables.entries[placement])
        _change_weight(learned, stage, place, change)
        if learned.next.shape[0] > 1:
            other = np.int64(learned.next[place])
            while other != place:
                learned.weights[stage, other] = learned.weights[stage, place]
                learned.sums[stage, other, 0] = learned.sums[stage, place, 0]
                learned.sums[stage, other, 1] = learned.sums[stage, place, 1]
                other = np.int64(learned.next[other])
    _change_weight(learned, stage, learned.weights.shape[1] - 1, change)


@inlined
def _change_weight(learned: Any, stage: int, place: int, change: Any) -> None:
    sums, coherence = learned.sums, np.float32(1.0)
    if sums[stage, place, 1] > 0.0:
        coherence = abs(sums[stage, place, 0]) / sums[stage, place, 1]
    learned.weights[stage, place] += coherence * change
    sums[stage, place, 0] += change
    sums[stage, place, 1] += abs(change)
