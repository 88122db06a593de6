"""Reversi by its rules alone."""

from bench.five_minutes.plain import by_rules_alone
from meeple.games.reversi import game
from meeple.games.reversi.rules import legal, observe, payoffs, play, start

__all__ = ["PlainReversi", "legal", "observe", "payoffs", "play", "start"]

PlainReversi = by_rules_alone(game.Reversi, __name__)
