"""Positions of Gomoku, and the same on the board of the rule book."""

from typing import Any

import numpy as np

from meeple import make
from meeple.games.contract.game import Position
from tests.conformance import step
from tests.naive.gomoku import NaiveGomoku


def after(moves: str, **options: Any) -> Position:
    """Return the position after moves by name."""
    position = make("gomoku", **options).start()
    for word in moves.split():
        position.play(position.parse_action(word))
    return position


def random_position(
    size: int, in_a_row: int, rule: str, rng: np.random.Generator, least: int | None = None
) -> Position:
    """Return an unfinished position of a random game, of at least `least` plies."""
    game = make("gomoku", size=size, in_a_row=in_a_row, rule=rule)
    while True:
        position = game.start()
        plies = rng.integers(size if least is None else least, size * size - 4)
        while not position.is_over and len(position.actions) < plies:
            position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over:
            return position


def naive_game(position: Position) -> NaiveGomoku:
    """Return the same position on the board of the rule book."""
    options = position.game.options
    naive = NaiveGomoku(
        int(options["size"]),
        int(options["in_a_row"]),
        options["rule"] == "standard",
        renju=options["rule"] == "renju",
    )
    for action in position.actions:
        naive.play(action)
    return naive


def play_beside(position: Position, naive: NaiveGomoku, choice: np.random.Generator) -> None:
    """Play a random game to its end, and compare it with the naive rules at every move."""
    while not position.is_over:
        assert position.to_move == naive.to_move
        assert position.legal_actions().tolist() == naive.legal()
        naive.play(step(position, choice))
    assert naive.is_over()
    expected = [0.5, 0.5] if naive.winner() is None else np.eye(2)[naive.winner()].tolist()
    assert position.payoffs.tolist() == expected
