"""A cup's pairings and scores, and whole cups through the server's routes."""

import itertools
from collections import Counter

import pytest

from meeple.server.cups.cup import Cup, Entrant, all_rounds
from meeple.server.play.seats import digest
from tests.server.tables import NIM, at, my_turn, serving


def a_cup(entrants, form="round-robin", players=2):
    names = [Entrant(f"player {number}", token=digest(f"t{number}")) for number in range(entrants)]
    return Cup("one", "nim", {}, players, {}, form, 7, "", names, begun=True)


def played_out(cup):
    """Play all rounds: the entrant of the lower number wins."""
    while games := cup.next_round():
        cup.games += games
        assert cup.next_round() == []
        assert not cup.is_over
        for game in games:
            game.payoffs = [float(seat == min(game.seats)) for seat in game.seats]
    return cup


@pytest.mark.parametrize(("entrants", "players"), [(2, 2), (3, 2), (5, 2), (6, 2), (5, 3)])
def test_in_a_round_robin_all_groups_meet_once_and_no_entrant_twice_a_round(entrants, players):
    cup = played_out(a_cup(entrants, players=players))
    assert cup.is_over
    met = [tuple(sorted(game.seats)) for game in cup.games]
    assert sorted(met) == list(itertools.combinations(range(entrants), players))
    for number in range(cup.rounds):
        seated = [seat for game in cup.games if game.round == number for seat in game.seats]
        assert len(seated) == len(set(seated))
    assert cup.rounds == len(all_rounds(entrants, players))


def test_seats_are_shared_out_and_wins_are_summed():
    cup = played_out(a_cup(5))
    assert cup.scores() == [4, 3, 2, 1, 0]
    begun = Counter(game.seats[0] for game in cup.games)
    assert max(begun.values()) - min(begun.values()) <= 1


def test_a_swiss_cup_has_few_rounds_and_is_paired_again_equally_after_a_restart():
    cup = a_cup(7, "swiss")
    assert cup.rounds == 3
    while games := cup.next_round():
        assert Cup.of(cup.to_json()).next_round() == games
        cup.games += games
        for game in games:
            game.payoffs = [float(seat == min(game.seats)) for seat in game.seats]
    scores = cup.scores()
    assert sum(scores) == pytest.approx(3 * 3.5)  # three games and a bye of half a point a round
    assert scores[0] == max(scores)
    pairs = [tuple(sorted(game.seats)) for game in cup.games]
    assert len(pairs) == len(set(pairs))


def test_too_few_entrants_have_no_rounds():
    assert a_cup(1).rounds == a_cup(2, players=3).rounds == 0


@pytest.mark.slow
def test_a_cup_of_people_and_an_agent_is_joined_played_and_survives_a_restart(tmp_path, pool):
    with serving(tmp_path) as client:
        wanted = {**NIM, "format": "round-robin", "agents": ["random"]}
        made = client.post("/api/cups", json=wanted).json()
        url = f"/api/cups/{made['id']}"
        host = {"X-Seat-Tokens": made["token"]}
        tokens = [
            client.post(f"{url}/join", json={"name": name}).json()["token"]
            for name in ("Ann", "Bob")
        ]
        again = client.post(f"{url}/join", json={"name": "Ann"})
        assert (again.status_code, "this name" in again.json()["error"]) == (400, True)
        assert client.post(f"{url}/start").status_code == 403
        view = client.post(f"{url}/start", headers=host).json()
        assert (view["status"], view["round"], view["rounds"]) == ("playing", 1, 3)
        late = client.post(f"{url}/join", json={"name": "Eve"})
        assert "has begun" in late.json()["error"]
    for _ in range(3):
        with serving(tmp_path) as client:
            view = client.get(url).json()
            open_games = [game for game in view["games"] if game["payoffs"] is None]
            for game in open_games:
                play_out(client, game["table"], tokens)
    with serving(tmp_path) as client:
        view = client.get(url).json()
        assert view["status"] == "over"
        assert sum(one["score"] for one in view["entrants"]) == 3
        assert client.get(url, headers={"X-Seat-Tokens": tokens[1]}).json()["you"] == 2


def play_out(client, table, tokens):
    """Play a game to its end, for all people at it."""
    with at(client, table, tokens) as players:
        while players.view["status"] != "over":
            if players.view["actions"]:
                players.play("take 1")
            else:
                players.until(my_turn)


def test_agents_of_a_cup_play_unwatched(client):
    wanted = {**NIM, "format": "swiss", "agents": ["random", "random"]}
    made = client.post("/api/cups", json=wanted).json()
    url = f"/api/cups/{made['id']}"
    client.post(f"{url}/start", headers={"X-Seat-Tokens": made["token"]})
    while client.get(url).json()["status"] != "over":
        pass


def test_an_impossible_cup_is_refused(client):
    wanted = {**NIM, "format": "swiss"}
    assert client.post("/api/cups", json={**wanted, "agents": ["uct:sims=999999999"]}).is_error
    assert client.get("/api/cups/nothing").status_code == 404
    made = client.post("/api/cups", json=wanted).json()
    headers = {"X-Seat-Tokens": made["token"]}
    few = client.post(f"/api/cups/{made['id']}/start", headers=headers)
    assert "at least 2 players" in few.json()["error"]
