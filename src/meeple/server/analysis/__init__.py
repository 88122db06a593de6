"""Analysis of any position: its source, the agents' evaluations, and the swings of a game."""
