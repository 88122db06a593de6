"""Trade between players: composing an offer, answering it, counter-offers, choosing a partner."""

from typing import Any

import numpy as np

from meeple.games.catan.hands import can_pay, cards_of, move_card
from meeple.games.catan.state import (
    ACCEPT,
    ACCEPTED,
    ANSWER,
    CHOOSE,
    COUNTER,
    COUNTERED,
    GIVE,
    KINDS,
    MAIN,
    OFFER,
    PROPOSE,
    REFUSE,
    REFUSED,
    TRADE_WITH,
    WAITING,
    WANT,
    WITHDRAW,
)
from meeple.kernels import add, kernel


@kernel
def decide(s: Any, phase: int, seat: int) -> None:
    """A seat decides next, in this phase."""
    s.phase = phase
    s.to_move = seat


@kernel
def most_wanted(s: Any) -> int:
    """Cards that the seat to move may want of the other side: it cannot hold more."""
    if s.to_move != s.on_turn:
        return int(cards_of(s, np.int64(s.on_turn)))
    most = 0
    for seat in range(s.players):
        if seat != s.on_turn:
            most = max(most, cards_of(s, seat))
    return most


@kernel
def legal_trade(s: Any, moves: Any) -> None:
    """What a seat may do in the phases of an offer."""
    seat = np.int64(s.to_move)
    if s.phase == OFFER:
        _compose(s, moves)
        add(moves, WITHDRAW)
    elif s.phase == COUNTER:
        _compose(s, moves)
        add(moves, REFUSE)
    elif s.phase == ANSWER:
        add(moves, REFUSE)
        if can_pay(s, seat, np.int64(s.on_turn)):
            add(moves, ACCEPT)
        if cards_of(s, np.int64(s.on_turn)) > 0:
            for r in range(KINDS):
                if s.hand[seat, r] > 0:
                    add(moves, GIVE + r)
    elif s.phase == CHOOSE:
        for other in range(s.players):
            counter_paid = s.answers[other] == COUNTERED and can_pay(s, seat, other)
            if s.answers[other] == ACCEPTED or counter_paid:
                add(moves, TRADE_WITH + other)
        add(moves, WITHDRAW)


@kernel
def _compose(s: Any, moves: Any) -> None:
    """More to give while nothing is wanted, more to want, or done; resources in their order."""
    seat = np.int64(s.to_move)
    first = int(s.last)
    wanted = 0
    for r in range(KINDS):
        wanted += int(s.want[seat, r])
    if not s.wanting:
        for r in range(first, KINDS):
            if s.hand[seat, r] > s.give[seat, r]:
                add(moves, GIVE + r)
        first = 0
    if wanted < most_wanted(s):
        for r in range(first, KINDS):
            if s.give[seat, r] == 0:
                add(moves, WANT + r)
    if s.wanting:
        add(moves, PROPOSE)


@kernel
def trade(s: Any, action: int) -> None:
    """Compose an offer or a counter-offer, answer one, or choose among the answers."""
    seat = np.int64(s.to_move)
    if action < WANT:
        if s.phase == MAIN:
            _forget_offer(s)
            s.offers += 1
            decide(s, OFFER, seat)
        elif s.phase == ANSWER:
            decide(s, COUNTER, seat)
        s.give[seat, action - GIVE] += 1
        s.last = action - GIVE
    elif action < PROPOSE:
        s.want[seat, action - WANT] += 1
        s.wanting = True
        s.last = action - WANT
    elif action == PROPOSE:
        _answered(s, seat, COUNTERED if s.phase == COUNTER else WAITING)
    elif action == ACCEPT:
        _answered(s, seat, ACCEPTED)
    elif action == REFUSE:
        for r in range(KINDS):
            s.give[seat, r] = 0
            s.want[seat, r] = 0
        _answered(s, seat, REFUSED)
    else:
        if action < WITHDRAW:
            _exchange(s, action - TRADE_WITH)
        _forget_offer(s)
        decide(s, MAIN, np.int64(s.on_turn))


@kernel
def _answered(s: Any, seat: int, answer: int) -> None:
    """Note an answer, and ask the next seat; after all, the player on turn chooses."""
    s.answers[seat] = answer
    s.wanting = False
    s.last = 0
    open_ = False
    for offset in range(1, s.players):
        other = (s.on_turn + offset) % s.players
        if s.answers[other] == WAITING:
            if cards_of(s, other) > 0:
                decide(s, ANSWER, other)
                return
            s.answers[other] = REFUSED
        open_ = open_ or s.answers[other] != REFUSED
    if open_:
        decide(s, CHOOSE, np.int64(s.on_turn))
        return
    _forget_offer(s)
    decide(s, MAIN, np.int64(s.on_turn))


@kernel
def _exchange(s: Any, other: int) -> None:
    """Carry out the offer with who accepted it, or the counter-offer of who made one."""
    mine = np.int64(s.on_turn)
    countered = s.answers[other] == COUNTERED
    for r in range(KINDS):
        if countered:
            move_card(s, other, mine, r, np.int64(s.give[other, r]) - np.int64(s.want[other, r]))
        else:
            move_card(s, mine, other, r, np.int64(s.give[mine, r]) - np.int64(s.want[mine, r]))


@kernel
def _forget_offer(s: Any) -> None:
    s.wanting = False
    s.last = 0
    for seat in range(s.players):
        s.answers[seat] = WAITING
        for r in range(KINDS):
            s.give[seat, r] = 0
            s.want[seat, r] = 0
