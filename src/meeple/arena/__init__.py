"""Games between agents: matches, tournaments, ladders, ratings and reports."""
