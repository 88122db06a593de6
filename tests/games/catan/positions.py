"""Positions of Catan set up by hand, and random games with the positions around each ply."""

from collections.abc import Iterator

import numpy as np

from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.contract.game import Position
from tests.games.catan.playing import draw


def plies(seed: int, **options) -> Iterator[tuple[Position, int, Position]]:
    """Yield each position of a random game but the last, the action and the resulting position."""
    position, rng = Catan(**options).start(seed), np.random.default_rng(seed)
    while not position.is_over:
        before = position.copy()
        action = draw(position, rng)
        position.play(action)
        yield before, action, position


def in_turn(hands: dict[int, dict[str, int]], **options) -> Position:
    """Return player 1's first turn on the beginners' island, after a 12, with these hands."""
    position = Catan(**{"players": 3, "board": "beginner", **options}).start(0)
    while position.state.phase in (c.SETTLE, c.SETTLE_ROAD):
        position.play(int(position.legal_actions()[0]))
    position.play(c.ROLL_DICE)
    position.play(12)
    s = position.state
    s.hand[:] = 0
    for seat, hand in hands.items():
        for resource, count in hand.items():
            s.hand[seat, c.RESOURCES.index(resource)] = count
    s.bank[:] = c.BANK_CARDS - s.hand.sum(axis=0)
    return position


def with_others_hands_changed(position: Position, seat: int | None, rng) -> Position | None:
    """Return a copy in which two hands exchange cards hidden from this seat (None: the public).

    Hand sizes stay. None if no exchange is possible or if it would decide the game.
    """
    twin = position.copy()
    s = twin.state
    others = [i for i in range(s.players) if i != seat and s.hand[i].any()]
    if len(others) < 2:
        return None
    one, two = rng.choice(others, 2, replace=False).tolist()
    _exchange(s.hand[one], s.hand[two], rng)
    _exchange(s.cards[one], s.cards[two], rng)
    _exchange(s.cards[one], s.deck, rng)
    same = s.hand.tobytes() + s.cards.tobytes() == (
        position.state.hand.tobytes() + position.state.cards.tobytes()
    )
    return None if same else twin


def _exchange(one, two, rng) -> None:
    if one.any() and two.any():
        mine, theirs = (int(rng.choice(np.flatnonzero(cards))) for cards in (one, two))
        one[[mine]] -= 1
        one[[theirs]] += 1
        two[[theirs]] -= 1
        two[[mine]] += 1
