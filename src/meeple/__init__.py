"""Meeple teaches machines to play board games, and plays them with you."""

from meeple.errors import IllegalAction, MeepleError
from meeple.games.position import Position
from meeple.games.registry import make
from meeple.kernels import CHANCE, OVER

__version__ = "0.1.0"
__all__ = ["CHANCE", "OVER", "IllegalAction", "MeepleError", "Position", "make"]
