"""Ratings from results: Bradley-Terry strengths by maximum likelihood, on the Elo scale.

Games for more than two are rated by the first stage of Plackett and Luce, which is the same model
for two.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple.arena.statistics import Z

Matrix = npt.NDArray[np.float64]  # [agents, agents]

ELO = 400 / np.log(10)
"""Elo points per unit of natural logarithm: 400 points are odds of 10 to 1."""

PRIOR_GAMES = 1.0
"""Drawn games that each agent is taken to have played against one of average strength besides. It
keeps a rating finite where all games were won, and moves it by little where many were played."""

_PRECISION = 1e-8  # natural units; a step of Newton's method squares the error that is left
_MOST_STEPS = 200


@dataclass(frozen=True)
class Ratings:
    """Strengths in Elo points, the average of all agents being 0; only differences mean anything.

    `low` and `high` bound a rating against that average, with 95 % confidence, by the curvature of
    the likelihood. They take the games to be independent, and a draw for half a win and half a
    loss, for which they are too wide rather than too narrow.
    """

    elo: Matrix  # [n]
    low: Matrix  # [n]
    high: Matrix  # [n]
    covariance: Matrix  # [n, n], in squared Elo points

    def difference(self, a: int, b: int) -> tuple[float, float, float]:
        """Rating of a less that of b, and the ends of its 95 % interval."""
        c = self.covariance
        deviation = float(np.sqrt(max(0.0, c[a, a] + c[b, b] - 2 * c[a, b])))
        gap = float(self.elo[a] - self.elo[b])
        return gap, gap - Z * deviation, gap + Z * deviation


def rate(points: Matrix, prior_games: float = PRIOR_GAMES) -> Ratings:
    """The most likely ratings, given the points [n, n] that agent i won against agent j.

    Maximises the sum of points[i, j] log P(i beats j) with P = 1 / (1 + exp(r[j] - r[i])) (Bradley
    and Terry, "Rank analysis of incomplete block designs I", Biometrika 39, 1952) and the prior
    `PRIOR_GAMES`, by Newton's method; the sum is concave, so there is one maximum. A full step may
    lead away from it. Divided by 1 + d / 2 it never does, where d is the most that it changes a
    gap: along it, curvature grows by exp(d) at most, so that log(1 + d) / d of it would be safe
    (Sun and Tran-Dinh, "Generalized self-concordant functions", Mathematical Programming 178,
    2019), and this is less.
    """
    return _most_likely(
        len(points), prior_games, lambda strength: _derivatives_of_pairs(strength, points)
    )


def rate_tables(
    agents: int, tables: Mapping[tuple[int, ...], Matrix], prior_games: float = PRIOR_GAMES
) -> Ratings:
    """The most likely ratings, given the shares of the win at tables of any number of seats.

    `tables` has, by the agents in the seats (in whatever order; one may hold several), the shares
    [seats] that each seat won in all their games together. A seat wins with a chance proportional
    to its agent's strength: Luce, "Individual choice behavior", 1959; it is the first stage of the
    rankings of Plackett, "The analysis of permutations", Applied Statistics 24, 1975. Who comes in
    second is not asked, since payoffs are shares of the win; a split win counts for each by its
    share. Maximises the sum of shares[seat] log P(seat wins), as `rate` does, with the same prior;
    at tables of two seats it is the same sum.
    """
    return _most_likely(
        agents, prior_games, lambda strength: _derivatives_of_tables(strength, tables)
    )


Derivatives = Callable[[Matrix], tuple[Matrix, Matrix]]
"""Gives the gradient [n] of a log likelihood, and its information [n, n]: minus the Hessian."""


def _most_likely(agents: int, prior_games: float, derivatives: Derivatives) -> Ratings:
    """Newton's method on a likelihood with the prior."""
    strength = np.zeros(agents)
    for _ in range(_MOST_STEPS):
        gradient, information = derivatives(strength)
        chance = _logistic(strength)  # [n], against the average
        gradient = gradient + prior_games * (0.5 - chance)
        information = information + np.diag(prior_games * chance * (1 - chance))
        step = np.linalg.solve(information, gradient)
        furthest = np.ptp(np.append(step, 0))  # that a gap changes, those to the average too
        strength = strength + step / (1 + furthest / 2)
        if furthest < _PRECISION:
            break
    centring = np.eye(agents) - 1 / agents
    covariance = ELO**2 * (centring @ np.linalg.inv(information) @ centring)
    elo = ELO * (strength - strength.mean())
    margin = Z * np.sqrt(np.clip(np.diag(covariance), 0, None))
    return Ratings(elo, elo - margin, elo + margin, covariance)


def signed(elo: float) -> str:
    """A rating as text, such as "+120"."""
    return f"{round(elo):+d}"


def _derivatives_of_pairs(strength: Matrix, points: Matrix) -> tuple[Matrix, Matrix]:
    """Of the points [n, n] that agent i won against agent j."""
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
    """Of the shares that seats won, by the agents in them."""
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
