"""Worker processes in which agents search, and the data of their results."""
