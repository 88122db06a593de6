"""Studies: saved trees of variations, under one link for reading and one for writing."""
