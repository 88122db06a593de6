"""Compile the kernels that showing a game needs, before a player waits for them."""

import asyncio
import logging
import threading
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np

from meeple.games.contract import capabilities
from meeple.games.contract.game import Game
from meeple.games.contract.registry import game_names, loaded_games, make
from meeple.games.contract.shown import scene_of
from meeple.kernels import CHANCE, KERNELS, PAYOFFS, PLAYING
from meeple.sentences import say

PLIES = 200  # length of the random game that is shown once; it needs nearly all kernels
EXPLAINED_PLIES = 8  # before the position that is explained once

Board = dict[str, Any]
"""The family of a game's boards; if they have cells, also these `_OUTLINE` of the start."""
_OUTLINE = ("places", "pieces", "joined", "colours")

LOG = logging.getLogger(__name__)

_boards: dict[type[Game], Future[Board]] = {}
_loading: dict[str, Future[None]] = {}
_missing: dict[Game, list[int]] = {}  # of games in preparation: kernels that were not on disk
_lock = threading.Lock()  # for the two dictionaries only: no game waits for another one


def precompile(game: Game) -> Board:
    """Play and show a random game of this class, once in a process.

    Takes up to a minute if kernels must be compiled: never call it on the event loop.

    Returns:
        The game's board at the start.
    """
    kind = type(game)
    with _lock:
        board = _boards.get(kind)
        mine = board is None
        if board is None:
            board = _boards[kind] = Future()
    if mine:
        try:
            _missing[game] = game.not_compiled(PLAYING)
            shown = _show_random_game(game)
            for options in kind.drawn:
                _show_random_game(kind(**options))
            board.set_result(shown)
        except BaseException as error:
            del _boards[kind]  # the next caller tries again
            board.set_exception(error)
        finally:
            _missing.pop(game, None)
    return board.result()


class Preparation(NamedTuple):
    """How far a game is prepared."""

    game: str  # its name
    done: int  # kernels compiled
    total: int  # kernels to compile
    step: str  # what is being done


def preparations() -> list[Preparation]:
    """Return the games that are being prepared; reads the disk cache."""
    found = []
    for game, missing in tuple(_missing.items()):
        left = game.not_compiled(missing)
        step = (
            say("server.compiling_the_kernel", name=KERNELS[left[0]])
            if left
            else "drawing its board"
        )
        found.append(Preparation(game.name, len(missing) - len(left), len(missing), step))
    return found


def board_of(kind: type[Game]) -> Board | None:
    """Return a game's board at the start, or None if it is not compiled."""
    board = _boards.get(kind)
    return board.result() if board is not None and board.done() else None


async def wait_for_kernels(name: str) -> None:
    """Wait until a game of that name can be shown, so that the next call blocks its thread briefly.

    Does not raise: the call that follows reports an error of the game or its name.
    """
    if name not in _loading and name not in game_names():
        return
    with _lock:
        loading = _loading.get(name)
        if loading is None:
            loading = _loading[name] = Future()
            words = f"precompile {name}"
            threading.Thread(target=_load, args=(name, loading), name=words, daemon=True).start()
    if not loading.done():
        await asyncio.shield(asyncio.wrap_future(loading))


def _load(name: str, loading: Future[None]) -> None:
    if not _precompile_named(name):
        del _loading[name]  # the next caller tries again
    loading.set_result(None)


def precompile_all() -> None:
    """Precompile every game, loaded ones first, and then what explains their positions."""
    names = dict.fromkeys((*loaded_games(), *game_names()))
    shown = [name for name in names if _precompile_named(name)]
    for name in shown:
        try:
            _explain_random_position(make(name))
        except Exception as error:
            LOG.error("positions of %s cannot be explained", name, exc_info=error)


def _precompile_named(name: str) -> bool:
    """Precompile a game; log the error of one that fails."""
    try:
        precompile(make(name))
    except Exception as error:
        LOG.error("the game %s cannot be shown", name, exc_info=error)
        return False
    return True


def _explain_random_position(game: Game) -> None:
    rng = np.random.default_rng(1)
    position = game.start(1)
    for _ in range(EXPLAINED_PLIES):
        if position.is_over:
            return
        if position.to_move == CHANCE:
            position.play_chance()
        else:
            position.play(int(rng.choice(position.legal_actions())))
    capabilities.explanations(position, None)


def _show_random_game(game: Game) -> Board:
    game.compile(PAYOFFS)  # a long game does not end within `PLIES`
    rng = np.random.default_rng(1)
    position = game.start(1)
    viewers = [None, *range(game.seats)]
    start = scene_of(position)
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
            capabilities.describe_action(before, action, position, viewer)
            scene_of(position, viewer)
        capabilities.explain_action(before, action, None)
        if position.to_move >= 0:
            capabilities.action_groups(position)
            capabilities.guide(position)
    outline = {key: start.facts[key] for key in _OUTLINE if start.has_cells and key in start.facts}
    return {"family": start.family, **outline}
