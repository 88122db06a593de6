"""The result of a game is the same text at the table, in lists, reports and training runs."""

import pytest

import meeple
from meeple.arena.report import replays
from meeple.games.contract.records import GameRecord
from meeple.server.lobby.lobby import summary
from meeple.server.store import StoredGame
from meeple.server.training.facts import sample_of
from tests.server.tables import begun_table

NAMES = ("player 1", "player 2")


@pytest.mark.parametrize(
    ("payoffs", "text"),
    [
        ((1.0, 0.0), "player 1 wins"),
        ("resigned", "player 2 wins: player 1 resigned"),
        ((0.5, 0.5), "a draw"),
        ((0.6, 0.4), "player 1 60 %, player 2 40 %"),
        (None, "broken off"),
    ],
)
def test_every_view_of_a_result_has_the_same_text(payoffs, text):
    table = begun_table(stones=2)
    if payoffs == "resigned":
        table.give_up(0, "resigned")
    else:
        table.result = {"payoffs": payoffs, "how": "rules"}
    seats = [{"name": name} for name in NAMES]
    stored = StoredGame(
        id="a",
        game="nim",
        options={},
        seats=seats,
        status="over",
        result=table.result,
        plies=0,
        terms={},
    )
    assert table.result_text() == summary(stored, frozenset())["result"] == text
    if payoffs != "resigned":
        record = GameRecord("nim", {"stones": 2}, NAMES, 0, (), payoffs)
        assert replays._result(record) == text
        sample = sample_of(meeple.make("nim", stones=2), record.to_json())
        assert sample is not None
        assert sample.result == text
