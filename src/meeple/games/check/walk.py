"""Random games that a check examines, and the context that its findings report."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE, KERNELS, NUMBER, PRUNE, SIGNATURES
from meeple.kernels.table import caller

GAMES = 3  # random games per check
LONG_GAME_PLIES = 150  # plies; of longer games one is examined, and none is rolled out in Python


class CheckFailure(Exception):
    """A requirement that a game violates, as a sentence."""

    def __init__(self, sentence: str, *blamed: str) -> None:
        """Create the exception; `blamed`: kernels or methods at fault, the likeliest first."""
        super().__init__(sentence)
        self.blamed: Sequence[str] = blamed


def expect(kept: bool, sentence: str, *blamed: str) -> None:
    """Raise CheckFailure with `sentence` if a requirement is violated."""
    if not kept:
        raise CheckFailure(sentence, *blamed)


def call_kernel(position: Position, index: int) -> list[Any]:
    """Call a kernel of a position with zeros for all other parameters, NaN for probabilities.

    Returns:
        The records and arrays among them, as the kernel leaves them.
    """
    game, values, filled = position.game, [position.address], []
    for parameter in SIGNATURES[KERNELS[index]][1:]:
        if parameter == NUMBER:
            values.append(0)
        elif parameter.items is not None:
            filled.append(np.zeros(game.memory.lengths[parameter], parameter.items))
            values.append(filled[-1].ctypes.data)
        else:
            one = np.zeros(1, game.memory.records[parameter])
            if "probabilities" in (one.dtype.names or ()):
                one["probabilities"] = np.nan
            values.append(one.ctypes.data)
            filled.append(one[0])
    rules = game.pruning_addresses() if index == PRUNE else None
    address = game.address_of(index) if rules is None else int(rules[index])
    caller(KERNELS[index])(address, *values)
    return filled


def listed_by(position: Position, index: int) -> tuple[list[int], npt.NDArray[np.float32]]:
    """Return the actions that a kernel lists in a position, and their weights: NaN if unwritten."""
    moves = call_kernel(position, index)[0]
    return moves.actions[: moves.count].tolist(), moves.probabilities[: moves.count]


class GameWalk:
    """Random games of one game class, with the current position and the last step."""

    def __init__(self, game: Game, seconds: float = float("inf")) -> None:
        """Prepare games; after `seconds`, the time limit, no further position is examined."""
        self.game = game
        self.position: Position | None = None
        self.action: int | None = None  # the action that is being played
        self.plies = 0  # total plies played
        self.ends = time.monotonic() + seconds

    @property
    def is_late(self) -> bool:
        """Whether the time limit has passed."""
        return time.monotonic() > self.ends

    def start(self, seed: int) -> Position:
        """Start a game and return its first position."""
        self.position = self.action = None
        self.position = self.game.start(seed)
        return self.position

    def step(self, choice: np.random.Generator) -> int:
        """Play a random action, or draw an outcome at a chance node, and return it.

        Raises:
            CheckFailure: the game is longer than `max_plies`.
            KernelError: no action can be played.
        """
        position, game = self.position, self.game
        assert position is not None
        mover = position.to_move
        legal = position.legal_actions()
        few = len(position.actions) < game.max_plies
        expect(
            few,
            f"the game is not over after {game.max_plies} plies, its max_plies",
            "play",
            "configure",
        )
        self.plies += 1
        if mover == CHANCE:
            return position.play_chance()
        self.action = int(choice.choice(legal))
        position.play(self.action)
        action, self.action = self.action, None
        return action

    def positions(self, seed: int) -> Iterator[Position]:
        """Yield the position before every ply of a random game, and at its end."""
        position, choice = self.start(seed), np.random.default_rng(seed)
        yield position
        while not position.is_over and not self.is_late:
            self.step(choice)
            yield position

    def every_position(self) -> Iterator[Position]:
        """Yield the positions of a few games; of one game if games are long."""
        for seed in range(1 if self.game.max_plies > LONG_GAME_PLIES else GAMES):
            yield from self.positions(seed)

    def some_positions(self) -> Iterator[Position]:
        """Yield about twenty positions of each game and the last one, for slow checks."""
        for ply, position in enumerate(self.every_position()):
            if position.is_over or ply % max(1, self.game.max_plies // 20) == 0:
                yield position

    def ends_of_games(self) -> Iterator[Position]:
        """Yield the last positions of a few games."""
        for seed in range(GAMES):
            for position in self.positions(seed):
                if position.is_over:
                    yield position

    def after(self, seed: int, plies: int) -> Position:
        """Return a position some random plies from the start, or the last one before the end."""
        position, choice = self.start(seed), np.random.default_rng(seed)
        for _ in range(plies):
            self.step(choice)
            if position.is_over:
                position.undo()
                break
        return position
