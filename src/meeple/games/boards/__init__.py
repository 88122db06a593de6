"""Shared code for boards: names of cells, drawings as text, scenes, menus, packed boards."""
