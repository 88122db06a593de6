"""Random game trees from a seed, with every structure that a depth-limited search may meet.

Nodes have one to four actions, players move in any order, also several times in a row, some ends
are near, and some nodes have several parents. With `luck` there are chance nodes. Shares are
multiples of 1/8 with two players. `worth` computes values in plain Python, by the definitions.
"""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import (
    CHANCE,
    HEURISTIC,
    OVER,
    add,
    add_outcome,
    kernel,
    record,
    scramble,
)
from meeple.kernels.table import caller
from meeple.options import Flag, Integer

NODES = 61  # nodes at each depth

State = record(
    to_move=np.int8,
    players=np.int8,
    luck=np.int8,
    plies=np.int16,
    length=np.int16,
    node=np.int32,
    seed=np.int32,
)
Options = record(players=np.int8, luck=np.int8, length=np.int16, seed=np.int32)


@kernel
def draw(s, salt, bound):
    """Return this node's pseudo-random number below the bound."""
    word = np.uint64(s.seed) * np.uint64(1_000_003) + np.uint64(s.node * 1009 + s.plies)
    return np.int64(scramble(scramble(word) + np.uint64(salt)) % np.uint64(bound))


@kernel
def start(s, options, rng):
    s.players = options.players
    s.luck = options.luck
    s.length = options.length
    s.seed = options.seed
    s.plies = 0
    s.node = 0
    s.to_move = 0


@kernel
def legal(s, moves):
    if s.to_move == CHANCE:
        add_outcome(moves, 0, 0.25)
        add_outcome(moves, 1, 0.25 if draw(s, 1, 2) else 0.75)
        if draw(s, 1, 2):
            add_outcome(moves, 2, 0.5)
        return
    for action in range(1 + draw(s, 1, 4)):
        add(moves, action)


@kernel
def play(s, action):
    s.node = draw(s, 10 + action, NODES)
    s.plies += 1
    if s.plies == s.length or draw(s, 2, 12) == 0:
        s.to_move = OVER
    elif s.luck and draw(s, 3, 4) == 0:
        s.to_move = CHANCE
    else:
        s.to_move = draw(s, 4, s.players)


@kernel
def share_out(s, salt, out):
    """Write shares in eighths; a third player often gets nothing."""
    first = draw(s, salt, 9)
    second = 8 - first
    if s.players == 3:
        second = draw(s, salt + 1, 9 - first)
        out[2] = (8 - first - second) / 8
    out[0] = first / 8
    out[1] = second / 8


@kernel
def payoffs(s, out):
    share_out(s, 20, out)


@kernel
def heuristic(s, out):
    share_out(s, 30, out)


@kernel
def observe(s, player, out):
    out[0] = s.node


class Wood(Game):
    """Random game trees."""

    name = "wood"
    summary = "random trees"
    declared = {
        "seed": Integer(0, 0, 1_000_000, "which tree"),
        "players": Integer(2, 2, 3, "players"),
        "length": Integer(8, 1, 30, "plies at most"),
        "luck": Flag(False, "chance nodes"),
    }
    max_moves = 4
    State = State
    Options = Options

    def configure(self):
        self.players = int(self.options["players"])
        self.num_actions, self.max_plies = 4, int(self.options["length"])
        self.observation_shape = (1,)

    def draw(self, position, colour=False):
        return f"node {position.state.node}"


_heuristic = caller("heuristic")


def estimate(position):
    """Return the heuristic's shares of a position."""
    out = np.zeros(position.game.players)
    _heuristic(position.game.address_of(HEURISTIC), position.address, out.ctypes.data)
    return out


def worth(position, depth, judge=estimate, plies=0):
    """Return a position's shares after `depth` actions of players, and the plies until then.

    Among equal own shares, players prefer the sooner if it is above an even share, else the
    later.
    """
    if position.is_over:
        return position.payoffs, plies
    if depth == 0:
        # Slightly closer to even, because a proven share is preferred to an estimated one.
        even = 1 / position.game.players
        return even + (judge(position) - even) * (1 - 1e-7), plies
    if position.to_move == CHANCE:
        outcomes, odds = position.chance_outcomes()
        found = [worth(after(position, outcome), depth, judge, plies + 1) for outcome in outcomes]
        shares = sum(chance * shares for chance, (shares, _) in zip(odds, found, strict=True))
        return shares, sum(chance * far for chance, (_, far) in zip(odds, found, strict=True))
    below = worths(position, depth, judge, plies)
    return max(below.values(), key=lambda found: preference(found, position))


def worths(position, depth, judge=estimate, plies=0):
    """Return by action the `worth` of the position after it."""
    return {
        action: worth(after(position, action), depth - 1, judge, plies + 1)
        for action in position.legal_actions().tolist()
    }


def preference(found, position):
    """Return a key by which the player to move ranks the results of actions."""
    shares, plies = found
    share, even = round(float(shares[position.to_move]), 12), 1 / position.game.players
    return share, -plies if share > even else plies if share < even else 0


def after(position, action):
    """Return the position after an action or outcome."""
    twin = position.copy()
    twin.play(int(action))
    return twin
