"""Chips: take a card, which costs points (of a run only the lowest card), or pay a chip.

The rules are those of Thorsten Gimmler's "Geschenkt" (2004), with open chips.
"""

import numpy as np

from meeple.games import Game
from meeple.games.boards.cards import cards
from meeple.kernels import CHANCE, OVER, add, add_outcomes, kernel, record
from meeple.options import Integer

LOW, CARDS, LEFT_OUT, CHIPS, MOST, OPEN, TAKE, PAY = 3, 15, 3, 5, 5, -1, 0, 1
State = record(
    to_move=np.int8, players=np.int8, turn=np.int8, card=np.int16, pot=np.int16, left=np.int16,
    owner=(np.int8, CARDS),  # who has taken a card, or OPEN
    chips=(np.int16, MOST),
)  # fmt: skip


@kernel
def start(s, options, rng):
    """Five chips each; chance turns the first of 12 cards."""
    s.to_move, s.players, s.owner[:], s.chips[:] = CHANCE, options.players, OPEN, CHIPS
    s.left = CARDS - LEFT_OUT


@kernel
def legal(s, moves):
    """Take the card, or pay a chip; by chance a card that was not turned yet."""
    if s.to_move == CHANCE:
        add_outcomes(moves, s.owner, OPEN)
        return
    add(moves, TAKE)
    if s.chips[s.to_move] > 0:
        add(moves, PAY)


@kernel
def play(s, action):
    """Who takes the card also takes its chips, and begins with the next card."""
    if s.to_move == CHANCE:
        s.card, s.to_move, s.left = action, s.turn, s.left - 1
    elif action == PAY:
        s.chips[s.to_move] -= 1
        s.pot += 1
        s.to_move = (s.to_move + 1) % s.players
    else:
        s.owner[s.card], s.turn = s.to_move, s.to_move
        s.chips[s.turn] += s.pot
        s.pot, s.to_move = 0, CHANCE if s.left > 0 else OVER


@kernel
def payoffs(s, out):
    """A point for each chip, less the lowest card of each run."""
    for seat in range(s.players):
        out[seat] = s.chips[seat]
        for card in range(CARDS):
            if s.owner[card] == seat and (card == 0 or s.owner[card - 1] != seat):
                out[seat] -= card + LOW


@kernel
def observe(s, player, out):
    """The card, its chips, and of each seat from the own one on its cards and chips."""
    if s.to_move >= 0:
        out[s.card] = 1
    out[CARDS], out[CARDS + 1] = s.pot / CHIPS, s.left / CARDS
    for seat in range(s.players):
        other, first = (player + seat) % s.players, (1 + seat) * (CARDS + 2)
        out[first], out[first + 1] = s.chips[other] / CHIPS, s.to_move == other
        for card in range(CARDS):
            out[first + 2 + card] = s.owner[card] == other


class Chips(Game):
    """Twelve of the cards 3 to 17."""

    name, summary = "chips", "take cards that cost points, or pay chips"
    declared = {"players": Integer(3, 3, MOST, "players")}
    max_moves, num_actions, action_names = CARDS, 2, ("take", "pay")
    outcome_names = [f"card {card + LOW}" for card in range(CARDS)]
    perfect_information = True  # though each seat sees its own cards below

    def configure(self):
        self.players = n = self.options["players"]
        self.max_plies = 2 * (CARDS - LEFT_OUT) + CHIPS * n * (CARDS - LEFT_OUT)
        self.points, self.observation_shape = (-80, CHIPS * n), ((1 + n) * (CARDS + 2),)

    def scene(self, position, seat=None):
        s, seats = position.state, range(self.players)
        held = [[str(card + LOW) for card in np.flatnonzero(s.owner == one)] for one in seats]
        turned = [str(s.card + LOW)] if position.to_move >= 0 else []
        return cards(
            held, seat, seen=seats, notes=[f"chips: {s.chips[one]}" for one in seats],
            piles={"card": turned, "stock": s.left}, note=f"chips on the card: {s.pot}",
        )  # fmt: skip
