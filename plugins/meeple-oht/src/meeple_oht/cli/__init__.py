"""The subcommand `meeple oht`, and what it shows in the terminal."""
