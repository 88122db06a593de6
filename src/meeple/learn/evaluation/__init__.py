"""Matches, results, held-out losses, findings."""
