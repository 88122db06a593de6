"""Goofspiel: all bid a card at once for each prize, and the highest single bid takes its points."""

import numpy as np

from meeple.games.boards.cards import cards
from meeple.games.contract.simultaneous import Simultaneous, begin_choices, choices, choose
from meeple.kernels import CHANCE, OVER, add_outcome, kernel, record
from meeple.options import Integer

MOST, PLAYERS = 13, 2
State = record(
    to_move=np.int8, cards=np.int16, prize=np.int16,  # a prize of prize + 1 points
    chosen=(np.int8, PLAYERS), last=(np.int8, PLAYERS),  # bids of this round, of the last
    won=(np.int8, MOST),  # whose each prize is: a seat, TIED or OPEN
    hands=(np.int8, (PLAYERS, MOST)),  # 1: the seat still has the card
    points=(np.int16, PLAYERS),
)  # fmt: skip
Options = record(cards=np.int16)
TIED, OPEN = -1, -2


@kernel
def start(s, options, rng):
    """Both hold one card of each value; chance turns the first prize."""
    s.to_move, s.cards, s.prize, s.won[:], s.chosen[:] = CHANCE, options.cards, -1, OPEN, -1
    s.last[:] = -1
    for card in range(s.cards):
        s.hands[0, card], s.hands[1, card] = 1, 1


@kernel
def may(s, seat, card):
    """Whether a seat still has a card."""
    return s.hands[seat, card] == 1


list_bids, resample = choices(may, MOST)


@kernel
def legal(s, moves):
    """A card of the hand; by chance a prize that was not turned yet."""
    if s.to_move != CHANCE:
        list_bids(s, moves)
        return
    left = 0
    for card in range(s.cards):
        left += s.won[card] == OPEN
    for card in range(s.cards):
        if s.won[card] == OPEN:
            add_outcome(moves, card, 1.0 / left)


@kernel
def play(s, action):
    """Turn a prize; or bid, and after the last bid give the prize to the highest one."""
    if s.to_move == CHANCE:
        s.prize = action
        begin_choices(s)
    elif choose(s, action):
        first, second = s.chosen[0], s.chosen[1]
        s.hands[0, first], s.hands[1, second] = 0, 0
        s.won[s.prize] = TIED if first == second else 0 if first > second else 1
        if first != second:
            s.points[s.won[s.prize]] += s.prize + 1
        s.to_move = CHANCE if s.hands[0].any() else OVER
        s.last = s.chosen
        s.chosen[:] = -1


@kernel
def payoffs(s, out):
    """The points of the prizes that a seat has won."""
    for seat in range(PLAYERS):
        out[seat] = s.points[seat]


@kernel
def observe(s, player, out):
    """Own and other hand, the prizes left, the prize, the own bid, and the points."""
    for card in range(s.cards):
        out[card], out[s.cards + card] = s.hands[player, card], s.hands[1 - player, card]
        out[2 * s.cards + card] = s.won[card] == OPEN
        out[3 * s.cards + card] = s.prize == card
        out[4 * s.cards + card] = s.chosen[player] == card
    most = s.cards * (s.cards + 1) / 2
    out[5 * s.cards], out[5 * s.cards + 1] = s.points[player] / most, s.points[1 - player] / most


class Goofspiel(Simultaneous):
    """Bids for prizes of 1 to `cards` points."""

    name, summary = "goofspiel", "secret bids for prizes, made at once"
    declared = {"cards": Integer(5, 2, MOST, "cards of each player, and prizes")}
    max_moves, players = MOST, PLAYERS

    def configure(self):
        self.num_actions = n = self.options["cards"]
        self.max_plies, self.observation_shape = 3 * n, (5 * n + 2,)
        self.points = (0, n * (n + 1) // 2)

    def action_name(self, position, action):
        return f"prize {action + 1}" if position.to_move == CHANCE else str(action + 1)

    def scene(self, position, seat=None):
        s, mine = position.state, position.legal_actions() if position.to_move == seat else ()
        left = [[str(card + 1) for card in np.flatnonzero(hand)] for hand in s.hands]
        prize = [] if s.prize < 0 or s.won[s.prize] != OPEN else [str(s.prize + 1)]
        bids = [f"points: {p}" for p in s.points]
        return cards(
            left, seat, seen=range(PLAYERS), piles={"prize": prize}, notes=bids,
            last_trick={one: str(bid + 1) for one, bid in enumerate(s.last) if bid >= 0},
            legal={action: str(action + 1) for action in mine},
        )  # fmt: skip
