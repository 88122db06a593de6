"""The result of a finished game: the seats that win, and the text that people read."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from meeple.sentences import say

SHARE_TOLERANCE = 1e-9
"""Shares of the win that differ by at most this are equal."""

LOST_BY = {
    "resigned": say("game.resigned"),
    "time": say("game.out_of_time"),
    "forfeit": say("game.failed"),
}
"""Notes of a record that name the seat that lost before the end, each with a verb for messages."""


DECLARED = "declared"
"""The note of a record with the shares of the win that a file declares, without an end by the rules
and without a reason."""


def lost_by(notes: Mapping[str, Any], players: int) -> tuple[str, int] | None:
    """Return how and by which seat a game was lost before its end, if its notes say so."""
    for how in LOST_BY:
        seat = notes.get(how)
        if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < players:
            return how, seat
    return None


def declared_shares(notes: Mapping[str, Any], players: int) -> tuple[float, ...] | None:
    """Return the shares of the win that a file declares for a game, if its notes have them."""
    shares = notes.get(DECLARED)
    if not isinstance(shares, list) or len(shares) != players:
        return None
    if not all(type(share) in (int, float) and 0 <= share <= 1 for share in shares):
        return None
    return tuple(map(float, shares)) if abs(sum(shares) - 1) < SHARE_TOLERANCE else None


def shares_without(loser: int, players: int) -> tuple[float, ...]:
    """Return the shares of a game that one seat lost before its end: the others share the win."""
    return tuple(0.0 if seat == loser else 1 / (players - 1) for seat in range(players))


def winners(payoffs: Sequence[float]) -> list[int]:
    """Return the seats with the greatest share of the win, in order."""
    best = max(payoffs)
    return [seat for seat, share in enumerate(payoffs) if share >= best - SHARE_TOLERANCE]


def result_text(
    payoffs: Sequence[float] | None,
    names: Sequence[str],
    loser: int | None = None,
    reason: str = "",
) -> str:
    """Describe the result of a game, such as "Ann wins", "a draw" or "Ann 60 %, Bob 40 %".

    Args:
        payoffs: [players] shares of the win, which sum to 1; None if the game was broken off.
        names: [players] names of the seats; the seat's number is added to equal names.
        loser: the seat that ended the game outside the rules, if one did.
        reason: what the loser did, as a predicate: "resigned".
    """
    if not payoffs:
        return say("game.broken_off")
    names = _distinct(names)
    if max(payoffs) >= 1 - SHARE_TOLERANCE:
        text = say("game.wins", name=names[winners(payoffs)[0]])
    elif len(winners(payoffs)) == len(payoffs):
        text = say("game.draw")
    else:
        pairs = zip(names, payoffs, strict=True)
        shares = [say("game.share", name=name, share=percent(share)) for name, share in pairs]
        text = say("text.list", all=shares)
    if loser is None:
        return text
    return say("game.lost_by", text=text, loser=names[loser], reason=reason)


def outcome_of(payoffs: Sequence[float], seat: int) -> str:
    """Return the result for one seat: "win", "shared", "draw" or "loss"."""
    best = winners(payoffs)
    if len(best) == len(payoffs):
        return "draw"
    if seat not in best:
        return "loss"
    return "win" if len(best) == 1 else "shared"


def _distinct(names: Sequence[str]) -> list[str]:
    return [
        say("game.seat", name=name, n=seat + 1) if list(names).count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def percent(share: float) -> str:
    """Return a share in [0, 1] as a whole percentage; only exact values give 0 % and 100 %.

    Returns "-" for NaN, the value of what a search has not evaluated enough.
    """
    if math.isnan(share):
        return "-"
    rounded = round(100 * share)
    if rounded == 0 and share > SHARE_TOLERANCE:
        return "<1 %"
    if rounded == 100 and share < 1 - SHARE_TOLERANCE:
        return ">99 %"
    return f"{rounded} %"
