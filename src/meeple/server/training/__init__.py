"""Training runs of a folder: shown during training, started, stopped and rated."""
