"""What makes games of self-play differ: noise in the root's priors, moves drawn by temperature."""

import numpy as np
import numpy.typing as npt


def root_noise(
    legal: npt.NDArray[np.bool_], alpha: float, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Dirichlet noise [A] over the legal actions [A], each with `alpha` / their number.

    Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go
    through self-play" (2018), set the parameter in inverse proportion to the number of moves; Wu,
    "Accelerating self-play learning in Go" (2019), divides a total of 10.83. Consumes `rng`.
    """
    actions = np.flatnonzero(legal)
    noise = np.zeros(len(legal))
    noise[actions] = rng.dirichlet(np.full(len(actions), alpha / len(actions)))
    return noise


def tempered(shares: npt.NDArray[np.float32], temperature: float) -> npt.NDArray[np.float64]:
    """Probabilities [A] in proportion to visit shares [A] ** (1 / temperature).

    Silver et al., "Mastering the game of Go without human knowledge" (2017), Methods, "Play".
    """
    weights = (shares.astype(np.float64) / shares.max()) ** (1 / temperature)
    return np.asarray(weights / weights.sum())
