"""`python -m bench`: the command, the table of its subjects, and the measurements."""
