"""The exact solver: the value of a position under perfect play, and the winning moves.

It runs `proof_number` for descending targets, starting at 1: can the player to move force at least
this share? The next target is the largest share that the last search left possible.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import TooLarge
from meeple.games.contract.game import Position
from meeple.kernels import cache as kernel_cache
from meeple.search.exact import proof_number as pn
from meeple.search.room import faults_reported

__all__ = ["MAX_POSITIONS", "ChanceMet", "Progress", "Solution", "solve"]

MAX_POSITIONS = 4_000_000  # default maximum stored positions; Hex 5x5 from the start needs fewer
SLICE_CHILDREN = 2_000_000  # children visited between two checks of Ctrl-C: some tenths of a second
FIRST_TABLE_SLOTS = 1 << 17  # initial slots of the table
AS_A_WHOLE = "it is solved as a whole, if it is small, by meeple.search.exact.whole.solve_whole"

Progress = Callable[[int], None]  # called with the number of positions stored so far


class ChanceMet(TooLarge):
    """The solver met a chance node; `whole.solve_whole` solves small games with chance."""


@dataclass(frozen=True)
class Solution:
    """The value of a position under perfect play."""

    payoffs: npt.NDArray[np.float64]  # [players], summing to 1
    winning_actions: list[int]  # those that force the whole share
    best_actions: list[int]  # those that preserve the payoff of the player to move
    nodes: int  # positions stored while solving
    seconds: float


def solve(
    position: Position, limit: int = MAX_POSITIONS, progress: Progress | None = None
) -> Solution:
    """Solve a position of a game of two players without chance or hidden information.

    The result is exact up to collisions of table keys: keys that a game packs into 128 bits (Ledge,
    Hex to 7x7) never collide; hashed keys do with probability n * n / 2**129 among n positions.

    Args:
        position: the position to solve.
        limit: maximum number of stored positions, about 40 bytes each.
        progress: called with the number of stored positions a few times a second.

    Raises:
        TooLarge: the game is not of this kind, or the limit was reached.
        ChanceMet: a kind of TooLarge; the search met a chance node.
    """
    return _Solver(position, limit, progress).run()


@dataclass
class _Solver:
    """The state of solving one position."""

    position: Position
    limit: int
    progress: Progress | None
    nodes: int = 0
    search: pn.Search = field(init=False)
    rules: npt.NDArray[np.int64] = field(init=False)

    def run(self) -> Solution:
        began = time.perf_counter()
        position = self.position
        if position.is_over:
            return Solution(position.payoffs, [], [], 0, 0.0)
        self._check()
        position.game.compile(kernels.IDENTITY, kernels.KNOWN_RESULT)
        self.rules = position.game.addresses
        mover, legal = position.to_move, position.legal_actions().tolist()
        target, best = 1.0, self._actions_that_reach(1.0)
        while not best:
            target = float(self.search.below[0])
            # No share is negative.
            best = self._actions_that_reach(target) if target > 0 else legal
        payoffs = np.full(2, 1.0 - target)
        payoffs[mover] = target
        winning = best if target == 1.0 else []
        return Solution(payoffs, winning, best, self.nodes, time.perf_counter() - began)

    def _check(self) -> None:
        game = self.position.game
        if game.players != 2:
            raise TooLarge(
                f"only games of 2 players can be solved, and {game.name} has {game.players}"
            )
        if game.hides:
            raise TooLarge(f"{game.name} has hidden information: {AS_A_WHOLE}")
        if self.position.to_move == kernels.CHANCE:
            self._refuse_chance()

    def _refuse_chance(self) -> None:
        raise ChanceMet(f"{self.position.game.name} has chance moves: {AS_A_WHOLE}")

    def _actions_that_reach(self, target: float) -> list[int]:
        """The actions that force at least a share."""
        game, mover = self.position.game, self.position.to_move
        plies = game.max_plies - len(self.position.actions)
        self.search = pn.new_search(game, plies, FIRST_TABLE_SLOTS)
        found = []
        for action in self.position.legal_actions().tolist():
            child = self.position.copy()
            child.play(action)
            if self._reaches(child, mover, target):
                found.append(action)
        self.nodes += int(self.search.cursor[pn.POSITIONS])
        return found

    def _reaches(self, child: Position, prover: int, target: float) -> bool:
        """Whether the prover can force at least `target` in a position."""
        if child.is_over:
            share = float(child.payoffs[prover])
            if share < target:
                self.search.below[0] = max(self.search.below[0], share)
            return share >= target
        if child.to_move == kernels.CHANCE:
            self._refuse_chance()
        pn.enter(self.search, child.row)
        steps = max(1, SLICE_CHILDREN // self.position.game.num_actions)
        with kernel_cache.compiling("the solver"), faults_reported(self.position.game):
            while True:
                result = pn.run_proof_number(self.rules, self.search, prover, target, steps)
                if result == pn.DONE:
                    return bool(pn.root_number(self.search) == 0)
                if result == pn.CHANCE_MET:
                    self._refuse_chance()
                if result == pn.FULL:
                    self.search = pn.with_more_room(self.search)
                stored = self.nodes + int(self.search.cursor[pn.POSITIONS])
                if self.progress is not None:
                    self.progress(stored)
                if stored >= self.limit:
                    raise TooLarge(
                        f"{self.position.game!r} is too large to solve from here: {stored:,} "
                        "positions were not enough; play some moves first, choose a smaller "
                        "board, or raise the limit"
                    )
