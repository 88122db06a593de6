"""File formats of game records: reading and writing the formats of other programs."""
