"""Rules only: the game contract, positions, the registry, and one file (or folder) a game."""

from meeple.games.contract.game import Game, Symmetry
from meeple.games.contract.position import Position
from meeple.games.contract.registry import game_names, make, register

__all__ = ["Game", "Position", "Symmetry", "game_names", "make", "register"]
