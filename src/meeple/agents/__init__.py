"""Agents, which choose moves: baselines, people, search, networks. `kinds.py` lists them all."""
