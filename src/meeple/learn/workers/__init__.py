"""Self-play and learning of a run on a cluster: the trainer's side, and each process's own."""
