"""UCT with random rollouts on one position: by simulations, by time, on one or more threads."""

import dataclasses
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels.background import Task
from meeple.search.budget import Budget
from meeple.search.checks import check_plies, check_position
from meeple.search.loading import load_kernels
from meeple.search.mcts import collect, warm_start
from meeple.search.mcts.decisive import DecisiveMoves, prove_root_children
from meeple.search.mcts.descent import new_scratch
from meeple.search.mcts.reroot import LOAD_REROOT, load_reroot, reroot
from meeple.search.mcts.root import read_root
from meeple.search.mcts.selection import best_child
from meeple.search.mcts.transpositions import rebuild_table, table_is_full, with_larger_table
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    Forest,
    Tree,
    grown,
    moves_since,
    new_forest,
    reset,
)
from meeple.search.mcts.uct_kernels import EXPLORATION, Job, UctSettings, uct_kernel
from meeple.search.qtable.table import TRUST, Edges, QTable
from meeple.search.result import SearchResult
from meeple.search.rollouts import CERTAIN, rollout_kernels

SHARED_STATE_BYTES = 64  # of larger states, a hash at every leaf costs more than sharing saves
MAX_NODES = 20_000_000  # a tree; 44 bytes each with two players, and 32 for the children of each
_FIRST_NODES = 20_000  # room reserved at least
_NODES_A_SECOND = 12_000_000  # more than a fast game makes: what time alone reserves room for


@dataclass(frozen=True, kw_only=True)
class UctOptions:
    """How a tree is grown."""

    exploration: float = EXPLORATION  # the constant of UCT
    solve: bool = True  # back up proven results
    transpositions: bool | None = None  # equal states share what is learned; None: where it pays
    guided: float = 0.0  # the chance with which a rollout's move follows the game's rule of thumb
    plies: int = (
        0  # moves of a rollout before the game's heuristic judges it; 0: it goes to the end
    )
    discount: float = 1.0  # of what a rollout's result is away from even, for each of its moves
    prune: bool = False  # grow only what the game thinks sensible; then nothing is proven or shared
    max_nodes: int = MAX_NODES  # of a tree, at most


class UctSearch:
    """A search that keeps its trees from move to move.

    With `threads` > 1 each thread grows a tree of its own and the roots are added up: root
    parallelisation (Chaslot, Winands and van den Herik, 2008). Equal for equal seeds, threads and
    simulations.
    """

    begins_anew = False
    reports_priors = False

    def __init__(
        self,
        game: Game,
        options: UctOptions = UctOptions(),
        *,
        threads: int = 1,
        qtable: QTable | None = None,
        trust: int = TRUST,
        learning: bool = False,
        decisive: DecisiveMoves | None = None,
        seed: int = 0,
    ) -> None:
        """`qtable`: what searches begin with, where it knows the position; `trust`: the visits that
        they take over from it at most, all threads together; `learning`: note where searches
        begin, for `learned`; `decisive`: finds the decisive moves, which are proven first. Raises
        UsageError for a game without the rule of thumb or heuristic that the options ask for, or a
        table of another game.
        """
        if game.hides:
            raise UsageError(f"{game!r} hides something: search it by information sets")
        self.game = game
        self.threads = threads
        self.transpositions = _sharing_pays(game)
        if options.transpositions is not None:
            self.transpositions = options.transpositions
        if options.prune:
            _check_prune(game, qtable is not None or learning)
            self.transpositions = False
        self.settings = UctSettings(
            c=options.exploration,
            solve=options.solve and not options.prune,
            guidance=int(_checked_guided(game, options.guided) * CERTAIN),
            plies=_checked_plies(game, options.plies, options.guided),
            discount=_checked_discount(game, options),
            prune=options.prune,
            may_grow=True,
        )
        self.qtable = _checked_table(game, qtable, trust)
        self.trust = trust
        self.learning = learning
        self._decisive = decisive
        self._added = np.zeros((threads, game.num_actions), dtype=np.int64)  # visits by proofs
        self._has_added = False
        self._given: list[collect.Given] = []
        self.max_nodes = max(options.max_nodes, game.max_moves + 1)
        self._run = uct_kernel(game, self.settings, self.transpositions)
        self._forests: list[Forest] = []
        self._scratches = [new_scratch(game) for _ in range(threads)]
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Forget the trees and start the generators anew."""
        self._load_kernels()
        if self.qtable is not None:
            warm_start.load_kernels(self.game)
        if self.learning:
            collect.load_kernels(self.game)
        if self._decisive is not None:
            self._decisive.begin(seed)
        self._rngs = [kernels.new_rng(seed, thread) for thread in range(self.threads)]
        for forest in self._forests:
            reset(forest.tree(0), 0)
        self._history: tuple[int, ...] | None = None

    def tree(self, thread: int = 0) -> Tree:
        """The tree that a thread has grown, as it lies in memory until the next search."""
        return self._forests[thread].tree(0)

    @property
    def nbytes(self) -> int:
        """Memory that the trees use, in bytes."""
        return sum(forest.nbytes for forest in self._forests)

    def run(
        self,
        position: Position,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Search a position until any limit given is reached; at least one must be.

        `simulations` counts all threads' together. `stop` is asked now and then, in addition to
        the clock. A proven root ends the search at once.
        """
        if self._history is not None:
            load_reroot(self.game.players, self.transpositions)
        budget = Budget(simulations, seconds, stop)
        check_position(self.game, position)
        self._take_root(position, simulations, seconds)
        if self.qtable is not None:
            self._warm_start(self.qtable, position)
        if self.learning:
            self._given = [collect.given(forest.tree(0)) for forest in self._forests]
        decisive = self._decisive if position.to_move >= 0 else None
        self._proves = decisive is not None and decisive.look(position)
        self._has_added |= self._proves
        budgets = budget.shared(self.threads)
        if self.threads == 1:
            done = self._run_tree(0, position, budgets[0])
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                trees = range(self.threads)
                done = sum(pool.map(self._run_tree, trees, [position] * self.threads, budgets))
        result = read_root([forest.tree(0) for forest in self._forests], done, budget.elapsed)
        if decisive is None:
            return result
        if self._has_added:
            visits = result.visits - self._added.sum(axis=0)[result.actions]
            result = dataclasses.replace(result, visits=visits)
        return decisive.settled(result, position)

    def learned(self, position: Position) -> list[Edges]:
        """What the last search, which was of this position, added to its trees: for a Q-table."""
        trees = [forest.tree(0) for forest in self._forests]
        return [
            collect.statistics(tree, self.game, position, before)
            for tree, before in zip(trees, self._given, strict=True)
        ]

    def _take_root(
        self, position: Position, simulations: int | None, seconds: float | None
    ) -> None:
        """Keep the subtree of the moves played since the last search, or start afresh."""
        history = (position.seed, *position.actions)  # an opening may be drawn by the seed
        steps = moves_since(self._history, history)
        self._history = history
        if steps != () and self._has_added:
            self._added[:] = 0
            self._has_added = False
        if steps is not None:
            for forest in self._forests:
                scratch = np.empty((3, forest.capacity + 1), dtype=np.int32)
                for action in steps:
                    reroot(forest.tree(0), action, position.to_move, scratch)
            return
        # Memory that has been used before is kept: new pages took up to half of a search's time.
        room = self._forests[0].capacity if self._forests else 0
        if room < self._likely_nodes(self.game.max_moves, simulations, seconds):
            nodes = self._likely_nodes(len(position.legal_actions()), simulations, seconds)
            if room < nodes:
                self._forests = []  # gone before their successors come
                self._forests = [self._reserve(nodes) for _ in range(self.threads)]
        for forest in self._forests:
            reset(forest.tree(0), position.to_move)

    def _warm_start(self, table: QTable, position: Position) -> None:
        """Give the trees what a table knows, where that is more than they have kept."""
        trust = max(1, self.trust // self.threads)
        for forest, rng in zip(self._forests, self._rngs, strict=True):
            warm_start.warm_start(forest.tree(0), table, position, trust, self.settings.solve, rng)

    def _likely_nodes(self, width: int, simulations: int | None, seconds: float | None) -> int:
        """Nodes that a tree is likely to need; `width` is the number of actions at the root.

        Copying a tree that has outgrown its room took a third of a search of three seconds.
        """
        by_time = self.max_nodes if seconds is None else _NODES_A_SECOND * seconds
        by_count = self.max_nodes if simulations is None else simulations // self.threads * width
        nodes = max(int(min(by_time, by_count // 2)), _FIRST_NODES)
        return min(nodes + self.game.max_moves, self.max_nodes)

    def _reserve(self, nodes: int) -> Forest:
        """An empty tree with room for so many nodes, or for as many as the system allows."""
        try:
            return new_forest(1, self.game.players, nodes, self.transpositions)
        except MemoryError:
            if nodes <= _FIRST_NODES:
                raise
            return self._reserve(nodes // 2)

    def _run_tree(self, index: int, position: Position, budget: Budget) -> int:
        """Run one thread's simulations; the first gives the root its children."""
        root = position.row.copy()
        done = 0
        if self._proves:
            done = self._simulate(index, root, 1)
            self._prove_children(index)
            if budget.simulations is not None:
                if budget.simulations == 1:
                    return done
                budget = dataclasses.replace(budget, simulations=budget.simulations - 1)
        return done + budget.spend(lambda wanted: self._simulate(index, root, wanted))

    def _prove_children(self, index: int) -> None:
        """Prove the root's children that decisive moves lead to."""
        assert self._decisive is not None
        tree, scratch = self._forests[index].tree(0), self._scratches[index]
        prove_root_children(tree, self._decisive.winners, scratch.shares, self._added[index])

    def _simulate(self, index: int, root: npt.NDArray[np.uint8], wanted: int) -> int:
        """Run some of one thread's simulations, growing its tree as needed."""
        done = 0
        while done < wanted:
            forest = self._forests[index]
            settings = self.settings._replace(may_grow=forest.capacity < self.max_nodes)
            scratch, rng = self._scratches[index], self._rngs[index]
            job = Job(forest, self._rules, root, rng, settings, scratch)
            left = wanted - done
            ran = self._run(job, left)
            done += ran
            if ran < left and not self._make_room(index):
                break
        return done

    def _make_room(self, index: int) -> bool:
        """Enlarge what a tree has run out of; False where the search is at its end."""
        forest = self._forests[index]
        if forest.nodes["proof"][0, ROOT] == PROVEN:
            return False
        if table_is_full(forest.tree(0)):
            self._forests[index] = with_larger_table(forest)
            return True
        if forest.capacity >= self.max_nodes:
            return False
        self._forests[index] = grown(forest, min(2 * forest.capacity, self.max_nodes))
        return True

    def _load_kernels(self) -> None:
        """Compile or load all that a search calls, so that no search's clock pays for it."""
        settings = self.settings
        wanted = rollout_kernels(self.game, settings.guidance, settings.plies, settings.discount)
        if self.transpositions:
            wanted = (*wanted, kernels.KNOWN_RESULT)
        later = [Task(LOAD_REROOT, (self.game.players, self.transpositions))]
        load_kernels(self.game, wanted, self._load_search, later)

    @property
    def _rules(self) -> npt.NDArray[np.int64]:
        """The game's kernels, with what is sensible where that is asked for."""
        asked = self.settings.prune or (self.settings.discount < 1 and self.settings.guidance)
        return self.game.pruning_rules() if asked else self.game.rules

    def _load_search(self) -> None:
        game = self.game
        forest = new_forest(1, game.players, 1, self.transpositions)
        tree, row = forest.tree(0), np.zeros(game.state_bytes, dtype=np.uint8)
        reset(tree, 0)
        rng, scratch = kernels.new_rng(0), self._scratches[0]
        self._run(Job(forest, self._rules, row, rng, self.settings, scratch), 0)
        if self.transpositions:
            rebuild_table(tree)
            table_is_full(tree)
        best_child(tree, ROOT)
        if self._decisive is not None:
            no_shares, added = np.zeros(game.players), self._added[0]
            prove_root_children(tree, self._decisive.winners, no_shares, added)


def _sharing_pays(game: Game) -> bool:
    """Whether equal states meet often enough, and are found fast enough."""
    return game.transpositions and game.state_bytes <= SHARED_STATE_BYTES


def _checked_guided(game: Game, guided: float) -> float:
    if not 0 <= guided <= 1:
        raise UsageError(f"guided must be a chance from 0 to 1, not {guided}")
    if guided > 0 and not game.has(kernels.GUIDED_ROLLOUT):
        raise UsageError(f"{game.name} has no rule of thumb to guide rollouts by: guided must be 0")
    return guided


def _checked_plies(game: Game, plies: int, guided: float) -> int:
    check_plies(game, plies)
    if plies > 0 and guided > 0:
        raise UsageError(f"guided rollouts of {game.name} go to the end: plies must be 0")
    return plies


def _checked_discount(game: Game, options: UctOptions) -> float:
    discount = options.discount
    if not 0 < discount <= 1:
        raise UsageError(f"discount must be above 0 and at most 1, not {discount}")
    if discount < 1 and options.plies > 0:
        raise UsageError("a discount is of rollouts to the end: plies must be 0")
    if discount < 1 and options.guided > 0 and not game.can_prune:
        raise UsageError(
            f"{game.name} does not say which single moves are sensible: with a discount guided "
            "must be 0"
        )
    return discount


def _check_prune(game: Game, with_table: bool) -> None:
    if not game.can_prune:
        raise UsageError(f"{game.name} does not say which moves are sensible: prune must be off")
    if with_table:
        raise UsageError("a Q-table is of all moves: prune must be off")


def _checked_table(game: Game, table: QTable | None, trust: int) -> QTable | None:
    if trust < 1:
        raise UsageError(f"trust must be at least 1, not {trust}")
    if table is not None and table.game != game:
        raise UsageError(f"a search of {game!r} cannot use a Q-table of {table.game!r}")
    return table
