"""Puzzles: positions with one winning move, rated as people solve them."""
