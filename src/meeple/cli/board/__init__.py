"""A game in the terminal: the session of `meeple play`, what the screen shows, words for it."""
