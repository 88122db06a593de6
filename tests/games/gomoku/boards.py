"""Positions of Gomoku, and the same on the board of the rule book."""

from typing import Any

import numpy as np

from meeple import make
from meeple.games.contract.game import Position
from tests.games import moves as named
from tests.naive.gomoku import NaiveGomoku


def after(moves: str, **options: Any) -> Position:
    """Return the position after moves by name."""
    return named.after("gomoku", moves, **options)


def random_position(
    size: int,
    in_a_row: int,
    rule: str,
    rng: np.random.Generator,
    least: int | None = None,
    plies: int | None = None,
) -> Position:
    """Return an unfinished position of a random game, of `plies`, or of at least `least` plies."""
    game = make("gomoku", size=size, in_a_row=in_a_row, rule=rule)
    while True:
        position, end = game.start(), plies
        if end is None:
            end = int(rng.integers(size if least is None else least, size * size - 4))
        while not position.is_over and len(position.actions) < end:
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
        opening=options["opening"],
    )
    for action in position.actions:
        naive.play(action)
    return naive


def play_beside(position: Position, choice: np.random.Generator, wanted: Any = None) -> None:
    """Play a game to its end, and compare it with the naive rules at every move.

    The moves are random, or those of the highest number that `wanted(position, legal)` gives.
    """
    naive = naive_game(position)
    while not position.is_over:
        legal = position.legal_actions()
        assert position.to_move == naive.to_move
        assert legal.tolist() == naive.legal()
        chosen = choice.choice(legal) if wanted is None else legal[wanted(position, legal).argmax()]
        position.play(int(chosen))
        naive.play(int(chosen))
    assert naive.is_over()
    expected = [0.5, 0.5] if naive.winner() is None else np.eye(2)[naive.winner()].tolist()
    assert position.payoffs.tolist() == expected
