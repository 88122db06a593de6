"""The command line: one file a subcommand, listed in `main.py`. It has no rules and no search."""
