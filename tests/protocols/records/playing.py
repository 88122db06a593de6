"""Records of random play, and real files of tournament games if available."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord, record_of
from meeple.kernels import CHANCE

WTHOR = Path(__file__).parents[4] / "shared" / "data" / "wthor"
needs_wthor = pytest.mark.skipif(
    not WTHOR.is_dir(), reason="the WTHOR database of tournament games is absent"
)


def random_game(name: str, seed: int, plies: int = 1000, **options: object) -> GameRecord:
    """A game of uniformly random actions, with at most a given number of plies."""
    rng = np.random.default_rng(seed)
    position = meeple.make(name, **options).start()  # with seed 0: other formats store no seed
    while not position.is_over and len(position.actions) < plies:
        if position.to_move == CHANCE:
            position.play_chance()
        else:
            position.play(int(rng.choice(position.legal_actions())))
    return record_of(position, [f"player {seat}" for seat in range(position.game.players)])


def reading(find: Any) -> tuple[Any, Any, Any]:
    """Return what reads all records of a text, its only one, and the error of a text."""

    def read(text: str) -> list[GameRecord]:
        return list(find(text).records())

    def only(text: str) -> GameRecord:
        [record] = read(text)
        return record

    def refused(text: str) -> str:
        with pytest.raises(MeepleError) as caught:
            read(text)
        sentence = str(caught.value)
        assert "\n" not in sentence
        assert len(sentence) < 300
        return sentence

    return read, only, refused
