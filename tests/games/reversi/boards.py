"""Positions of Reversi: of random games, and set up by hand."""

import math
from typing import Any

import numpy as np

from meeple.games.contract.game import Position
from meeple.games.contract.registry import make
from meeple.games.reversi.bits import WORD_BITS, place_of
from tests.conformance import sample
from tests.naive.reversi import NaiveReversi


def random_middle(size: int, seed: int) -> Position:
    """Return a position from the middle of a random game."""
    return sample(make("reversi", size=size), seed, size * size // 2)


def naive_game(position: Position) -> NaiveReversi:
    """Return the same position on the board of the rule book."""
    naive = NaiveReversi(int(position.game.options["size"]))
    for action in position.actions:
        naive.play(action)
    return naive


def board(rows: str, **options: Any) -> Position:
    """Return a position from rows of X (player 1, to move), O (player 2) and dots or dashes."""
    owners = ["XO".find(sign) for sign in "".join(rows.split())]
    size = math.isqrt(len(owners))
    position = make("reversi", size=size, **options).start()
    position.state.discs[:] = 0
    position.state.open_to = -1  # the cached moves are those of the opening
    for cell, owner in enumerate(owners):
        if owner >= 0:
            word, bit = divmod(int(place_of(size, cell)), WORD_BITS)
            position.state.discs[owner, word] |= np.uint64(1 << bit)
    return position


def exchanged(position: Position) -> Position:
    """Return a copy in which the players have exchanged their discs and the move."""
    twin = position.copy()
    twin.state.discs = position.state.discs[::-1].copy()
    twin.state.to_move = 1 - position.to_move
    return twin
