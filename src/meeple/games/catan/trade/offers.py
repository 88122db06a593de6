"""Trade between players: composing and answering an offer, counter-offers, choosing a partner."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import can_pay, cards_of, move_card
from meeple.kernels import add, kernel


@kernel
def set_next_decision(s: Any, phase: int, seat: int) -> None:
    """Set the phase and the seat of the next decision."""
    s.phase = phase
    s.to_move = seat


@kernel
def most_wanted(s: Any) -> int:
    """Return the most cards that the seat to move may want: the other side's hand size."""
    if s.to_move != s.on_turn:
        return int(cards_of(s, np.int64(s.on_turn)))
    most = 0
    for seat in range(s.players):
        if seat != s.on_turn:
            most = max(most, cards_of(s, seat))
    return most


@kernel
def legal_trade(s: Any, moves: Any) -> None:
    """List the legal actions in the phases of an offer."""
    seat = np.int64(s.to_move)
    if s.phase == c.OFFER:
        _add_compositions(s, moves)
        add(moves, c.WITHDRAW)
    elif s.phase == c.COUNTER:
        _add_compositions(s, moves)
        add(moves, c.REFUSE)
    elif s.phase == c.ANSWER:
        add(moves, c.REFUSE)
        if can_pay(s, seat, np.int64(s.on_turn)):
            add(moves, c.ACCEPT)
        if cards_of(s, np.int64(s.on_turn)) > 0:
            for r in range(c.KINDS):
                if s.hand[seat, r] > 0:
                    add(moves, c.GIVE + r)
    elif s.phase == c.CHOOSE:
        for other in range(s.players):
            counter_paid = s.answers[other] == c.COUNTERED and can_pay(s, seat, other)
            if s.answers[other] == c.ACCEPTED or counter_paid:
                add(moves, c.TRADE_WITH + other)
        add(moves, c.WITHDRAW)


@kernel
def _add_compositions(s: Any, moves: Any) -> None:
    """Add the next cards of an offer, in the order of resources, and its proposal.

    Cards to give come first; after the first wanted card only wanted cards may be added.
    """
    seat = np.int64(s.to_move)
    first = int(s.last)
    wanted = 0
    for r in range(c.KINDS):
        wanted += int(s.want[seat, r])
    if not s.wanting:
        for r in range(first, c.KINDS):
            if s.hand[seat, r] > s.give[seat, r]:
                add(moves, c.GIVE + r)
        first = 0
    if wanted < most_wanted(s):
        for r in range(first, c.KINDS):
            if s.give[seat, r] == 0:
                add(moves, c.WANT + r)
    if s.wanting:
        add(moves, c.PROPOSE)


@kernel
def trade(s: Any, action: int) -> None:
    """Apply an action that composes an offer, answers one or chooses among the answers."""
    seat = np.int64(s.to_move)
    if action < c.WANT:
        if s.phase == c.MAIN:
            forget_offer(s)
            s.offers += 1
            set_next_decision(s, c.OFFER, seat)
        elif s.phase == c.ANSWER:
            set_next_decision(s, c.COUNTER, seat)
        s.give[seat, action - c.GIVE] += 1
        s.last = action - c.GIVE
    elif action < c.PROPOSE:
        s.want[seat, action - c.WANT] += 1
        s.wanting = True
        s.last = action - c.WANT
    elif action == c.PROPOSE:
        _record_answer(s, seat, c.COUNTERED if s.phase == c.COUNTER else c.WAITING)
    elif action == c.ACCEPT:
        _record_answer(s, seat, c.ACCEPTED)
    elif action == c.REFUSE:
        for r in range(c.KINDS):
            s.give[seat, r] = 0
            s.want[seat, r] = 0
        _record_answer(s, seat, c.REFUSED)
    else:
        if action < c.WITHDRAW:
            _exchange(s, action - c.TRADE_WITH)
        forget_offer(s)
        set_next_decision(s, c.MAIN, np.int64(s.on_turn))


@kernel
def _record_answer(s: Any, seat: int, answer: int) -> None:
    """Record an answer and ask the next seat; after all, the player on turn chooses."""
    s.answers[seat] = answer
    s.wanting = False
    s.last = 0
    any_agreed = False
    for offset in range(1, s.players):
        other = (s.on_turn + offset) % s.players
        if s.answers[other] == c.WAITING:
            if cards_of(s, other) > 0:
                set_next_decision(s, c.ANSWER, other)
                return
            s.answers[other] = c.REFUSED
        any_agreed = any_agreed or s.answers[other] != c.REFUSED
    if any_agreed:
        set_next_decision(s, c.CHOOSE, np.int64(s.on_turn))
        return
    forget_offer(s)
    set_next_decision(s, c.MAIN, np.int64(s.on_turn))


@kernel
def _exchange(s: Any, other: int) -> None:
    """Carry out the offer with a seat that accepted it, or the counter-offer of that seat."""
    mine = np.int64(s.on_turn)
    countered = s.answers[other] == c.COUNTERED
    for r in range(c.KINDS):
        if countered:
            move_card(s, other, mine, r, np.int64(s.give[other, r]) - np.int64(s.want[other, r]))
        else:
            move_card(s, mine, other, r, np.int64(s.give[mine, r]) - np.int64(s.want[mine, r]))


@kernel
def forget_offer(s: Any) -> None:
    """Clear the offer and all answers."""
    s.wanting = False
    s.last = 0
    for seat in range(s.players):
        s.answers[seat] = c.WAITING
        for r in range(c.KINDS):
            s.give[seat, r] = 0
            s.want[seat, r] = 0
