"""A cup's pairings and scores, and whole cups through the server's routes."""

import itertools
import json
import math
from collections import Counter

import pytest
from sqlalchemy import event

from meeple.server.cups import cup as cup_module
from meeple.server.cups.cup import Cup, Entrant
from meeple.server.cups.cups import MAX_ENTRANTS
from meeple.server.cups.schedule import MAX_FULL_GAMES, is_full, rounds_of
from meeple.server.play.seats import digest
from tests.server.tables import NIM, at, my_turn, serving


def a_cup(entrants, form="round-robin", players=2):
    names = [Entrant(f"player {number}", token=digest(f"t{number}")) for number in range(entrants)]
    cup = Cup("one", "nim", {}, players, {}, form, 7, "", names)
    cup.begin()
    return cup


def won_by_the_lowest(games):
    for game in games:
        game.payoffs = [float(seat == min(game.seats)) for seat in game.seats]


def played_out(cup):
    """Play all rounds: the entrant of the lower number wins."""
    while games := cup.pair():
        assert cup.pair() == []
        assert not cup.is_over
        won_by_the_lowest(games)
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


@pytest.mark.parametrize("entrants", range(2, MAX_ENTRANTS + 1))
def test_pairs_of_a_round_robin_need_the_fewest_rounds(entrants):
    assert a_cup(entrants).rounds == entrants - 1 + entrants % 2


@pytest.mark.parametrize("players", [3, 4, 5, 16])
@pytest.mark.parametrize("entrants", range(7, MAX_ENTRANTS + 1))
def test_tables_for_more_than_two_have_a_playable_number_of_rounds(entrants, players):
    if entrants < players:
        assert rounds_of(entrants, players) == []
        return
    rounds = rounds_of(entrants, players)
    assert sum(map(len, rounds)) <= max(MAX_FULL_GAMES, 6 * MAX_ENTRANTS)
    games = Counter(seat for groups in rounds for group in groups for seat in group)
    needed = math.ceil((entrants - 1) / (players - 1))
    assert max(games.values()) - min(games.values()) <= 1
    assert len(rounds) <= needed * 2 or is_full(entrants, players)
    for groups in rounds:
        seated = [seat for group in groups for seat in group]
        assert len(seated) == len(set(seated)) == players * (entrants // players) or is_full(
            entrants, players
        )


def test_most_entrants_of_a_cup_in_groups_meet():
    met = {
        pair
        for groups in rounds_of(32, 4)
        for group in groups
        for pair in itertools.combinations(group, 2)
    }
    assert len(met) > 0.85 * math.comb(32, 2)


def test_a_round_without_a_game_is_worth_an_equal_share_in_groups():
    cup = played_out(a_cup(9, players=4))
    assert (cup.rounds, len(cup.games)) == (4, 8)
    assert sum(cup.scores()) == pytest.approx(8 + 4 / 4)


def test_a_cup_that_an_older_version_began_meets_nobody_twice():
    cup = a_cup(6)
    won_by_the_lowest(cup.pair())
    stored = cup.to_json()
    del stored["schedule"]
    stored["games"][0]["seats"], stored["games"][1]["seats"] = [0, 1], [4, 5]
    stored["games"][2]["seats"] = [2, 3]
    cup = played_out(Cup.of(stored))
    assert cup.is_over
    met = [tuple(sorted(game.seats)) for game in cup.games]
    assert sorted(met) == list(itertools.combinations(range(6), 2))


@pytest.mark.parametrize("entrants", [4, 5, 8, 31, 32])
def test_all_begin_equally_often(entrants):
    cup = played_out(a_cup(entrants))
    assert cup.scores() == [*range(entrants - 1, -1, -1)], "wins are summed"
    games = cup.games
    begun = Counter(game.seats[0] for game in games)
    counts = [begun[number] for number in range(entrants)]
    assert max(counts) - min(counts) <= 1


def test_a_swiss_cup_has_few_rounds_and_is_paired_again_equally_after_a_restart():
    cup = a_cup(7, "swiss")
    assert cup.rounds == 3
    while True:
        before = Cup.of(json.loads(json.dumps(cup.to_json())))
        games = cup.pair()
        assert before.pair() == games
        if not games:
            break
        won_by_the_lowest(games)
    scores = cup.scores()
    assert sum(scores) == pytest.approx(3 * 3.5)  # three games and a bye of half a point a round
    assert scores[0] == max(scores)
    pairs = [tuple(sorted(game.seats)) for game in cup.games]
    assert len(pairs) == len(set(pairs))


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


def test_a_view_of_a_cup_makes_no_rounds_and_no_commit(client, monkeypatch):
    wanted = {**NIM, "format": "round-robin"}
    made = client.post("/api/cups", json=wanted).json()
    url, host = f"/api/cups/{made['id']}", {"X-Seat-Tokens": made["token"]}
    for number in range(6):
        client.post(f"{url}/join", json={"name": f"player {number}"})
    client.post(f"{url}/start", headers=host)
    commits: list[object] = []
    event.listen(client.app.state.services.resources.store.engine, "commit", commits.append)
    monkeypatch.setattr(cup_module, "rounds_of", lambda *_: pytest.fail("rounds are made"))
    views = [client.get(url, headers=host).json() for _ in range(20)]
    assert [view["rounds"] for view in views] == [5] * 20
    assert len(views[0]["games"]) == 3
    assert commits == []


def test_the_next_round_begins_when_the_last_game_ends_without_a_look(client):
    wanted = {**NIM, "format": "round-robin", "agents": ["random", "random", "random"]}
    made = client.post("/api/cups", json=wanted).json()
    cups = client.app.state.services.cups
    client.post(f"/api/cups/{made['id']}/start", headers={"X-Seat-Tokens": made["token"]})
    while True:
        stored = json.loads(client.portal.call(cups._writer.do, cups._store.cup, made["id"]))
        if Cup.of(stored).is_over:
            break


def test_an_impossible_cup_is_refused(client):
    wanted = {**NIM, "format": "swiss"}
    assert client.post("/api/cups", json={**wanted, "agents": ["uct:sims=999999999"]}).is_error
    assert client.get("/api/cups/nothing").status_code == 404
    made = client.post("/api/cups", json=wanted).json()
    headers = {"X-Seat-Tokens": made["token"]}
    few = client.post(f"/api/cups/{made['id']}/start", headers=headers)
    assert "at least 2 players" in few.json()["error"]
    assert a_cup(1).rounds == a_cup(2, players=3).rounds == 0
