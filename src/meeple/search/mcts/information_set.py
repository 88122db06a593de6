"""Information-set UCT: one tree of what a player can tell apart, each simulation in another world.

Every simulation begins in a sample of what the searching player cannot know. In a node it chooses
among the actions that this world allows, by a UCT rule whose exploration counts how often each
was there to be chosen; actions that no world before allowed join the node's children. (SO-ISMCTS:
Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012.) What the searching
player knows, the others' moves in the tree take as known to them too: that is its weakness.
Where the game says what of it a tree should try (`narrow`), it tries no more.
"""

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CHANCE,
    HEURISTIC,
    LEGAL,
    NARROW,
    OVER,
    PLAY,
    PRUNE,
    below,
    inlined,
    invoke2,
    invoke3,
    kernel,
)
from meeple.search.budget import check_limits, check_plies
from meeple.search.determinization import Worlds, searched_by_worlds
from meeple.search.mcts.simulate import (
    backpropagate,
    copy_state,
    draw_outcome,
    evaluate_known,
    new_scratch,
    rollout,
)
from meeple.search.mcts.tree import (
    ROOT,
    UNVISITED,
    Forest,
    grown,
    new_forest,
    reset,
    tree_at,
)
from meeple.search.mcts.uct import CERTAIN, EXPLORATION
from meeple.search.result import SearchResult, read_root

# A child's `prior` counts how often it could be chosen.

PLIES = 20
"""Moves of a rollout, where a heuristic can judge what then is: see docs/results.md."""
HEURISTIC_EXPLORATION = 0.2
"""Exploration, where a heuristic judges: its shares differ little from one action to another."""

WORLDS = 256  # drawn at once, one for each simulation
MAX_NODES = 20_000_000
_FIRST_NODES = 100_000
_ROOM = 8  # times the most actions of a position, that a simulation may need: chance nodes


class InformationSetSearch:
    """UCT for games that hide something, or that name their sensible actions: it tries no others.

    It knows no more than the player to move.

    Deterministic by simulations, for equal seeds. Every search begins anew.
    """

    def __init__(
        self,
        game: Game,
        *,
        exploration: float | None = None,
        guided: float = 1.0,
        plies: int | None = None,
        seed: int = 0,
    ) -> None:
        """`exploration`: the constant of UCT; None: HEURISTIC_EXPLORATION where a heuristic judges,
        or that of UCT; `guided`: the chance with which a rollout's move is drawn by the weights of
        `prune`, where the game has that kernel; `plies`: moves of a rollout before the heuristic
        judges it (0: it goes to the end; None: PLIES where the game has one). Raises UsageError for
        a game that needs no such search, or has no heuristic.
        """
        if not searched_by_worlds(game):
            raise UsageError(f"{game!r} hides nothing: search it as it is")
        self.game = game
        self.plies = (PLIES if game.has(HEURISTIC) else 0) if plies is None else plies
        check_plies(game, self.plies)
        usual = HEURISTIC_EXPLORATION if self.plies > 0 else EXPLORATION
        self.exploration = usual if exploration is None else exploration
        self.guided = guided if game.has(PRUNE) else 0.0
        self._forest: Forest | None = None
        self._worlds = Worlds(game)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start the generator anew, for another game."""
        self._rng = kernels.new_rng(seed)
        self._worlds.begin(seed)

    def run(
        self,
        position: Position,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Search a decision position, as the player to move knows it, until a limit is reached."""
        check_limits(simulations, seconds, stop)
        if position.game != self.game:
            raise UsageError(f"a search of {self.game!r} cannot search {position.game!r}")
        if position.to_move < 0:
            raise UsageError("there is nothing to search: no player is to move")
        began = time.perf_counter()
        deadline = None if seconds is None else began + seconds
        forest = self._forest = self._forest or new_forest(1, self.game.players, _FIRST_NODES)
        reset(forest.tree(0), position.to_move)
        done = self._run(position, simulations, deadline, stop)
        assert self._forest is not None
        result = read_root([self._forest.tree(0)], done, time.perf_counter() - began)
        equal = np.full(len(result.actions), 1 / len(result.actions), dtype=np.float32)
        return dataclasses.replace(result, priors=equal)

    def _run(
        self,
        position: Position,
        simulations: int | None,
        deadline: float | None,
        stop: Callable[[], bool] | None,
    ) -> int:
        game, rng = self.game, self._rng
        scratch = new_scratch(game.state_bytes, game.max_moves, game.max_plies, game.players)
        guidance = int(self.guided * CERTAIN)
        worlds = np.empty((WORLDS, game.state_bytes), dtype=np.uint8)
        done, first = 0, WORLDS
        # A root has visited children after its second simulation.
        while simulations is None or done < max(simulations, 2):
            if first == WORLDS:
                self._worlds.fill(position, worlds, rng)
                first = 0
            wanted = WORLDS - first if deadline is None and stop is None else min(8, WORLDS - first)
            if simulations is not None:
                wanted = min(wanted, max(simulations, 2) - done)
            assert self._forest is not None
            ran = run_worlds(
                self._forest, 0, game.rules, worlds, first, scratch, rng, wanted,
                self.exploration, guidance, self.plies,
            )  # fmt: skip
            done, first = done + ran, first + ran
            if ran < wanted:
                capacity = self._forest.capacity
                if capacity >= MAX_NODES:
                    break
                self._forest = grown(self._forest, min(2 * capacity, MAX_NODES))
            if done >= 2 and deadline is not None and time.perf_counter() >= deadline:
                break
            if done >= 2 and stop is not None and stop():
                break
        return done


@kernel
def run_worlds(
    forest: Any,
    index: int,
    rules: Any,
    worlds: Any,
    first: int,
    scratch: Any,
    rngs: Any,
    simulations: int,
    c: float,
    guidance: int,
    plies: int,
) -> int:
    """Run simulations, the k-th from the state `worlds[first + k]`.

    `guidance` and `plies` are those of `simulate.rollout`. Stops early, with the number that were
    run, when the tree may have no room for the next. Consumes the generator in `rngs`.
    """
    tree = tree_at(forest, index)
    rng = rngs[0]
    widest = (scratch.moves.shape[0] - 1) // 2
    for done in range(simulations):
        if tree.used[0] + _ROOM * widest > tree.visits.shape[0]:
            return done
        copy_state(worlds[first + done], scratch.state)
        depth = descend_world(tree, rules, c, scratch.state, scratch.path, scratch, rng)
        if not evaluate_known(
            tree, scratch.path, depth, rules, scratch.state, False, scratch.shares
        ):
            rollout(rules, scratch, rngs, guidance, plies)
        backpropagate(tree, scratch.path, depth, scratch.shares)
    return simulations


@kernel
def descend_world(
    tree: Any, rules: Any, c: float, state: Any, path: Any, scratch: Any, rng: Any
) -> int:
    """Go from the root to a leaf, playing on `state`; return the depth of the leaf.

    A decision node is expanded at its second visit, a chance node at its first.
    """
    node = ROOT
    depth = 0
    path[0] = ROOT
    before = np.int64(CHANCE)
    while True:
        tree.visits[node] += 1
        mover = np.int64(np.int8(state[0]))
        tree.to_move[node] = mover
        if mover == OVER:
            return depth
        if mover == CHANCE:
            outcome = draw_outcome(rules, state, scratch.moves, rng)
            scratch.moves[0] = 1
            scratch.moves[1] = outcome
            _join(tree, node, scratch.moves)
            child = _child(tree, node, outcome)
        else:
            if tree.visits[node] == 1 and depth > 0:
                return depth
            scratch.moves[0] = 0
            sensible = PRUNE if rules[PRUNE] != 0 else LEGAL
            invoke2(rules[sensible], state.ctypes.data, scratch.moves.ctypes.data)
            if rules[NARROW] != 0:
                last = np.int64(tree.action[node]) if depth > 0 and mover == before else -1
                invoke3(rules[NARROW], state.ctypes.data, scratch.moves.ctypes.data, last)
            _join(tree, node, scratch.moves)
            child = _choose(tree, node, mover, c, scratch, rng)
        invoke2(rules[PLAY], state.ctypes.data, np.int64(tree.action[child]))
        before = mover
        node = child
        depth += 1
        path[depth] = node


@inlined
def _child(tree: Any, node: int, action: int) -> int:
    first = np.int64(tree.first_child[node])
    for child in range(first, first + tree.block_size[first]):
        if tree.action[child] == action:
            return int(child)
    return -1


@kernel
def _join(tree: Any, node: int, moves: Any) -> None:
    """Give a node a child for every action of the list that it has none for.

    Children stay contiguous: where some are new, all move to a new block.
    """
    first = np.int64(tree.first_child[node])
    size = np.int64(tree.block_size[first]) if first > 0 else 0
    missing = 0
    for index in range(1, moves[0] + 1):
        if first == 0 or _child(tree, node, np.int64(moves[index])) < 0:
            missing += 1
            moves[moves[0] + missing] = moves[index]
    if missing == 0:
        return
    new = np.int64(tree.used[0])
    tree.used[0] = new + size + missing
    for offset in range(size):
        _copy_child(tree, first + offset, new + offset)
    for offset in range(missing):
        _new_child(tree, new + size + offset, np.int64(moves[moves[0] + 1 + offset]))
    tree.first_child[node] = new
    tree.block_size[new] = size + missing
    tree.block_opened[new] = size + missing
    tree.block_visits[new] = 0


@inlined
def _copy_child(tree: Any, source: int, target: int) -> None:
    tree.visits[target] = tree.visits[source]
    tree.prior[target] = tree.prior[source]
    tree.action[target] = tree.action[source]
    tree.first_child[target] = tree.first_child[source]
    tree.to_move[target] = tree.to_move[source]
    tree.proof[target] = tree.proof[source]
    for player in range(tree.value_sum.shape[0]):
        tree.value_sum[player, target] = tree.value_sum[player, source]


@inlined
def _new_child(tree: Any, child: int, action: int) -> None:
    tree.visits[child] = 0
    tree.prior[child] = 0.0
    tree.action[child] = action
    tree.first_child[child] = 0
    tree.to_move[child] = UNVISITED
    tree.proof[child] = 0
    for player in range(tree.value_sum.shape[0]):
        tree.value_sum[player, child] = 0.0


@kernel
def _choose(tree: Any, node: int, mover: int, c: float, scratch: Any, rng: Any) -> int:
    """The child to follow among the legal actions; unvisited ones first, at random."""
    fresh = 0
    chosen = -1
    best = -np.inf
    for index in range(1, scratch.moves[0] + 1):
        child = _child(tree, node, np.int64(scratch.moves[index]))
        tree.prior[child] += 1.0
        visits = np.int64(tree.visits[child])
        if visits == 0:
            fresh += 1
            if below(rng, fresh) == 0:
                chosen = child
        elif fresh == 0:
            score = tree.value_sum[mover, child] / visits
            score += c * np.sqrt(np.log(np.float64(tree.prior[child])) / visits)
            if score > best:
                best = score
                chosen = child
    return int(chosen)
