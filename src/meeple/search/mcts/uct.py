"""Open UCT: the rule of searches of games that hide nothing, by random rollouts."""

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.kernels.compile_process import CompileTask
from meeple.search.checks import check_plies
from meeple.search.loading import load_kernels
from meeple.search.mcts.decisive_kernels import OPEN, prove_root_children
from meeple.search.mcts.reroot import LOAD_REROOT
from meeple.search.mcts.rollout_trees import RolloutTrees
from meeple.search.mcts.selection import best_child
from meeple.search.mcts.transpositions import rebuild_table, table_is_full
from meeple.search.mcts.tree import ROOT, new_forest, reset
from meeple.search.mcts.uct_kernels import PLAIN, Job, UctSettings, uct_kernel
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.rollouts import rollout_kernels

__all__ = ["OpenUct", "UctSettings"]

MAX_SHARED_STATE_BYTES = 64  # of larger states, a hash at every leaf costs more than sharing saves


class OpenUct(RolloutTrees):
    """UCT of a game that hides nothing; a proven root ends the search."""

    begins_anew = False
    searches_chance = True

    def __init__(
        self,
        game: Game,
        settings: UctSettings = PLAIN,
        *,
        threads: int = 1,
        patterns: PatternEvaluation | None = None,
    ) -> None:
        """Make the rule; `patterns` evaluates leaves after `settings.plies` moves.

        Raises:
            UsageError: the game hides something, or lacks the rule of thumb or heuristic that the
                settings ask for.
        """
        if game.hides:
            raise UsageError(f"{game!r} hides something: search it by information sets")
        _check_settings(game, settings, patterns is not None)
        super().__init__(game, threads=threads, max_nodes=settings.max_nodes)
        shares = _sharing_pays(game) if settings.transpositions is None else settings.transpositions
        self.transpositions = shares and not settings.prune
        self.takes_proofs = settings.solve and not settings.prune
        self.settings = settings._replace(
            solve=self.takes_proofs, transpositions=self.transpositions, max_nodes=self.max_nodes
        )
        self._patterns = [patterns.copy() for _ in range(threads)] if patterns else None
        self._kernel = uct_kernel(game, self.settings, patterns is not None)

    def begin(self, seed: int) -> None:
        """Compile or load the kernels, empty the trees and seed the generators."""
        self._load_kernels()
        self._rules = [self._rules_of_game(thread) for thread in range(self.threads)]
        self.rngs = [kernels.new_rng(seed, thread) for thread in range(self.threads)]
        super().begin(seed)

    def _run_kernel(self, thread: int, simulations: int) -> int:
        forest, rng, scratch = self._forests[thread], self.rngs[thread], self._scratches[thread]
        job = Job(forest, self._rules[thread], self.root, rng, self.settings, scratch)
        return self._kernel(job, simulations)

    def _load_kernels(self) -> None:
        """Compile or load all that a search calls, so that no search's clock pays for it."""
        wanted = rollout_kernels(self.game, self.settings)
        if self.transpositions:
            wanted = (*wanted, kernels.KNOWN_RESULT)
        resuming = CompileTask(LOAD_REROOT, (self.game.players, self.transpositions))
        load_kernels(self.game, wanted, self._load_search, [resuming])

    def _rules_of_game(self, thread: int) -> npt.NDArray[np.int64]:
        """The game's kernels, with those of sensible actions if the options ask for them."""
        if self._patterns is not None:
            rules = np.append(self.game.addresses, 0)
            self._patterns[thread].evaluate_in(rules)
            return rules
        asked = self.settings.prune or (self.settings.discount < 1 and self.settings.guided)
        return self.game.pruning_addresses() if asked else self.game.addresses

    def _load_search(self) -> None:
        game = self.game
        forest = new_forest(1, game.players, 1, self.transpositions)
        tree, row = forest.tree(0), np.zeros(game.state_bytes, dtype=np.uint8)
        reset(tree, 0)
        rng, scratch = kernels.new_rng(0), self._scratches[0]
        self._kernel(Job(forest, self._rules_of_game(0), row, rng, self.settings, scratch), 0)
        if self.transpositions:
            rebuild_table(tree)
            table_is_full(tree)
        best_child(tree, ROOT)
        winners = np.full(game.num_actions, OPEN, dtype=np.int8)
        prove_root_children(tree, winners, scratch.shares, self._extra_visits[0])


def _sharing_pays(game: Game) -> bool:
    """Whether equal states meet often enough, and are found fast enough."""
    return game.transpositions and game.state_bytes <= MAX_SHARED_STATE_BYTES


def _check_settings(game: Game, settings: UctSettings, evaluated: bool) -> None:
    guided, plies, discount = settings.guided, settings.plies, settings.discount
    if settings.prune and not game.can_prune:
        why = f"{game.name} does not say which moves are sensible"
        raise UsageError(f"{why}: prune must be off")
    if not 0 <= guided <= 1:
        raise UsageError(f"guided must be a chance from 0 to 1, not {guided}")
    if guided > 0 and not game.has(kernels.GUIDED_ROLLOUT):
        raise UsageError(f"{game.name} has no rule of thumb to guide rollouts by: guided must be 0")
    if not evaluated:
        check_plies(game, plies)
    elif settings.prune or guided > 0 or discount < 1:
        raise UsageError("patterns evaluate leaves: leave out prune, guided and discount")
    if plies > 0 and guided > 0:
        raise UsageError(f"guided rollouts of {game.name} go to the end: plies must be 0")
    if not 0 < discount <= 1:
        raise UsageError(f"discount must be above 0 and at most 1, not {discount}")
    if discount < 1 and plies > 0:
        raise UsageError("a discount is of rollouts to the end: plies must be 0")
    if discount < 1 and guided > 0 and not game.can_prune:
        raise UsageError(
            f"{game.name} does not say which single moves are sensible: with a discount guided "
            "must be 0"
        )
