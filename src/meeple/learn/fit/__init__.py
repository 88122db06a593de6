"""Updating a network: the trainer, the learner, its threads."""
