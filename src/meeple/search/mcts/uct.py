"""UCT with random rollouts on one position: by simulations, by time, on one or more threads."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.search.budget import check_limits, check_plies
from meeple.search.mcts.selection import best_child
from meeple.search.mcts.simulate import new_scratch, run_rollouts
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    Forest,
    advance,
    grown,
    moves_since,
    new_forest,
    rebuild_table,
    reset,
    table_is_full,
    with_larger_table,
)
from meeple.search.qtable import table as q
from meeple.search.result import SearchResult, read_root

EXPLORATION = 1.4  # about sqrt 2, the constant of UCB1 for results in [0, 1]
SHARED_STATE_BYTES = 64  # of larger states, a hash at every leaf costs more than sharing saves
MAX_NODES = 20_000_000  # a tree; 55 bytes each with two players
CERTAIN = 2**32  # the guidance of rollouts that follow the rule of thumb wherever they can
_FIRST_NODES = 20_000  # slots reserved at least
_NODES_A_SECOND = 6_000_000  # more than a fast game makes: what time alone reserves room for
_SLICE_SECONDS = 0.01  # between two looks at the clock


class UctSearch:
    """A search that keeps its trees from move to move.

    With `threads` > 1 each thread grows a tree of its own and the roots are added up: root
    parallelisation (Chaslot, Winands and van den Herik, 2008). Equal for equal seeds, threads and
    simulations.
    """

    def __init__(
        self,
        game: Game,
        *,
        exploration: float = EXPLORATION,
        threads: int = 1,
        solve: bool = True,
        transpositions: bool | None = None,
        guided: float = 0.0,
        plies: int = 0,
        qtable: q.QTable | None = None,
        trust: int = q.TRUST,
        learning: bool = False,
        max_nodes: int = MAX_NODES,
        seed: int = 0,
    ) -> None:
        """`solve`: back up proven results; `transpositions`: equal states share what is learned
        (None: where the game gains from it and a state has at most SHARED_STATE_BYTES);
        `guided`: the chance, 0 to 1, with which a rollout's move follows the game's rule of thumb;
        `plies`: moves of a rollout before the game's heuristic judges it (0: it goes to the end);
        `qtable`: what searches begin with, where it knows the position; `trust`: the visits that
        they take over from it at most, all threads together; `learning`: note where searches
        begin, for `learned`; `max_nodes`: slots of a tree, at most. Raises UsageError for a game
        without such a rule or heuristic, or a table of another game.
        """
        if game.hides:
            raise UsageError(f"{game!r} hides something: search it by information sets")
        self.game = game
        self.exploration = exploration
        self.threads = threads
        self.solve = solve
        self.guided = _checked_guided(game, guided)
        self.plies = _checked_plies(game, plies, guided)
        gains = game.transpositions and game.state_bytes <= SHARED_STATE_BYTES
        self.transpositions = gains if transpositions is None else transpositions
        self.qtable = _checked_table(game, qtable, trust)
        self.trust = trust
        self.learning = learning
        self._given: list[q.Given] = []
        self.max_nodes = max(max_nodes, game.max_moves + 1)
        self._forests: list[Forest] = []
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Forget the trees and start the generators anew."""
        _load_kernels(self.game)
        if self.qtable is not None:
            q.load_kernels(self.game)
        self._rngs = [kernels.new_rng(seed, thread) for thread in range(self.threads)]
        for forest in self._forests:
            reset(forest.tree(0), 0)
        self._history: tuple[int, ...] | None = None

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
        check_limits(simulations, seconds, stop)
        if position.game != self.game:
            raise UsageError(f"a search of {self.game!r} cannot search {position.game!r}")
        if position.is_over:
            raise UsageError("there is nothing to search: the game is over")
        began = time.perf_counter()
        self._take_root(position, simulations, seconds)
        if self.qtable is not None:
            self._warm_start(self.qtable, position)
        if self.learning:
            self._given = [q.given(forest.tree(0)) for forest in self._forests]
        deadline = None if seconds is None else began + seconds
        share = [None] * self.threads if simulations is None else _shares(simulations, self.threads)
        if self.threads == 1:
            done = [self._run_tree(0, position, share[0], deadline, stop)]
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                done = list(
                    pool.map(
                        lambda t: self._run_tree(t, position, share[t], deadline, stop),
                        range(self.threads),
                    )
                )
        elapsed = time.perf_counter() - began
        return read_root([forest.tree(0) for forest in self._forests], sum(done), elapsed)

    def learned(self, position: Position) -> list[q.Edges]:
        """What the last search, which was of this position, added to its trees: for a Q-table."""
        trees = [forest.tree(0) for forest in self._forests]
        return [
            q.statistics(tree, self.game, position, before)
            for tree, before in zip(trees, self._given, strict=True)
        ]

    def _take_root(
        self, position: Position, simulations: int | None, seconds: float | None
    ) -> None:
        """Keep the subtree of the moves played since the last search, or start afresh."""
        history = (position.seed, *position.actions)  # an opening may be drawn by the seed
        steps = moves_since(self._history, history)
        self._history = history
        if steps is not None:
            for forest in self._forests:
                scratch = np.empty((2, forest.capacity), dtype=np.int32)
                for action in steps:
                    advance(forest.tree(0), action, position.to_move, scratch)
            return
        nodes = self._likely_nodes(len(position.legal_actions()), simulations, seconds)
        # Memory that has been used before is kept: new pages took up to half of a search's time.
        if not self._forests or self._forests[0].capacity < nodes:
            self._forests = []  # gone before their successors come
            self._forests = [self._reserve(nodes) for _ in range(self.threads)]
        for forest in self._forests:
            reset(forest.tree(0), position.to_move)

    def _warm_start(self, table: q.QTable, position: Position) -> None:
        """Give the trees what a table knows, where that is more than they have kept."""
        trust = max(1, self.trust // self.threads)
        for forest, rng in zip(self._forests, self._rngs, strict=True):
            q.warm_start(forest.tree(0), table, position, trust, self.solve, rng)

    def _likely_nodes(self, width: int, simulations: int | None, seconds: float | None) -> int:
        """Slots that a tree is likely to need; `width` is the number of actions at the root.

        Copying a tree that has outgrown its slots took a third of a search of three seconds.
        """
        by_time = self.max_nodes if seconds is None else _NODES_A_SECOND * seconds
        by_count = self.max_nodes if simulations is None else simulations // self.threads * width
        nodes = max(int(min(by_time, by_count // 2)), _FIRST_NODES)
        return min(nodes + self.game.max_moves, self.max_nodes)

    def _reserve(self, nodes: int) -> Forest:
        """An empty tree of this many slots, or of as many as the system allows."""
        try:
            return new_forest(1, self.game.players, nodes, self.transpositions)
        except MemoryError:
            if nodes <= _FIRST_NODES:
                raise
            return self._reserve(nodes // 2)

    def _run_tree(
        self,
        index: int,
        position: Position,
        simulations: int | None,
        deadline: float | None,
        stop: Callable[[], bool] | None,
    ) -> int:
        """Run one thread's simulations, growing its tree as needed."""
        game, rules, row, rng = self.game, self.game.rules, position.row.copy(), self._rngs[index]
        scratch = new_scratch(game.state_bytes, game.max_moves, game.max_plies, game.players)
        c, solve, guidance = self.exploration, self.solve, int(self.guided * CERTAIN)
        plies = self.plies
        done, piece = 0, 256 if deadline is not None or stop is not None else 1_000_000
        # The root's children are made by its second simulation, so two are always run.
        while simulations is None or done < max(simulations, 2):
            wanted = piece if simulations is None else min(piece, max(simulations, 2) - done)
            forest = self._forests[index]
            may_grow = forest.capacity < self.max_nodes
            began = time.perf_counter()
            ran = run_rollouts(
                forest, 0, rules, row, scratch, rng, wanted, c, solve, may_grow, guidance, plies
            )
            now = time.perf_counter()
            done += ran
            if ran < wanted:
                if table_is_full(forest.tree(0)):
                    self._forests[index] = with_larger_table(forest)
                    continue
                if not may_grow or forest.proof[0, ROOT] == PROVEN:
                    break
                self._forests[index] = grown(forest, min(2 * forest.capacity, self.max_nodes))
            elif deadline is not None or stop is not None:
                rate = ran / max(now - began, 1e-9)
                piece = int(np.clip(rate * _SLICE_SECONDS, 16, 4 * piece))
                if deadline is not None:
                    piece = int(np.clip(rate * (deadline - now), 1, piece))
            if done >= 2 and deadline is not None and now >= deadline:
                break
            if done >= 2 and stop is not None and stop():
                break
        return done


def _load_kernels(game: Game) -> None:
    """Compile or load all that a search calls, so that no search's clock pays for it."""
    with kernels.compiling("search"):
        forest = new_forest(1, game.players, 1, transpositions=True)
        tree, row = forest.tree(0), np.zeros(game.state_bytes, dtype=np.uint8)
        scratch = new_scratch(game.state_bytes, game.max_moves, game.max_plies, game.players)
        rng = kernels.new_rng(0)
        reset(tree, 0)
        run_rollouts(forest, 0, game.rules, row, scratch, rng, 0, EXPLORATION, True, True, 0, 0)
        rebuild_table(tree)
        advance(tree, 0, 0, np.empty((2, 1), dtype=np.int32))
        best_child(tree, ROOT)


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


def _checked_table(game: Game, table: q.QTable | None, trust: int) -> q.QTable | None:
    if trust < 1:
        raise UsageError(f"trust must be at least 1, not {trust}")
    if table is not None and table.game != game:
        raise UsageError(f"a search of {game!r} cannot use a Q-table of {table.game!r}")
    return table


def _shares(simulations: int, threads: int) -> list[int | None]:
    return [simulations // threads + (t < simulations % threads) for t in range(threads)]
