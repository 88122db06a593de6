"""The contract of a game: options, rules, positions, beliefs, the registry, records."""
