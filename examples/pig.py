"""Pig (Knizia, 1999): roll on, or keep what this turn brought; a 1 takes it. 100 points win."""

import numpy as np

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record
from meeple.options import Integer

HOLD, ROLL = 0, 1
LONGEST = 2000  # rolls; then whoever has more points wins
STEPS = 20  # numbers that show each sum of points
State = record(
    to_move=np.int8,
    mover=np.int8,  # whose turn it is, while the die rolls too
    goal=np.int16,
    turn=np.int16,  # points of this turn, which a 1 takes
    rolls=np.int16,
    points=(np.int16, 2),
)
Options = record(goal=np.int16)


@kernel
def start(s, options, rng):
    """The first player rolls at once."""
    s.to_move, s.mover, s.goal, s.turn, s.rolls = CHANCE, 0, options.goal, 0, 0
    s.points[:] = 0


@kernel
def legal(s, moves):
    """A die shows 1 to 6; a player holds or rolls on."""
    if s.to_move == CHANCE:
        for eyes in range(1, 7):
            add_outcome(moves, eyes, 1 / 6)
    else:
        add(moves, HOLD)
        add(moves, ROLL)


@kernel
def pass_on(s):
    """The other player's turn begins, with a roll."""
    s.turn, s.mover, s.to_move = 0, 1 - s.mover, CHANCE


@kernel
def play(s, action):
    """The die shows, or the player decides. Who has reached the goal holds at once."""
    if s.to_move == CHANCE:
        s.rolls += 1
        if action == 1:
            pass_on(s)
        else:
            s.turn += action
            s.to_move = s.mover
            if s.points[s.mover] + s.turn >= s.goal:
                s.points[s.mover] += s.turn
                s.to_move = OVER
        if s.rolls == LONGEST:
            s.to_move = OVER
    elif action == ROLL:
        s.to_move = CHANCE
    else:
        s.points[s.mover] += s.turn
        pass_on(s)


@kernel
def payoffs(s, out):
    """All for whoever has more points."""
    lead = s.points[0] - s.points[1]
    out[0] = 0.5 if lead == 0 else 1.0 * (lead > 0)
    out[1] = 1.0 - out[0]


@kernel
def show(out, first, share):
    """A share from 0 to 1 as `STEPS` numbers, filled one after the other."""
    for step in range(STEPS):
        out[first + step] = min(max(share * STEPS - step, 0.0), 1.0)


@kernel
def observe(s, player, out):
    """[3 * STEPS + 1]: own points, the other's, those of this turn; whether it is one's own."""
    show(out, 0, s.points[player] / s.goal)
    show(out, STEPS, s.points[1 - player] / s.goal)
    show(out, 2 * STEPS, s.turn / s.goal)
    out[3 * STEPS] = s.mover == player


class Pig(Game):
    """Pig to `goal` points."""

    name, summary = "pig", "roll on, or keep what this turn brought; a 1 takes it"
    declared = {"goal": Integer(100, 10, 1000, "points that win")}
    examples = ({"goal": 30},)
    max_moves = 6
    num_actions, max_plies, observation_shape = 7, 2 * LONGEST, (3 * STEPS + 1,)

    def configure(self):
        """All is said above."""

    def action_name(self, position, action):
        return str(action) if position.to_move == CHANCE else ("hold", "roll")[action]

    def draw(self, position, colour=False):
        s = position.state
        return f"points {s.points[0]} : {s.points[1]}, player {s.mover + 1} has {s.turn} this turn"
