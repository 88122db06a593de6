"""Compiling what it takes to show a game, before anybody waits for it at the board."""

import logging
import threading

import numpy as np

from meeple.games.contract.game import Game
from meeple.games.contract.registry import game_names, make
from meeple.kernels import CHANCE

PLIES = 200  # of a random game that is shown once: as much as there is to compile comes up in it

LOG = logging.getLogger(__name__)

_families: dict[type[Game], str] = {}
_lock = threading.Lock()


def precompile(game: Game) -> str:
    """Play and show a random game of its kind, once in a process; the family of its boards.

    Takes up to a minute where kernels must be compiled first: never call it on the event loop.
    """
    kind = type(game)
    if kind not in _families:
        with _lock:
            if kind not in _families:
                _families[kind] = _shown(game)
    return _families[kind]


def family_of(kind: type[Game]) -> str | None:
    """The family of a game's boards, if it has been compiled."""
    return _families.get(kind)


def precompile_all() -> None:
    """The same for every game that is known; one that fails is for who wrote it, in the log."""
    for name in game_names():
        try:
            precompile(make(name))
        except Exception as error:
            LOG.error("the game %s cannot be shown", name, exc_info=error)


def _shown(game: Game) -> str:
    rng = np.random.default_rng(1)
    position = game.start(1)
    viewers = [None, *range(game.players)]
    family = game.scene(position).family
    for _ in range(PLIES):
        if position.is_over:
            break
        before = position.copy()
        if position.to_move == CHANCE:
            action = position.play_chance()
        else:
            action = int(rng.choice(position.legal_actions()))
            position.play(action)
        for viewer in viewers:
            game.tell(before, action, position, viewer)
            game.scene(position, viewer)
        game.reason(before, action, None)
        if position.to_move >= 0:
            game.action_groups(position)
            game.guide(position)
    return family
