"""UCT with the game's heuristics: at leaves, in selection (progressive bias), or for pruning.

The value of a leaf is v + d h: v is the result of one random rollout or the output of a small
network, and h the game's heuristic, a share for each seat. Or h biases selection: children are
chosen by Q + c sqrt(ln N / n) + d h / (1 + n), where h is an action's share of the weights that the
game gives to its actions (`prune`, `narrow`). For games without hidden information; the tree is not
reused.

Source: Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    HEURISTIC,
    LEGAL,
    OBSERVE,
    PRUNE,
    below,
    inlined,
    invoke2,
    invoke3,
    kernel,
)
from meeple.kernels import cache as kernel_cache
from meeple.search.mcts.descent import has_ended, no_refresh, room_of_descent, simulate
from meeple.search.mcts.rollout_trees import RolloutTrees
from meeple.search.mcts.selection import best_child, sample_outcome
from meeple.search.mcts.tree import (
    ROOT,
    Forest,
    block_of,
    expand,
    expand_with_policy,
    has_room,
    is_expanded,
    mean_value,
    new_forest,
    reset,
    tree_at,
)
from meeple.search.mcts.uct_kernels import room_for
from meeple.search.moves import (
    NO_ACTION,
    copy_state,
    ensure_actions,
    list_actions,
    list_tree_moves,
    seat_to_move,
)
from meeple.search.rollouts import rollout, rollout_kernels
from meeple_studies.perceptron import Perceptron, Units, new_units, no_perceptron, predict


class HeuristicMemory(NamedTuple):
    """The working memory of the heuristics and the network."""

    legal: npt.NDArray[np.bool_]  # [num_actions]
    share: npt.NDArray[np.float32]  # [num_actions] h of the expanded node's actions
    evaluated: npt.NDArray[np.float64]  # [players] h of the leaf
    features: npt.NDArray[np.float32]  # [features of an observation]
    units: Units  # of the network


class BiasedSettings(NamedTuple):
    """The settings of a biased search."""

    c: float  # exploration
    bias: float  # d in selection
    leaf: float  # the weight of the heuristic in a leaf's value, d / (1 + d)
    keep: float  # the fraction of the largest weight below which actions are omitted
    network: Perceptron
    guided: float = 0.0  # of rollouts, as in `UctSettings`
    plies: int = 0
    discount: float = 1.0


class Biased(NamedTuple):
    """The search record that kernels pass to each other, for one tree."""

    tree: Any
    rules: Any
    rng: Any  # [1] the generator
    settings: BiasedSettings
    weights: HeuristicMemory


class BiasedUct(RolloutTrees):
    """The search rule of a study, with the heuristic at leaves or in selection."""

    def __init__(
        self,
        game: Game,
        *,
        exploration: float = 1.0,
        leaf: float = 0.0,
        bias: float = 0.0,
        keep: float = 0.0,
        network: Perceptron | None = None,
    ) -> None:
        """Create the rule.

        With `leaf` > 0, `exploration` is on the scale of v + d h, from 0 to 1 + d; the values of
        the result are divided by 1 + d, so that they are shares.

        Args:
            game: without hidden information.
            exploration: c.
            leaf: d at leaves.
            bias: d in selection.
            keep: omit actions whose weight is below this fraction of the largest weight; 0 keeps
                all legal actions.
            network: evaluates leaves by the observation of seat 0, for games in which all seats
                observe the same; its outputs are shares by seat. None: random rollouts.

        Raises:
            UsageError: the game has hidden information, or lacks a kernel that is needed.
        """
        if game.hides:
            raise UsageError(f"{game!r} hides something: search it by information sets")
        if (bias or keep) and not game.can_prune:
            raise UsageError(f"{game.name} has no weights of actions: bias and keep must be 0")
        if leaf and not game.has(HEURISTIC):
            raise UsageError(f"{game.name} has no heuristic: leaf must be 0")
        if leaf < 0 or bias < 0 or not 0 <= keep <= 1:
            raise UsageError("leaf and bias are at least 0, and keep is from 0 to 1")
        features = int(np.prod(game.observation_shape))
        if network is not None and tuple(network.widths[[0, -1]]) != (features, game.players):
            raise UsageError(
                f"a network for {game!r} has {features} inputs and an output for each player"
            )
        super().__init__(game)
        network = no_perceptron() if network is None else network
        whole = 1 + leaf
        self.settings = BiasedSettings(exploration / whole, bias, leaf / whole, keep, network)
        self._weights = HeuristicMemory(
            np.zeros(game.num_actions, dtype=np.bool_),
            np.zeros(game.num_actions, dtype=np.float32),
            np.zeros(game.players, dtype=np.float64),
            np.zeros(features, dtype=np.float32),
            new_units(network),
        )

    def begin(self, seed: int) -> None:
        """Compile the game's kernels and seed the generator."""
        self.game.compile(HEURISTIC, OBSERVE, *rollout_kernels(self.game, self.settings))
        self._rules = self.game.pruning_addresses()
        self.rngs = [kernels.new_rng(seed)]
        self._load_search()
        super().begin(seed)

    def _load_search(self) -> None:
        """Compile or load what a search calls, so that no search's clock pays for it."""
        forest = new_forest(1, self.game.players, 1)
        with kernel_cache.compiling("search"):
            reset(forest.tree(0), 0)
            self._simulate_in(forest, 0, 0)
            best_child(forest.tree(0), ROOT)

    def _run_kernel(self, thread: int, simulations: int) -> int:
        return self._simulate_in(self._forests[thread], thread, simulations)

    def _simulate_in(self, forest: Forest, thread: int, simulations: int) -> int:
        return int(
            run_biased(
                forest, self._rules, self.root, self.rngs[thread],
                (self.settings, self._weights), self._scratches[thread], simulations,
            )
        )  # fmt: skip


@kernel
def run_biased(
    forest: Any, rules: Any, root: Any, rng: Any, biases: Any, scratch: Any, simulations: int
) -> int:
    """Run simulations from the state `root` on the first tree; return how many were run.

    `biases` are settings and weights. Stops early when the tree may have no room for the next.
    Consumes the generator in `rng`.
    """
    tree = tree_at(forest, 0)
    search = Biased(tree, rules, rng, biases[0], biases[1])
    for done in range(simulations):
        if not has_room(tree, room_of_descent(scratch)):
            return done
        copy_state(root, scratch.state)
        simulate(search, scratch, _grow, _choose, has_ended, _evaluate, no_refresh)
    return simulations


@inlined
def _evaluate(search: Any, scratch: Any) -> None:
    """Evaluate a leaf by the network or a random rollout, and by the heuristic."""
    weights, leaf, shares = search.weights, search.settings.leaf, scratch.shares
    address = scratch.state.ctypes.data
    if leaf > 0.0:  # before the rollout, which changes the state
        invoke2(search.rules[HEURISTIC], address, weights.evaluated.ctypes.data)
    if search.settings.network.widths.shape[0] > 0:
        features = weights.features
        invoke3(search.rules[OBSERVE], address, np.int64(0), features.ctypes.data)
        predict(search.settings.network, features, weights.units, shares)
    else:
        rollout(search, scratch)
    for seat in range(shares.shape[0]):
        shares[seat] += leaf * (weights.evaluated[seat] - shares[seat])


@inlined
def _grow(search: Any, node: int, mover: int, depth: int, scratch: Any) -> bool:
    """Expand the root and chance nodes at their first visit, all others at their second."""
    tree = search.tree
    if is_expanded(tree, node):
        return True
    if mover != CHANCE and tree.nodes[node].visits == 1 and depth > 0:
        return False
    if not has_room(tree, room_for(mover, scratch)):
        return False  # the leaf is evaluated again
    if mover == CHANCE:
        expand(tree, node, mover, search.rules, scratch.state, scratch.moves)
        return True
    _expand_by_weight(search, node, scratch)
    return True


@kernel
def _expand_by_weight(search: Any, node: int, scratch: Any) -> None:
    """Expand a node with the actions to search; priors are their shares of the weights."""
    weights, moves, keep = search.weights, scratch.moves, search.settings.keep
    weights.legal[:] = False
    weights.share[:] = 0.0
    if search.rules[PRUNE] != 0:
        _weigh(search.rules, weights, scratch, keep)
    if keep == 0.0:
        for index in range(list_actions(search.rules, LEGAL, scratch.state, moves)):
            weights.legal[moves.actions[index]] = True
    expand_with_policy(search.tree, node, weights.legal, weights.share, scratch.shares)


@kernel
def _weigh(rules: Any, weights: Any, scratch: Any, keep: float) -> None:
    """Mark the sensible actions with enough weight, and set each one's share of the weights."""
    moves = scratch.moves
    count = list_tree_moves(rules, scratch.state, moves, NO_ACTION)
    ensure_actions(moves.memory, count, seat_to_move(scratch.state))
    heaviest = np.float32(0.0)
    for index in range(count):
        heaviest = max(heaviest, moves.weights[index])
    least = np.float32(keep) * heaviest
    total = np.float32(0.0)
    for index in range(count):
        if moves.weights[index] >= least:
            total += moves.weights[index]
    for index in range(count):
        if moves.weights[index] >= least:
            weights.legal[moves.actions[index]] = True
            weights.share[moves.actions[index]] = moves.weights[index] / total


@inlined
def _choose(search: Any, node: int, mover: int, depth: int, scratch: Any) -> int:
    """Draw a chance outcome, or choose the best child by the formula."""
    tree, settings = search.tree, search.settings
    block = block_of(tree, node)
    block.visits += 1
    if mover == CHANCE:
        return int(sample_outcome(tree, block, search.rng[0]))
    return int(best_by_bias(tree, node, mover, settings.c, settings.bias, search.rng[0]))


@kernel
def best_by_bias(tree: Any, node: int, mover: int, c: float, bias: float, rng: Any) -> int:
    """Return the child with the best score.

    Unvisited children come first, the largest weight first; ties are broken at random. Without a
    bias, unvisited children come in random order.
    """
    block = block_of(tree, node)
    explore = np.log(np.float64(block.visits))
    chosen = int(block.first)
    best = -np.inf
    equals = 0
    fresh = False
    for child in range(block.first, block.first + block.size):
        visits = np.float64(tree.nodes[child].visits)
        score = bias * np.float64(tree.prior[child])
        if visits > 0.0:
            if fresh:
                continue
            score = score / (1.0 + visits) + c * np.sqrt(explore / visits)
            score += mean_value(tree, child, mover)
        elif not fresh:
            fresh = True
            best = -np.inf
        if score > best:
            best = score
            chosen = int(child)
            equals = 1
        elif score == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = int(child)
    return chosen
