"""Training runs of a folder: shown as they learn, begun, stopped and rated."""
