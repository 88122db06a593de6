"""Golf, a patience for one: clear seven columns onto one pile, by ranks that are neighbours."""

import numpy as np

from meeple.games import Game
from meeple.games.boards.cards import cards
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record

COLUMNS, HEIGHT, DECK, RANKS, DEAL, UNSEEN, GONE = 7, 5, 52, 13, 7, -1, -2
CARDS = [f"{rank}{suit}" for suit in "CDHS" for rank in (*"A23456789", "10", *"JQK")]
State = record(
    to_move=np.int8, top=np.int16,  # the last card of the pile
    place=(np.int8, DECK),  # its column, UNSEEN in the stock, or GONE to the pile
    column=(np.int16, (COLUMNS, HEIGHT)), left=(np.int8, COLUMNS), stock=np.int8,
)  # fmt: skip
Options = record()


@kernel
def start(s, options, rng):
    """Deal the columns; then chance turns the first card of the stock."""
    s.to_move, s.top, s.stock, s.place[:], s.left[:] = CHANCE, 0, DECK - 35, UNSEEN, HEIGHT
    for spot in range(COLUMNS * HEIGHT):
        card = below(rng, DECK)
        while s.place[card] != UNSEEN:
            card = below(rng, DECK)
        s.place[card] = spot % COLUMNS
        s.column[spot % COLUMNS, spot // COLUMNS] = card


@kernel
def follows(s, one):
    """Whether the last card of a column is next in rank to the pile's."""
    return s.left[one] > 0 and abs(s.column[one, s.left[one] - 1] % RANKS - s.top % RANKS) == 1


@kernel
def legal(s, moves):
    """The last card of a column, next in rank to the pile's; or the next card of the stock."""
    if s.to_move == CHANCE:
        for card in range(DECK):
            if s.place[card] == UNSEEN:
                add_outcome(moves, card, 1.0 / s.stock)
        return
    for one in range(COLUMNS):
        if follows(s, one):
            add(moves, one)
    if s.stock > 0:
        add(moves, DEAL)


@kernel
def play(s, action):
    """Move a card to the pile; the game ends when no card can follow."""
    if s.to_move == CHANCE:
        s.top, s.place[action], s.stock, s.to_move = action, GONE, s.stock - 1, 0
    elif action == DEAL:
        s.to_move = CHANCE
    else:
        s.left[action] -= 1
        s.top = s.column[action, s.left[action]]
        s.place[s.top] = GONE
    stuck = s.stock == 0 and s.to_move == 0
    for one in range(COLUMNS):
        stuck = stuck and not follows(s, one)
    if stuck or s.left.sum() == 0:
        s.to_move = OVER


@kernel
def payoffs(s, out):
    """A point for each card that was cleared."""
    out[0] = COLUMNS * HEIGHT - s.left.sum()


@kernel
def observe(s, player, out):
    """The rank of the pile, of each column's cards from the last one on, and of what is left."""
    out[s.top % RANKS] = 1
    for card in range(DECK):
        out[RANKS + card % RANKS] += (s.place[card] == UNSEEN) / 4
    for one in range(COLUMNS):
        for depth in range(s.left[one]):
            rank = s.column[one, s.left[one] - 1 - depth] % RANKS
            out[RANKS * (2 + one * HEIGHT + depth) + rank] = 1


class Golf(Game):
    """Thirty-five cards in seven columns."""

    name, summary = "golf", "a patience: clear seven columns by neighbouring ranks"
    State, Options, max_moves, players, num_actions = State, Options, DECK, 1, DEAL + 1
    points = (0, COLUMNS * HEIGHT)

    def configure(self):
        self.max_plies, self.observation_shape = 80, (RANKS * 37,)

    def action_name(self, position, action):
        if position.to_move == CHANCE:
            return CARDS[action]
        return "deal" if action == DEAL else f"column {action + 1}"

    def scene(self, position, seat=None):
        s = position.state
        lanes = {str(n + 1): [CARDS[c] for c in s.column[n, : s.left[n]]] for n in range(COLUMNS)}
        pile = [] if position.to_move == CHANCE and s.stock == 17 else [CARDS[s.top]]
        clicks = {one: str(one + 1) for one in position.legal_actions() if one < DEAL}
        if s.stock and position.to_move == 0:
            clicks[DEAL] = "stock"
        piles = lanes | {"pile": pile, "stock": int(s.stock)}
        return cards(legal=clicks if position.to_move == 0 else {}, piles=piles, spread=lanes)
