"""The generalised sequential test by its definition: maximised likelihoods of two means."""

import math


def log_likelihood(results, mean):
    """Return the maximal log likelihood of results {value: count} over distributions of that mean.

    By Lagrange, p / (1 + t (value - mean)) is maximal, and t is found by bisection.
    """
    total = sum(results.values())
    low = -1 / (max(results) - mean) + 1e-12
    high = 1 / (mean - min(results)) - 1e-12
    for _ in range(200):
        t = (low + high) / 2
        slope = sum(
            times / total * (value - mean) / (1 + t * (value - mean))
            for value, times in results.items()
        )
        low, high = (t, high) if slope > 0 else (low, t)
    return sum(
        times * math.log(times / total / (1 + t * (value - mean)))
        for value, times in results.items()
    )


def log_ratio(results, low, high):
    """Return the log likelihood ratio of two expected shares."""
    return log_likelihood(results, high) - log_likelihood(results, low)
