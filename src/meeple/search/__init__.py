"""Search of any game: trees of simulations, lookahead by plies, exact solvers, evaluations."""
