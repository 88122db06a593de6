"""Ratings from results: Bradley-Terry strengths by maximum likelihood, on the Elo scale.

Games for more than two are rated by the first stage of the Plackett-Luce model, which for two is
the same model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple.arena.figures.statistics import Z

Matrix = npt.NDArray[np.float64]  # [agents, agents]

ELO = 400 / np.log(10)
"""Elo points per unit of natural logarithm: 400 points are odds of 10 to 1."""

PRIOR_GAMES = 1.0
"""Additional drawn games of each agent against an agent of average strength. This prior keeps the
rating of an agent that won all games finite, and has little weight against many games."""

_PRECISION = 1e-8  # natural units; a step of Newton's method squares the error that is left
_MOST_STEPS = 200


@dataclass(frozen=True)
class Ratings:
    """Strengths in Elo points, the average of all agents being 0; only differences mean anything.

    `low` and `high` bound a rating against that average with 95 % confidence, by the curvature of
    the likelihood. They assume independent games, and count a draw as half a win and half a loss,
    for which they are too wide rather than too narrow.
    """

    elo: Matrix  # [n]
    low: Matrix  # [n]
    high: Matrix  # [n]
    covariance: Matrix  # [n, n], in squared Elo points

    def difference(self, a: int, b: int) -> tuple[float, float, float]:
        """Return the rating of a minus that of b, and the ends of its 95 % interval."""
        c = self.covariance
        deviation = float(np.sqrt(max(0.0, c[a, a] + c[b, b] - 2 * c[a, b])))
        gap = float(self.elo[a] - self.elo[b])
        return gap, gap - Z * deviation, gap + Z * deviation


def rate(points: Matrix, prior_games: float = PRIOR_GAMES) -> Ratings:
    """Return the maximum likelihood ratings for the points [n, n] of agent i against agent j.

    Maximises the sum of points[i, j] log P(i beats j) with P = 1 / (1 + exp(r[j] - r[i])) (Bradley
    and Terry, "Rank analysis of incomplete block designs I", Biometrika 39, 1952) and the prior
    `PRIOR_GAMES`, by Newton's method; the sum is concave, so there is one maximum. A full step can
    diverge. Divided by 1 + d / 2, where d is the maximum change of a difference of ratings, it
    cannot: the curvature grows by at most exp(d) along the step, so that the fraction
    log(1 + d) / d of it is safe (Sun and Tran-Dinh, "Generalized self-concordant functions",
    Mathematical Programming 178, 2019), and this fraction is smaller.
    """
    return _most_likely(
        len(points), prior_games, lambda strength: _derivatives_of_pairs(strength, points)
    )


def rate_tables(
    agents: int, tables: Mapping[tuple[int, ...], Matrix], prior_games: float = PRIOR_GAMES
) -> Ratings:
    """Return the maximum likelihood ratings for games with any number of seats.

    `tables` maps the agents of the seats (in any order; an agent may hold several seats) to the
    shares [seats] of the win, summed over their games. A seat wins with a probability proportional
    to its agent's strength: Luce, "Individual choice behavior", 1959; this is the first stage of
    the rankings of Plackett, "The analysis of permutations", Applied Statistics 24, 1975. Later
    places are not modelled, since payoffs are shares of the win; a split win counts by its shares.
    Maximises the sum of shares[seat] log P(seat wins), as `rate` does, with the same prior; for two
    seats the sums are equal.
    """
    return _most_likely(
        agents, prior_games, lambda strength: _derivatives_of_tables(strength, tables)
    )


Derivatives = Callable[[Matrix], tuple[Matrix, Matrix]]
"""Returns the gradient [n] of a log likelihood, and its information [n, n]: minus the Hessian."""


def _most_likely(agents: int, prior_games: float, derivatives: Derivatives) -> Ratings:
    """Maximise a likelihood with the prior by Newton's method."""
    strength = np.zeros(agents)
    for _ in range(_MOST_STEPS):
        gradient, information = derivatives(strength)
        chance = _logistic(strength)  # [n], against the average
        gradient = gradient + prior_games * (0.5 - chance)
        information = information + np.diag(prior_games * chance * (1 - chance))
        step = np.linalg.solve(information, gradient)
        furthest = np.ptp(np.append(step, 0))  # maximum change of a difference, also to the average
        strength = strength + step / (1 + furthest / 2)
        if furthest < _PRECISION:
            break
    centring = np.eye(agents) - 1 / agents
    covariance = ELO**2 * (centring @ np.linalg.inv(information) @ centring)
    elo = ELO * (strength - strength.mean())
    margin = Z * np.sqrt(np.clip(np.diag(covariance), 0, None))
    return Ratings(elo, elo - margin, elo + margin, covariance)


def signed(elo: float) -> str:
    """Return a rating as text, such as "+120"."""
    return f"{round(elo):+d}"


def _derivatives_of_pairs(strength: Matrix, points: Matrix) -> tuple[Matrix, Matrix]:
    """Return the derivatives for the points [n, n] of agent i against agent j."""
    chances = _logistic(strength[:, None] - strength[None, :])  # [n, n], of i against j
    games = points + points.T
    gradient = (points - games * chances).sum(axis=1)
    weights = games * chances * (1 - chances)
    np.fill_diagonal(weights, 0)
    information = np.diag(weights.sum(axis=1)) - weights
    return gradient, information


def _derivatives_of_tables(
    strength: Matrix, tables: Mapping[tuple[int, ...], Matrix]
) -> tuple[Matrix, Matrix]:
    """Return the derivatives for the shares of seats, by the agents in them."""
    agents = len(strength)
    gradient, information = np.zeros(agents), np.zeros((agents, agents))
    for holders, shares in tables.items():
        seats = list(holders)
        weights = np.exp(strength[seats] - strength[seats].max())
        chances = weights / weights.sum()
        np.add.at(gradient, seats, shares - shares.sum() * chances)
        own = np.diag(chances) - np.outer(chances, chances)
        np.add.at(information, np.ix_(seats, seats), shares.sum() * own)
    return gradient, information


def _logistic(x: Matrix) -> Matrix:
    result: Matrix = 0.5 * (1 + np.tanh(0.5 * x))
    return result
