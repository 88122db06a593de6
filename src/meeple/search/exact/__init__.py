"""Exact solving by proof numbers."""
