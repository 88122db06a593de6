"""Learning: self-play, replay buffer, trainer, the training loop and its configuration."""
