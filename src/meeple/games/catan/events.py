"""What a seat sees of an action: the public changes of hands, what was shown, never the rest."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.catan.hands import public_points
from meeple.games.catan.state import (
    ACCEPT,
    DRAW,
    GIVE,
    KINDS,
    MARITIME,
    PLAY_MONOPOLY,
    SEATS,
    STEAL,
    WANT,
    State,
)
from meeple.kernels import OVER

Hands = npt.NDArray[np.int8]
UNSEEN = -1  # a card that the seat did not see
NO_ONE = -1


class Event(NamedTuple):
    """One action or outcome as one seat sees it. Seats are numbers; NO_ONE where there is none."""

    hands: Hands  # [4, 5] cards that hands gained, those of a steal left out
    monopoly: int  # the resource of which all others gave all they had, or UNSEEN
    thief: int
    victim: int
    stolen: int  # the resource, UNSEEN for all but thief and victim
    shows: int  # the seat that shows that it holds...
    shown: Hands  # ... [5] at least so many cards of each resource
    draws: int  # the seat that drew a development card
    drawn: int  # which, UNSEEN for others
    cards: Hands  # [4, 5] development cards played, by seat
    checked: int  # the seat whose points did not suffice to win just now
    points: int  # its public points then


def event(
    before: npt.NDArray[np.uint8], action: int, after: npt.NDArray[np.uint8], seat: int
) -> Event:
    """What a seat sees of an action between two states, given as their bytes.

    Where hands are open (`hidden_hands` off), it sees all.
    """
    old, new = before.view(State)[0], after.view(State)[0]
    seen = not old.hidden_hands
    hands = new.hand - old.hand
    thief = victim = shows = draws = NO_ONE
    stolen = drawn = monopoly = UNSEEN
    shown = np.zeros(KINDS, dtype=np.int8)
    if old.phase == STEAL:
        thief, victim = int(old.on_turn), int(old.victim)
        stolen = action if seen or seat in (thief, victim) else UNSEEN
        hands = np.zeros((SEATS, KINDS), dtype=np.int8)
    elif old.phase == DRAW:
        draws = int(old.on_turn)
        drawn = action if seen or seat == draws else UNSEEN
    elif PLAY_MONOPOLY <= action < MARITIME and old.to_move >= 0:
        monopoly = action - PLAY_MONOPOLY
    elif GIVE <= action < WANT and old.to_move >= 0:
        shows, shown = int(old.to_move), new.give[old.to_move].copy()
    elif action == ACCEPT and old.to_move >= 0:
        shows, shown = int(old.to_move), old.want[old.on_turn].copy()
    checked = int(new.on_turn) if new.to_move != OVER else NO_ONE
    return Event(
        hands=hands.astype(np.int8),
        monopoly=monopoly,
        thief=thief,
        victim=victim,
        stolen=stolen,
        shows=shows,
        shown=shown.astype(np.int8),
        draws=draws,
        drawn=drawn,
        cards=(new.played - old.played).astype(np.int8),
        checked=checked,
        points=int(public_points(new, checked)) if checked >= 0 else 0,
    )
