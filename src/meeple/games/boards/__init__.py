"""Shared code for boards: names of cells, drawings as text, scenes for the browser, menus."""
