"""A game of OpenSpiel on the page: loaded by whoever serves, and hidden cards stay hidden."""

import pytest

from tests.server.tables import FRIEND, ME, agent, at, begin, serving

KUHN = {"game": "openspiel:kuhn_poker", "options": {}}


@pytest.fixture
def client(tmp_path, pool):
    with serving(tmp_path, game_files=("openspiel:kuhn_poker",)) as client:
        yield client


def test_a_loaded_game_of_openspiel_is_listed_and_played(client):
    games = {game["name"]: game for game in client.get("/api/games").json()["games"]}
    assert games["openspiel:kuhn_poker"]["hides"] is True
    made = begin(client, [ME, agent("random")], **KUHN)
    with at(client, made["id"], [made["tokens"]["0"]]) as player:
        assert {action["name"] for action in player.view["actions"]} == {"Pass", "Bet"}
        view = player.play("Bet")
        if view["status"] != "over":
            view = player.until(lambda view: view["status"] == "over")
        assert view["result"]


def test_a_player_sees_the_own_card_alone(client):
    made = begin(client, [ME, agent("random")], **KUHN)
    with at(client, made["id"], [made["tokens"]["0"]]) as player:
        card = player.view["scene"]["text"]  # the information state: one card, no bets
        told = [event["text"] for event in player.view["events"]["list"]]
        assert told == [f"chance: Deal:{card}", "chance: hidden"]


def test_a_page_loads_no_game_of_openspiel(client):
    wanted = {
        "game": "openspiel:breakthrough(columns=3,rows=6)",
        "options": {},
        "seats": [ME, FRIEND],
    }
    answer = client.post("/api/tables", json=wanted)
    assert answer.status_code == 400
    assert "is not loaded" in answer.text
