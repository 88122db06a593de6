"""A whole game as a tree whose decisions are grouped into information sets.

Two positions are in one information set if they have one key (`recall.py`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import TooLarge, UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE
from meeple.search.exact.recall import after_action, key_of, memory_at_start, seen

MAX_NODES = 200_000  # default maximum nodes of a tree; takes about a minute
_PROGRESS_NODES = 10_000  # nodes between two reports of progress
_SAMPLED_STARTS = 8  # opening positions that are compared

Progress = Callable[[int], None]  # called with the number of nodes found so far

Ints = npt.NDArray[np.int64]  # numbers of nodes, slots or information sets
Floats = npt.NDArray[np.float64]  # probabilities or shares


class InformationSets(NamedTuple):
    """I information sets; a *slot* is an action in one of them, and a set's slots are adjacent."""

    mover: Ints  # [I] the seat to move
    first: Ints  # [I + 1] the first slot of each set, and last the number of slots
    depth: Ints  # [I] earlier decisions of the same seat
    action: Ints  # [S] the action of each slot

    @property
    def number(self) -> int:
        """The number of information sets."""
        return len(self.mover)

    @property
    def of_slot(self) -> Ints:
        """[S] the information set of each slot."""
        return np.repeat(np.arange(self.number), np.diff(self.first))


@dataclass(frozen=True)
class InformationTree:
    """A game of N nodes and P players, breadth first: a node's children are adjacent."""

    game: Game
    mover: Ints  # [N] seat, CHANCE or OVER
    parent: Ints  # [N]; of the root 0
    action: Ints  # [N] the action or outcome that leads here; -1 for the root
    slot: Ints  # [N] the slot that leads here; -1 for an outcome of chance, and the root
    chance: Floats  # [N] the probability of the outcome that leads here; 1 elsewhere
    payoffs: Floats  # [N, P] at terminal nodes; 0 elsewhere
    levels: tuple[slice, ...]  # the nodes of each depth
    sets: InformationSets
    numbers: dict[int, int] = field(repr=False)
    """The number of the information set of each key, in ascending order."""

    def actions_to(self, node: int) -> list[int]:
        """Return the actions and outcomes from the start to a node."""
        found: list[int] = []
        while node:
            found.append(int(self.action[node]))
            node = int(self.parent[node])
        return found[::-1]

    def number_of(self, position: Position) -> int:
        """Return the information set of a position; UsageError: of another game."""
        number = self.numbers.get(key_of(position))
        if number is None:
            raise UsageError("this position is not of the game that was solved")
        return number


def information_tree(
    game: Game, limit: int = MAX_NODES, progress: Progress | None = None
) -> InformationTree:
    """The tree of a game from its start.

    Raises TooLarge where it has more than `limit` nodes, or its start depends on the seed, and
    UsageError where a seat has other actions in positions that it cannot tell apart.
    """
    if has_random_start(game):
        raise TooLarge(f"the start of {game!r} is drawn from its seed, not by chance nodes")
    return _Builder(game, limit, progress).build(game.start(0))


def has_random_start(game: Game) -> bool:
    """Return whether the opening position of a game depends on its seed."""
    start = game.start(0).row.tobytes()
    return any(game.start(seed).row.tobytes() != start for seed in range(1, _SAMPLED_STARTS))


def positions_of_sets(tree: InformationTree) -> Iterator[tuple[int, Position]]:
    """Yield the number of each information set, and the first of its positions."""
    children = np.flatnonzero(tree.slot >= 0)  # whose parents are decisions
    numbers, first = np.unique(tree.sets.of_slot[tree.slot[children]], return_index=True)
    for number, node in zip(numbers.tolist(), tree.parent[children[first]].tolist(), strict=True):
        position = tree.game.start()
        for action in tree.actions_to(node):
            position.play(action)
        yield number, position


class _Open(NamedTuple):
    """A node whose children are to be found."""

    number: int
    position: Position
    memories: tuple[int, ...]  # of each seat
    depths: tuple[int, ...]  # own decisions of each seat


class _Edge(NamedTuple):
    """What leads to a node."""

    parent: int
    action: int  # or outcome
    slot: int
    chance: float


class _Builder:
    """A tree in the making, level by level."""

    def __init__(self, game: Game, limit: int, progress: Progress | None) -> None:
        self.game, self.limit, self.progress = game, limit, progress
        self.nodes: list[tuple[Any, ...]] = []  # mover, edge and payoffs of each
        self.numbers: dict[int, int] = {}
        self.sets: list[tuple[int, int]] = []  # mover and depth of each
        self.first: list[int] = [0]
        self.actions: list[int] = []

    def build(self, start: Position) -> InformationTree:
        seats = self.game.players
        memories = tuple(memory_at_start(seat) for seat in range(seats))
        root = _Open(0, start.copy(), memories, (0,) * seats)
        level = [self._add(root, _Edge(0, -1, -1, 1.0))]
        levels = [slice(0, 1)]
        while level:
            level = [child for node in level for child in self._children(node)]
            if len(self.nodes) > levels[-1].stop:
                levels.append(slice(levels[-1].stop, len(self.nodes)))
        mover, parent, action, slot, chance, payoffs = map(np.array, zip(*self.nodes, strict=True))
        movers, depths = np.array(self.sets, dtype=np.int64).reshape(-1, 2).T
        actions = np.array(self.actions, dtype=np.int64)
        sets = InformationSets(movers, np.array(self.first), depths, actions)
        return InformationTree(
            game=self.game,
            mover=mover,
            parent=parent,
            action=action,
            slot=slot,
            chance=chance,
            payoffs=payoffs,
            levels=tuple(levels),
            sets=sets,
            numbers=self.numbers,
        )

    def _add(self, node: _Open, edge: _Edge) -> _Open:
        position, number = node.position, len(self.nodes)
        if number >= self.limit:
            raise TooLarge(
                f"{self.game!r} has more than {self.limit:,} nodes: it is too large to solve as a "
                "whole, as games with chance or something hidden are; choose a smaller one, or "
                "raise the limit"
            )
        payoffs = position.payoffs if position.is_over else np.zeros(self.game.players)
        self.nodes.append((position.to_move, *edge, payoffs))
        if self.progress is not None and number % _PROGRESS_NODES == 0:
            self.progress(number)
        return node._replace(number=number)

    def _children(self, node: _Open) -> list[_Open]:
        position = node.position
        if position.is_over:
            return []
        if position.to_move == CHANCE:
            outcomes, odds = position.chance_outcomes()
            pairs = zip(outcomes.tolist(), (odds / odds.sum()).tolist(), strict=True)
            return [
                self._add(self._at(node, outcome), _Edge(node.number, outcome, -1, chance))
                for outcome, chance in pairs
            ]
        seat = position.to_move
        key = seen(node.memories[seat], position, seat)
        actions = position.legal_actions().tolist()
        first = self._first_slot(key, node.depths[seat], seat, actions)
        found = []
        for index, action in enumerate(actions):
            memories, depths = list(node.memories), list(node.depths)
            memories[seat], depths[seat] = after_action(key, action), depths[seat] + 1
            child = self._at(node, action)._replace(memories=tuple(memories), depths=tuple(depths))
            found.append(self._add(child, _Edge(node.number, action, first + index, 1.0)))
        return found

    def _at(self, node: _Open, action: int) -> _Open:
        """The node after an action, not yet numbered."""
        position = node.position.copy()
        position.play(action)
        return node._replace(position=position)

    def _first_slot(self, key: int, depth: int, seat: int, actions: list[int]) -> int:
        """The first slot of an information set, which is new where its key is."""
        number = self.numbers.setdefault(key, len(self.sets))
        if number == len(self.sets):
            self.sets.append((seat, depth))
            self.actions += actions
            self.first.append(len(self.actions))
        first, end = self.first[number], self.first[number + 1]
        if self.actions[first:end] != actions:
            raise UsageError(
                f"{self.game.name}: {self.game.player_name(seat)} has other actions in positions "
                "with equal observations, so that these tell what they should hide"
            )
        return first
