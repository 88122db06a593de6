"""Search that knows no game: the tree, selection, simulation, network search, the exact solver."""
