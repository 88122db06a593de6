"""The generalised sequential test by its definition: the likelihoods of two means, maximised."""

import math


def log_likelihood(results, mean):
    """The most that any distribution of that mean gives the results, {value: times}.

    By Lagrange, it is p / (1 + t (value - mean)), and t is found by halving.
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
    """Of two expected shares."""
    return log_likelihood(results, high) - log_likelihood(results, low)
