"""What boards of many games share: names of cells, text, scenes for a drawn board, menus."""
