"""The result of a finished game: the seats that win, and the text that people read."""

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from meeple.sentences import plain, say

SHARE_TOLERANCE = 1e-9
"""Shares of the win that differ by at most this are equal."""

LOST_BY = {
    "resigned": say("game.resigned"),
    "time": say("game.out_of_time"),
    "forfeit": say("game.failed"),
}
"""Notes of a record that name the seat that lost before the end, each with a verb for messages."""


PAIR = 2

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


def shares_without(
    loser: int, players: int, tally: Mapping[str, Any] | None = None
) -> tuple[float, ...]:
    """Return the shares of a game that one seat lost before its end: the others share the win.

    Its team, by the `tally` of a position, loses with it.
    """
    sides = (tally or {}).get("sides", ())
    lost = next((side for side in sides if loser in side), [loser])
    return tuple(0.0 if seat in lost else 1 / (players - len(lost)) for seat in range(players))


def winners(payoffs: Sequence[float]) -> list[int]:
    """Return the seats (or the sides) with the greatest share of the win, in order."""
    best = max(payoffs)
    return [seat for seat, share in enumerate(payoffs) if share >= best - SHARE_TOLERANCE]


def checked_tally(data: Any, players: int) -> Mapping[str, Any]:
    """Return the `tally` of a position from data of others; empty if it is none of `players`."""
    match data:
        case {"sides": list(sides)} if all(isinstance(side, list) for side in sides):
            seats = [seat for side in sides for seat in side]
            points, range_ = data.get("points", [0] * len(seats)), data.get("range", [0, 0])
            whole = all(type(seat) is int for seat in seats) and all(sides)
            numbers = all(isinstance(one, list) for one in (points, range_)) and all(
                type(one) in (int, float) and math.isfinite(one) for one in (*points, *range_)
            )
            known = whole and numbers and sorted(seats) == [*range(len(seats))]
            par = len(sides) == 1
            if known and len(seats) == len(points) == players - par and len(range_) == PAIR:
                return dict(data)
    return {}


def _sides(tally: Mapping[str, Any], payoffs: Sequence[float]) -> Sequence[Sequence[int]]:
    """Return the seats of each side, without a par."""
    sides: Sequence[Sequence[int]] = tally.get("sides") or [[n] for n in range(len(payoffs))]
    return sides


def result_text(
    payoffs: Sequence[float] | None,
    names: Sequence[str],
    loser: int | None = None,
    reason: str = "",
    tally: Mapping[str, Any] | None = None,
) -> str:
    """Describe the result of a game, such as "Ann wins", "a draw" or "Ann 60 %, Bob 40 %".

    Args:
        payoffs: [players] shares of the win, which sum to 1; None if the game was broken off.
        names: [players] names of the seats; the seat's number is added to equal names.
        loser: the seat that ended the game outside the rules, if one did.
        reason: what the loser did, as a predicate: "resigned".
        tally: the `tally` of the last position, with which teams are named and points are shown.
    """
    if not payoffs:
        return say("game.broken_off")
    names, tally = _distinct(names), tally or {}
    sides = _sides(tally, payoffs)
    labels = [functools.reduce(_both, (names[seat] for seat in side)) for side in sides]
    points = [plain(tally["points"][side[0]]) for side in sides if "points" in tally]
    shares = [sum(payoffs[seat] for seat in side) for side in sides]
    best, played = winners(shares), loser is None
    if len(sides) == 1 and points and played:
        low, high = map(plain, tally["range"])
        return say("game.points_alone", name=labels[0], points=points[0], low=low, high=high)
    if len(best) == len(shares) > 1:
        text = say("game.draw")
    elif len(best) == 1 and (points or shares[best[0]] >= 1 - SHARE_TOLERANCE):
        code = "game.wins" if len(sides[best[0]]) == 1 else "game.win"
        text = say(code, name=labels[best[0]])
    else:
        pairs = zip(labels, shares, strict=True)
        text = say(
            "text.list",
            all=[say("game.share", name=name, share=percent(share)) for name, share in pairs],
        )
    if loser is None:
        return say("game.points", text=text, points=" : ".join(points)) if points else text
    return say("game.lost_by", text=text, loser=names[loser], reason=reason)


def _both(one: str, other: str) -> str:
    return say("game.and", one=one, other=other)


def outcome_of(
    payoffs: Sequence[float], seat: int, tally: Mapping[str, Any] | None = None
) -> str | None:
    """Return the result for one seat: "win", "shared", "draw" or "loss"; None against a par."""
    sides = _sides(tally or {}, payoffs)
    if len(sides) == 1:
        return None
    best = winners([sum(payoffs[one] for one in side) for side in sides])
    if len(best) == len(sides):
        return "draw"
    if not any(seat in sides[one] for one in best):
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
