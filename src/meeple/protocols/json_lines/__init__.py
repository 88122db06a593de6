"""Meeple's own protocol for programs in any language: a JSON object a line, for every game."""
