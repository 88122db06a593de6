"""A game in the terminal: the session of `meeple play`, its screen, and its texts."""
