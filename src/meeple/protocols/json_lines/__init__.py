"""Meeple's protocol for programs in any language: one JSON object per line, for every game."""
