"""How other programs write games down: their files become our records, and the other way round."""
