"""Search of many games in lockstep: every evaluation is a batch of leaves of all games.

Each game has its own tree. In a round every game descends to a few leaves; visits are counted on
the way down so that the next descent avoids the path (virtual loss). All leaves are evaluated in
one batch and the values are backed up. If the game hides something, every descent begins in a
determinization drawn by the belief of the seat to move (`multi_observer.py`).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, OVER
from meeple.kernels import cache as kernel_cache
from meeple.kernels.table import is_compilation_deferred
from meeple.search.batch import StateBatch
from meeple.search.budget import Budget
from meeple.search.evaluators import Evaluation, Evaluator, UniformEvaluator
from meeple.search.mcts import lockstep_kernels as lk
from meeple.search.mcts import multi_observer as mo
from meeple.search.mcts.descent import new_scratch
from meeple.search.mcts.gumbel import (
    begin_gumbel,
    gumbel_actions,
    improved_policy,
    new_gumbel_roots,
)
from meeple.search.mcts.lockstep_kernels import IMPROVED, PUCT, UCT, LockstepSettings
from meeple.search.mcts.root import read_root
from meeple.search.mcts.selection import best_child
from meeple.search.mcts.tree import PROVEN, ROOT, Tree, new_forest, reset
from meeple.search.result import SearchResult
from meeple.search.room import faults_reported

__all__ = ["IMPROVED", "PUCT", "UCT", "Lockstep", "LockstepSettings"]

_UNLIMITED = 2**31 - 1  # simulations


class Lockstep:
    """G games of one kind and their search trees."""

    def __init__(self, game: Game, games: int, settings: LockstepSettings, seed: int) -> None:
        self.game = game
        settings = settings._replace(solve=settings.solve and not game.hides)
        self.settings = settings
        self.roots = np.zeros((games, game.state_bytes), dtype=np.uint8)
        widest = min(game.max_moves, game.num_actions + 1)
        if game.hides:
            self._forest = mo.new_information_forest(game, games, settings.room, widest)
        else:
            self._forest = new_forest(games, game.players, 1 + (settings.room + 1) * widest)
        longest = mo.path_length(game) if game.hides else game.max_plies + 2
        slots = games * settings.leaves
        self._hidden = mo.HiddenGames(game, games, settings.leaves, seed) if game.hides else None
        self._kernels = (mo.HIDDEN_KERNELS if game.hides else lk.OPEN_KERNELS)[settings.rule]
        self._round = lk.Round(
            forest=self._forest,
            rules=game.addresses,
            rng=kernels.new_rng(seed),
            settings=settings,
            roots=lk.Roots(
                states=self.roots[:, None] if self._hidden is None else self._hidden.roots,
                left=np.zeros(games, dtype=np.int64),
                gumbel=new_gumbel_roots(games, game.num_actions if settings.considered else 1),
            ),
            leaves=lk.Leaves(
                states=np.zeros((slots, game.state_bytes), dtype=np.uint8),
                paths=np.zeros((slots, longest), dtype=np.int32),
                depths=np.zeros(slots, dtype=np.int32),
                games=np.zeros(slots, dtype=np.int32),
            ),
            scratch=new_scratch(game),
            hidden=None if self._hidden is None else self._hidden.memory,
        )
        self._place = np.zeros((3, self._forest.capacity + 1), dtype=np.int32)
        self._load_kernels()

    def _load_kernels(self) -> None:
        """Compile or load what a round calls, so that no search's clock pays for it."""
        if is_compilation_deferred():
            return
        no_games, no_scale = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
        with kernel_cache.compiling("search"):
            self._search_round(UniformEvaluator())
            states = self._round.leaves.states[:0]
            self._back_up(0, UniformEvaluator().evaluate(StateBatch(self.game, states)))
            self.advance(no_games, no_games)
            self._reroot(no_games, no_games)
            reset(self._forest.tree(0), 0)
            best_child(self._forest.tree(0), ROOT)
            if self.settings.considered:
                self._begin_gumbel(no_games, no_scale)
                self.gumbel_actions(no_games)
                self.improved_policy(no_games)

    def __len__(self) -> int:
        return len(self.roots)

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """[G] the seat to move in each game, or OVER."""
        return self.roots[:, 0].view(np.int8)

    @property
    def capacity(self) -> int:
        """Nodes that each tree has room for."""
        return self._forest.capacity

    def tree(self, index: int) -> Tree:
        """The tree of a game, as it lies in memory."""
        return self._forest.tree(index)

    def live(self) -> npt.NDArray[np.int32]:
        """[n] the games that are not over, by number."""
        return np.flatnonzero(self.to_move != OVER).astype(np.int32)

    def begin(self, positions: Sequence[Position], games: Sequence[int] | None = None) -> None:
        """Start from these positions with one-node trees, in all games or in these."""
        numbers = range(len(self)) if games is None else games
        for index, position in zip(numbers, positions, strict=True):
            self._forget(index, position)
            if self._hidden is not None:
                self._hidden.positions[index] = position.copy()

    def _forget(self, index: int, position: Position) -> None:
        """Start one game from this position, with a one-node tree."""
        self.roots[index] = position.row
        tree = self._forest.tree(index)
        reset(tree, position.to_move)

    def run(
        self,
        evaluator: Evaluator,
        simulations: int | npt.NDArray[np.int64] | None = None,
        budget: Budget | None = None,
        noise: npt.NDArray[np.float32] | None = None,
        noise_fraction: float = 0.0,
        gumbel_scale: npt.NDArray[np.float32] | None = None,
    ) -> int:
        """Search every live game; return the number of simulations run.

        Args:
            evaluator: evaluates leaves.
            simulations: of each game, or [G]; those of a reused subtree are not counted. None: no
                limit. Gumbel roots need a limit.
            budget: its time and `stop` are checked before every batch.
            noise: [G, A] is mixed into the priors of roots, except for rows of zeros.
            noise_fraction: weight of the noise.
            gumbel_scale: [G] factor of the noise of Gumbel roots; None: 0.
        """
        live, left = self.live(), self._round.roots.left
        left[:] = 0
        wanted = np.broadcast_to(_UNLIMITED if simulations is None else simulations, left.shape)
        left[live] = wanted[live]
        before = int(self._forest.nodes["visits"][:, ROOT].sum())
        if noise is not None or self.settings.considered:
            self._expand_roots(evaluator)
        if noise is not None:
            noisy = live[noise[live].any(axis=1)]
            lk.mix_noise(self._forest, noisy, noise, noise_fraction)
        if self.settings.considered:
            silent = np.zeros(len(self), dtype=np.float32)
            self._begin_gumbel(live, silent if gumbel_scale is None else gumbel_scale)
        while left.any() and (budget is None or not budget.is_spent()):
            self._search_round(evaluator)
        return int(self._forest.nodes["visits"][:, ROOT].sum()) - before

    def _expand_roots(self, evaluator: Evaluator) -> None:
        """Expand the roots without children, by one simulation each."""
        left = self._round.roots.left
        later = left.copy()
        fresh = np.zeros(len(self), dtype=np.bool_)
        fresh[self.live()] = self._forest.nodes["block"][self.live(), ROOT] == 0
        left[:] = np.where(fresh, np.minimum(left, 1), 0)
        later -= left
        self._search_round(evaluator)
        left[:] = later

    def _begin_gumbel(self, live: npt.NDArray[np.int32], scale: npt.NDArray[np.float32]) -> None:
        roots = self._round.roots
        begin_gumbel(self._forest, roots.gumbel, live, scale, roots.left, self._round.rng)

    def _search_round(self, evaluator: Evaluator) -> None:
        """Run one round of descents and one batch of evaluations; counts down `left`."""
        if self._hidden is not None:
            self._hidden.draw(np.flatnonzero(self._round.roots.left > 0), self._round.rng)
        count = self._gather()
        if count == 0:
            return
        leaves = self._round.leaves.states[:count]
        self._back_up(count, evaluator.evaluate(StateBatch(self.game, leaves)))

    def _gather(self) -> int:
        """Descend in every game with simulations left; return the number of leaves."""
        with faults_reported(self.game):
            return int(self._kernels.gather(self._round))

    def _back_up(self, count: int, found: Evaluation) -> None:
        """Back up the evaluations of the round's first `count` leaves."""
        self._kernels.back_up(self._round, count, found.legal, found.policy, found.value)

    def result(self, index: int, simulations: int = 0, seconds: float = 0.0) -> SearchResult:
        """Return the result of one game's search. Its root must be expanded."""
        return read_root([self._forest.tree(index)], simulations, seconds)

    def follow(self, index: int, actions: tuple[int, ...], state: npt.NDArray[np.uint8]) -> None:
        """Follow actions played in one game, which led to this state, and keep the subtree.

        Only for games that hide nothing.
        """
        self.roots[index] = state
        games = np.array([index], dtype=np.int32)
        for action in actions:
            step = np.array([action], dtype=np.int32)
            self._reroot(step, games)

    def visit_shares(self) -> npt.NDArray[np.float32]:
        """[G, A] the visit distribution at each root.

        Actions proven to lose count only where all are; a proven win takes all.
        """
        out = np.zeros((len(self), self.game.num_actions), dtype=np.float32)
        lk.read_visit_shares(self._forest, out)
        return out

    def gumbel_actions(self, games: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """[n] the action that the search of each of these games chose at its Gumbel root."""
        actions = np.zeros(len(games), dtype=np.int32)
        scale, scores = self.settings.value_scale, self._round.scratch.scores
        gumbel_actions(self._forest, self._round.roots.gumbel, games, scale, scores, actions)
        return actions

    def gumbel_noise(self, index: int) -> npt.NDArray[np.float32]:
        """[A] the noise that a Gumbel root's last search drew for each action."""
        return self._round.roots.gumbel.noise[index]

    def visits_before(self, index: int) -> npt.NDArray[np.int32]:
        """[A] the visits of a Gumbel root's children before its last search, by action."""
        return self._round.roots.gumbel.before[index]

    def improved_policy(self, games: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """[G, A] the target of the policy from the search of these games; rows of others are 0.

        The improved policy: priors with the children's values added as logits. If the result is
        proven, visit shares of the best actions.
        """
        out = np.zeros((len(self), self.game.num_actions), dtype=np.float32)
        if self._proven(games).any():
            lk.read_visit_shares(self._forest, out)
        improved_policy(
            self._forest, games, self.settings.value_scale, self._round.scratch.scores, out
        )
        return out

    def _proven(self, games: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        return np.asarray(self._forest.nodes["proof"][games, ROOT] == PROVEN)

    def priors(self) -> npt.NDArray[np.float32]:
        """[G, A] the priors at each root, noise included."""
        out = np.zeros((len(self), self.game.num_actions), dtype=np.float32)
        lk.read_priors(self._forest, out)
        return out

    def values(self) -> npt.NDArray[np.float64]:
        """[G, P] the mean shares at each root; zeros if it was never visited."""
        n = np.maximum(self._forest.nodes["visits"][:, ROOT], 1)
        return np.asarray(self._forest.value_sum[:, ROOT] / n[:, None])

    def _reroot(self, actions: npt.NDArray[np.int32], games: npt.NDArray[np.int32]) -> None:
        """Keep the subtrees below these actions; `roots` are the states after them."""
        lk.reroot_games(self._forest, self.roots, actions, games, self._place)

    def advance(
        self, actions: npt.NDArray[np.int32], games: npt.NDArray[np.int32]
    ) -> list[list[int]]:
        """Play an action in each of these games and keep the subtree below it.

        Returns the chance outcomes that followed in each game, which are drawn and played as well.
        If the game hides something, trees start empty, since the next player knows other things.
        """
        if self._hidden is not None:
            return self._advance_hidden(self._hidden, actions, games)
        states = StateBatch(self.game, self.roots)
        drawn: list[list[int]] = [[] for _ in games]
        waiting = np.arange(len(games))
        while len(waiting):
            moved = games[waiting]
            states.step(actions, moved)
            self._reroot(actions, moved)
            waiting = waiting[self.to_move[moved] == CHANCE]
            actions = states.draw_outcomes(self._round.rng, games[waiting])
            for index, outcome in zip(waiting, actions, strict=True):
                drawn[index].append(int(outcome))
        return drawn

    def _advance_hidden(
        self,
        hidden: mo.HiddenGames,
        actions: npt.NDArray[np.int32],
        games: npt.NDArray[np.int32],
    ) -> list[list[int]]:
        drawn = []
        for game, action in zip(games, actions, strict=True):
            drawn.append(hidden.play(int(game), int(action)))
            self._forget(int(game), hidden.positions[game])
        return drawn
