"""A third-party game for tests: three players, dice, choices, several moves in a turn.

A turn starts with a roll (a chance node). The player moves its runner by it or passes; after a six
it rolls again. The first player at the goal wins; after ten rolls each, the leaders share the win.
"""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record
from meeple.options import Integer

PLAYERS, FACES, ROLLS = 3, 6, 30
STAY, MOVE = 0, 1

State = record(
    to_move=np.int8,
    turn=np.int8,
    die=np.int8,
    rolls=np.int16,
    goal=np.int16,
    places=(np.int16, (PLAYERS,)),
)
Options = record(goal=np.int16)


@kernel
def start(s, options, rng):
    s.to_move = CHANCE
    s.turn = 0
    s.die = 0
    s.rolls = 0
    s.goal = options.goal
    for player in range(PLAYERS):
        s.places[player] = 0


@kernel
def legal(s, moves):
    if s.to_move == CHANCE:
        for face in range(FACES):
            add_outcome(moves, face, 1.0 / FACES)
    else:
        add(moves, STAY)
        add(moves, MOVE)


@kernel
def play(s, action):
    if s.to_move == CHANCE:
        s.die = action + 1
        s.rolls += 1
        s.to_move = s.turn
        return
    if action == MOVE:
        s.places[s.turn] += s.die
    finished = s.places[s.turn] >= s.goal or s.rolls == ROLLS
    if not (action == MOVE and s.die == FACES):
        s.turn = (s.turn + 1) % PLAYERS
    s.to_move = OVER if finished else CHANCE


@kernel
def payoffs(s, out):
    best, leaders = -1, 0
    for player in range(PLAYERS):
        if s.places[player] > best:
            best, leaders = s.places[player], 1
        elif s.places[player] == best:
            leaders += 1
    for player in range(PLAYERS):
        out[player] = 1.0 / leaders if s.places[player] == best else 0.0


@kernel
def observe(s, player, out):
    for seat in range(PLAYERS):
        out[seat] = s.places[(player + seat) % PLAYERS]
    out[PLAYERS] = s.die


class Race(Game):
    """A race to the cell `goal`."""

    name = "race"
    summary = "run to the goal by dice"
    declared = {"goal": Integer(20, 1, 100, "steps to the goal")}
    examples = ({}, {"goal": 3})
    max_moves = FACES
    State = State
    Options = Options
    players = PLAYERS

    def configure(self):
        self.num_actions = FACES
        self.max_plies = 2 * ROLLS
        self.observation_shape = (PLAYERS + 1,)

    def action_name(self, position, action):
        if position.to_move == CHANCE:
            return f"a {action + 1}"
        return "move" if action == MOVE else "stay"

    def draw(self, position, colour=False):
        return " ".join(str(place) for place in position.state.places.tolist())
