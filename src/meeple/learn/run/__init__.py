"""A run: its folder, schema, lock, logs, metrics, reports."""
