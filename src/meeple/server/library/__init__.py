"""Stored games as records: uploads, downloads, replays and the explorer."""
