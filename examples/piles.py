"""Piles, for two together: play the cards 2 to 25 on two rising and two falling piles."""

import numpy as np

from meeple.games import Game
from meeple.games.boards.cards import cards
from meeple.kernels import OVER, add, below, kernel, record, shuffle

PLAYERS, CARDS, HAND, PILES, LOW, STOCK, PLAYED = 2, 24, 5, 4, 2, -1, -2
State = record(
    to_move=np.int8, played=np.int8, stock=np.int8,  # cards of this turn; cards left to draw
    top=(np.int8, PILES),  # of two rising and two falling piles
    place=(np.int8, CARDS),  # whose hand a card is in, STOCK or PLAYED
    order=(np.int8, CARDS),  # the stock, the next card last
)  # fmt: skip


@kernel
def start(s, options, rng):
    """Deal five cards each."""
    s.to_move, s.top[0], s.top[1], s.top[2], s.top[3] = 0, LOW - 1, LOW - 1, 26, 26
    for card in range(CARDS):
        s.place[card] = card % PLAYERS if card < PLAYERS * HAND else STOCK
    s.stock = CARDS - PLAYERS * HAND
    resample(s, PLAYERS, rng)


@kernel
def resample(s, player, rng):
    """Deal the cards anew that the player does not see, and shuffle the stock."""
    for _ in range(5 * CARDS):
        card, other = below(rng, CARDS), below(rng, CARDS)
        if s.place[card] not in (player, PLAYED) and s.place[other] not in (player, PLAYED):
            s.place[card], s.place[other] = s.place[other], s.place[card]
    left = 0
    for card in range(CARDS):
        if s.place[card] == STOCK:
            s.order[left] = card
            left += 1
    shuffle(rng, s.order[:left])


@kernel
def legal(s, moves):
    """A card on a pile: away from its start, or ten back; after two cards, or with none, draw."""
    for card in range(CARDS):
        for pile in range(PILES):
            step = (card + LOW - s.top[pile]) * (1 if pile < 2 else -1)
            if s.place[card] == s.to_move and (step > 0 or step == -10):
                add(moves, PILES * card + pile)
    if moves.count == 0 or s.played >= min(2, 1 + s.stock):
        add(moves, PILES * CARDS)


@kernel
def play(s, action):
    """Play a card, or draw and pass the turn; who must draw too early ends the game."""
    hand, left = 0, 0
    for card in range(CARDS):
        hand += s.place[card] == s.to_move
        left += s.place[card] != PLAYED
    if action < PILES * CARDS:
        s.place[action // PILES] = PLAYED
        s.top[action % PILES] = action // PILES + LOW
        s.played += 1
        s.to_move = OVER if left == 1 else s.to_move
    elif hand > 0 and s.played < min(2, 1 + s.stock):
        s.to_move = OVER
    else:
        for _ in range(min(s.played, s.stock)):
            s.stock -= 1
            s.place[s.order[s.stock]] = s.to_move
        s.to_move, s.played = 1 - s.to_move, 0


@kernel
def payoffs(s, out):
    """A point for each card that was played, for both."""
    out[0] = 0
    for card in range(CARDS):
        out[0] += s.place[card] == PLAYED
    out[1] = out[0]


@kernel
def observe(s, player, out):
    """The own hand, the cards that were played, the piles, and how far the turn is."""
    for card in range(CARDS):
        out[card], out[CARDS + card] = s.place[card] == player, s.place[card] == PLAYED
    for pile in range(PILES):
        out[2 * CARDS + pile] = s.top[pile] / CARDS
    out[2 * CARDS + 4], out[2 * CARDS + 5] = s.played / HAND, s.to_move == player


class Piles(Game):
    """Twenty-four cards on four piles."""

    name, summary = "piles", "two play all cards together on rising and falling piles"
    players, teams, points = PLAYERS, ((0, 1),), (0, CARDS)
    max_moves, num_actions, max_plies = HAND * PILES + 1, CARDS * PILES + 1, 3 * CARDS
    observation_shape = (2 * CARDS + 6,)

    def action_name(self, position, action):
        card, pile = divmod(action, PILES)
        return "draw" if card == CARDS else f"{card + LOW} on {NAMES[pile]}"

    def scene(self, position, seat=None):
        s, mine = position.state, position.legal_actions() if position.to_move == seat else ()
        hands = [[str(card + LOW) for card in np.flatnonzero(s.place == one)] for one in (0, 1)]
        piles = {name: [str(top)] for name, top in zip(NAMES, s.top, strict=True)}
        clicks = {a: (str(a // PILES + LOW), NAMES[a % PILES]) for a in mine if a < PILES * CARDS}
        return cards(hands, seat, legal=clicks, piles=piles | {"stock": s.stock})


NAMES = ("up 1", "up 2", "down 1", "down 2")
