"""Games and training of Meeple on a Ray cluster."""
