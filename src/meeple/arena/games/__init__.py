"""Playing fixtures: one game, workers of threads or a cluster, outcomes and their store."""
