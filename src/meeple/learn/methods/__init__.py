"""The methods of learning: what self-play and records do in each phase of the training loop."""
