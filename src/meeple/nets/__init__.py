"""Networks: architecture, training, inference and checkpoints; they know shapes but no game.

This file imports nothing: `architecture`, `inference` and `checkpoint` work without PyTorch.
"""
