"""What this package adds to Meeple: the subcommand `meeple oht`."""

from meeple.cli.main import SERVE, Subcommand

COMMAND = Subcommand("meeple_oht.cli.command:oht", SERVE)
