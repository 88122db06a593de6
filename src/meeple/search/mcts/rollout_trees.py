"""Trees that grow as a search needs, one a thread: what all rules share that search by rollouts."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.search.budget import Budget
from meeple.search.determinization import Determinizer
from meeple.search.mcts.decisive_kernels import prove_root_children
from meeple.search.mcts.descent import new_scratch
from meeple.search.mcts.reroot import reroot
from meeple.search.mcts.root import read_root
from meeple.search.mcts.transpositions import table_is_full, with_larger_table
from meeple.search.mcts.tree import PROVEN, ROOT, Forest, Tree, grown, new_forest, reset
from meeple.search.mcts.uct_kernels import MAX_NODES
from meeple.search.result import SearchResult

MIN_RESERVED_NODES = 20_000
KEPT_SEARCHES = 4  # searches by time whose nodes a tree that is kept has room for at first
RESERVED_NODES_PER_SECOND = 60_000_000  # more than Hex 11x11 makes; unwritten pages cost none


class RolloutTrees:
    """The trees of a search, whose simulations run in a kernel from root to result.

    A rule is a subclass: it says which roots the next simulations start from and calls its kernel.
    With `threads` > 1 each thread grows its own tree and the roots are added up: root
    parallelisation (Chaslot, Winands and van den Herik, 2008).
    """

    begins_anew = True
    searches_chance = False
    reports_priors = False
    determinizer: Determinizer | None = None
    transpositions = False  # whether equal states share statistics
    takes_proofs = False  # whether decisive moves are proven in the tree

    def __init__(self, game: Game, *, threads: int = 1, max_nodes: int = MAX_NODES) -> None:
        """Make no trees yet; `max_nodes` is the limit of each."""
        self.game, self.threads = game, threads
        self.max_nodes = max(max_nodes, game.max_moves + 1)
        self.root = np.empty(game.state_bytes, dtype=np.uint8)  # the state of the searched position
        self.rngs: list[npt.NDArray[np.void]] = []  # [threads], each [1]
        self._forests: list[Forest] = []  # [threads], each of one tree
        self._scratches = [new_scratch(game) for _ in range(threads)]
        self._extra_visits = np.zeros((threads, game.num_actions), dtype=np.int64)
        self._has_extra_visits = False

    @property
    def trees(self) -> list[Tree]:
        """The threads' trees, as they lie in memory until the next search."""
        return [forest.tree(0) for forest in self._forests]

    @property
    def nbytes(self) -> int:
        """Memory that the trees use, in bytes."""
        return sum(forest.nbytes for forest in self._forests)

    def begin(self, seed: int) -> None:
        """Empty the trees; the subclass loads its kernels and seeds the generators."""
        for tree in self.trees:
            reset(tree, 0)

    def set_root(self, position: Position, steps: tuple[int, ...] | None, budget: Budget) -> None:
        """Keep the subtree of the moves since the last root, or start afresh."""
        self.root[:] = position.row
        if steps != () and self._has_extra_visits:
            self._extra_visits[:] = 0
            self._has_extra_visits = False
        if steps is None:
            self._reserve(position, budget)
            for tree in self.trees:
                reset(tree, position.to_move)
            return
        for index, forest in enumerate(self._forests):
            scratch = np.empty((3, int(forest.used[0, 0]) + 1), dtype=np.int32)
            for action in steps:
                reroot(forest.tree(0), action, position.to_move, scratch)
            needed = int(forest.used[0, 0]) + self._likely_nodes(self.game.max_moves, budget)
            if forest.capacity < min(needed, self.max_nodes) and budget.seconds is not None:
                # Now, since what is copied is smallest before the search.
                self._forests[index] = grown(forest, min(2 * needed, self.max_nodes))

    def grow(self, position: Position, budget: Budget, winners: npt.NDArray[np.int8] | None) -> int:
        """Run simulations in all trees until the budget is spent; return how many were run."""
        if not self.takes_proofs:
            winners = None
        self._has_extra_visits |= winners is not None
        if self.threads == 1:
            return self._grow_tree(0, budget, winners)
        budgets = budget.shared(self.threads)
        with ThreadPoolExecutor(self.threads) as pool:
            trees = range(self.threads)
            return sum(pool.map(self._grow_tree, trees, budgets, [winners] * self.threads))

    def read(self, simulations: int, seconds: float) -> SearchResult:
        """Read the merged roots; visits that proofs added are not counted."""
        result = read_root(self.trees, simulations, seconds)
        if not self._has_extra_visits:
            return result
        visits = result.visits - self._extra_visits.sum(axis=0)[result.actions]
        return dataclasses.replace(result, visits=visits)

    def _prepare(self, wanted: int) -> int:
        """Return how many simulations the next call of the kernel may run, at most `wanted`."""
        return wanted

    def _run_kernel(self, thread: int, simulations: int) -> int:
        """Run simulations in one tree; return how many were run, fewer if it is full."""
        raise NotImplementedError

    def _grow_tree(self, thread: int, budget: Budget, winners: npt.NDArray[np.int8] | None) -> int:
        """Run one thread's simulations; with decisive moves, the first only expands the root."""
        done = 0
        if winners is not None:
            done = self._simulate(thread, 1)
            shares, extra = self._scratches[thread].shares, self._extra_visits[thread]
            prove_root_children(self._forests[thread].tree(0), winners, shares, extra)
            if budget.simulations is not None:
                if budget.simulations == 1:
                    return done
                budget = dataclasses.replace(budget, simulations=budget.simulations - 1)
        return done + budget.spend(lambda wanted: self._simulate(thread, wanted))

    def _simulate(self, thread: int, wanted: int) -> int:
        """Run simulations in one tree, which grows as needed; return how many were run."""
        done = 0
        while done < wanted:
            simulations = self._prepare(wanted - done)
            ran = self._run_kernel(thread, simulations)
            done += ran
            if ran < simulations and not self._make_room(thread):
                break
        return done

    def _make_room(self, thread: int) -> bool:
        """Enlarge what a tree has run out of; False if the search has ended."""
        forest = self._forests[thread]
        if forest.nodes["proof"][0, ROOT] == PROVEN:
            return False
        if self.transpositions and table_is_full(forest.tree(0)):
            self._forests[thread] = with_larger_table(forest)
            return True
        if forest.capacity >= self.max_nodes:
            return False
        self._forests[thread] = grown(forest, min(2 * forest.capacity, self.max_nodes))
        return True

    def _reserve(self, position: Position, budget: Budget) -> None:
        """Make trees with room for a search, unless those of the last one have it.

        Memory is reused: new pages took up to half of a search's time.
        """
        room = self._forests[0].capacity if self._forests else 0
        if room >= self._likely_nodes(self.game.max_moves, budget):
            return
        nodes = self._likely_nodes(len(position.legal_actions()), budget)
        if budget.seconds is not None and not self.begins_anew:
            nodes = min(KEPT_SEARCHES * nodes, self.max_nodes)
        if room < nodes:
            self._forests = []  # frees the memory before the new trees are made
            self._forests = [self._new_forest(nodes) for _ in range(self.threads)]

    def _likely_nodes(self, width: int, budget: Budget) -> int:
        """Nodes that a tree is likely to need; `width` is the number of actions at the root.

        Copying a tree that has outgrown its room took a third of a search of three seconds.
        """
        by_time: float = self.max_nodes
        by_count = self.max_nodes
        if budget.seconds is not None:
            by_time = RESERVED_NODES_PER_SECOND * budget.seconds
        if budget.simulations is not None:
            by_count = budget.simulations // self.threads * width
        nodes = max(int(min(by_time, by_count // 2)), MIN_RESERVED_NODES)
        return min(nodes + self.game.max_moves, self.max_nodes)

    def _new_forest(self, nodes: int) -> Forest:
        """Make an empty tree with this room, or with as much as the system allows."""
        try:
            return new_forest(1, self.game.players, nodes, self.transpositions)
        except MemoryError:
            if nodes <= MIN_RESERVED_NODES:
                raise
            return self._new_forest(nodes // 2)
