"""Agents against each other: matches, tournaments, ratings, reports, and records of the games."""
