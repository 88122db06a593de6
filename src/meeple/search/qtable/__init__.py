"""Q-tables: values of positions that searches found, saved for later searches."""
