"""How other programs write games down and talk about them, and how that becomes ours."""
