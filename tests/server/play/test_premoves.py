"""Premoves: what a waiting player may choose, compared with all replies, and what no one gets."""

from pathlib import Path

import numpy as np
import pytest

import meeple
from meeple.games.contract.registry import load_game_file
from meeple.server.play.views import premoves_of, view_of
from tests.server.tables import begun_table

RACE = Path(__file__).resolve().parents[2] / "games" / "race.py"


def later_actions(position, seat):
    """Return the actions that are legal for a seat after any one action of the other."""
    found = set()
    for reply in position.legal_actions().tolist():
        after = position.copy()
        after.play(reply)
        if after.to_move == seat:
            clicks = position.game.scene(after, seat).clicks
            found |= {action for action in after.legal_actions().tolist() if action in clicks}
    return found


@pytest.mark.parametrize(
    ("name", "options"),
    [("reversi", {"size": 4}), ("hex", {"size": 4}), ("gomoku", {}), ("ledge", {}), ("nim", {})],
)
def test_premoves_are_the_actions_that_some_reply_leaves_legal(name, options):
    position, rng = meeple.make(name, **options).start(1), np.random.default_rng(2)
    compared = 0
    while not position.is_over and compared < 30:
        seat = 1 - position.to_move
        found = premoves_of(position, seat)
        assert {action["id"] for action in found} == later_actions(position, seat)
        assert all(action["clicks"] for action in found)
        compared += len(found)
        position.play(int(rng.choice(position.legal_actions())))
    assert compared


def test_only_a_waiting_player_gets_premoves():
    table = begun_table("hex")
    assert view_of(table, frozenset((0,)))["premoves"] == []
    assert view_of(table, frozenset())["premoves"] == []
    assert view_of(table, frozenset((0, 1)))["premoves"] == []
    assert len(view_of(table, frozenset((1,)))["premoves"]) == 49
    table.play(frozenset((0,)), 0, [24])
    assert len(view_of(table, frozenset((0,)))["premoves"]) == 48
    table.give_up(0, "resigned")
    assert view_of(table, frozenset((0,)))["premoves"] == []


def test_a_position_with_too_many_actions_has_no_premoves():
    assert premoves_of(meeple.make("nim", stones=401, take=401).start(1), 1) == []
    assert len(premoves_of(meeple.make("nim", stones=400, take=400).start(1), 1)) == 399


def test_no_premove_is_offered_before_dice_or_with_hidden_cards():
    race = load_game_file(RACE)(goal=9).start(1)
    while race.to_move < 0:
        race.play_chance()
    assert premoves_of(race, 1 - race.to_move) == []
    catan = begun_table("catan", players=3)
    waiting = (catan.position.to_move + 1) % 3
    assert view_of(catan, frozenset((waiting,)))["premoves"] == []
