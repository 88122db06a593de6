"""Lockstep search of games that hide something: each seat chooses by its own information sets.

Each simulation begins in a determinization, drawn by the belief of the seat to move at the root.
The seat to move chooses by the statistics of its own information set: its observation, its legal
actions, and its own action that led there. So no seat's choice depends on what it cannot know, and
neither does the evaluation, which uses the same observation. (A tree for each player, in
one forest: MO-ISMCTS of Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
2012.)

An information set is a node, and its children are the actions. A child has no children: its
successor depends on the determinization, and the next information set is found by its key. Chance
is not in the tree; its outcomes are drawn in the determinization.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CHANCE,
    LEGAL,
    OBSERVE,
    OVER,
    RESAMPLE,
    inlined,
    invoke3,
    kernel,
    scramble,
)
from meeple.search.determinization import Determinizer
from meeple.search.mcts.descent import no_refresh
from meeple.search.mcts.lockstep_kernels import (
    IMPROVED,
    PUCT,
    UCT,
    choose_improved,
    choose_puct,
    choose_uct,
    equalise,
    kernels_of,
)
from meeple.search.mcts.selection import refresh_puct, refresh_uct
from meeple.search.mcts.transpositions import enter_block, find_block
from meeple.search.mcts.tree import (
    ROOT,
    Forest,
    add_node,
    block_of,
    expand_with_policy,
    forget_value,
    has_room,
    is_expanded,
    new_forest,
)
from meeple.search.moves import list_actions, play, play_chance, seat_to_move
from meeple.search.room import PliesExceeded, fits
from meeple.search.state_hash import hash_bytes

_NOT_FOUND = -1


class DescentMemory(NamedTuple):
    """Working memory of descents in determinizations."""

    keys: npt.NDArray[np.uint64]  # [G * leaves] the information set of each leaf
    shown: npt.NDArray[np.float32]  # [observation size] a seat's observation
    last: npt.NDArray[np.int64]  # [P] the node of each seat's last action in a descent, or ROOT


class HiddenGames:
    """Positions, beliefs and determinizations of G searches of a game that hides something."""

    def __init__(self, game: Game, games: int, leaves: int, seed: int) -> None:
        self.determinizers = [Determinizer(game, seed + index) for index in range(games)]
        used = [kernel for kernel in (OBSERVE, RESAMPLE) if game.has(kernel)]
        game.compile(*used)  # so that no search's clock pays for it
        self.roots = np.zeros((games, leaves, game.state_bytes), dtype=np.uint8)
        self.memory = DescentMemory(
            keys=np.zeros(games * leaves, dtype=np.uint64),
            shown=np.zeros(game.num_features, dtype=np.float32),
            last=np.zeros(game.players, dtype=np.int64),
        )
        self.positions: dict[int, Position] = {}  # by game number; copies

    def draw(self, games: npt.NDArray[np.intp], rng: npt.NDArray[np.void]) -> None:
        """Draw new determinizations of these games' roots; consumes `rng`."""
        for game in games:
            position = self.positions[int(game)]
            self.determinizers[game].fill(position, self.roots[game], rng)

    def play(self, game: int, action: int) -> list[int]:
        """Play an action and draw the chance outcomes after it; return the outcomes."""
        position, drawn = self.positions[game], []
        position.play(action)
        while position.to_move == CHANCE:
            drawn.append(position.play_chance())
        return drawn


def new_information_forest(game: Game, games: int, room: int, widest: int) -> Forest:
    """Allocate trees with room for `room` information sets of at most `widest` actions."""
    forest = new_forest(games, game.players, 1 + (room + 1) * (widest + 1))
    slots = 1 << (2 * (room + 2)).bit_length()
    return forest._replace(table=np.zeros((games, slots), dtype=np.int32))


def path_length(game: Game) -> int:
    """Return the maximum nodes of a descent: an information set and an action for each ply."""
    return 2 * game.max_plies + 2


@inlined
def _descend(search: Any, scratch: Any, hidden: Any, slot: int, grow: Any, choose: Any) -> int:
    """Descend from the root to an action after which the game is over or a new information set.

    Counts a visit for every node of `scratch.path`; writes the key of the new information set into
    `hidden.keys`. Returns the depth of the action, or 0 if the root itself is new. Raises
    PliesExceeded at a game longer than `max_plies`.
    """
    tree, state, path = search.tree, scratch.state, scratch.path
    hidden.last[:] = ROOT
    node, depth = ROOT, 0
    while True:
        path[depth] = node
        tree.nodes[node].visits += 1
        if not is_expanded(tree, node):
            return depth
        if not fits(path, depth + 3):  # an action, and the information set after it
            raise PliesExceeded
        mover = seat_to_move(state)
        child = choose(search, node, mover, depth, scratch)
        depth += 1
        path[depth] = child
        tree.nodes[child].visits += 1
        hidden.last[mover] = child
        play(search.rules, state, tree.action[child])
        play_chance(search.rules, state, scratch.moves, search.rng[0])
        if seat_to_move(state) == OVER:
            return depth
        hidden.keys[slot] = _key(search.rules, state, hidden, scratch.moves)
        node = _find(tree, hidden.keys[slot])
        if node == _NOT_FOUND:
            return depth
        depth += 1


@kernel
def _key(rules: Any, state: Any, hidden: Any, moves: Any) -> Any:
    """Return the key of the information set of the seat to move: a hash of 64 bits."""
    mover = seat_to_move(state)
    hidden.shown[:] = 0.0
    invoke3(rules[OBSERVE], state.ctypes.data, mover, hidden.shown.ctypes.data)
    key = scramble(hash_bytes(hidden.shown.view(np.uint8)) ^ np.uint64(hidden.last[mover]))
    key = scramble(key ^ np.uint64(mover))
    for index in range(list_actions(rules, LEGAL, state, moves)):
        key += scramble(np.uint64(moves.actions[index] + 1))  # in any order
    return key


@inlined
def _find(tree: Any, key: Any) -> int:
    """Return the node of an information set, or _NOT_FOUND."""
    number = find_block(tree, key)
    return tree.blocks[number].first - 1 if number > 0 else _NOT_FOUND  # its children come after it


@inlined
def _enter(tree: Any, node: int, key: Any) -> None:
    """Enter an information set in the table by its key; the table has room for all."""
    block_of(tree, node).key = key
    enter_block(tree, int(tree.nodes[node].block))


@inlined
def _add_leaf(tree: Any, now: Any, slot: int, legal: Any, policy: Any, value: Any) -> None:
    """Add the leaf's information set with its children, or count a visit if another leaf did.

    UCT, which ignores the policy, gives actions equal priors.
    """
    depth, key, node = now.leaves.depths[slot], now.hidden.keys[slot], ROOT
    if depth > 0:
        node = _information_set(tree, now, now.leaves.states[slot], key)
    if node == _NOT_FOUND:
        return
    if not is_expanded(tree, node):
        expand_with_policy(tree, node, legal, policy, value)
        if now.settings.rule == UCT:
            equalise(tree, node)
        if depth > 0:
            _enter(tree, node, key)
    if depth > 0:
        tree.nodes[node].visits += 1
        for player in range(value.shape[0]):
            tree.value_sum[node, player] += value[player]


@kernel
def _information_set(tree: Any, now: Any, state: Any, key: Any) -> int:
    """Return the node of a leaf's information set, added if it is new; _NOT_FOUND: no room."""
    node = int(_find(tree, key))  # an earlier leaf of the same round may have added it
    if node == _NOT_FOUND and has_room(tree, now.scratch.scores.shape[0] + 1):
        node = int(tree.used[0])
        forget_value(tree, node)
        add_node(tree, -1, 1.0)
        tree.nodes[node].to_move = seat_to_move(state)
    return node


_hidden = (_descend, _add_leaf, None)
HIDDEN_KERNELS = {
    UCT: kernels_of("uct_hidden", *_hidden, choose_uct, refresh_uct),
    PUCT: kernels_of("puct_hidden", *_hidden, choose_puct, refresh_puct),
    IMPROVED: kernels_of("improved_hidden", *_hidden, choose_improved, no_refresh),
}
"""The kernels of each rule, for games that hide something."""
