"""Importers of networks that other programs trained."""
