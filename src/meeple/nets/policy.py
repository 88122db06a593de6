"""From logits to probabilities, in NumPy: what inference and its tests share, without PyTorch."""

import numpy as np
from numpy.typing import NDArray


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities [B, N] float32 of logits [B, N]."""
    weights: NDArray[np.float32] = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def masked_policy(logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Softmax over all actions, the illegal ones then masked and the rest renormalised.

    Computed as the softmax over the legal actions alone, which is the same number and does not
    lose it when an illegal action has nearly all the weight.

    Args:
        logits: [B, A] float32, finite.
        legal: [B, A] bool.

    Returns:
        [B, A] float32; a row sums to 1, or is all zeros where no action is legal.
    """
    masked = np.where(legal, logits, -np.inf)
    top = masked.max(axis=1, keepdims=True)
    top[np.isneginf(top)] = 0.0  # a row without legal actions: exp(-inf - 0) = 0 everywhere
    weights: NDArray[np.float32] = np.exp(masked - top)
    total = weights.sum(axis=1, keepdims=True)
    total[total == 0.0] = 1.0
    weights /= total
    return weights
