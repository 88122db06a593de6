"""Ratings from results: Bradley-Terry strengths by maximum likelihood, on the Elo scale."""

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
    agents = len(points)
    strength = np.zeros(agents)
    for _ in range(_MOST_STEPS):
        gradient, information = _derivatives(strength, points, prior_games)
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


def _derivatives(strength: Matrix, points: Matrix, prior_games: float) -> tuple[Matrix, Matrix]:
    """Gradient [n] and Fisher information [n, n] (minus the Hessian)."""
    chances = _logistic(strength[:, None] - strength[None, :])  # [n, n], of i against j
    chance = _logistic(strength)  # [n], against the average
    games = points + points.T
    gradient = (points - games * chances).sum(axis=1) + prior_games * (0.5 - chance)
    weights = games * chances * (1 - chances)
    np.fill_diagonal(weights, 0)
    information = -weights
    own = weights.sum(axis=1) + prior_games * chance * (1 - chance)
    information[np.diag_indices_from(information)] = own
    return gradient, information


def _logistic(x: Matrix) -> Matrix:
    result: Matrix = 0.5 * (1 + np.tanh(0.5 * x))
    return result
