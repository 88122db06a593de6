"""Eleven board games, each learned in five minutes from its rules, against `uct` at equal time."""
