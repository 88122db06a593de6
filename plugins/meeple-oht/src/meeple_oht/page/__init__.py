"""What the page of an Online Hex Tournament shows, read from its file and never written."""
