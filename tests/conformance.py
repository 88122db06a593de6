"""The promises of a game (`meeple.games.check.promises`) as test checks, and random play.

A check takes a `GameWalk` of a game with its options and raises; `CHECKS` lists them all, and
`BY_OPTIONS` those whose result may differ with other options of the game.
"""

import re

import numpy as np

from meeple.games.check import hooks, looks, rules
from meeple.games.check.promises import PROMISES
from meeple.games.check.walk import GameWalk
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE

CHECKS = PROMISES
ONCE = (
    rules.an_illegal_action_is_refused_and_changes_nothing,
    rules.a_copy_is_independent,
    rules.the_same_seed_gives_the_same_game,
    rules.looking_changes_nothing,
    looks.drawings_are_plain_text_unless_colour_is_asked_for,
    looks.every_task_of_a_lesson_can_be_done,
    hooks.optional_methods_belong_to_a_whole_capability,
)
BY_OPTIONS = tuple(check for check in CHECKS if check not in ONCE)


def step(position: Position, choice: np.random.Generator) -> int:
    """Play a random action, or draw an outcome at a chance node; return it."""
    if position.to_move == CHANCE:
        return position.play_chance()
    action = int(choice.choice(position.legal_actions()))
    position.play(action)
    return action


def playing(game: Game, seed: int):
    """Yield the same position object before every ply of a random game and at its end."""
    return GameWalk(game).positions(seed)


def played(game: Game, seed: int = 0, plies: int = 10_000) -> Position:
    """Return a position some random plies from the start, or the end of the game."""
    position, choice = game.start(seed), np.random.default_rng(seed)
    while not position.is_over and len(position.actions) < plies:
        step(position, choice)
    return position


def sample(game: Game, seed: int, plies: int) -> Position:
    """Return a position some random plies from the start, or the last one before the end."""
    return GameWalk(game).after(seed, plies)


def trace(game: Game, seed: int) -> list[list[int]]:
    """Return a random game ply by ply: mover, action, checksum of state and observations."""
    position, choice, found = game.start(seed), np.random.default_rng(seed), []
    while not position.is_over:
        mover, legal = position.to_move, position.legal_actions().tolist()
        seen = [position.observation(player).tobytes() for player in range(game.players)]
        bits = sum(map(sum, seen)) + int(position.row.sum())
        found.append([mover, step(position, choice), len(legal), sum(legal), bits])
    return [*found, [round(1000 * share) for share in position.payoffs.tolist()]]


def strip_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
