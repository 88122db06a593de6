"""Independent seeds of many games, derived from one seed."""

import numpy as np

from meeple.kernels.random_numbers import seed_word


def seeds_of(seed: int, *indices: int, count: int) -> list[int]:
    """Return `count` seeds that depend on a seed and on indices."""
    sequence = np.random.SeedSequence([seed_word(seed), *indices])
    return [int(word) for word in sequence.generate_state(count, np.uint32)]
