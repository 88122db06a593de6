"""The swap openings of Gomoku: one player places the first stones, the other chooses a colour.

The first player places two black stones and a white one. The second chooses Black or White or,
under swap2, may place a white and a black stone more and leave the choice to the first player.
White moves after the choice. In the lines of the state, Black is seat 0 until a colour is chosen.
"""

from typing import Any

import numpy as np

from meeple.games.gomoku.lines import NUM_WORDS
from meeple.kernels import add, kernel

OPENINGS = ("none", "swap", "swap2")  # the numbers of the option in records
NONE, SWAP, SWAP2 = range(3)
LEAST_IN_A_ROW = 4  # so that the three black stones of an opening make no row

CHOICES = ("black", "white", "more")  # actions: the number of cells, and the number of the choice
BLACK, WHITE, MORE = range(3)

# Stages of a game: the opening's stones and choices, then play.
PLAY, FIRST_STONES, FIRST_CHOICE, MORE_STONES, LAST_CHOICE = range(5)
FIRST_STONE_COUNT, ALL_STONE_COUNT = 3, 5


@kernel
def is_choice(stage: int) -> bool:
    """Return whether a colour is to be chosen."""
    return stage in (FIRST_CHOICE, LAST_CHOICE)


@kernel
def list_choices(s: Any, moves: Any) -> None:
    """List the choices of the player to move."""
    for choice in range(number_of_choices(s)):
        add(moves, np.int64(s.size) * s.size + choice)


@kernel
def number_of_choices(s: Any) -> int:
    """Return the number of choices of the player who chooses."""
    return 3 if s.opening == SWAP2 and s.stage == FIRST_CHOICE else 2


@kernel
def end_stones(s: Any) -> None:
    """Let the other player choose if all stones of the stage are placed."""
    if s.stage == FIRST_STONES and s.moves == FIRST_STONE_COUNT:
        s.stage = FIRST_CHOICE
        s.to_move = 1
    elif s.stage == MORE_STONES and s.moves == ALL_STONE_COUNT:
        s.stage = LAST_CHOICE
        s.to_move = 0


@kernel
def choose(s: Any, choice: int) -> None:
    """Apply a choice of the player to move: a colour, or to place more stones."""
    if choice == MORE:
        s.stage = MORE_STONES
        return
    s.black = s.to_move if choice == BLACK else 1 - s.to_move
    if s.black == 1:
        for word in range(NUM_WORDS):
            first = s.lines[0, word]
            s.lines[0, word] = s.lines[1, word]
            s.lines[1, word] = first
    s.stage = PLAY
    s.to_move = 1 - s.black
