"""Training on a Ray cluster: the processes there, and the trainer's side of each."""
