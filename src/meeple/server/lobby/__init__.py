"""What can be played, by which agents and networks, and the list of stored games."""
