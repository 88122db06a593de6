"""Catan in text: action names, menus, sentences, the drawn board and the scene for the browser."""
