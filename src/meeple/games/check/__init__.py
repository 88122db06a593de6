"""`meeple check`: whether a game keeps its promises, found out in processes of its own."""
