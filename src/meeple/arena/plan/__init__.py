"""Which games are played: openings, seats, seeds, pairings, and the fixtures made from them."""
