"""Learning the weights of patterns, in kernels: by temporal differences, and from labels.

Temporal differences as in Jaskowski, "Systematic n-tuple networks for Othello position evaluation",
2014, with TD(lambda), and temporal coherence step sizes (Beal and Smith, "Temporal coherence and
prediction decay in TD learning", 1999): the step of a weight is the share of its changes that did
not cancel out.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import (
    OVER,
    PAYOFFS,
    below,
    inlined,
    invoke2,
    kernel,
    new_rng,
    uniform,
)
from meeple.search.moves import Moves, copy_and_play, copy_state, new_moves
from meeple.search.patterns.evaluation import PatternEvaluation, logit_of, observe_cells
from meeple.search.room import PliesExceeded, fits, max_plies_reported
from meeple.search.selective import list_searched, wins_by_force

NEWTON_STEPS = 20
FACTOR_LIMITS = (0.05, 20.0)  # of logits
GAMES_PER_POSITION = 2  # at most, to find positions of a stage

CURRENT, TRIED = range(2)  # rows of `GameMemory.states`

Floats = npt.NDArray[np.float32]


class Steps(NamedTuple):
    """The sums of changes of each weight, by which its step is chosen; as `weights` in shape."""

    net: Floats
    absolute: Floats


class GameMemory(NamedTuple):
    """Rules and memory of a game that is played and learned from; T plies, B bytes of a state."""

    rules: npt.NDArray[np.int64]
    rng: npt.NDArray[np.void]  # [1]
    start: npt.NDArray[np.uint8]  # [B]
    states: npt.NDArray[np.uint8]  # [2, B]
    moves: Moves
    shares: npt.NDArray[np.float64]  # [2]
    visited: npt.NDArray[np.uint8]  # [T, B] states after each ply
    explored: npt.NDArray[np.bool_]  # [T] whether the ply was a random one
    flag: npt.NDArray[np.int8]  # [1]
    distance: npt.NDArray[np.int32]  # [1]


class Examples(NamedTuple):
    """Positions of games, for the player to move in each; N positions."""

    stages: npt.NDArray[np.int32]  # [N]
    logits: npt.NDArray[np.float64]  # [N] by the evaluation
    shares: npt.NDArray[np.float64]  # [N] results of the games


class TdSettings(NamedTuple):
    """How games are played and learned from."""

    step: float = 1.0  # change of a logit by one unit of error, before temporal coherence
    decay: float = 0.7  # lambda of TD(lambda)
    exploration: float = 0.1  # probability of a random move
    opening: int = 10  # maximum number of random moves at the beginning of a game


def new_steps(evaluation: PatternEvaluation) -> Steps:
    """Return the sums before any change: every weight takes full steps."""
    shape = evaluation.weights.shape
    return Steps(np.zeros(shape, np.float32), np.zeros(shape, np.float32))


def new_game_memory(game: Game) -> GameMemory:
    """Allocate the memory of a game."""
    return GameMemory(
        rules=game.addresses,
        rng=new_rng(0),
        start=game.start(0).row.copy(),
        states=np.zeros((2, game.state_bytes), np.uint8),
        moves=new_moves(game.max_moves),
        shares=np.zeros(2),
        visited=np.zeros((game.max_plies + 1, game.state_bytes), np.uint8),
        explored=np.zeros(game.max_plies + 1, np.bool_),
        flag=np.zeros(1, np.int8),
        distance=np.zeros(1, np.int32),
    )


class PatternLearner:
    """Learns the weights of an evaluation from games against itself."""

    def __init__(self, game: Game, evaluation: PatternEvaluation) -> None:
        """Allocate the memory; the weights of `evaluation` are learned in place."""
        self.evaluation, self.steps = evaluation, new_steps(evaluation)
        self._game, self._play = game, new_game_memory(game)
        self.begin(0)

    def begin(self, *seed: int) -> None:
        """Let all games from now on depend on a seed."""
        self._play.rng[:] = new_rng(*seed)

    def learn(self, games: int, settings: TdSettings) -> float:
        """Play games and learn from each; return the mean squared error of the shares."""
        with max_plies_reported(self._game):
            total = learn_from_games(self._tables, self._play, self.steps, games, settings)
        return float(total) / games

    def examples(self, games: int, settings: TdSettings) -> Examples:
        """Play games without learning; return their positions."""
        found = []
        for _ in range(games):
            plies = self._game.max_plies
            example = Examples(np.zeros(plies, np.int32), np.zeros(plies), np.zeros(plies))
            with max_plies_reported(self._game):
                count = examples_of_game(self._tables, self._play, settings, example)
            found.append([values[:count] for values in example])
        return Examples(*map(np.concatenate, zip(*found, strict=True)))

    def positions(self, count: int, stage: int, settings: TdSettings) -> npt.NDArray[np.uint8]:
        """Play games without learning; return [N, B] different positions of a stage.

        N is at most `count`. A game gives one of its positions at random, and at most
        `GAMES_PER_POSITION * count` games are played.
        """
        found = np.zeros((count, self._game.state_bytes), np.uint8)
        games = GAMES_PER_POSITION * count
        with max_plies_reported(self._game):
            length = sample_positions(self._tables, self._play, games, settings, stage, found)
        _, first = np.unique(found[:length], axis=0, return_index=True)
        return found[np.sort(first)]

    @property
    def _tables(self) -> Any:
        return self.evaluation.memory[0]


def fitted_factors(examples: Examples, stages: int) -> npt.NDArray[np.float64]:
    """Return [stages] the factors of logits that predict the results best; 1 without examples.

    The factor of each stage maximizes the likelihood of the results, by Newton's method.
    """
    factors = np.ones(stages)
    for stage in range(stages):
        here = examples.stages == stage
        logits, shares = examples.logits[here], examples.shares[here]
        for _ in range(NEWTON_STEPS):
            expected = 1.0 / (1.0 + np.exp(-factors[stage] * logits))
            curvature = float(expected * (1.0 - expected) @ logits**2)
            if curvature <= 0.0:
                break
            change = float((shares - expected) @ logits) / curvature
            factors[stage] = np.clip(factors[stage] + change, *FACTOR_LIMITS)
    return factors


@kernel
def learn_from_games(tables: Any, play: Any, steps: Any, games: int, settings: Any) -> float:
    """Play games and learn from each; return the sum of their mean squared errors."""
    total = 0.0
    for _ in range(games):
        plies = _play_game(tables, play, settings.exploration, _drawn_opening(play, settings))
        total += _learn_backwards(tables, play, steps, plies, settings)
    return total


@kernel
def examples_of_game(tables: Any, play: Any, settings: Any, found: Any) -> int:
    """Play a game; write stage, logit and result of the positions after its random moves."""
    random = _drawn_opening(play, settings)
    plies = _play_game(tables, play, settings.exploration, random)
    count = 0
    for ply in range(max(random - 1, 0), plies - 1):
        mover = np.int64(np.int8(play.visited[ply, 0]))
        observe_cells(tables, play.visited[ply].ctypes.data)
        found.stages[count] = tables.stage_of[tables.occupied]
        found.logits[count] = logit_of(tables, mover)
        found.shares[count] = play.shares[mover]
        count += 1
    return count


@kernel
def sample_positions(
    tables: Any, play: Any, games: int, settings: Any, stage: int, found: Any
) -> int:
    """Play games until `found` is full of positions of a stage; return how many were found."""
    count = 0
    for _ in range(games):
        if count == found.shape[0]:
            break
        plies = _play_game(tables, play, settings.exploration, _drawn_opening(play, settings))
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
def _play_game(tables: Any, play: Any, exploration: float, opening: int) -> int:
    """Play a game with the best moves by the evaluation, or random ones; return its plies.

    The result is in `play.shares`. A position that the mover wins by threats ends the game. Raises
    PliesExceeded at a game longer than `max_plies`.
    """
    rules, states, rng, ply = play.rules, play.states, play.rng[0], 0
    copy_state(play.start, states[CURRENT])
    while not wins_by_force(rules, states[CURRENT], play.distance, play.shares):
        if np.int64(np.int8(states[CURRENT, 0])) == OVER:
            invoke2(rules[PAYOFFS], states[CURRENT].ctypes.data, play.shares.ctypes.data)
            break
        count = list_searched(rules, states[CURRENT], play.moves, play.flag)
        random = ply < opening or (count > 1 and uniform(rng) < exploration)
        if random:
            action = np.int64(play.moves.actions[below(rng, count)])
        else:
            action = best_action(tables, play, count)
        copy_and_play(rules, states, CURRENT, TRIED, action)
        copy_state(states[TRIED], states[CURRENT])
        if not fits(play.visited, ply + 1):
            raise PliesExceeded
        copy_state(states[CURRENT], play.visited[ply])
        play.explored[ply] = random
        ply += 1
    return ply


@kernel
def best_action(tables: Any, play: Any, count: int) -> Any:
    """Return the listed action whose position is best for the mover; the first of equal ones."""
    rules, states = play.rules, play.states
    mover = np.int64(np.int8(states[CURRENT, 0]))
    best, best_share = np.int64(play.moves.actions[0]), -1.0
    if count == 1:
        return best
    for index in range(count):
        action = np.int64(play.moves.actions[index])
        next_mover = copy_and_play(rules, states, CURRENT, TRIED, action)
        if next_mover == OVER:
            invoke2(rules[PAYOFFS], states[TRIED].ctypes.data, play.shares.ctypes.data)
            share = play.shares[mover]
        elif wins_by_force(rules, states[TRIED], play.distance, play.shares):
            share = play.shares[mover]
        else:
            share = share_of(tables, states[TRIED], mover)
        if share > best_share:
            best, best_share = action, share
    return best


@inlined
def share_of(tables: Any, state: Any, seat: int) -> Any:
    """The share of a seat in an unfinished state, which is observed for a later change."""
    mover = np.int64(np.int8(state[0]))
    observe_cells(tables, state.ctypes.data)
    share = 1.0 / (1.0 + np.exp(-logit_of(tables, mover)))
    return share if mover == seat else 1.0 - share


@kernel
def _learn_backwards(tables: Any, play: Any, steps: Any, plies: int, settings: Any) -> float:
    """Move each position's share towards what followed it; return the mean squared error."""
    target, errors, learned, decay = play.shares[0], 0.0, 0, settings.decay
    for ply in range(plies - 2, -1, -1):
        state = play.visited[ply]
        share = share_of(tables, state, 0)
        mover = np.int64(np.int8(state[0]))
        error = target - share
        errors += error * error
        learned += 1
        change_weights(tables, steps, mover, error if mover == 0 else -error, settings.step)
        if play.explored[ply]:
            target = share
        else:
            target = decay * target + (1.0 - decay) * share
    return errors / max(learned, 1)


@kernel
def change_weights(tables: Any, steps: Any, mover: int, error: float, step: float) -> None:
    """Move the mover's logit in the position that was observed last by `step * error`."""
    stage = tables.stage_of[tables.occupied]
    placements = tables.entries.shape[0] - 1
    change = np.float32(step * error / (placements + 1))
    for placement in range(placements):
        weight = tables.weight_of[mover, tables.entries[placement]]
        _change_weight(tables, steps, stage, weight, change)
    _change_weight(tables, steps, stage, tables.weights.shape[1] - 1, change)


@inlined
def _change_weight(tables: Any, steps: Any, stage: int, weight: int, change: Any) -> None:
    coherence = np.float32(1.0)
    if steps.absolute[stage, weight] > 0.0:
        coherence = abs(steps.net[stage, weight]) / steps.absolute[stage, weight]
    tables.weights[stage, weight] += coherence * change
    steps.net[stage, weight] += change
    steps.absolute[stage, weight] += abs(change)
