"""Finds the best of several plans from rounds of results on common random numbers.

In each round every plan left is played out once with the same hidden cards and dice, so that only
the differences between plans count. The noise of a plan is what remains of a result without the
means of its round and of its plan. Prior values count like results of the same noise. A plan is
dropped once the loss that is to be expected from doing without it is small: it is significantly
worse than the best, or indifferent.

Source: Chick and Inoue, "New two-stage and sequential procedures for selecting the best simulated
system", 2001 (expected opportunity cost with common random numbers).
"""

import math

import numpy as np
import numpy.typing as npt

Shares = npt.NDArray[np.float64]

MAX_EXPECTED_LOSS = 0.0005  # shares
MIN_ROUNDS = 8  # before noise is known well enough to drop a plan


class Comparison:
    """The rounds played so far: an estimate of each plan, and the plans left."""

    def __init__(self, seat: int, values: Shares, deviation: float = math.inf) -> None:
        """Begin without rounds.

        Args:
            seat: whose share decides.
            values: [K, P] shares after each plan as known before; equal ones if nothing is known.
            deviation: the standard error of these values for one plan against another; inf: they
                count for nothing.
        """
        self.seat, self._values, self._deviation = seat, values, deviation
        count, players = values.shape
        self.left = np.arange(count)  # plans, ascending
        self.rounds = np.zeros(count, dtype=np.int64)  # [K]
        self._sums = np.zeros((count, players))
        self._products = np.zeros((count, count))  # of own shares
        self._dropped: list[tuple[int, int, Shares]] = []  # plan, the best then, their difference
        if math.isfinite(deviation):
            self._drop(self._estimates(), deviation)

    @property
    def decided(self) -> bool:
        """Whether one plan is left, with a value."""
        known = math.isfinite(self._deviation) or self.rounds[self.left[0]] > 0
        return len(self.left) == 1 and bool(known)

    def add(self, found: Shares) -> None:
        """Add rounds [W, plans left, P] and drop plans. Rounds with a NaN are ignored."""
        found = found[~np.isnan(found).any(axis=(1, 2))]
        own, left = found[:, :, self.seat], self.left
        self.rounds[left] += len(found)
        self._sums[left] += found.sum(axis=0)
        self._products[np.ix_(left, left)] += own.T @ own
        if self.rounds[left[0]] >= MIN_ROUNDS:
            self._drop(self._estimates(), self._error())

    def shares(self) -> Shares:
        """Return the shares [K, P] after each plan.

        A dropped plan has the shares of the best plan at that time, and their difference then.
        """
        found = np.zeros_like(self._values)
        found[self.left] = self._estimates()
        for plan, best, difference in reversed(self._dropped):
            found[plan] = found[best] + difference
        found = np.clip(found, 0.0, 1.0)
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def _noise(self) -> float:
        """The variance of a result of a plan left, without the means of its round and plan.

        One further degree of freedom has the variance of all results, so that equal first results
        are not taken for certainty.
        """
        left, rounds = self.left, int(self.rounds[self.left[0]])
        means = self._sums[left, self.seat] / rounds
        scatter = self._products[np.ix_(left, left)] - rounds * np.outer(means, means)
        whole = max(0.0, float(np.trace(scatter)))
        within = max(0.0, whole - float(scatter.sum()) / len(left))
        pooled = whole / (len(left) * (rounds - 1))
        return (within + pooled) / ((len(left) - 1) * (rounds - 1) + 1)

    def _weight(self) -> float:
        """The weight of the rounds against the values known before, in [0, 1]."""
        rounds = int(self.rounds[self.left[0]])
        if rounds < 2:
            return 0.0 if math.isfinite(self._deviation) else 1.0
        if math.isinf(self._deviation):
            return 1.0
        prior = rounds * self._deviation**2 / 2  # of a plan, not of a difference
        noise = self._noise()
        return prior / (prior + noise) if prior + noise > 0 else 1.0

    def _error(self) -> float:
        """The standard error of the difference between two estimates."""
        error = math.sqrt(2 * self._noise() / int(self.rounds[self.left[0]]))
        return error * math.sqrt(self._weight())

    def _estimates(self) -> Shares:
        """The shares [L, P] after each plan left."""
        left, values = self.left, self._values[self.left]
        rounds, weight = int(self.rounds[left[0]]), self._weight()
        if rounds == 0:
            return values
        means = self._sums[left] / rounds
        if math.isinf(self._deviation):
            return means
        centre, common = values.mean(axis=0), means.mean(axis=0)
        moved = weight * (means - common - (values - centre))
        return np.asarray(values + moved)

    def _drop(self, estimates: Shares, error: float) -> None:
        """Drop plans without which the expected loss is small; `error` is that of a difference."""
        own = estimates[:, self.seat]
        best = int(np.argmax(own))
        kept = np.ones(len(own), dtype=np.bool_)
        for place in range(len(own)):
            if place != best and expected_loss(own[best] - own[place], error) < MAX_EXPECTED_LOSS:
                kept[place] = False
                difference = estimates[place] - estimates[best]
                self._dropped.append((int(self.left[place]), int(self.left[best]), difference))
        self.left = self.left[kept]


def expected_loss(lead: float, error: float) -> float:
    """Return E[max(0, -X)] of X normal with mean `lead` >= 0 and standard deviation `error`."""
    if error <= 0:
        return 0.0
    u = lead / error
    density = math.exp(-u * u / 2) / math.sqrt(2 * math.pi)
    return error * (density - u * math.erfc(u / math.sqrt(2)) / 2)
