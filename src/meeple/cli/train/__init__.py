"""The subcommands that train networks, and those that show and compare runs."""
