"""Information-set UCT: one tree of information sets, and a determinization for each simulation.

Every simulation begins in a determinization, drawn by the belief of the searching player. In a node
it chooses among the actions that are legal in this determinization, by UCT whose exploration counts
how often each action was available; new legal actions become children of the node.
(SO-ISMCTS: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012.) Its
weakness: in the tree the other players choose by what the searching player knows.
If the game has `narrow`, only the narrowed actions are tried.

A leaf is evaluated by a rollout to the end, by the game's heuristic after some moves of a rollout,
or by a value network. The network sees all hidden information; the tree averages over
determinizations.
"""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CHANCE,
    HEURISTIC,
    NARROW,
    OBSERVE,
    OVER,
    PRUNE,
    QUIET,
    RESAMPLE,
    SEAT_FEATURES,
    below,
    inlined,
    kernel,
)
from meeple.search.budget import Budget
from meeple.search.checks import check_plies
from meeple.search.determinization import Determinizer, searched_by_determinization
from meeple.search.loading import load_kernels
from meeple.search.mcts.descent import has_ended, no_refresh, simulate
from meeple.search.mcts.reroot import copy_value
from meeple.search.mcts.rollout_trees import RolloutTrees
from meeple.search.mcts.selection import best_child
from meeple.search.mcts.tree import (
    ROOT,
    Forest,
    add_node,
    block_of,
    child_of,
    close_block,
    forget_value,
    has_room,
    is_expanded,
    mean_value,
    new_forest,
    reset,
    tree_at,
)
from meeple.search.mcts.uct_kernels import EXPLORATION, Uct, UctSettings
from meeple.search.moves import (
    COUNT,
    NO_ACTION,
    copy_state,
    draw_outcome,
    ensure_actions,
    list_tree_moves,
    one_less,
    plies_of,
    seat_to_move,
)
from meeple.search.result import SearchResult
from meeple.search.rollouts import guidance_of, rollout, rollout_kernels, weighted_rollout
from meeple.search.values.lookahead import ends_lookahead, evaluate_state, new_state_evaluator
from meeple.search.values.network import ValueNetwork

# A child's `prior` counts how often its action was available.

PLIES = 20
"""Moves of a rollout before a heuristic evaluates it: see notes/catan.md."""
HEURISTIC_EXPLORATION = 0.2
"""Exploration with a heuristic, whose shares differ little from one action to another."""

MAX_DETERMINIZATIONS = 256  # drawn at once, one for each simulation
_ROOM = 8  # times the most actions of a position: with less room left, the tree is enlarged


class EvaluatedUct(NamedTuple):
    """One search with a value network, as the kernels' argument."""

    tree: Any
    rules: Any
    rng: Any  # [1] the generator
    settings: UctSettings  # with 0 plies, the network evaluates at once
    evaluator: Any


class InformationSetUct(RolloutTrees):
    """UCT for games that hide something or name their sensible actions; with a network, for any.

    Only sensible actions are tried, and every search starts with an empty tree.
    """

    def __init__(
        self,
        game: Game,
        *,
        c: float | None = None,
        guided: float = 1.0,
        plies: int | None = None,
        network: ValueNetwork | None = None,
    ) -> None:
        """Make the rule.

        Args:
            game: one that hides something or has `prune`; with a network, any.
            c: the constant of UCT; None: HEURISTIC_EXPLORATION if a heuristic or network
                evaluates leaves, else the default of UCT.
            guided: the probability that a move of a rollout is drawn by the weights of `prune`.
            plies: moves of a rollout before the heuristic or network evaluates it; 0: to the end,
                or at once by the network; None: PLIES if the game has a heuristic, or 0.
            network: evaluates leaves in place of the heuristic.

        Raises:
            UsageError: the game needs no such search, or has no heuristic.
        """
        if network is None and not searched_by_determinization(game):
            raise UsageError(f"{game!r} hides nothing: search it as it is")
        super().__init__(game)
        if network is None:
            plies = (PLIES if game.has(HEURISTIC) else 0) if plies is None else plies
            check_plies(game, plies)
        self._network = network  # `_evaluator` has addresses of its arrays
        self._evaluator = None if network is None else new_state_evaluator(game, network)
        plies = plies or 0
        usual = HEURISTIC_EXPLORATION if plies > 0 or network is not None else EXPLORATION
        self.settings = UctSettings(
            c=usual if c is None else c,
            solve=False,
            transpositions=False,
            guided=guided if game.has(PRUNE) else 0.0,
            plies=plies,
        )
        self.determinizer: Determinizer = Determinizer(game)
        self._buffer = np.empty((MAX_DETERMINIZATIONS, game.state_bytes), dtype=np.uint8)

    def begin(self, seed: int) -> None:
        """Compile or load the kernels, forget the beliefs and seed the generators."""
        self._load_kernels()
        self.rngs = [kernels.new_rng(seed)]
        self.determinizer.begin(seed)
        super().begin(seed)

    def set_root(self, position: Position, steps: tuple[int, ...] | None, budget: Budget) -> None:
        """Start with an empty tree."""
        super().set_root(position, steps, budget)
        self._position = position
        self._drawn_at_once = min(MAX_DETERMINIZATIONS, budget.simulations or MAX_DETERMINIZATIONS)
        self._determinizations = self._buffer[:0]  # of this search, not used yet

    def read(self, simulations: int, seconds: float) -> SearchResult:
        """Read the root; all its actions have equal priors."""
        result = super().read(simulations, seconds)
        equal = np.full(len(result.actions), 1 / len(result.actions), dtype=np.float32)
        return dataclasses.replace(result, priors=equal)

    def _prepare(self, wanted: int) -> int:
        """Draw determinizations if none is left: one for each simulation."""
        if not len(self._determinizations):
            self._determinizations = self._buffer[: self._drawn_at_once]
            self.determinizer.fill(self._position, self._determinizations, self.rngs[0])
        return min(wanted, len(self._determinizations))

    def _run_kernel(self, thread: int, simulations: int) -> int:
        ran = self._run(self._forests[thread], self._determinizations[:simulations], self.rngs[0])
        self._determinizations = self._determinizations[ran:]
        return ran

    def _run(self, forest: Forest, determinizations: npt.NDArray[np.uint8], rng: Any) -> int:
        """Run a simulation from each determinization, until the tree is full."""
        rules, settings, scratch = self.game.addresses, self.settings, self._scratches[0]
        if self._evaluator is None:
            return int(
                run_information_sets(forest, rules, determinizations, rng, settings, scratch)
            )
        evaluator = self._evaluator
        return int(
            run_evaluated_sets(forest, rules, determinizations, rng, settings, scratch, evaluator)
        )

    def _load_kernels(self) -> None:
        """Compile or load all that a search calls, so that no search's clock pays for it."""
        game = self.game
        leaves: tuple[int, ...] = (QUIET, SEAT_FEATURES, OBSERVE)
        if self._evaluator is None:
            leaves = rollout_kernels(game, self.settings)
        load_kernels(game, (PRUNE, NARROW, RESAMPLE, *leaves), self._load_search)

    def _load_search(self) -> None:
        forest = new_forest(1, self.game.players, 1)
        reset(forest.tree(0), 0)
        self._run(forest, self._buffer[:0], kernels.new_rng(0))
        best_child(forest.tree(0), ROOT)


@kernel
def run_information_sets(
    forest: Any, rules: Any, determinizations: Any, rng: Any, settings: Any, scratch: Any
) -> int:
    """Run a simulation from each of the states `determinizations` [S, bytes] on the first tree.

    Stops early, with the number that were run, when the tree may have no room for the next.
    Consumes the generator in `rng`.
    """
    search = Uct(tree_at(forest, 0), rules, rng, settings)
    return _run_determinizations(search, determinizations, scratch, rollout)


@kernel
def run_evaluated_sets(
    forest: Any,
    rules: Any,
    determinizations: Any,
    rng: Any,
    settings: Any,
    scratch: Any,
    evaluator: Any,
) -> int:
    """As `run_information_sets`, with leaves that a network evaluates."""
    search = EvaluatedUct(tree_at(forest, 0), rules, rng, settings, evaluator)
    return _run_determinizations(search, determinizations, scratch, _evaluated_rollout)


@inlined
def _run_determinizations(search: Any, determinizations: Any, scratch: Any, evaluate: Any) -> int:
    """Run a simulation from each determinization; `evaluate` gives the values of leaves."""
    room = _ROOM * scratch.moves.actions.shape[0]
    done = 0
    while done < determinizations.shape[0] and has_room(search.tree, room):
        copy_state(determinizations[done], scratch.state)
        simulate(search, scratch, _grow, _choose, has_ended, evaluate, no_refresh)
        done += 1
    return done


@inlined
def _evaluated_rollout(search: Any, scratch: Any) -> None:
    """Play some moves, then more until the state is quiet; the network's shares are the value."""
    state, moves, evaluator = scratch.state, scratch.moves, search.evaluator
    guidance, plies = guidance_of(search.settings), search.settings.plies
    weighted_rollout(search.rules, state, moves, search.rng[0], guidance, plies)
    left = plies_of(moves)
    while seat_to_move(state) != OVER and not ends_lookahead(evaluator, state):
        left = one_less(left)
        weighted_rollout(search.rules, state, moves, search.rng[0], guidance, 1)
    evaluate_state(evaluator, state)
    for seat in range(scratch.shares.shape[0]):
        scratch.shares[seat] = evaluator.stack.shares[seat]


@inlined
def _grow(search: Any, node: int, mover: int, depth: int, scratch: Any) -> bool:
    """Add the determinization's moves to the children; at its first visit a decision is a leaf.

    Without room for them, any node is a leaf.
    """
    tree, rules, moves = search.tree, search.rules, scratch.moves
    if mover == CHANCE:
        outcome = draw_outcome(rules, scratch.state, moves, search.rng[0])
        moves.memory[COUNT] = 1
        moves.actions[0] = outcome
    elif tree.nodes[node].visits == 1 and depth > 0:
        return False
    else:
        last = NO_ACTION
        if depth > 0 and tree.nodes[scratch.path[depth - 1]].to_move == mover:
            last = int(tree.action[node])
        count = list_tree_moves(rules, scratch.state, moves, last)
        ensure_actions(moves.memory, count, mover)
    return bool(_join(tree, node, moves))


@kernel
def _join(tree: Any, node: int, moves: Any) -> bool:
    """Add a child for every listed move that has none; False if the tree has no room.

    Children stay contiguous: if some are new, all move to a new place.
    """
    listed = int(moves.memory[COUNT])
    old_size = 0
    missing = listed
    if is_expanded(tree, node):
        old_size = int(block_of(tree, node).size)
        missing = 0
        for index in range(listed):
            missing += child_of(tree, node, moves.actions[index]) < 0
    if missing == 0:
        return True
    if not has_room(tree, old_size + missing):
        return False
    first = int(tree.used[0])
    for offset in range(old_size):
        _copy_child(tree, block_of(tree, node).first + offset, first + offset)
    for index in range(listed):
        if old_size == 0 or child_of(tree, node, moves.actions[index]) < 0:
            forget_value(tree, tree.used[0])
            add_node(tree, moves.actions[index], 0.0)
    if old_size == 0:
        close_block(tree, node, first)
    else:
        block = block_of(tree, node)
        block.first = first
        block.size = old_size + missing
    return True


@inlined
def _copy_child(tree: Any, source: int, target: int) -> None:
    old = tree.nodes[source]
    add_node(tree, tree.action[source], tree.prior[source])
    new = tree.nodes[target]
    new.visits = old.visits
    new.block = old.block
    new.to_move = old.to_move
    copy_value(tree, source, target)


@kernel
def _choose(search: Any, node: int, mover: int, depth: int, scratch: Any) -> int:
    """Choose a child among the determinization's moves; unvisited ones first, at random."""
    tree, moves = search.tree, scratch.moves
    if mover == CHANCE:
        return child_of(tree, node, moves.actions[0])
    fresh = 0
    chosen = -1
    best = -np.inf
    for index in range(moves.memory[COUNT]):
        child = int(child_of(tree, node, moves.actions[index]))
        tree.prior[child] += 1.0
        visits = int(tree.nodes[child].visits)
        if visits == 0:
            fresh += 1
            if below(search.rng[0], fresh) == 0:
                chosen = child
        elif fresh == 0:
            score = mean_value(tree, child, mover)
            score += search.settings.c * np.sqrt(np.log(np.float64(tree.prior[child])) / visits)
            if score > best:
                best = score
                chosen = child
    return chosen
