"""Network search on many games in lockstep: every evaluation is a batch over all of them.

Each game has its own tree. A round lets every game descend to a few leaves, with visits counted on
the way down so that the next descent avoids the path (virtual loss); all leaves are evaluated in
one batch and the values backed up.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, OVER, PAYOFFS, inlined, invoke2, kernel
from meeple.search.batch import StateBatch, play_chance
from meeple.search.evaluators import Evaluation, Evaluator, UniformEvaluator
from meeple.search.mcts.gumbel import (
    begin_gumbel,
    gumbel_actions,
    gumbel_child,
    improved_policy,
    new_gumbel_roots,
)
from meeple.search.mcts.selection import IMPROVED, PUCT, UCT, best_child
from meeple.search.mcts.simulate import (
    backpropagate,
    copy_state,
    descend,
    evaluate_known,
    new_scratch,
    seat_to_move,
)
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    advance,
    expand_with_policy,
    new_forest,
    reset,
    tree_at,
)
from meeple.search.result import SearchResult, read_root

_NEVER = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class FleetOptions:
    """How a fleet searches."""

    rule: int = PUCT  # PUCT or IMPROVED with the evaluator's policy as priors, or UCT without
    exploration: float = 1.0  # PUCT's or UCT's constant, for values in [0, 1]
    considered: int = 0  # actions that a Gumbel root shares its simulations among; 0: no such root
    value_scale: float = 1.0  # weight of values against priors, at a Gumbel root and for IMPROVED
    leaves: int = 1  # descents of a game before an evaluation; more: larger batches, less exact
    solve: bool = True  # back up proven results
    room: int = 800  # expansions that a tree has room for


class Fleet:
    """G games of one kind and their search trees."""

    def __init__(self, game: Game, games: int, options: FleetOptions, seed: int) -> None:
        self.game = game
        self.options = options
        self.roots = np.zeros((games, game.state_bytes), dtype=np.uint8)
        widest = min(game.max_moves, game.num_actions + 1)
        self._forest = new_forest(games, game.players, 1 + (options.room + 1) * widest)
        moves = np.zeros(1 + 2 * game.max_moves, dtype=np.int32)  # as wide as the rules write
        scratch = new_scratch(game.state_bytes, widest, game.max_plies, game.players)
        self._scratch = scratch._replace(moves=moves)
        slots = games * options.leaves
        self._states = np.zeros((slots, game.state_bytes), dtype=np.uint8)
        self._paths = np.zeros((slots, game.max_plies + 2), dtype=np.int32)
        self._depths = np.zeros(slots, dtype=np.int32)
        self._owners = np.zeros(slots, dtype=np.int32)
        self._place = np.zeros((2, self._forest.capacity), dtype=np.int32)
        self._gumbel = new_gumbel_roots(games, game.num_actions if options.considered else 1)
        self._rng = kernels.new_rng(seed)
        self._load_kernels()

    def _load_kernels(self) -> None:
        """Compile or load what a round calls, so that no search's clock pays for it."""
        nobody = np.zeros(0, dtype=np.int32)
        with kernels.compiling("search"):
            self._round(UniformEvaluator(), np.zeros(len(self), dtype=np.int64))
            self._back_up(0, UniformEvaluator().evaluate(StateBatch(self.game, self._states[:0])))
            self.advance(nobody, nobody)
            best_child(self._forest.tree(0), ROOT)
            self._begin_gumbel(nobody, np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.int64))
            self.gumbel_actions(nobody)
            self.improved_policy(nobody)

    def __len__(self) -> int:
        return len(self.roots)

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """[G] the seat to move in each game, or OVER."""
        return self.roots[:, 0].view(np.int8)

    def live(self) -> npt.NDArray[np.int32]:
        """The games that are not over, by number."""
        return np.flatnonzero(self.to_move != OVER).astype(np.int32)

    def begin(self, states: npt.NDArray[np.uint8]) -> None:
        """Start games from states [G, bytes], each with a one-node tree."""
        self.roots[:] = states
        for index in range(len(self)):
            reset(self._forest.tree(index), int(self.to_move[index]))

    def run(
        self,
        evaluator: Evaluator,
        simulations: int | npt.NDArray[np.int64] | None = None,
        seconds: float | None = None,
        noise: npt.NDArray[np.float32] | None = None,
        noise_fraction: float = 0.0,
        gumbel_scale: npt.NDArray[np.float32] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> int:
        """Search every live game; return the simulations run in all.

        `simulations` is for each move, of every game alike or [G] of each, those kept in its
        subtree not counted. `noise` [G, A], where a row is not all zero, is mixed into the root's
        priors with weight `noise_fraction`. Gumbel roots, which need a limit of simulations, draw
        their noise times `gumbel_scale` [G] (without: 0). `stop` is asked before every batch.
        """
        deadline = None if seconds is None else time.perf_counter() + seconds
        live = self.live()
        left = np.zeros(len(self), dtype=np.int64)
        wanted = np.broadcast_to(_NEVER if simulations is None else simulations, left.shape)
        left[live] = wanted[live]
        before = int(self._forest.visits[:, ROOT].sum())
        if noise is not None or self.options.considered:
            self._expand_roots(evaluator, left)
        if noise is not None:
            _mix_noise(self._forest, live[noise[live].any(axis=1)], noise, noise_fraction)
        if self.options.considered:
            silent = np.zeros(len(self), dtype=np.float32)
            self._begin_gumbel(live, silent if gumbel_scale is None else gumbel_scale, left)
        while left.any() and (deadline is None or time.perf_counter() < deadline):
            if stop is not None and stop():
                break
            self._round(evaluator, left)
        return int(self._forest.visits[:, ROOT].sum()) - before

    def _expand_roots(self, evaluator: Evaluator, left: npt.NDArray[np.int64]) -> None:
        bare = np.zeros_like(left)
        fresh = [i for i in self.live() if self._forest.first_child[i, ROOT] == 0]
        bare[fresh] = np.minimum(left[fresh], 1)
        left -= bare
        self._round(evaluator, bare)

    def _begin_gumbel(
        self,
        live: npt.NDArray[np.int32],
        scale: npt.NDArray[np.float32],
        left: npt.NDArray[np.int64],
    ) -> None:
        begin_gumbel(self._forest, self._gumbel, live, scale, left, self._rng)

    def _round(self, evaluator: Evaluator, left: npt.NDArray[np.int64]) -> None:
        """One round of descents, one batch of evaluations; counts `left` down."""
        options = self.options
        count = _gather(
            self._forest,
            self.game.rules,
            options.rule,
            options.value_scale if options.rule == IMPROVED else options.exploration,
            1 if options.rule == UCT else _NEVER,
            options.solve,
            options.leaves,
            self.roots,
            left,
            self._states,
            self._paths,
            self._depths,
            self._owners,
            self._scratch,
            self._rng,
            self._gumbel,
            options.considered,
            options.value_scale,
        )
        if count == 0:
            return
        self._back_up(count, evaluator.evaluate(StateBatch(self.game, self._states[:count])))

    def _back_up(self, count: int, judged: Evaluation) -> None:
        """Bring what was found of the round's first `count` leaves into their trees."""
        _apply(
            self._forest,
            self._owners[:count],
            self._paths,
            self._depths,
            judged.legal,
            judged.policy,
            judged.value,
            self.options.rule != UCT,
            len(self._scratch.scores),
        )

    def result(self, index: int, simulations: int = 0, seconds: float = 0.0) -> SearchResult:
        """What the search of one game found. Its root must have been expanded."""
        return read_root([self._forest.tree(index)], simulations, seconds)

    def follow(self, index: int, actions: tuple[int, ...], state: npt.NDArray[np.uint8]) -> None:
        """Go on in one game after actions played elsewhere, which led to this state."""
        self.roots[index] = state
        games = np.array([index], dtype=np.int32)
        for action in actions:
            step = np.array([action], dtype=np.int32)
            _advance(self._forest, self.roots, step, games, self._place)

    def visit_shares(self) -> npt.NDArray[np.float32]:
        """[G, A] the visit distribution at each root.

        Actions proven to lose count only where all are; a proven win takes all.
        """
        out = np.zeros((len(self), self.game.num_actions), dtype=np.float32)
        _visit_shares(self._forest, out)
        return out

    def gumbel_actions(self, games: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The action that the search of each of these games chose, where roots are Gumbel's."""
        actions = np.zeros(len(games), dtype=np.int32)
        scale, scores = self.options.value_scale, self._scratch.scores
        gumbel_actions(self._forest, self._gumbel, games, scale, scores, actions)
        return actions

    def improved_policy(self, games: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """[G, A] what a policy should learn from the search of these games; others' rows are 0.

        The prior with the children's values added on the scale of logits; where the result is
        proven, the shares of visits among the best.
        """
        out = np.zeros((len(self), self.game.num_actions), dtype=np.float32)
        if self._proven(games).any():
            _visit_shares(self._forest, out)
        improved_policy(self._forest, games, self.options.value_scale, self._scratch.scores, out)
        return out

    def _proven(self, games: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        return np.asarray(self._forest.proof[games, ROOT] == PROVEN)

    def priors(self) -> npt.NDArray[np.float32]:
        """[G, A] the policy at each root as it stands there, noise included."""
        out = np.zeros((len(self), self.game.num_actions), dtype=np.float32)
        _priors(self._forest, out)
        return out

    def values(self) -> npt.NDArray[np.float64]:
        """[G, P] the mean shares at each root; zeros where it was never visited."""
        n = np.maximum(self._forest.visits[:, ROOT], 1)
        return np.asarray(self._forest.value_sum[:, :, ROOT] / n[:, None])

    def advance(
        self, actions: npt.NDArray[np.int32], games: npt.NDArray[np.int32]
    ) -> list[list[int]]:
        """Play an action in each of the games named and keep the subtree it leads to.

        Returns for each the chance outcomes that followed, which are drawn and played as well.
        """
        states = StateBatch(self.game, self.roots)
        drawn: list[list[int]] = [[] for _ in games]
        waiting = np.arange(len(games))
        while len(waiting):
            moved = games[waiting]
            states.step(actions, moved)
            _advance(self._forest, self.roots, actions, moved, self._place)
            waiting = waiting[self.to_move[moved] == CHANCE]
            actions = states.draw_outcomes(self._rng, games[waiting])
            for index, outcome in zip(waiting, actions, strict=True):
                drawn[index].append(int(outcome))
        return drawn


@kernel
def _gather(
    forest: Any,
    rules: Any,
    rule: int,
    c: float,
    expand_after: int,
    solve: bool,
    leaves: int,
    roots: Any,
    left: Any,
    states: Any,
    paths: Any,
    depths: Any,
    owners: Any,
    scratch: Any,
    rngs: Any,
    gumbel: Any,
    considered: int,
    value_scale: float,
) -> int:
    """Descend in every game with simulations left; return how many leaves need an evaluation."""
    count = 0
    for game in range(roots.shape[0]):
        if left[game] == 0:
            continue
        tree = tree_at(forest, game)
        lone = tree.first_child[ROOT] == 0 and expand_after > 1
        for _ in range(leaves):
            if tree.proof[ROOT] == PROVEN:
                left[game] = 0
            if left[game] == 0:
                break
            first_step = -1
            if considered > 0 and tree.first_child[ROOT] > 0:
                first_step = gumbel_child(
                    tree,
                    gumbel.noise[game],
                    gumbel.before[game],
                    gumbel.budget[game] - left[game],
                    gumbel.budget[game],
                    considered,
                    value_scale,
                    scratch.scores,
                )
            left[game] -= 1
            copy_state(roots[game], states[count])
            depth = descend(
                tree,
                rules,
                rule,
                c,
                expand_after,
                solve,
                states[count],
                paths[count],
                scratch,
                rngs[0],
                first_step,
            )
            if evaluate_known(
                tree, paths[count], depth, rules, states[count], solve, scratch.shares
            ):
                backpropagate(tree, paths[count], depth, scratch.shares)
                continue
            if seat_to_move(states[count]) == CHANCE:  # the tree had no room for its outcomes
                play_chance(rules, states[count], scratch.moves, rngs[0])
                if seat_to_move(states[count]) == OVER:
                    address = scratch.shares.ctypes.data
                    invoke2(rules[PAYOFFS], states[count].ctypes.data, address)
                    backpropagate(tree, paths[count], depth, scratch.shares)
                    continue
            depths[count] = depth
            owners[count] = game
            count += 1
            if lone:
                break
    return count


@kernel
def _apply(
    forest: Any,
    owners: Any,
    paths: Any,
    depths: Any,
    legal: Any,
    policy: Any,
    value: Any,
    with_policy: bool,
    widest: int,
) -> None:
    """Give evaluated leaves their children, `widest` at most, and back their values up."""
    for index in range(owners.shape[0]):
        tree = tree_at(forest, owners[index])
        leaf = paths[index, depths[index]]
        room = tree.used[0] + widest <= tree.visits.shape[0]
        bare = tree.first_child[leaf] == 0 and tree.to_move[leaf] != CHANCE
        if with_policy and room and bare and tree.proof[leaf] != PROVEN:
            expand_with_policy(tree, leaf, legal[index], policy[index], value[index])
        backpropagate(tree, paths[index], depths[index], value[index])


@kernel
def _mix_noise(forest: Any, games: Any, noise: Any, fraction: float) -> None:
    for index in range(games.shape[0]):
        tree = tree_at(forest, games[index])
        first = tree.first_child[ROOT]
        if first > 0:
            for child in range(first, first + tree.block_size[first]):
                share = noise[games[index], tree.action[child]]
                tree.prior[child] = (1.0 - fraction) * tree.prior[child] + fraction * share


@kernel
def _priors(forest: Any, out: Any) -> None:
    for game in range(out.shape[0]):
        tree = tree_at(forest, game)
        first = tree.first_child[ROOT]
        if first > 0:
            for child in range(first, first + tree.block_size[first]):
                out[game, tree.action[child]] = tree.prior[child]


@inlined
def _mean(tree: Any, node: int, player: int) -> float:
    return float(tree.value_sum[player, node] / max(tree.visits[node], 1))


@kernel
def _visit_shares(forest: Any, out: Any) -> None:
    for game in range(out.shape[0]):
        tree = tree_at(forest, game)
        first = tree.first_child[ROOT]
        if first == 0:
            continue
        mover = tree.to_move[ROOT]
        last = first + tree.block_size[first]
        proven = tree.proof[ROOT] == PROVEN
        best = best_child(tree, ROOT)
        total = 0.0
        for child in range(first, last):
            sure = tree.proof[child] == PROVEN
            if proven:  # only actions as good as the best
                counts = sure and _mean(tree, child, mover) >= _mean(tree, best, mover)
            else:  # all but sure losses
                counts = not sure or _mean(tree, child, mover) > 0.0
            if counts:
                out[game, tree.action[child]] = tree.visits[child]
                total += tree.visits[child]
        for child in range(first, last):
            if total > 0.0:
                out[game, tree.action[child]] /= total
            else:
                out[game, tree.action[child]] = 1.0 / (last - first)


@kernel
def _advance(forest: Any, roots: Any, actions: Any, games: Any, scratch: Any) -> None:
    for index in range(games.shape[0]):
        tree = tree_at(forest, games[index])
        to_move = seat_to_move(roots[games[index]])
        advance(tree, np.int64(actions[index]), to_move, scratch)
