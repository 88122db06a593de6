"""Gomoku, and tic-tac-toe."""
