"""Positions after named moves, and what the kernels of a game say of a position."""

from typing import Any

import numpy as np

from meeple import kernels
from meeple.games.check.walk import call_kernel
from meeple.games.contract.game import Position
from meeple.games.contract.registry import make


def after(name: str, moves: str, **options: Any) -> Position:
    """Return the position of a game after moves by name."""
    position = make(name, **options).start()
    for move in moves.split():
        position.play(move)
    return position


def names_of(position: Position) -> list[str]:
    """Return the names of the legal actions."""
    return [position.action_name(action) for action in position.legal_actions().tolist()]


def key_of(position: Position) -> tuple[int, ...]:
    """Return the key by which searches know equal positions."""
    return tuple(call_kernel(position, kernels.IDENTITY)[0].tolist())


def shares_of(position: Position) -> list[float]:
    """Return each player's share by the heuristic."""
    return list(call_kernel(position, kernels.HEURISTIC)[0].tolist())


def owners_of(position: Position) -> list[int]:
    """Return the seat of the stone on each cell, -1 for an empty cell."""
    return list(call_kernel(position, kernels.OWNERSHIP)[0].tolist())


def play_with_openspiel(game: Any, theirs: Any, seed: int) -> None:
    """Play a random game, and compare it with OpenSpiel's at every move."""
    position, state = game.start(), theirs.new_initial_state()
    choice = np.random.default_rng(seed)
    while not position.is_over:
        assert position.to_move == state.current_player()
        assert position.legal_actions().tolist() == state.legal_actions()
        action = int(choice.choice(state.legal_actions()))
        position.play(action)
        state.apply_action(action)
    assert state.is_terminal()
    assert [2 * share - 1 for share in position.payoffs] == state.returns()
