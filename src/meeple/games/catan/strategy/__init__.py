"""A heuristic value and action filters for quick agents and searches."""
