"""Figures of many games: ratings, intervals, tests of significance, standings, costs."""
