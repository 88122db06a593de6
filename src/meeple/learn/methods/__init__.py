"""The methods of training: the phases of the loop for self-play, records and values."""
