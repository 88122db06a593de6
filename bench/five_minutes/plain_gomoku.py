"""Gomoku by its rules alone."""

from bench.five_minutes.plain import by_rules_alone
from meeple.games.gomoku import game
from meeple.games.gomoku.rules import legal, observe, payoffs, play, start

__all__ = ["PlainGomoku", "legal", "observe", "payoffs", "play", "start"]

PlainGomoku = by_rules_alone(game.Gomoku, __name__)
