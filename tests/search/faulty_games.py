"""Games that break the contract in one of their positions only, as files, and what is said of each.

Two players add 0, 1 or 2 in turn, and in the fourth and last ply a coin. Player 1 wins if the sum
is odd. The rules are at fault after four plies whose sum is 5 or more.
"""

from typing import NamedTuple

from meeple.agents.trials import play
from meeple.errors import MeepleError, TooLarge, UsageError

TEMPLATE = """
import numpy as np
from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record

State = record(to_move=np.int8, played=np.int16, total=np.int32)
Options = record()
PLIES, MAX_PLIES = 8, {max_plies}

@kernel
def start(s, options, rng):
    s.to_move = 0

@kernel
def is_faulty(s):
    return s.played == 4 and s.total >= 5

@kernel
def legal(s, moves):
    if s.to_move == CHANCE:
{outcomes}
        for outcome in range(2):
            add_outcome(moves, outcome, 0.5)
    else:
{actions}
        for action in range(3):
            add(moves, action)

@kernel
def play(s, action):
    s.played += 1
    s.total += action
    s.to_move = CHANCE if s.played % 4 == 3 else s.played % 2
    if s.played >= PLIES:
        s.to_move = OVER
{played}

@kernel
def payoffs(s, out):
    out[0] = s.total % 2
    out[1] = 1 - s.total % 2
{payoffs}

@kernel
def heuristic(s, out):
    out[0] = 0.5
    out[1] = 0.5

@kernel
def observe(s, player, out):
    out[0] = s.played
    out[1] = s.total

class Faulty(Game):
    name, summary = "{name}", "add numbers"
    State, Options, max_moves = State, Options, 3

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 3, MAX_PLIES, (2,)

    def draw(self, position, colour=False):
        return f"total {{position.state.total}}"
"""


class Faulty(NamedTuple):
    """A fault as lines of the template, and the sentence about it."""

    said: str
    blamed: str  # the kernel whose line is named
    actions: str = ""
    outcomes: str = ""
    played: str = ""
    payoffs: str = ""
    max_plies: int = 8

    def write(self, folder, name):
        """Write the game's file, and return its path."""
        fields = self._asdict()
        for field in ("actions", "outcomes", "played", "payoffs"):
            lines = fields[field].splitlines() or ["pass"]
            depth = 2 if field in ("actions", "outcomes") else 1
            fields[field] = "\n".join("    " * depth + line for line in lines)
        path = folder / "faulty.py"
        path.write_text(TEMPLATE.format(name=name, **fields))
        return path

    def check(self, file, said):
        """Check an error's sentence about the game of a file."""
        assert said is not None
        lines = file.read_text().splitlines()
        place, _, _ = said.partition(": ")
        assert self.said in said
        assert self.blamed in lines[int(place.rpartition(":")[2]) - 1], said


def met(game, spec, games=300):
    """Play games by a spec; return the sentence of the error that ends them, or None."""
    for seed in range(games):
        try:
            play(game, spec, seed=seed)
        except MeepleError as error:
            return None if isinstance(error, (UsageError, TooLarge)) else str(error)
    return None


IF = "if is_faulty(s):\n    "
FAULTS = {
    "no action": Faulty("but no action is possible", "legal", actions=f"{IF}return"),
    "too many actions": Faulty(
        "`legal` lists 5003 actions, max_moves is 3",
        "legal",
        actions=f"{IF}for action in range(5000):\n        add(moves, action % 3)",
    ),
    "an action out of range": Faulty(
        "`legal` lists [1000000]: actions are 0 to 2",
        "legal",
        actions=f"{IF}add(moves, 1000000)\n    return",
    ),
    "a negative action": Faulty(
        "`legal` lists [-7]: actions are 0 to 2", "legal", actions=f"{IF}add(moves, -7)\n    return"
    ),
    "a seat there is not": Faulty("the seat to move is 100", "play", played=f"{IF}s.to_move = 100"),
    "a seat below the end": Faulty("the seat to move is -9", "play", played=f"{IF}s.to_move = -9"),
    "no outcome": Faulty(
        "but no outcome of chance is possible",
        "legal",
        played=f"{IF}s.to_move = CHANCE",
        outcomes=f"{IF}return",
    ),
    "too many outcomes": Faulty(
        "`legal` lists 5002 outcomes, max_moves is 3",
        "legal",
        played=f"{IF}s.to_move = CHANCE",
        outcomes=f"{IF}for _ in range(5000):\n        add_outcome(moves, 0, 0.5)",
    ),
    "probabilities that are no numbers": Faulty(
        "the probability of an outcome of chance is not above 0: [nan]",
        "legal",
        played=f"{IF}s.to_move = CHANCE",
        outcomes=f"{IF}add_outcome(moves, 0, np.nan)\n    return",
    ),
    "probabilities below 0": Faulty(
        "the probability of an outcome of chance is not above 0: [-1.0, 1.0]",
        "legal",
        played=f"{IF}s.to_move = CHANCE",
        outcomes=f"{IF}add_outcome(moves, 0, -1.0)\n    add_outcome(moves, 1, 1.0)\n    return",
    ),
    "probabilities that sum to 0": Faulty(
        "the probability of an outcome of chance is not above 0: [0.0]",
        "legal",
        played=f"{IF}s.to_move = CHANCE",
        outcomes=f"{IF}add_outcome(moves, 0, 0.0)\n    return",
    ),
    "actions without an end": Faulty(
        "can have more than 8 plies", "MAX_PLIES", played="if s.total >= 5:\n    s.to_move = 1"
    ),
    "outcomes without an end": Faulty(
        "can have more than 8 plies",
        "MAX_PLIES",
        played="if s.total >= 5:\n    s.to_move = CHANCE",
    ),
}
"""By their name; an action that is listed twice is harmless, and only `meeple check` reports it."""
