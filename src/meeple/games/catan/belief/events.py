"""Events: the part of an action or chance outcome that one seat may see."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import shown
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import public_points
from meeple.kernels import OVER, kernel

Hands = npt.NDArray[np.int8]
UNSEEN = -1  # a card that the seat did not see
NO_ONE = -1
MAX_CARD_CHANGE = 100  # cards of one kind per event; more than the bank has
_SHAPES = {"hands": (c.MAX_SEATS, c.KINDS), "shown": (c.KINDS,), "cards": (c.MAX_SEATS, c.KINDS)}


class Event(NamedTuple):
    """One action or outcome as one seat sees it. Seats are numbers; NO_ONE if a seat is absent."""

    hands: Hands  # [4, 5] cards gained per seat, without a stolen card
    monopoly: int  # the resource that all others gave up, or UNSEEN
    thief: int
    victim: int  # without a thief: the seat that lost a card to the bank, unseen
    stolen: int  # the resource, UNSEEN for all but thief and victim
    shows: int  # the seat that thereby shows that it holds ...
    shown: Hands  # ... [5] at least these numbers of each resource
    draws: int  # the seat that drew a development card
    drawn: int  # the card, UNSEEN for others
    cards: Hands  # [4, 5] development cards played, by seat
    checked: int  # a seat that has just not won, so has too few points
    points: int  # its public points at that moment

    def to_json(self) -> list[Any]:
        """Return the fields in order, as plain JSON data."""
        return [part.tolist() if isinstance(part, np.ndarray) else part for part in self]

    @classmethod
    def of(cls, data: Any) -> "Event":
        """Read an event from `to_json` data; raise ValueError if it is malformed."""
        if not isinstance(data, list) or len(data) != len(cls._fields):
            raise ValueError(f"an event of Catan has {len(cls._fields)} fields")
        parts: list[Any] = []
        for name, part in zip(cls._fields, data, strict=True):
            array, shape = np.array(part), _SHAPES.get(name, ())
            if array.shape != shape or array.dtype.kind != "i":
                raise ValueError(f"a field of an event of Catan is malformed: {shown(part)}")
            if array.min() < -MAX_CARD_CHANGE or array.max() > MAX_CARD_CHANGE:
                raise ValueError(f"a number of an event of Catan is too large: {shown(part)}")
            parts.append(array.astype(np.int8) if shape else int(array))
        made = cls(*parts)
        made._ensure_indices()
        return made

    def _ensure_indices(self) -> None:
        """Raise ValueError if a seat or card is out of range; kernels do not check them."""
        seats = (self.thief, self.victim, self.shows, self.draws, self.checked)
        cards = (self.monopoly, self.stolen, self.drawn)
        for numbers, count, what in ((seats, c.MAX_SEATS, "seat"), (cards, c.KINDS, "card")):
            for number in numbers:
                if not -1 <= number < count:
                    raise ValueError(f"there is no {what} {number} in Catan")


def event(
    before: npt.NDArray[np.uint8], action: int, after: npt.NDArray[np.uint8], seat: int
) -> Event:
    """Return the part of an action that a seat sees; all of it if hands are open.

    The arguments `before` and `after` are the bytes of the states around the action.
    """
    hands, shown, cards = (np.zeros(shape, np.int8) for shape in _SHAPES.values())
    facts = np.empty(9, np.int64)
    # As arrays of one state: a record by itself is slow to hand to a kernel.
    old, new = np.frombuffer(before, c.State), np.frombuffer(after, c.State)
    _look(old, action, new, seat, hands, shown, cards, facts)
    monopoly, thief, victim, stolen, shows, draws, drawn, checked, points = facts.tolist()
    return Event(
        hands, monopoly, thief, victim, stolen, shows, shown, draws, drawn, cards, checked, points
    )


@kernel
def _look(
    olds: Any, action: int, news: Any, seat: int, hands: Any, shown: Any, cards: Any, facts: Any
) -> None:
    """Fill in an event: `facts` [9] are its numbers, in their order; the rest is zero before."""
    old, new = olds[0], news[0]
    thief = victim = shows = draws = NO_ONE
    stolen = drawn = monopoly = UNSEEN
    if old.phase == c.STEAL:
        thief, victim = int(old.on_turn), int(old.victim)
        if not old.hidden_hands or seat in (thief, victim):
            stolen = int(action)
    elif old.phase == c.DRAW:
        draws = int(old.on_turn)
        if not old.hidden_hands or seat == draws:
            drawn = int(action)
    elif old.to_move >= 0 and c.PLAY_MONOPOLY <= action < c.MARITIME:
        monopoly = int(action - c.PLAY_MONOPOLY)
    elif old.to_move >= 0 and old.phase == c.CONSENT and action == c.ACCEPT:
        shows = int(old.to_move)
        for r in range(c.KINDS):
            shown[r] = old.give[shows, r]
    elif old.to_move >= 0 and (action == c.ACCEPT or c.GIVE <= action < c.WANT):
        shows = int(old.to_move)
        for r in range(c.KINDS):
            shown[r] = old.want[old.on_turn, r] if action == c.ACCEPT else new.give[shows, r]
    elif old.to_move >= 0 and c.DEAL_GIVE <= action < c.DEAL_GET:
        shows = int(old.to_move)  # the seat on turn, of its own cards alone
        for r in range(c.KINDS):
            shown[r] = new.give[shows, r]
    for who in range(c.MAX_SEATS):
        for kind in range(c.KINDS):
            if thief < 0:
                hands[who, kind] = new.hand[who, kind] - old.hand[who, kind]
            cards[who, kind] = new.played[who, kind] - old.played[who, kind]
    facts[0], facts[1], facts[2], facts[3] = monopoly, thief, victim, stolen
    facts[4], facts[5], facts[6] = shows, draws, drawn
    facts[7], facts[8] = NO_ONE, 0
    if new.to_move != OVER:
        facts[7], facts[8] = new.on_turn, public_points(new, np.int64(new.on_turn))
