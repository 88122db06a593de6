"""UCT that leans on the game's weights: a bias in selection, and unlikely actions left out.

Children are chosen by Q + c sqrt(ln N / n) + d h / (1 + n), where h is an action's share of the
weights of what the game would have a tree try (`prune`, `narrow`): progressive bias (Chaslot et
al., "Progressive strategies for Monte-Carlo tree search", 2008). A leaf is worth the result of one
random rollout, or what a small network says. For games that hide nothing; every search begins anew.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CHANCE,
    LEGAL,
    NARROW,
    OBSERVE,
    OVER,
    PLAY,
    PRUNE,
    below,
    inlined,
    invoke2,
    invoke3,
    kernel,
    uniform,
)
from meeple.search.budget import check_limits
from meeple.search.mcts.simulate import (
    EXPANSIONS,
    Scratch,
    backpropagate,
    copy_state,
    evaluate_known,
    new_scratch,
    rollout,
)
from meeple.search.mcts.tree import (
    ROOT,
    UNVISITED,
    Forest,
    expand,
    expand_with_policy,
    grown,
    new_forest,
    reset,
    tree_at,
)
from meeple.search.perceptron import Perceptron, no_perceptron, predict
from meeple.search.result import SearchResult, read_root

_FIRST_NODES = 20_000
_SLICE = 64  # simulations between two looks at the clock


class BiasedScratch(NamedTuple):
    """The working memory of a search: that of any, and what weights and the network need."""

    common: Scratch
    legal: npt.NDArray[np.bool_]  # [num_actions]
    share: npt.NDArray[np.float32]  # [num_actions] h of the node that is expanded
    features: npt.NDArray[np.float32]  # [features of an observation]
    hidden: npt.NDArray[np.float32]  # [hidden units], none without a network


class BiasedSearch:
    """A search by simulations or seconds; equal for equal seeds, by simulations."""

    def __init__(
        self,
        game: Game,
        *,
        exploration: float = 1.0,
        bias: float = 0.0,
        keep: float = 0.0,
        network: Perceptron | None = None,
        seed: int = 0,
    ) -> None:
        """`exploration` is c and `bias` d, on shares of the win; `keep`: an action is left out of
        the tree where its weight is below this part of the heaviest's, 0 keeps all that are legal.
        The network gives shares in the order of seats, by what seat 0 observes: of a game in which
        all seats observe the same. Raises UsageError for what does not fit the game.
        """
        if game.hides:
            raise UsageError(f"{game!r} hides something: search it by information sets")
        if (bias or keep) and not game.has(PRUNE):
            raise UsageError(f"{game.name} has no weights of actions: bias and keep must be 0")
        if bias < 0 or not 0 <= keep <= 1:
            raise UsageError(f"bias is at least 0 and keep from 0 to 1, not {bias} and {keep}")
        features = int(np.prod(game.observation_shape))
        if network is not None and (network.first.shape[1], len(network.second)) != (
            features,
            game.players,
        ):
            raise UsageError(f"a network for {game!r} has {features} inputs, an output a player")
        self.game = game
        self.exploration, self.bias, self.keep = exploration, bias, keep
        self.network = no_perceptron(game.players) if network is None else network
        self._scratch = BiasedScratch(
            new_scratch(game.state_bytes, game.max_moves, game.max_plies, game.players),
            np.zeros(game.num_actions, dtype=np.bool_),
            np.zeros(game.num_actions, dtype=np.float32),
            np.zeros(features, dtype=np.float32),
            np.zeros(len(self.network.first_bias), dtype=np.float32),
        )
        self._forest: Forest | None = None
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start the generator anew, for another game."""
        self._rng = kernels.new_rng(seed)

    def run(
        self,
        position: Position,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Search a decision position until a limit is reached; at least one must be given."""
        check_limits(simulations, seconds, stop)
        if position.game != self.game:
            raise UsageError(f"a search of {self.game!r} cannot search {position.game!r}")
        if position.to_move < 0:
            raise UsageError("there is nothing to search: no player is to move")
        began = time.perf_counter()
        forest = self._forest = self._forest or new_forest(1, self.game.players, _FIRST_NODES)
        reset(forest.tree(0), position.to_move)
        root, rules = position.row.copy(), self.game.rules
        wanted = None if simulations is None else max(simulations, 2)  # a root has visited children
        done = 0
        with kernels.compiling("search"):
            while wanted is None or done < wanted:
                piece = _SLICE if wanted is None else wanted - done
                piece = piece if seconds is None and stop is None else min(piece, _SLICE)
                ran = run_biased(
                    self._forest, rules, root, self._scratch, self._rng, piece,
                    self.exploration, self.bias, self.keep, self.network,
                )  # fmt: skip
                done += ran
                if ran < piece:
                    self._forest = grown(self._forest, 2 * self._forest.capacity)
                if done >= 2 and seconds is not None and time.perf_counter() >= began + seconds:
                    break
                if done >= 2 and stop is not None and stop():
                    break
        return read_root([self._forest.tree(0)], done, time.perf_counter() - began)


@kernel
def run_biased(
    forest: Any,
    rules: Any,
    root: Any,
    scratch: Any,
    rngs: Any,
    simulations: int,
    c: float,
    bias: float,
    keep: float,
    network: Any,
) -> int:
    """Run simulations from the state `root` on the first tree; return how many were run.

    Stops early when the tree may have no room for the next. Consumes the generator in `rngs`.
    """
    tree = tree_at(forest, 0)
    common = scratch.common
    room = EXPANSIONS * common.scores.shape[0]
    for done in range(simulations):
        if tree.used[0] + room > tree.visits.shape[0]:
            return done
        copy_state(root, common.state)
        depth = descend_biased(tree, rules, scratch, c, bias, keep, rngs[0])
        if not evaluate_known(tree, common.path, depth, rules, common.state, False, common.shares):
            if scratch.hidden.shape[0] > 0:
                invoke3(
                    rules[OBSERVE],
                    common.state.ctypes.data,
                    np.int64(0),
                    scratch.features.ctypes.data,
                )
                predict(network, scratch.features, scratch.hidden, common.shares)
            else:
                rollout(rules, common, rngs, 0, 0)
        backpropagate(tree, common.path, depth, common.shares)
    return simulations


@kernel
def descend_biased(
    tree: Any, rules: Any, scratch: Any, c: float, bias: float, keep: float, rng: Any
) -> int:
    """Go from the root to a leaf, playing on the state of `scratch`; return the leaf's depth.

    A decision node is expanded at its second visit, the root and chance nodes at their first.
    """
    state, path = scratch.common.state, scratch.common.path
    node = ROOT
    depth = 0
    path[0] = ROOT
    while True:
        tree.visits[node] += 1
        mover = np.int64(tree.to_move[node])
        if mover == OVER:
            return depth
        if tree.first_child[node] == 0:
            if mover == CHANCE:
                expand(tree, node, rules, state, scratch.common.moves, rng)
            elif tree.visits[node] == 1 and depth > 0:
                return depth
            else:
                _expand_by_weight(tree, node, rules, scratch, keep)
        if mover == CHANCE:
            node = _draw(tree, node, rng)
        else:
            node = _choose(tree, node, mover, c, bias, rng)
        invoke2(rules[PLAY], state.ctypes.data, np.int64(tree.action[node]))
        if tree.to_move[node] == UNVISITED:
            tree.to_move[node] = np.int8(state[0])
        depth += 1
        path[depth] = node


@kernel
def _expand_by_weight(tree: Any, node: int, rules: Any, scratch: Any, keep: float) -> None:
    """Give a node a child for each action to be searched, its share of the weights as its prior."""
    legal, share, moves = scratch.legal, scratch.share, scratch.common.moves
    legal[:] = False
    share[:] = 0.0
    if rules[PRUNE] != 0:
        _weigh(rules, scratch, keep)
    if keep == 0.0:
        moves[0] = 0
        invoke2(rules[LEGAL], scratch.common.state.ctypes.data, moves.ctypes.data)
        for index in range(1, moves[0] + 1):
            legal[moves[index]] = True
    expand_with_policy(tree, node, legal, share, scratch.common.shares)


@kernel
def _weigh(rules: Any, scratch: Any, keep: float) -> None:
    """Note the sensible actions that are heavy enough, and each one's share of their weights."""
    moves = scratch.common.moves
    weights = moves.view(np.float32)
    start = 1 + (moves.shape[0] - 1) // 2
    moves[0] = 0
    invoke2(rules[PRUNE], scratch.common.state.ctypes.data, moves.ctypes.data)
    if rules[NARROW] != 0:
        invoke3(rules[NARROW], scratch.common.state.ctypes.data, moves.ctypes.data, np.int64(-1))
    heaviest = np.float32(0.0)
    for index in range(moves[0]):
        heaviest = max(heaviest, weights[start + index])
    least = np.float32(keep) * heaviest
    total = np.float32(0.0)
    for index in range(moves[0]):
        if weights[start + index] >= least:
            total += weights[start + index]
    for index in range(moves[0]):
        if weights[start + index] >= least:
            scratch.legal[moves[1 + index]] = True
            scratch.share[moves[1 + index]] = weights[start + index] / total


@inlined
def _draw(tree: Any, node: int, rng: Any) -> int:
    """A child of a chance node, by its probability."""
    first = np.int64(tree.first_child[node])
    last = first + np.int64(tree.block_size[first]) - 1
    mark = uniform(rng)
    child = first
    while child < last:
        mark -= tree.prior[child]
        if mark < 0.0:
            break
        child += 1
    return int(child)


@kernel
def _choose(tree: Any, node: int, mover: int, c: float, bias: float, rng: Any) -> int:
    """The child with the best score; unvisited ones first, the heaviest of them, equals at random.

    Without a bias, unvisited children come in random order.
    """
    first = int(tree.first_child[node])
    tree.block_visits[first] += 1
    explore = np.log(np.float64(tree.block_visits[first]))
    chosen = first
    best = -np.inf
    equals = 0
    fresh = False
    for child in range(first, first + int(tree.block_size[first])):
        visits = np.float64(tree.visits[child])
        heavy = bias * np.float64(tree.prior[child])
        if visits > 0.0:
            if fresh:
                continue
            score = tree.value_sum[mover, child] / visits
            score += c * np.sqrt(explore / visits) + heavy / (1.0 + visits)
        else:
            if not fresh:
                fresh = True
                best = -np.inf
            score = heavy
        if score > best:
            best = score
            chosen = child
            equals = 1
        elif score == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = child
    return chosen
