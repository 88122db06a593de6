"""Lines of `lz-analyze` and `kata-analyze`: what a search has found so far, for GUIs.

The formats are those of Leela Zero 0.17 and of KataGo's GTP extensions: for each move `info move`,
then pairs of name and number, then `pv` with the expected play.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from meeple.agents.agent import Analysis
from meeple.errors import UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.records import legal_line
from meeple.protocols.gtp.language import colour_of, vertex

DEFAULT_SECONDS = 1.0  # between two lines
MAX_MOVES = 400  # moves of a line
PAIRED = {"minmoves", "ownership", "ownershipstdev", "movesownership", "pvvisits", "rootinfo"}
"""Keywords of KataGo with a value, which have no effect here."""


@dataclass(frozen=True)
class Request:
    """The arguments of an analysis command."""

    seat: int | None = None  # that must be to move; None: whichever is
    seconds: float = DEFAULT_SECONDS
    most: int = MAX_MOVES


def request_of(words: Iterable[str]) -> Request:
    """Parse the arguments: `[COLOUR] [CENTISECONDS] [interval CENTISECONDS] [maxmoves N]`.

    Raises:
        UsageError: an argument is unknown or not a number.
    """
    left, seat, seconds, most = [word.lower() for word in words], None, DEFAULT_SECONDS, MAX_MOVES
    if left and colour_of(left[0]) is not None:
        seat = colour_of(left.pop(0))
    while left:
        word = left.pop(0)
        if word.isdigit():
            left = ["interval", word, *left]
        elif word in ("interval", "maxmoves"):
            if not left or not left[0].isdigit() or len(left[0]) > 6:
                raise UsageError(f"{word} needs a whole number")
            number = max(int(left.pop(0)), 1)
            seconds, most = (number / 100, most) if word == "interval" else (seconds, number)
        elif word in PAIRED and left:
            left.pop(0)
        else:
            raise UsageError(f"analysis has no argument {word!r}")
    return Request(seat, seconds, most)


def info_line(position: Position, found: Analysis, request: Request, *, kata: bool) -> str:
    """Return a line on the moves of an analysis, the agent's choice first, then by visits.

    Args:
        position: that was analysed.
        found: the analysis.
        request: its `most` limits the number of moves.
        kata: probabilities in [0, 1] as KataGo writes them, not Leela Zero's 0 to 10000.
    """
    scale, digits = (1.0, 6) if kata else (10_000.0, 0)
    mover, best = position.to_move, found.principal_variation[:1]
    visited = found.visits if found.visits.any() else np.ones_like(found.visits)
    policy = found.policy if found.prior is None else found.prior
    order = np.lexsort((-found.policy, -visited, ~np.isin(found.actions, best)))
    parts: list[str] = []
    for place in order[: request.most].tolist():
        action = int(found.actions[place])
        value = np.nan if found.action_values is None else found.action_values[place, mover]
        if np.isnan(value) and action in best and found.value is not None:
            value = found.value[mover]
        if not visited[place] or np.isnan(value):
            continue
        line = found.principal_variation if action in best else (action,)
        play = " ".join(vertex(walk, move) for walk, move in legal_line(position, line))
        parts.append(
            f"info move {vertex(position, action)} visits {visited[place]} "
            f"winrate {scale * value:.{digits}f} prior {scale * policy[place]:.{digits}f} "
            f"order {len(parts)} pv {play}"
        )
    return " ".join(parts)
