"""What earlier searches found, by position, to begin later ones with."""
