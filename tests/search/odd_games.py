"""Games with odd sizes, as files: chains of chance outcomes, many actions, seats or plies.

After each move `FLIPS` outcomes of `OUTCOMES` are drawn. With `HIDDEN`, seat 0 alone knows a bit,
which the results depend on.
"""

from typing import NamedTuple

from meeple.agents.trials import play
from meeple.errors import MeepleError, TooLarge, UsageError

TEMPLATE = """
import numpy as np
from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record

ROUNDS, ACTIONS, SEATS = {rounds}, {actions}, {seats}
FLIPS, OUTCOMES, HIDDEN = {flips}, {outcomes}, {hidden}
State = record(
    to_move=np.int8, seat=np.int8, bit=np.int32, played=np.int16, flips=np.int16, total=np.int32
)
Options = record()

@kernel
def start(s, options, rng):
    s.bit = below(rng, 2) if HIDDEN else 0
    s.to_move = 0 if ROUNDS > 0 else OVER

@kernel
def legal(s, moves):
    if s.to_move == CHANCE:
        for outcome in range(OUTCOMES):
            add_outcome(moves, outcome, 1.0 / OUTCOMES)
    else:
        for action in range(ACTIONS):
            add(moves, action)

@kernel
def play(s, action):
    if s.to_move == CHANCE:
        s.flips -= 1
        s.total += action
    else:
        s.played += 1
        s.flips = FLIPS
        s.total += action * (1 + s.bit)
        s.seat = (s.seat + 1) % SEATS
    if s.flips > 0:
        s.to_move = CHANCE
    else:
        s.to_move = OVER if s.played >= ROUNDS else s.seat

@kernel
def payoffs(s, out):
    for seat in range(SEATS):
        out[seat] = 0.0
    out[s.total % SEATS] = 1.0

@kernel
def heuristic(s, out):
    for seat in range(SEATS):
        out[seat] = 1.0 / SEATS

@kernel
def observe(s, player, out):
    out[0] = s.played
    out[1] = s.total % SEATS
    out[2] = s.bit if player == 0 else -1

if HIDDEN:
    @kernel
    def resample(s, player, rng):
        if player > 0:
            s.bit = below(rng, 2)

if {prunes}:
    @kernel
    def prune(s, moves):
        for action in range((ACTIONS + 1) // 2):
            moves.probabilities[moves.count] = 1.0
            add(moves, action)

class Odd(Game):
    name, summary = "{name}", "choose numbers"
    max_moves = max(ACTIONS, OUTCOMES)
    State, Options = State, Options

    def configure(self):
        self.players, self.num_actions, self.observation_shape = SEATS, ACTIONS, (3,)
        self.max_plies = {max_plies}

    def draw(self, position, colour=False):
        return f"total {{position.state.total}}"
"""


class Odd(NamedTuple):
    """The sizes of a game."""

    rounds: int = 4
    actions: int = 2
    seats: int = 2
    flips: int = 0
    outcomes: int = 2
    hidden: bool = False
    prunes: bool = False
    max_plies: int | None = None  # declared; None: the right number

    def write(self, folder):
        """Write the game's file, and return its path."""
        fields = self._asdict()
        if self.max_plies is None:
            fields["max_plies"] = max(1, self.rounds * (1 + self.flips))
        path = folder / "odd_sizes.py"
        name = "-".join(["odd", *(f"{abs(int(value))}" for value in fields.values())])
        path.write_text(TEMPLATE.format(name=name, **fields))
        return path


CHAIN = Odd(flips=40, hidden=True)
GAMES = {
    "chains of 40 hidden": CHAIN,
    "chains of 100": Odd(rounds=3, flips=100),
    "chains of 100 hidden": Odd(rounds=3, flips=100, hidden=True),
    "one action": Odd(rounds=6, actions=1, flips=1),
    "300 actions": Odd(rounds=3, actions=300),
    "300 actions hidden": Odd(rounds=3, actions=300, hidden=True, prunes=True),
    "8 players": Odd(rounds=9, seats=8, actions=3),
    "8 players hidden": Odd(rounds=9, seats=8, actions=3, flips=2, hidden=True),
    "1,000 outcomes": Odd(rounds=2, flips=1, outcomes=1000),
    "1,000 outcomes hidden": Odd(rounds=2, flips=2, outcomes=1000, hidden=True),
    "over at the start": Odd(rounds=0),
    "one move": Odd(rounds=1),
    "5,000 plies": Odd(rounds=5000),
    "pruned": Odd(rounds=4, actions=5, flips=3, prunes=True),
}
TOO_SHORT = {
    "open": Odd(rounds=12, max_plies=3),
    "chance": Odd(rounds=4, flips=10, max_plies=6),
    "hidden": Odd(rounds=12, hidden=True, max_plies=3),
    "8 players": Odd(rounds=20, seats=8, max_plies=3),
}


def result(game, spec, seconds):
    """Play a game by a spec: its plies; None if it does not fit; or the sentence of the error."""
    try:
        return play(game, spec, seconds)
    except (UsageError, TooLarge):
        return None
    except MeepleError as error:
        return str(error)
