"""Games: the contract, the registry, boards, `meeple check`, and a file or folder per game."""

from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import game_names, make, register
from meeple.games.contract.symmetry import Symmetry

__all__ = ["Game", "Position", "Symmetry", "game_names", "make", "register"]
