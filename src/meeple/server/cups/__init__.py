"""Cups: small tournaments of people and agents, joined by a link."""
