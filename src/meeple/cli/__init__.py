"""The command line: one file a subcommand, found by the table in `main.py`. No rules, no search."""
