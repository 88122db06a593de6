"""A prize behind one of two doors: why a search must not choose as if it saw what is hidden."""

import numpy as np

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record

LEFT, RIGHT, LEAVE, ENTER, READY = range(5)
NAMES = ("left", "right", "leave", "enter", "ready")
SAFE = 0.6  # player 1's share for leaving
NOTHING = -1

State = record(to_move=np.int8, prize=np.int8, entered=np.int8, chosen=np.int8)


@kernel
def start(s, options, rng):
    """Chance hides the prize."""
    s.to_move, s.prize, s.entered, s.chosen = CHANCE, NOTHING, 0, NOTHING


@kernel
def legal(s, moves):
    """Two doors for the prize; player 2 is ready; player 1 leaves, or enters and chooses."""
    if s.to_move == CHANCE:
        add_outcome(moves, LEFT, 0.5)
        add_outcome(moves, RIGHT, 0.5)
    elif s.to_move == 1:
        add(moves, READY)
    elif s.entered:
        add(moves, LEFT)
        add(moves, RIGHT)
    else:
        add(moves, LEAVE)
        add(moves, ENTER)


@kernel
def play(s, action):
    """Hide the prize, or make a choice."""
    if s.to_move == CHANCE:
        s.prize, s.to_move = action, 1
    elif action == READY:
        s.to_move = 0
    elif action == ENTER:
        s.entered = 1
    else:
        s.chosen, s.to_move = action, OVER


@kernel
def payoffs(s, out):
    """The prize for the right door, nothing for the wrong one, SAFE for leaving."""
    out[0] = SAFE if s.chosen == LEAVE else (1.0 if s.chosen == s.prize else 0.0)
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    """Whether player 1 has entered, and the prize, which player 2 alone sees."""
    out[0] = s.entered
    out[1] = s.prize if player == 1 else NOTHING


@kernel
def resample(s, player, rng):
    """Hide the prize again for player 1."""
    if player == 0 and s.prize != NOTHING:
        s.prize = below(rng, 2)


class Doors(Game):
    """Two doors, one prize."""

    name, summary = "doors", "leave with a safe share, or guess the door of the prize"
    max_moves = 2

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = len(NAMES), 4, (2,)

    def action_name(self, position, action):
        return NAMES[action]

    def draw(self, position, colour=False):
        return "inside, before two doors" if position.state.entered else "before the house"

    def view(self, position, seat, colour=False):
        prize = position.state.prize
        seen = f"; the prize is behind the {NAMES[prize]} door" if seat == 1 and prize >= 0 else ""
        return self.draw(position) + seen
