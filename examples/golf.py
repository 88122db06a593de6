"""Golf, a patience for one: clear seven columns onto one pile, by ranks that are neighbours."""

import numpy as np

from meeple.games import Game
from meeple.games.boards.cards import PACK, cards
from meeple.kernels import OVER, add, kernel, record, shuffle

COLUMNS, HEIGHT, DECK, RANKS, DEAL, LAID = 7, 5, 52, 13, 7, 35
STOCK = DECK - LAID  # its first card begins the pile
State = record(
    to_move=np.int8, top=np.int16, dealt=np.int8,  # the last card of the pile; of the stock
    card=(np.int16, DECK),  # the columns one after the other, then the stock
    left=(np.int8, COLUMNS), points=(np.int16, 1),  # in each column; a point for each card cleared
)  # fmt: skip


@kernel
def start(s, options, rng):
    """Shuffle, deal the columns, and turn the first card of the stock."""
    for card in range(DECK):
        s.card[card] = card
    shuffle(rng, s.card)
    s.to_move, s.top, s.dealt, s.left[:] = 0, s.card[LAID], 1, HEIGHT


@kernel
def resample(s, player, rng):
    """Shuffle the stock: the player knows its cards, not their order."""
    shuffle(rng, s.card[LAID + s.dealt :])


@kernel
def follows(s, one):
    """Whether the last card of a column is next in rank to the pile's."""
    last = s.card[HEIGHT * one + s.left[one] - 1]
    return s.left[one] > 0 and abs(last % RANKS - s.top % RANKS) == 1


@kernel
def legal(s, moves):
    """The last card of a column, next in rank to the pile's; or the next card of the stock."""
    for one in range(COLUMNS):
        if follows(s, one):
            add(moves, one)
    if s.dealt < STOCK:
        add(moves, DEAL)


@kernel
def play(s, action):
    """Move a card to the pile; the game ends when no card can follow."""
    if action == DEAL:
        s.top, s.dealt = s.card[LAID + s.dealt], s.dealt + 1
    else:
        s.left[action], s.points[0] = s.left[action] - 1, s.points[0] + 1
        s.top = s.card[HEIGHT * action + s.left[action]]
    stuck = s.dealt == STOCK
    for one in range(COLUMNS):
        stuck = stuck and not follows(s, one)
    if stuck or s.points[0] == LAID:
        s.to_move = OVER


@kernel
def observe(s, player, out):
    """The rank of the pile, how many of each are in the stock, and the columns, last card first."""
    out[s.top % RANKS] = 1
    for at in range(LAID + s.dealt, DECK):
        out[RANKS + s.card[at] % RANKS] += 1 / 4
    for one in range(COLUMNS):
        for depth in range(s.left[one]):
            rank = s.card[HEIGHT * one + s.left[one] - 1 - depth] % RANKS
            out[RANKS * (2 + one * HEIGHT + depth) + rank] = 1


class Golf(Game):
    """Thirty-five cards in seven columns."""

    name, summary = "golf", "a patience: clear seven columns by neighbouring ranks"
    players, points, max_moves, num_actions = 1, (0, LAID), COLUMNS + 1, DEAL + 1
    action_names = [*(f"column {n + 1}" for n in range(COLUMNS)), "deal"]
    max_plies, observation_shape = DECK, (RANKS * (2 + LAID),)

    def scene(self, position, seat=None):
        cells, s = [PACK[card] for card in position.state.card], position.state
        lanes = {str(n + 1): cells[HEIGHT * n :][: s.left[n]] for n in range(COLUMNS)}
        piles = lanes | {"pile": [PACK[s.top]], "stock": STOCK - s.dealt}
        clicks = {a: "stock" if a == DEAL else str(a + 1) for a in position.legal_actions()}
        return cards(legal=clicks, piles=piles, spread=lanes)
