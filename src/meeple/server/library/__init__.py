"""Stored games as records: in, out, and walked through."""
