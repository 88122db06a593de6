"""Hex by its rules alone."""

from bench.five_minutes.plain import by_rules_alone
from meeple.games.hex import game
from meeple.games.hex.rules import legal, observe, payoffs, play, start

__all__ = ["PlainHex", "legal", "observe", "payoffs", "play", "start"]

PlainHex = by_rules_alone(game.Hex, __name__)
