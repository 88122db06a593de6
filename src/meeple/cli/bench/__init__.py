"""`meeple bench`: the command, the table of its subjects, and a file for each that is measured."""
