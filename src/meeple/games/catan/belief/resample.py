"""Redeal hidden cards from the current state alone, without the history of the game."""

from typing import Any

from meeple.games.catan.rules.cards import cards_of, draw_card
from meeple.games.catan.rules.state import KINDS
from meeple.kernels import kernel


@kernel
def resample(s: Any, player: int, rng: Any) -> None:
    """Redeal the other seats' resources and development cards; consumes `rng`.

    All hand sizes stay. The deal uses only hand sizes, the bank, played cards and the player's own
    cards, not the history; `CatanBelief` also uses the history.
    """
    if s.hidden_hands:
        _deal_resources(s, player, rng)
        _deal_cards(s, player, rng)


@kernel
def _deal_resources(s: Any, player: int, rng: Any) -> None:
    """Pool the cards in the hand of the first other seat, then redeal each hand from that pool."""
    first = 1 if player == 0 else 0
    sizes = 0  # hand sizes, eight bits per seat
    for seat in range(s.players):
        if seat != player and seat != first:
            sizes |= cards_of(s, seat) << (8 * seat)
            for r in range(KINDS):
                s.hand[first, r] += s.hand[seat, r]
                s.hand[seat, r] = 0
    left = cards_of(s, first)
    for seat in range(s.players):
        for _ in range((sizes >> (8 * seat)) & 255):
            r = draw_card(s.hand[first], left, rng)
            s.hand[seat, r] += 1
            left -= 1


@kernel
def _deal_cards(s: Any, player: int, rng: Any) -> None:
    """Return the cards to the deck, then redeal the same number per seat, fresh cards first."""
    sizes = 0
    left = 0
    fresh = 0
    for card in range(KINDS):
        left += int(s.deck[card])
        if s.on_turn != player:
            fresh += int(s.fresh[card])
            s.fresh[card] = 0
    for seat in range(s.players):
        if seat != player:
            for card in range(KINDS):
                sizes += int(s.cards[seat, card]) << (8 * seat)
                left += int(s.cards[seat, card])
                s.deck[card] += s.cards[seat, card]
                s.cards[seat, card] = 0
    for seat in range(s.players):
        for number in range((sizes >> (8 * seat)) & 255):
            card = draw_card(s.deck, left, rng)
            s.cards[seat, card] += 1
            left -= 1
            if seat == s.on_turn and number < fresh:
                s.fresh[card] += 1
