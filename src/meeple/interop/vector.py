"""Many games of one kind side by side, stepped by compiled rules, for reinforcement learning.

The arrays belong to the environment and are overwritten by the next step: copy what must last.
"""

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import IllegalAction, MeepleError, UsageError
from meeple.games.contract.game import Game
from meeple.interop.rewards import rewards_of
from meeple.kernels import LEGAL, OBSERVE, OVER, PAYOFFS, START, below, invoke2, invoke3, kernel
from meeple.kernels import cache as kernel_cache
from meeple.options import whole_number
from meeple.search.moves import (
    draw_legal,
    list_actions,
    new_moves,
    one_less,
    play,
    play_chance,
    plies_of,
    seat_to_move,
)
from meeple.search.room import faults_reported

Opponents = Literal["none", "random"]
"""Who plays the seats of others: see `VectorEnv`."""
EVERY_SEAT = -1  # the learner's seat where there are no opponents
MAX_STARTS = 1000  # games in a row that end before the learner is to move


class NeverToMove(MeepleError):
    """Every game ended before the learner was to move."""

    def __init__(self) -> None:
        super().__init__(
            f"{MAX_STARTS:,} games in a row ended before the learner was to move: there is nothing "
            "to learn"
        )


class _Games(NamedTuple):
    """What the kernels read and write."""

    rules: Any  # addresses of the game's kernels
    options: Any  # uint8 [bytes], the record of options
    states: Any  # uint8 [N, state_bytes]
    seen: Any  # float32 [N, features]
    legal: Any  # bool [N, num_actions]
    learners: Any  # int8 [N], the learner's seats
    with_opponents: bool
    players: int
    moves: Any  # scratch
    rngs: Any  # [1], the generator of all games
    counts: Any  # int64 [1], the plies played


class VectorEnv:
    """N games, each of which starts anew when it ends.

    With `opponents="none"` every move of every seat is a step: self-play. With "random", each game
    has a seat of the learner, drawn at its start, and the others play random legal moves between
    two steps. Chance outcomes are drawn by the environment. After a step:

    Attributes:
        observations: float32 [N, *observation_shape], what the seat to move may know.
        legal: bool [N, num_actions], its legal actions.
        to_move: int8 [N], the seat to move.
        rewards: float32 [N, players], of games that the step ended, as
            `meeple.interop.rewards.rewards_of` says; else 0.
        ended: bool [N], whether the step ended the game. The other arrays show its successor.
        seats: int8 [N], the learner's seat in the game that the step was played in; the seat that
            made the step if there are no opponents.
        plies: number of plies played so far, those of opponents and chance included.
    """

    def __init__(
        self, game: Game, num_envs: int, seed: int = 0, opponents: Opponents = "none"
    ) -> None:
        """Make the environment and start all games.

        Args:
            game: the game, built-in or of a file.
            num_envs: number of games N.
            seed: determines all randomness.
            opponents: see the class.

        Raises:
            UsageError: an argument is wrong.
        """
        num_envs = whole_number(num_envs, "num_envs", 1)
        if opponents not in ("none", "random"):
            raise UsageError(f"opponents must be none or random, not {opponents!r}")
        self.game, self.num_envs = game, num_envs
        game.compile(START, LEGAL, kernels.PLAY, PAYOFFS, OBSERVE)
        options = np.zeros(1, dtype=game.Options)
        game.encode_options(options[0])
        self._games = _Games(
            rules=game.addresses,
            options=options.view(np.uint8),
            states=np.zeros((num_envs, game.state_bytes), np.uint8),
            seen=np.zeros((num_envs, int(np.prod(game.observation_shape))), np.float32),
            legal=np.zeros((num_envs, game.num_actions), np.bool_),
            learners=np.full(num_envs, EVERY_SEAT, np.int8),
            with_opponents=opponents == "random",
            players=game.seats,  # that learn
            moves=new_moves(game),
            rngs=kernels.new_rng(seed),
            counts=np.zeros(1, np.int64),
        )
        self.observations = self._games.seen.reshape(num_envs, *game.observation_shape)
        self.legal = self._games.legal
        self.to_move = self._games.states[:, 0].view(np.int8)
        self.rewards = np.zeros((num_envs, game.players), np.float32)
        self.ended = np.zeros(num_envs, np.bool_)
        self.seats = np.zeros(num_envs, np.int8)
        self._shares = np.zeros((num_envs, game.players))
        self.reset(seed)

    @property
    def plies(self) -> int:
        """Number of plies since the last reset."""
        return int(self._games.counts[0])

    def reset(self, seed: int = 0) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Start all games anew; return `observations` [N, ...] and `legal` [N, num_actions]."""
        self._games.rngs[:] = kernels.new_rng(seed)
        self._games.counts[0] = 0
        with kernel_cache.compiling("environments"), faults_reported(self.game):
            _start_all(self._games)
        self.ended[:] = False
        self.rewards[:] = 0
        return self.observations, self.legal

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Play an action [N] in each game; return `observations`, `rewards` and `ended`.

        Raises:
            UsageError: `actions` has another shape or type.
            IllegalAction: an action is not legal; no game has changed.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise UsageError(f"actions have the shape ({self.num_envs},), not {given.shape}")
        if given.dtype.kind not in "iu":
            raise UsageError(f"actions are whole numbers, not {given.dtype}")
        # What is not an action stays illegal in 32 bits.
        chosen = np.clip(given, -1, self.game.num_actions).astype(np.int32)
        with kernel_cache.compiling("environments"), faults_reported(self.game):
            wrong = _step(self._games, chosen, self._shares, self.ended, self.seats)
        if wrong >= 0:
            raise IllegalAction(
                f"action {given[wrong]} is not legal in game {wrong}; legal: "
                f"{np.flatnonzero(self.legal[wrong]).tolist()}"
            )
        self.rewards[:] = 0
        if self.ended.any():
            self.rewards[self.ended] = rewards_of(self._shares[self.ended])
        return self.observations, self.rewards, self.ended


@kernel
def _proceed(games: Any, row: int) -> None:
    """Draw outcomes and, if there are opponents, random moves until the learner is to move."""
    state, rng, learner = games.states[row], games.rngs[0], games.learners[row]
    play_chance(games.rules, state, games.moves, rng)
    left = plies_of(games.moves)
    while learner != EVERY_SEAT and seat_to_move(state) != OVER and seat_to_move(state) != learner:
        left = one_less(left)
        play(games.rules, state, draw_legal(games.rules, state, games.moves, rng))
        games.counts[0] += 1
        play_chance(games.rules, state, games.moves, rng)


@kernel
def _start(games: Any, row: int) -> None:
    """Start a game that the learner does not find over; raise NeverToMove if there is none."""
    state = games.states[row]
    for _ in range(MAX_STARTS):
        state[:] = 0
        invoke3(
            games.rules[START], state.ctypes.data, games.options.ctypes.data, games.rngs.ctypes.data
        )
        if games.with_opponents:
            games.learners[row] = below(games.rngs[0], games.players)
        _proceed(games, row)
        if seat_to_move(state) != OVER:
            return
    raise NeverToMove


@kernel
def _look(games: Any, row: int) -> None:
    """Write the observation and the legal actions of the seat to move."""
    state, seen, legal = games.states[row], games.seen[row], games.legal[row]
    seen[:] = 0.0
    invoke3(games.rules[OBSERVE], state.ctypes.data, seat_to_move(state), seen.ctypes.data)
    legal[:] = False
    for move in range(list_actions(games.rules, LEGAL, state, games.moves)):
        legal[games.moves.actions[move]] = True


@kernel
def _start_all(games: Any) -> None:
    for row in range(games.states.shape[0]):
        _start(games, row)
        _look(games, row)


@kernel
def _step(games: Any, actions: Any, shares: Any, ended: Any, seats: Any) -> int:
    """Play an action in each game; return the first row with an illegal one, or -1."""
    for row in range(actions.shape[0]):
        action = actions[row]
        if action < 0 or action >= games.legal.shape[1] or not games.legal[row, action]:
            return row
    for row in range(actions.shape[0]):
        state = games.states[row]
        seats[row] = seat_to_move(state)
        play(games.rules, state, actions[row])
        games.counts[0] += 1
        _proceed(games, row)
        ended[row] = seat_to_move(state) == OVER
        if ended[row]:
            invoke2(games.rules[PAYOFFS], state.ctypes.data, shares[row].ctypes.data)
            _start(games, row)
        _look(games, row)
    return -1
