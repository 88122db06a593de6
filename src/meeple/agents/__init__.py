"""Whoever chooses a move: baselines, people, search, networks. `kinds.py` has the table of all."""
