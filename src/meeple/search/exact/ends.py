"""Exact ends of games: proves positions within a budget, with one table for many games.

Two questions of `proof_number` decide a position of a game of two players: can the one seat force
the whole win, and can the other? If neither can, no share is larger than the largest one below a
win that the searches met; if that is a half, the position is a draw. Positions with other values
than a win, a draw or a loss stay open.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, LEGAL, kernel
from meeple.kernels import cache as kernel_cache
from meeple.kernels.table import is_compilation_deferred
from meeple.search.exact import proof_number as pn
from meeple.search.machine.leaves import known_shares
from meeple.search.moves import (
    copy_and_play,
    copy_state,
    list_actions,
    seat_to_move,
)
from meeple.search.room import faults_reported

TABLE_SLOTS = 1 << 18  # about 98,000 positions: 3 MB
MAX_STACK_BYTES = 64_000_000  # of a search; a game that needs more is not solved

UNDECIDED, NO, YES = range(-1, 2)  # answers: of a question, and whether an action keeps the result
WIN, DRAW, LOSS = 1.0, 0.5, 0.0  # shares
OPEN, MET_CHANCE = -1.0, -2.0  # what `_prove` returns in the place of a share


class End(NamedTuple):
    """A proven position: its payoffs, and which actions keep them."""

    payoffs: npt.NDArray[np.float64]  # [2]
    keeping: npt.NDArray[np.int32]  # [K] actions that are proven to keep the payoffs, K > 0
    complete: bool  # whether all other legal actions are proven to lose some share


class ExactEnds:
    """Proves positions of one game; what is proven for one position serves the next ones."""

    def __init__(self, game: Game, slots: int = TABLE_SLOTS) -> None:
        """Allocate the table, and compile the solver.

        Args:
            game: if it has chance, hidden information, other than two players or too many plies
                and actions for the memory, no position is ever proven.
            slots: size of the table, a power of two.
        """
        self._game = game
        self.width = min(game.max_moves, game.num_actions)
        """Most children of a position: the least budget that finds out anything."""
        self.visited = 0
        """Children visited so far."""
        stack = (game.max_plies + 2) * (16 * self.width + game.state_bytes)
        self._solvable = game.players == 2 and not game.hides and stack <= MAX_STACK_BYTES
        if not self._solvable:
            return
        game.compile(kernels.IDENTITY, kernels.KNOWN_RESULT)
        self._search = pn.new_search(game, game.max_plies, slots)
        self._states = np.zeros((2, game.state_bytes), np.uint8)
        self._kept = np.zeros(game.num_actions, np.int8)
        if not is_compilation_deferred():
            with kernel_cache.compiling("the solver"):
                start = game.start(0).row
                self._prove(start, 0, 0)
                self._find_keeping(start, LOSS, 0)

    def prove(self, state: npt.NDArray[np.uint8], leader: int, budget: int) -> End | None:
        """Return what is proven of a position, or None if the budget does not suffice.

        Args:
            state: [B] a position in which a player is to move.
            leader: the seat whose win is tried first.
            budget: most children to visit. After an action that an `End` names, `width` suffices
                until the next `make_room`, unless the game declared the result (`known_result`).
        """
        if not self._solvable or budget < self.width:
            return None
        self._search.cursor[pn.VISITED] = 0
        with faults_reported(self._game):
            # The rest suffices to look up all children of a proven position.
            share = self._prove(state, leader, budget - self.width)
            self._solvable = share != MET_CHANCE
            end = self._end(state, leader, share, budget) if share in (LOSS, DRAW, WIN) else None
        self.visited += int(self._search.cursor[pn.VISITED])
        return end

    def _end(
        self, state: npt.NDArray[np.uint8], leader: int, share: float, budget: int
    ) -> End | None:
        """Return the end of a position with the leader's share; None if no action is known."""
        payoffs = np.full(2, 1.0 - share)
        payoffs[leader] = share
        self._find_keeping(state, float(payoffs[seat_to_move(state)]), budget)
        keeping = np.flatnonzero(self._kept == YES).astype(np.int32)
        if not len(keeping):
            return None
        return End(payoffs, keeping, not (self._kept == UNDECIDED).any())

    def make_room(self) -> None:
        """Begin a new table if this one is half full."""
        if not self._solvable:
            return
        search = self._search
        if search.cursor[pn.POSITIONS] * 16 >= len(search.slots) * 3:
            search.slots[:], search.cursor[pn.POSITIONS], search.below[0] = 0, 0, 0.0

    def _prove(self, state: npt.NDArray[np.uint8], leader: int, budget: int) -> float:
        return float(_prove(self._game.addresses, self._search, state, leader, budget))

    def _find_keeping(self, state: npt.NDArray[np.uint8], share: float, budget: int) -> None:
        rules, states, kept = self._game.addresses, self._states, self._kept
        _find_keeping(rules, self._search, state, states, share, budget, kept)


@kernel
def _can_win(rules: Any, search: Any, state: Any, prover: int, budget: int) -> int:
    """Whether a seat can force the whole win: YES, NO, or UNDECIDED after `budget` children.

    Returns CHANCE_MET at a chance node.
    """
    answer = search.numbers[0, 0]
    pn.write_question(rules, state, search.keys[0], prover)
    pn.look_up(search, search.keys[0], answer)
    if answer[0] > 0 and answer[1] > 0:
        pn.enter(search, state)
        result = pn.RUNNING
        while result == pn.RUNNING:
            steps = (budget - search.cursor[pn.VISITED]) // search.actions.shape[1]
            if steps <= 0:
                return UNDECIDED
            result = pn.run_proof_number(rules, search, prover, WIN, steps)
        if result != pn.DONE:
            return pn.CHANCE_MET if result == pn.CHANCE_MET else UNDECIDED
        pn.look_up(search, search.keys[0], answer)
    return YES if answer[0] == 0 else NO


@kernel
def _prove(rules: Any, search: Any, state: Any, leader: int, budget: int) -> float:
    """Return the leader's exact share, OPEN or MET_CHANCE."""
    if seat_to_move(state) < 0:  # at a start, for compilation alone
        return OPEN
    if known_shares(rules, state, seat_to_move(state), search.shares):
        return float(search.shares[leader])
    for prover, share in ((leader, WIN), (1 - leader, LOSS)):
        answer = _can_win(rules, search, state, prover, budget)
        if answer == YES:
            return share
        if answer != NO:
            return MET_CHANCE if answer == pn.CHANCE_MET else OPEN
    return DRAW if search.below[0] == DRAW else OPEN


@kernel
def _find_keeping(
    rules: Any, search: Any, state: Any, states: Any, share: float, budget: int, kept: Any
) -> None:
    """Write into `kept` [A] which actions keep the mover's proven share.

    An action keeps a draw if the other seat cannot force a win after it, and the searches met no
    share between a draw and a win.
    """
    seat = seat_to_move(state)
    kept[:] = NO
    if seat < 0:  # outcomes of chance have other numbers
        return
    for number in range(list_actions(rules, LEGAL, state, search.moves)):
        kept[search.moves.actions[number]] = YES if share == LOSS else UNDECIDED
    copy_state(state, states[0])
    prover = seat if share == WIN else 1 - seat
    for is_searched in (False, True):  # what is known comes first
        for action in range(kept.shape[0]):
            if kept[action] != UNDECIDED or search.cursor[pn.VISITED] >= budget:
                continue
            mover = copy_and_play(rules, states, 0, 1, action)
            search.cursor[pn.VISITED] += 1
            if known_shares(rules, states[1], mover, search.shares):
                kept[action] = YES if search.shares[seat] >= share else NO
            elif mover != CHANCE:
                limit = budget if is_searched else 0
                answer = _can_win(rules, search, states[1], prover, limit)
                if NO <= answer <= YES:
                    kept[action] = YES if (answer == YES) == (prover == seat) else NO
                if share == DRAW and search.below[0] > DRAW:
                    kept[action] = UNDECIDED
