"""Seeds for many games from one, independent of each other."""

import numpy as np


def seeds_of(seed: int, *indices: int, count: int) -> list[int]:
    """`count` seeds that depend on a seed and on the indices of what they are for."""
    sequence = np.random.SeedSequence([seed & 0xFFFFFFFFFFFFFFFF, *indices])
    return [int(word) for word in sequence.generate_state(count, np.uint32)]
