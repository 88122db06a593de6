"""Fit the weights of one stage to labelled positions: logistic regression with smoothing.

The evaluation is a generalized linear model as in Buro, "From simple features to sophisticated
evaluation functions", 1998. The fitted weights minimize

    sum over positions of the cross entropy between label and share
    + smoothing / 8 * sum over weights of (weight - weight before)**2

A weight before the fit thus counts as much as `smoothing` occurrences in even positions, each of
which has a curvature of 1/4: frequent weights follow the labels, rare ones stay where they were.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.kernels import kernel
from meeple.search.patterns.evaluation import PatternEvaluation, observe_cells
from meeple.search.patterns.learning import Examples

NEWTON_STEPS = 3
FACTOR_STEPS = 20  # of Newton's method
FACTOR_LIMITS = (0.05, 20.0)  # of logits
EVEN_CURVATURE = 0.25  # of the cross entropy by the logit, at a share of 1/2

Floats = npt.NDArray[np.float64]
Used = npt.NDArray[np.uint32]  # [N, placements + 1] numbers of weights, the bias last


def used_weights(evaluation: PatternEvaluation, states: npt.NDArray[np.uint8]) -> Used:
    """Return the weights of a stage whose sum is the logit of each of N states' movers.

    Args:
        evaluation: the patterns.
        states: [N, state_bytes] states, none of them over.
    """
    used = np.zeros((len(states), len(evaluation.layout.groups) + 1), np.uint32)
    _list_used(evaluation.memory[0], states, used)
    return used


@kernel
def _list_used(tables: Any, states: Any, used: Any) -> None:
    placements = used.shape[1] - 1
    for number in range(states.shape[0]):
        observe_cells(tables, states[number].ctypes.data)
        mover = np.int64(np.int8(states[number, 0]))
        for placement in range(placements):
            used[number, placement] = tables.weight_of[mover, tables.entries[placement]]
        used[number, placements] = tables.weights.shape[1] - 1


def shares_of(weights: Floats, used: Used) -> Floats:
    """Return [N] the shares of the movers."""
    shares: Floats = 1.0 / (1.0 + np.exp(-weights[used].sum(axis=1)))
    return shares


def fitted_weights(
    weights: Floats, used: Used, labels: Floats, smoothing: float, steps: int
) -> Floats:
    """Return the weights that fit labels best, by Newton's method with conjugate gradients.

    Args:
        weights: [weights + 1] of the stage before the fit.
        used: by each of N positions.
        labels: [N] shares of the movers.
        smoothing: number of even occurrences that a weight before the fit counts as, above 0.
        steps: of conjugate gradients in each step of Newton's method.
    """
    fitted, strength = weights.copy(), EVEN_CURVATURE * smoothing
    for _ in range(NEWTON_STEPS):
        shares = shares_of(fitted, used)
        curvatures = shares * (1.0 - shares)

        def product(change: Floats, curvatures: Floats = curvatures) -> Floats:
            by_position = curvatures * change[used].sum(axis=1)
            return _by_weight(used, by_position, len(change)) + strength * change

        gradient = _by_weight(used, labels - shares, len(weights)) + strength * (weights - fitted)
        diagonal = _by_weight(used, curvatures, len(weights)) + strength
        fitted += _solved(product, gradient, diagonal, steps)
    return fitted


def _by_weight(used: Used, values: Floats, weights: int) -> Floats:
    """Return [weights] the sums of the values of all positions that use a weight."""
    repeated = np.repeat(values, used.shape[1])
    return np.bincount(used.ravel(), repeated, weights).astype(np.float64)


def _solved(
    product: Callable[[Floats], Floats], right: Floats, diagonal: Floats, steps: int
) -> Floats:
    """Solve `product(x) = right` by conjugate gradients, preconditioned by a diagonal."""
    found, rest = np.zeros_like(right), right.copy()
    scaled = rest / diagonal
    direction, size = scaled, float(rest @ scaled)
    for _ in range(steps):
        if size == 0.0:
            break
        image = product(direction)
        length = size / float(direction @ image)
        found += length * direction
        rest -= length * image
        scaled = rest / diagonal
        before, size = size, float(rest @ scaled)
        direction = scaled + size / before * direction
    return found


def fitted_factors(examples: Examples, stages: int) -> npt.NDArray[np.float64]:
    """Return [stages] the factors of logits that predict the results best; 1 without examples.

    The factor of each stage maximizes the likelihood of the results, by Newton's method.
    """
    factors = np.ones(stages)
    for stage in range(stages):
        here = examples.stages == stage
        logits, shares = examples.logits[here], examples.shares[here]
        for _ in range(FACTOR_STEPS):
            expected = 1.0 / (1.0 + np.exp(-factors[stage] * logits))
            curvature = float(expected * (1.0 - expected) @ logits**2)
            if curvature <= 0.0:
                break
            change = float((shares - expected) @ logits) / curvature
            factors[stage] = np.clip(factors[stage] + change, *FACTOR_LIMITS)
    return factors
