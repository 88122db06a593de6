"""Reproductions of experiments of published studies, and what only these read of a game."""
