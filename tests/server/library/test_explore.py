"""Statistics of the next moves from a position in the library's games, at a bounded cost."""

from dataclasses import replace

import pytest

from meeple.server.limits import LIMITS
from tests.protocols.records.playing import random_game

GAMES = (
    "(;GM[11]SZ[5]RE[B+R]DT[1998-05-01];B[c3];W[d4];B[b4])(;GM[11]SZ[5]RE[W+R];B[c3];W[d4])"
    "(;GM[11]SZ[5]RE[B+T]DT[2003];B[c3];W[b2];B[b3])(;GM[11]SZ[5];B[a1])(;GM[11]SZ[7];B[c3])"
)


@pytest.fixture(scope="module")
def ids(client):
    answer = client.post("/api/records", json={"text": GAMES})
    assert answer.status_code == 200, answer.text
    return answer.json()["ids"]


def asked(client, source, ply, status=200):
    answer = client.post("/api/explore", json={"source": source, "ply": ply})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_moves_of_games_on_the_same_board_are_counted(client, ids):
    told = asked(client, {"table": ids[0]}, 0)
    assert (told["games"], told["reached"], told["ended"]) == (4, 4, 0)
    assert [(one["move"], one["games"]) for one in told["moves"]] == [("c3", 3), ("a1", 1)]
    first = told["moves"][0]
    assert first["share"] == pytest.approx(2 / 3)
    assert first["years"] == [1998, 2003]
    assert {example["game"] for example in first["examples"]} == set(ids[:3])


def test_mirrored_replies_and_positions_given_by_moves_are_counted_together(client, ids):
    told = asked(client, {"table": ids[0]}, 1)
    assert [(one["move"], one["games"]) for one in told["moves"]] == [("d4", 3)]
    assert told["moves"][0]["examples"][0]["ply"] == 1
    told = asked(client, {"game": "hex", "options": {"size": 5}, "moves": ["c3", "d4"]}, 2)
    assert (told["reached"], told["ended"]) == (3, 1)


def test_games_in_progress_are_not_counted(client, ids):
    body = {"game": "hex", "options": {"size": 5}, "seats": [{"kind": "me"}, {"kind": "me"}]}
    assert client.post("/api/tables", json=body).status_code == 200
    assert asked(client, {"table": ids[0]}, 0)["games"] == 4


def test_an_impossible_request_is_refused_with_a_reason(client, ids):
    words = asked(client, {"table": ids[0]}, 9, 400)["error"]
    assert words == "there is no ply 9: the game has 3"
    record = random_game("catan", 3, 30, players=3)
    [catan] = client.post("/api/records", json={"text": record.to_json()}).json()["ids"]
    assert "cannot be explored" in asked(client, {"table": catan}, 0, 400)["error"]
    assert client.get(f"/api/tables/{catan}/replay").json()["explorable"] is False
    assert client.get(f"/api/tables/{ids[0]}/replay").json()["explorable"] is True
    assert asked(client, {"table": "nobody"}, 0, 404)
    assert asked(client, {"table": ids[0]}, -1, 422)


def test_only_the_newest_games_and_the_first_plies_are_counted(client, ids, monkeypatch):
    limits = replace(LIMITS, max_searched_games=2, max_opening_plies=2)
    monkeypatch.setattr(client.app.state.services.library, "_limits", limits)
    assert asked(client, {"table": ids[0]}, 0)["games"] <= 2
    assert "more than 2 plies" in asked(client, {"table": ids[0]}, 3, 400)["error"]
