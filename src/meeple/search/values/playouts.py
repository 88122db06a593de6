"""Playouts of several plans from one decision on common random numbers, within a budget.

A round is a determinization, as the seat to move believes, and a seed of all luck: outcomes are
drawn from a stream for each number of outcomes (`labels.py`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    HEURISTIC,
    LEGAL,
    NARROW,
    OBSERVE,
    PRUNE,
    QUIET,
    SEAT_FEATURES,
    kernel,
)
from meeple.kernels.random_numbers import numpy_rng
from meeple.search.budget import Budget
from meeple.search.determinization import Determinizer
from meeple.search.loading import load_kernels
from meeple.search.moves import copy_state
from meeple.search.room import faults_reported
from meeple.search.values.acceptance import Plan
from meeple.search.values.comparison import MIN_ROUNDS, Comparison
from meeple.search.values.labels import judge_end, new_playing, play_out, seed_streams
from meeple.search.values.lookahead import follow_plan, plan_arrays
from meeple.search.values.network import ValueNetwork

TO_THE_END = 1 << 40  # moves of a playout without a horizon
MAX_ROUNDS = 64  # between two tests


class Players(NamedTuple):
    """Who plays the playouts, and until when."""

    policy: int  # of `labels.py`, for all seats
    horizon: int = TO_THE_END  # moves, after which a network or the heuristic evaluates


class Playouts:
    """Plays plans of one game out. Equal for equal seeds and numbers of playouts."""

    def __init__(
        self,
        game: Game,
        players: Players,
        network: ValueNetwork | None = None,
        determinizer: Determinizer | None = None,
        seed: int = 0,
    ) -> None:
        """Load the kernels.

        Args:
            game: the game to search.
            players: of the playouts.
            network: plays, and evaluates where playouts stop; None: the heuristic evaluates.
            determinizer: shares its beliefs; None: one of its own.
            seed: of all randomness.
        """
        self.game, self.players = game, players
        self._network = network  # keeps the weights alive: `_playing` holds their address
        self._playing = new_playing(game, network)
        self._is_shared = determinizer is not None
        self.determinizer = determinizer or Determinizer(game)
        wanted = (PRUNE, NARROW, HEURISTIC, QUIET, SEAT_FEATURES, OBSERVE, LEGAL)
        load_kernels(game, wanted, self._load)
        self.begin(seed)

    def _load(self) -> None:
        rows = np.zeros((1, self.game.state_bytes), np.uint8)
        self._play(_Block(self.game, rows, np.zeros(1, np.uint64), [(0,)]), 0)

    def begin(self, seed: int) -> None:
        """Reseed the generators for a new game."""
        self._rng, self._luck = kernels.new_rng(seed), numpy_rng(seed)
        if not self._is_shared:
            self.determinizer.begin(seed)

    def compare(
        self, position: Position, plans: Sequence[Plan], comparison: Comparison, budget: Budget
    ) -> int:
        """Add rounds of a decision's plans until one is left or the budget is spent.

        The budget is looked at between playouts. Returns the number of playouts.
        """
        block: _Block | None = None

        def run(wanted: int) -> int:
            nonlocal block
            done = 0
            while done < wanted and not comparison.decided:
                block = block or self._open(position, plans, comparison)
                done += self._play(block, wanted - done)
                if block.done == block.size:
                    comparison.add(block.found)
                    block = None
            return done

        played = budget.spend(run)
        if block is not None and (rounds := block.done // len(comparison.left)):
            comparison.add(block.found[:rounds])
        return played

    def _open(self, position: Position, plans: Sequence[Plan], comparison: Comparison) -> "_Block":
        """Draw the next rounds: as many as there were, within limits."""
        rounds = min(max(MIN_ROUNDS, int(comparison.rounds.max())), MAX_ROUNDS)
        rows = np.zeros((rounds, self.game.state_bytes), np.uint8)
        self.determinizer.fill(position, rows, self._rng)
        seeds = self._luck.integers(2**64, size=rounds, dtype=np.uint64)
        return _Block(self.game, rows, seeds, [plans[plan] for plan in comparison.left.tolist()])

    def _play(self, block: "_Block", wanted: int) -> int:
        """Play the next playouts of a block; return how many."""
        first = block.done
        block.done = min(first + wanted, block.size)
        with faults_reported(self.game):
            _play_block(self._playing, self.players, block.memory, first, block.done)
        return block.done - first


class _Block:
    """Rounds of plans: playout n is of plan n % K in round n // K."""

    def __init__(
        self,
        game: Game,
        rows: npt.NDArray[np.uint8],
        seeds: npt.NDArray[np.uint64],
        plans: Sequence[Plan],
    ) -> None:
        self.found = np.zeros((len(rows), len(plans), game.players))
        self.done, self.size = 0, len(rows) * len(plans)
        self.memory = _Rounds(rows, seeds, *plan_arrays(plans), self.found)


class _Rounds(NamedTuple):
    """Rounds as the kernel's argument: W determinizations of K plans."""

    rows: npt.NDArray[np.uint8]  # [W, state bytes]
    seeds: npt.NDArray[np.uint64]  # [W] of luck
    plans: npt.NDArray[np.int32]  # [K, L]
    lengths: npt.NDArray[np.int64]  # [K] actions of each plan
    found: npt.NDArray[np.float64]  # [W, K, P] shares; NaN where a plan is not allowed


@kernel
def _play_block(playing: Any, players: Any, rounds: Any, first: int, last: int) -> None:
    """Play the playouts `first` to `last` - 1."""
    state, count = playing.states[1], rounds.plans.shape[0]
    for number in range(first, last):
        row, plan = number // count, number % count
        copy_state(rounds.rows[row], state)
        actions = rounds.plans[plan, : rounds.lengths[plan]]
        possible = follow_plan(playing.heuristic, state, actions)
        if possible:
            seed_streams(playing.rngs, rounds.seeds[row])
            play_out(playing, state, playing.rngs, players.policy, players.horizon)
            judge_end(playing, state, False)
        for seat in range(rounds.found.shape[2]):
            share = playing.judge.stack.shares[seat]
            rounds.found[row, plan, seat] = share if possible else np.nan
