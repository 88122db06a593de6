"""Judges the moves of a game by the chances of winning that searches of its positions found.

The loss of a move is the difference between two evaluations of equal length: of the position after
the best move, and of the position after the played one. The evaluator's own noise is taken off it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median
from typing import Any

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.15  # losses of winning chance, as on lichess.org
_GRADES = ((BLUNDER, "blunder"), (MISTAKE, "mistake"), (INACCURACY, "inaccuracy"))
# Percent of accuracy, A exp(-B loss) - C for a loss in percent: https://lichess.org/page/accuracy
_A, _B, _C = 103.1668, 0.04354, 3.1669
_MIN_BEST_MOVES = 5  # of which the noise is estimated
_CERTAIN = 1e-6  # chances so near to 0 or 1 are proven results, without noise


@dataclass(frozen=True)
class MoveEvaluation:
    """What the searches found at one ply.

    Attributes:
        ply: the number of plies before it.
        mover: the seat to move; negative for chance or the end of the game.
        value: every player's share of the win; None if unknown.
        loss: the mover's share that the played move lost against the best one; None if unknown.
        is_best: whether the best move was played, or one as good.
        drift: how much the mover's share fell from this search to the next although the best move
            was played; None if it was not, or if either value is unknown.
    """

    ply: int
    mover: int
    value: tuple[float, ...] | None
    loss: float | None
    is_best: bool
    drift: float | None


def review(found: Sequence[MoveEvaluation], players: int, spread: float = 1.0) -> dict[str, Any]:
    """Return the grades, accuracies and corrected chances of a game.

    Args:
        found: what the searches found.
        players: the number of players, without a par.
        spread: the difference of shares that counts as 100 % of the winning chance. In a game of
            points it is that of random games: see `spread_of`.

    Returns:
        `noise`: the evaluator's noise, in shares of the win. `moves`: the `ply`, `loss` and `grade`
        of each judged move. `accuracy`: each player's mean accuracy in percent, None without a
        judged move. `spread`: the argument. `values`: the ply and all shares, for two players
        without the alternation of `without_parity`.
    """
    noise = noise_of([one.drift for one in found if one.drift is not None])
    moves: list[dict[str, Any]] = [
        {
            "ply": one.ply,
            "mover": one.mover,
            "loss": loss,
            "grade": grade_of(loss / spread, one.is_best),
        }
        for one in found
        if one.loss is not None
        for loss in (round(max(0.0, one.loss - noise), 4),)
    ]
    accuracy = []
    for seat in range(players):
        own = [accuracy_of(move["loss"] / spread) for move in moves if move["mover"] == seat]
        accuracy.append(round(fmean(own), 1) if own else None)
    known = [(one.ply, one.value) for one in found if one.value is not None]
    values = [list(value) for _, value in known]
    if values and players == len(values[0]) == 2:
        plies = [ply for ply, _ in known]
        first = without_parity(plies, [value[0] for value in values])
        values = [[share, 1.0 - share] for share in first]
    shown = [
        [ply, [round(share, 4) for share in value]]
        for (ply, _), value in zip(known, values, strict=True)
    ]
    return {
        "noise": round(noise, 4),
        "moves": moves,
        "accuracy": accuracy,
        "values": shown,
        "spread": spread,
    }


def grade_of(loss: float, is_best: bool) -> str:
    """Return "best", "good", "inaccuracy", "mistake" or "blunder"."""
    if is_best:
        return "best"
    return next((name for least, name in _GRADES if loss >= least), "good")


def accuracy_of(loss: float) -> float:
    """Return the accuracy of a move in percent, from the share of the win that it lost."""
    return min(100.0, max(0.0, _A * math.exp(-_B * 100.0 * loss) - _C))


def noise_of(drifts: Sequence[float]) -> float:
    """Return the median deviation of values that should be equal from their median.

    A search before the best move and one after it estimate the same value. Their median difference
    is the alternation that `without_parity` removes; deviations from it are noise.
    """
    if len(drifts) < _MIN_BEST_MOVES:
        return 0.0
    middle = median(drifts)
    return median(abs(drift - middle) for drift in drifts)


def without_parity(plies: Sequence[int], chances: Sequence[float]) -> list[float]:
    """Remove from the chances of one player what alternates from ply to ply.

    A search of limited depth favours the side that makes the last move of its lines, so its values
    go up and down with the number of the ply. The alternation is estimated as the median of
    half the difference between a value and the mean of its neighbours, in log odds, and subtracted.
    """
    odds = [_log_odds(chance) for chance in chances]
    found = []
    for (a, b), at in zip(pairwise(plies), range(1, len(plies)), strict=False):
        before, here = odds[at - 1], odds[at]
        after = odds[at + 1] if at + 1 < len(plies) and plies[at + 1] == b + 1 else None
        if b == a + 1 and before is not None and here is not None and after is not None:
            found.append((-1) ** (b % 2) * (here - (before + after) / 2) / 2)
    if not found:
        return list(chances)
    shift = median(found)
    return [
        chance if log is None else 1.0 / (1.0 + math.exp(-(log - (-1) ** (ply % 2) * shift)))
        for ply, chance, log in zip(plies, chances, odds, strict=True)
    ]


def _log_odds(chance: float) -> float | None:
    """Return the log odds of a chance; None for a proven result."""
    if not _CERTAIN < chance < 1.0 - _CERTAIN:
        return None
    return math.log(chance / (1.0 - chance))
