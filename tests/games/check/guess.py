"""A hidden die that neither player sees: each guesses once, and the nearer guess wins."""

import numpy as np

from meeple.games import Game
from meeple.kernels import OVER, add, below, kernel, record

State = record(to_move=np.int8, die=np.int8, guesses=(np.int8, 2))
Options = record()


@kernel
def start(s, options, rng):
    """Roll the die."""
    s.to_move, s.die = 0, below(rng, 3)
    s.guesses[:] = -1


@kernel
def legal(s, moves):
    """List all faces."""
    for face in range(3):
        add(moves, face)


@kernel
def play(s, action):
    """Record a public guess."""
    s.guesses[s.to_move] = action
    s.to_move = 1 if s.to_move == 0 else OVER


@kernel
def payoffs(s, out):
    """Give the win to the nearer guess."""
    first, second = abs(s.guesses[0] - s.die), abs(s.guesses[1] - s.die)
    out[0] = 0.5
    if first != second:
        out[0] = 1.0 if first < second else 0.0
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    """Write [3]: both guesses and the seat."""
    out[0], out[1], out[2] = s.guesses[0], s.guesses[1], player


@kernel
def resample(s, player, rng):
    """Roll the die again."""
    s.die = below(rng, 3)


class Guess(Game):
    """Guessing a hidden die."""

    name, summary = "guess", "guess a die that nobody sees"
    State, Options, max_moves = State, Options, 3

    def configure(self):
        """Set three actions and two plies."""
        self.num_actions, self.max_plies, self.observation_shape = 3, 2, (3,)

    def draw(self, position, colour=False):
        """Return the guesses as text."""
        return f"guesses {position.state.guesses.tolist()}"
