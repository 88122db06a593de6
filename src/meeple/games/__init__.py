"""Rules only: the game contract, positions, the registry, and one file (or folder) a game."""

from meeple.games.game import Game, Symmetry
from meeple.games.position import Position
from meeple.games.registry import game_names, make, register

__all__ = ["Game", "Position", "Symmetry", "game_names", "make", "register"]
