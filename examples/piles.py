"""Piles, for two together: play the cards 2 to 25 on two rising and two falling piles."""

import numpy as np

from meeple.games import Game
from meeple.games.boards.cards import cards
from meeple.kernels import OVER, add, kernel, record, redeal

PLAYERS, CARDS, HAND, PILES, LOW, PLAYED = 2, 24, 5, 4, 2, -1
NAMES = ("up 1", "up 2", "down 1", "down 2")
State = record(
    to_move=np.int8, played=np.int8, stock=np.int8,  # cards of this turn; cards left to draw
    top=(np.int8, PILES),  # of two rising and two falling piles
    place=(np.int8, CARDS),  # of each card: a seat, PLAYED, or its place in the stock
    points=(np.int16, PLAYERS),  # for both a point for each card that was played
)  # fmt: skip


@kernel
def start(s, options, rng):
    """Deal five cards each; the others are the stock, of which the first is drawn next."""
    s.to_move, s.top[:2], s.top[2:], s.stock = 0, LOW - 1, LOW + CARDS, CARDS - PLAYERS * HAND
    for card in range(CARDS):
        s.place[card] = card % PLAYERS if card < PLAYERS * HAND else card
    redeal(rng, s.place, -1)


@kernel
def resample(s, player, rng):
    """Deal the cards anew that the player does not see."""
    redeal(rng, s.place, player)


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
    hand = 0
    for card in range(CARDS):
        hand += s.place[card] == s.to_move
    if action < PILES * CARDS:
        s.place[action // PILES], s.top[action % PILES] = PLAYED, action // PILES + LOW
        s.played, s.points[:] = s.played + 1, s.points[0] + 1
        s.to_move = OVER if s.points[0] == CARDS else s.to_move
    elif hand > 0 and s.played < min(2, 1 + s.stock):
        s.to_move = OVER
    else:
        for card in range(CARDS):
            if CARDS - s.stock <= s.place[card] < CARDS - s.stock + s.played:
                s.place[card] = s.to_move
        s.stock, s.to_move, s.played = max(0, s.stock - s.played), 1 - s.to_move, 0


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
    action_names = [*(f"{n + LOW} on {pile}" for n in range(CARDS) for pile in NAMES), "draw"]

    def scene(self, position, seat=None):
        s, mine = position.state, position.legal_actions() if position.to_move == seat else ()
        hands = [[str(card + LOW) for card in np.flatnonzero(s.place == one)] for one in (0, 1)]
        piles = {name: [str(top)] for name, top in zip(NAMES, s.top, strict=True)}
        clicks = {a: (str(a // PILES + LOW), NAMES[a % PILES]) for a in mine if a < PILES * CARDS}
        return cards(hands, seat, legal=clicks, piles=piles | {"stock": s.stock})
