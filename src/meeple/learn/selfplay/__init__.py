"""Self-play: games, their schedule, the replay buffer, predictors."""
