"""Catan: the island, the rules, what players can know, and how it is shown. See docs/catan.md."""
