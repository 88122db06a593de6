"""Worker processes in which agents think, and what they tell of it."""
