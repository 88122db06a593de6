"""What several subcommands share: arguments, progress, words, reports."""
