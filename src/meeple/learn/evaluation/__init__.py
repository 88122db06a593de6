"""Measures of a network in training: matches, held-out losses, and findings in words."""
