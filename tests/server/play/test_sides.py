"""Tables of games for one, for teams, and for cards, from the lobby to the result."""

import re

import pytest

from meeple.games.contract import registry
from tests.games.contract.test_points import Ends
from tests.server.tables import ME, Player, begin, serving


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.setitem(registry._registered, Ends.name, Ends)
    with serving(tmp_path) as made:
        yield made


def over(client, begun):
    """Play a game with first actions and return its last view."""
    with client.websocket_connect("ws://127.0.0.1/ws/table") as socket:
        player = Player(socket, begun["id"], begun["tokens"].values())
        while player.view["status"] != "over":
            player.play("0")
        return player.view


def test_one_player_has_one_seat_and_a_result_in_points(client):
    options = {"seats": 1, "coins": 4}
    wrong = client.post("/api/tables", json={"game": "ends", "options": options, "seats": [ME, ME]})
    assert wrong.status_code == 400
    view = over(client, begin(client, [ME], game="ends", options=options))
    assert [seat["seat"] for seat in view["seats"]] == [0]
    assert view["scale"] == {"sides": [[0]], "range": [-20, 40]}
    assert view["result"]["words"] == "player 1: 11 points (-20 to 40 are possible)"
    assert view["result"]["outcome"] is None
    (stored,) = client.get("/api/tables").json()["tables"]
    assert stored["result"] == "guest: 11 points (-20 to 40 are possible)"
    assert len(stored["seats"]) == 1


def test_a_team_wins_together(client):
    options = {"seats": 4, "form": "teams", "coins": 8}
    view = over(client, begin(client, 4 * [ME], game="ends", options=options))
    words = view["result"]["words"]
    assert re.fullmatch(r"(player \d and player \d win|a draw), -?\d+ : -?\d+ points", words)
