"""Whoever chooses a move: random, human, search, network. `spec.py` has the table of them all."""
