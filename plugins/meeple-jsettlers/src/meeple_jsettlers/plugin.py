"""What this package adds to Meeple: the subcommand `meeple jsettlers`."""

from meeple.cli.main import SERVE, Subcommand

COMMAND = Subcommand("meeple_jsettlers.command:jsettlers", SERVE)
"""`meeple jsettlers`: let an agent play at a table of a JSettlers server."""
