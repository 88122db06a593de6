"""Monte Carlo tree search: the tree, one descent, and the searches that are its variants."""
