"""Reversi."""
