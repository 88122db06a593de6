"""The command that this plug-in adds; it is read for every help, so it imports nothing heavy."""

from meeple.cli.main import COMPARE, Subcommand

REPRODUCE = Subcommand("meeple_studies.command:reproduce_", COMPARE)
