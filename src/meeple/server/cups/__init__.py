"""Cups: people and agents who play each other, joined by a link."""
