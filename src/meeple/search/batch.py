"""A batch of states of one game: observed, played and scored by compiled loops."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CHANCE,
    LEGAL,
    OBSERVE,
    OVER,
    OWNERSHIP,
    PAYOFFS,
    below,
    invoke2,
    invoke3,
    kernel,
    new_rng,
    uniform,
)
from meeple.search.moves import (
    draw_outcome,
    list_actions,
    new_moves,
    play,
    play_chance,
    seat_to_move,
)
from meeple.search.room import faults_reported

_NO_RNG = new_rng(0)  # for calls that draw nothing


class StateBatch:
    """B states of one game, as rows of bytes that the batch owns or views.

    A method with `rows` (int32 indices) acts on those states only.
    """

    def __init__(self, game: Game, states: npt.NDArray[np.uint8]) -> None:
        """`states`: uint8 [B, state_bytes]; changed in place by `play`."""
        self.game = game
        self.states = states
        self._moves = new_moves(game)

    def __len__(self) -> int:
        return len(self.states)

    def copy(self, rows: npt.NDArray[np.int32] | None = None) -> "StateBatch":
        """An independent batch of all states, or of some."""
        return StateBatch(self.game, self.states.copy() if rows is None else self.states[rows])

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """[B] the seat to move, CHANCE or OVER."""
        return self.states[:, 0].view(np.int8)

    def observe(
        self, rows: npt.NDArray[np.int32] | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """What the mover of each state sees [B, *observation_shape], and what is legal [B, A].

        The states must be decisions: neither over nor at a chance node.
        """
        self.game.compile(OBSERVE)
        chosen = np.arange(len(self), dtype=np.int32) if rows is None else rows
        size = int(np.prod(self.game.observation_shape))
        observations = np.zeros((len(chosen), size), dtype=np.float32)
        legal = np.zeros((len(chosen), self.game.num_actions), dtype=np.bool_)
        with faults_reported(self.game):
            _observe(self.game.addresses, self.states, chosen, observations, legal, self._moves)
        return observations.reshape(len(chosen), *self.game.observation_shape), legal

    def play(
        self, actions: npt.NDArray[np.int32], rng: Any, rows: npt.NDArray[np.int32] | None = None
    ) -> None:
        """Play a legal action in each state, then all chance outcomes that follow, drawn by `rng`.

        `actions`: [B], or as long as `rows`. Nothing is checked.
        """
        chosen = np.arange(len(self), dtype=np.int32) if rows is None else rows
        with faults_reported(self.game):
            _play(self.game.addresses, self.states, chosen, actions, self._moves, rng, True)

    def step(self, actions: npt.NDArray[np.int32], rows: npt.NDArray[np.int32]) -> None:
        """Play one legal action, or chance outcome, in each of these states, and no more."""
        _play(self.game.addresses, self.states, rows, actions, self._moves, _NO_RNG, False)

    def draw_outcomes(self, rng: Any, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """[n] an outcome for each of these states, all at chance nodes: drawn, but not played."""
        outcomes = np.zeros(len(rows), dtype=np.int32)
        with faults_reported(self.game):
            _draw(self.game.addresses, self.states, rows, self._moves, rng, outcomes)
        return outcomes

    def live(self) -> npt.NDArray[np.int32]:
        """[n] the states that are not over, as row numbers."""
        return np.flatnonzero(self.to_move != OVER).astype(np.int32)

    def payoffs(self) -> npt.NDArray[np.float64]:
        """The shares of states that are all over: [B, players]."""
        shares = np.zeros((len(self), self.game.players))
        _payoffs(self.game.addresses, self.states, shares)
        return shares

    def ownership(self) -> npt.NDArray[np.int8]:
        """The seat that owns each cell of states that are all over, or -1: [B, num_cells].

        For games with that kernel, see `Game.has`.
        """
        self.game.compile(OWNERSHIP)
        owners = np.zeros((len(self), self.game.num_cells), dtype=np.int8)
        _ownership(self.game.addresses, self.states, owners)
        return owners


def start_positions(game: Game, seeds: Iterable[int]) -> list[Position]:
    """Opening positions, one for each seed, with chance moves at the start played."""
    positions = [game.start(seed) for seed in seeds]
    for position in positions:
        while position.to_move == CHANCE:
            position.play_chance()
    return positions


def start_states(game: Game, seeds: Sequence[int]) -> npt.NDArray[np.uint8]:
    """The states of `start_positions`: [B, bytes]."""
    return np.stack([position.row for position in start_positions(game, seeds)])


@kernel
def _observe(rules: Any, states: Any, rows: Any, out: Any, legal: Any, moves: Any) -> None:
    for index in range(rows.shape[0]):
        state = states[rows[index]]
        for move in range(list_actions(rules, LEGAL, state, moves)):
            legal[index, moves.actions[move]] = True
        mover = seat_to_move(state)
        invoke3(rules[OBSERVE], state.ctypes.data, mover, out[index].ctypes.data)


@kernel
def _play(
    rules: Any, states: Any, rows: Any, actions: Any, moves: Any, rngs: Any, with_chance: bool
) -> None:
    for index in range(rows.shape[0]):
        state = states[rows[index]]
        play(rules, state, actions[index])
        if with_chance:
            play_chance(rules, state, moves, rngs[0])


@kernel
def _ownership(rules: Any, states: Any, owners: Any) -> None:
    for index in range(states.shape[0]):
        invoke2(rules[OWNERSHIP], states[index].ctypes.data, owners[index].ctypes.data)


@kernel
def _draw(rules: Any, states: Any, rows: Any, moves: Any, rngs: Any, outcomes: Any) -> None:
    for index in range(rows.shape[0]):
        outcomes[index] = draw_outcome(rules, states[rows[index]], moves, rngs[0])


@kernel
def _payoffs(rules: Any, states: Any, shares: Any) -> None:
    for row in range(states.shape[0]):
        invoke2(rules[PAYOFFS], states[row].ctypes.data, shares[row].ctypes.data)


@kernel
def choose_epsilon_greedy(policy: Any, legal: Any, epsilon: float, rngs: Any, out: Any) -> None:
    """In each row the most probable action, or with probability epsilon any legal one.

    `policy` [B, A], zero where illegal; `out` int32 [B]; consumes `rngs`.
    """
    for row in range(policy.shape[0]):
        if epsilon > 0.0 and uniform(rngs[0]) < epsilon:
            count = 0
            for action in range(policy.shape[1]):
                count += legal[row, action]
            left = below(rngs[0], count)
            for action in range(policy.shape[1]):
                if legal[row, action]:
                    if left == 0:
                        out[row] = action
                        break
                    left -= 1
            continue
        best = -1
        for action in range(policy.shape[1]):
            if legal[row, action] and (best < 0 or policy[row, action] > policy[row, best]):
                best = action
        out[row] = best


@kernel
def choose_by_probability(policy: Any, legal: Any, rngs: Any, out: Any) -> None:
    """In each row an action drawn by the policy [B, A]; `out` int32 [B]; consumes `rngs`."""
    for row in range(policy.shape[0]):
        total = 0.0
        for action in range(policy.shape[1]):
            if legal[row, action]:
                total += policy[row, action]
        draw = uniform(rngs[0]) * total
        last = -1
        for action in range(policy.shape[1]):
            if legal[row, action]:
                last = action
                draw -= policy[row, action]
                if draw < 0.0:
                    break
        out[row] = last
