"""Goofspiel: all bid a card at once for each prize, and the highest single bid takes its points."""

import numpy as np

from meeple.games.boards.cards import cards
from meeple.games.contract.simultaneous import Simultaneous, begin_choices, choices, choose
from meeple.kernels import CHANCE, OVER, add_outcomes, kernel, record
from meeple.options import Integer

MOST, PLAYERS, ALL = 13, 2, 91  # cards, seats, points of all prizes
State = record(
    to_move=np.int8, cards=np.int16, prize=np.int16,  # a prize of prize + 1 points
    chosen=(np.int8, PLAYERS), last=(np.int8, PLAYERS),  # bids of this round, of the last
    left=(np.int8, MOST),  # 1: the prize was not turned yet
    hands=(np.int8, (PLAYERS, MOST)),  # 1: the seat still has the card
    points=(np.int16, PLAYERS),
)  # fmt: skip


@kernel
def start(s, options, rng):
    """Both hold one card of each value; chance turns the first prize."""
    s.to_move, s.cards, s.chosen[:], s.last[:] = CHANCE, options.cards, -1, -1
    s.left[: s.cards], s.hands[0, : s.cards], s.hands[1, : s.cards] = 1, 1, 1


@kernel
def may(s, seat, card):
    """Whether a seat still has a card."""
    return s.hands[seat, card] == 1


list_bids, resample = choices(may, MOST)


@kernel
def legal(s, moves):
    """A card of the hand; by chance a prize that was not turned yet."""
    if s.to_move == CHANCE:
        add_outcomes(moves, s.left, 1)
    else:
        list_bids(s, moves)


@kernel
def play(s, action):
    """Turn a prize; or bid, and after the last bid give the prize to the highest one."""
    if s.to_move == CHANCE:
        s.prize, s.left[action] = action, 0
        begin_choices(s)
    elif choose(s, action):
        first, second = s.chosen[0], s.chosen[1]
        s.hands[0, first], s.hands[1, second] = 0, 0
        if first != second:
            s.points[0 if first > second else 1] += s.prize + 1
        s.to_move = CHANCE if s.left.any() else OVER
        s.last = s.chosen


@kernel
def observe(s, player, out):
    """Own and other hand, the prizes left, the prize, the own bid, and the points."""
    for card in range(s.cards):
        out[card], out[s.cards + card] = s.hands[player, card], s.hands[1 - player, card]
        out[2 * s.cards + card], out[3 * s.cards + card] = s.left[card], s.prize == card
        out[4 * s.cards + card] = s.chosen[player] == card
    out[5 * s.cards], out[5 * s.cards + 1] = s.points[player] / ALL, s.points[1 - player] / ALL


class Goofspiel(Simultaneous):
    """Bids for prizes of 1 to `cards` points."""

    name, summary = "goofspiel", "secret bids for prizes, made at once"
    declared = {"cards": Integer(5, 2, MOST, "cards of each player, and prizes")}
    players, max_moves, action_names = PLAYERS, MOST, [str(card + 1) for card in range(MOST)]
    outcome_names = [f"prize {card + 1}" for card in range(MOST)]

    def configure(self):
        self.num_actions = n = self.options["cards"]
        self.max_plies, self.observation_shape = 3 * n, (5 * n + 2,)
        self.points = (0, n * (n + 1) // 2)

    def scene(self, position, seat=None):
        s, names = position.state, np.array(self.action_names)
        return cards(
            [names[hand == 1].tolist() for hand in s.hands], seat, seen=range(PLAYERS),
            piles={"prize": [str(s.prize + 1)]}, notes=[f"points: {p}" for p in s.points],
            last_trick={one: str(bid + 1) for one, bid in enumerate(s.last) if bid >= 0},
            legal={a: str(a + 1) for a in position.legal_actions() if position.to_move == seat},
        )  # fmt: skip
