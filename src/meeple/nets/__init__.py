"""Actor networks: architecture, training, inference and checkpoints. Array shapes, never a game.

Nothing is imported here, so that only the modules that need PyTorch load it:
`architecture`, `policy` and `checkpoint.read_metadata` do without.
"""
