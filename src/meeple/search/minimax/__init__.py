"""Search by plies: alpha-beta, expectimax and max^n, and the best next position."""
