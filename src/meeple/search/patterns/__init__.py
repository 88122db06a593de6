"""Evaluation of positions by patterns of cells: tables of weights, learned from play."""
