"""The play service through its routes and sockets, with a fake pool that answers at once."""

import asyncio
import threading
import time

import pytest
from sqlalchemy import update

import meeple
from meeple.agents.levels import levels_for
from meeple.games.contract.records import GameRecord
from meeple.sentences import as_json
from meeple.server.play import socket as table_socket
from meeple.server.play.seats import Seat
from meeple.server.store import StoredGame
from tests.server.tables import (
    FRIEND,
    ME,
    NIM,
    PATIENCE,
    SOCKET,
    agent,
    at,
    begin,
    my_turn,
    serving,
    two_people,
)


def test_a_whole_game_against_an_agent_is_played(client):
    made = begin(client, [ME, agent()])
    with at(client, made["id"], made["tokens"].values()) as me:
        while me.view["status"] != "over":
            me.play("take 1")
            me.until(my_turn) if not my_turn(me.view) else None
        assert me.view["result"]["how"] == "rules"
        assert sum(me.view["result"]["payoffs"]) == 1
        assert me.view["can"]["rematch"]


def test_an_agent_is_called_by_its_level_and_recorded_by_its_spec(client):
    level = levels_for(meeple.make("hex")).beginner
    seats = [ME, agent(level.spec), agent("random")]
    made = client.post("/api/tables", json={"game": "hex", "seats": seats[:2]}).json()
    found = client.get(f"/api/tables/{made['id']}").json()["seats"][1]
    assert (found["who"], found["called"], found["spec"]) == (level.name, level.name, level.spec)
    for word in (level.name, level.spec):
        (listed,) = client.get("/api/tables", params={"text": word}).json()["tables"]
        assert listed["seats"] == ["guest", level.name]
    record = client.get(f"/api/tables/{made['id']}/record").json()
    assert record["seats"] == ["guest", level.spec]
    made = client.post("/api/tables", json={"game": "hex", "seats": [ME, seats[2]]}).json()
    found = client.get(f"/api/tables/{made['id']}").json()["seats"][1]
    assert (found["who"], found["called"]) == ("random", "")


def test_an_invitation_names_its_seat_and_the_inviter_and_seats_one_player_once(client):
    seats, clock = [FRIEND, {"kind": "me", "name": "Ann"}], {"kind": "move", "seconds": 30}
    made = begin(client, seats, clock=clock)
    assert "0" not in made["tokens"]
    url = f"/api/tables/{made['id']}"
    invite = {"invite": made["invites"]["0"]}
    assert client.post(f"{url}/invitation", json=invite).json() == {"seat": 0, "by": "Ann"}
    terms = client.get(url).json()["terms"]
    assert terms == {"help": False, "clock": {**clock, "increment": 0.0}}
    with at(client, made["id"], made["tokens"].values()) as me:
        assert me.view["status"] == "waiting"
        me.say("play", ply=0, actions=[0])
        assert "seats are taken" in me.message("error")["text"]
    assert client.post(f"{url}/claim", json={**invite, "name": "Bob"}).json()["seat"] == 0
    again = client.post(f"{url}/claim", json=invite)
    assert (again.status_code, "used" in again.json()["error"]) == (403, True)
    assert client.post(f"{url}/invitation", json=invite).status_code == 403


@pytest.mark.parametrize(
    ("seats", "wanted", "helps"),
    [
        ([ME, agent()], {}, True),
        ([ME, ME], {}, True),
        ([ME, FRIEND], {}, False),
        ([ME, FRIEND], {"help": True}, True),
        ([ME, agent()], {"help": False}, False),
    ],
)
def test_help_is_off_against_a_friend_unless_it_is_agreed(client, seats, wanted, helps):
    made = begin(client, seats, **wanted)
    assert client.get(f"/api/tables/{made['id']}").json()["terms"]["help"] is helps


def test_spectators_may_not_act(client):
    table, _, _ = two_people(client)
    with at(client, table) as guest:
        assert guest.view["you"] == []
        assert guest.view["actions"] == []
        for kind in ("undo", "resign", "rematch", "now", "hint"):
            guest.say(kind)
            assert guest.message("error")["text"]
        guest.say("play", ply=0, actions=[0])
        assert "look on" in guest.message("error")["text"]


def test_players_receive_each_others_moves_and_are_asked_before_one_is_undone(client):
    table, mine, theirs = two_people(client)
    with at(client, table, mine) as me, at(client, table, theirs) as friend:
        me.play("take 2")
        friend.until(lambda view: view["ply"] == 1)
        assert friend.view["events"]["list"][-1]["text"] == "take 2"
        assert me.view["seats"][1]["who"] == "Ann"
        me.say("undo")
        friend.until(lambda view: view["asks"] == {"kind": "undo", "seat": 0})
        friend.say("answer", agree=False)
        me.until(lambda view: view["asks"] is None)
        assert me.view["ply"] == 1
        me.say("undo")
        friend.until(lambda view: view["asks"] is not None)
        friend.say("answer", agree=True)
        me.until(lambda view: view["ply"] == 0)
        assert me.view["events"] == {"from": 0, "list": []}


def test_people_agree_on_a_draw(client):
    table, mine, theirs = two_people(client)
    with at(client, table, mine) as me, at(client, table, theirs) as friend:
        for agree, status in ((False, "playing"), (True, "over")):
            me.say("draw")
            me.until(lambda view: view["asks"] is not None)
            friend.until(lambda view: view["asks"] == {"kind": "draw", "seat": 0})
            assert not friend.view["can"]["draw"]
            friend.say("answer", agree=agree)
            assert me.until(lambda view: view["asks"] is None)["status"] == status
        result = me.view["result"]
        assert (result["payoffs"], result["words"]) == ([0.5, 0.5], "a draw, agreed")
        me.say("draw")
        assert "during a game" in me.message("error")["text"]
    record = GameRecord.from_json(client.get(f"/api/tables/{table}/record").text)
    assert record.shares == (0.5, 0.5)
    made = begin(client, [ME, agent()])
    with at(client, made["id"], made["tokens"].values()) as me:
        me.say("draw")
        assert "where the rules allow one" in me.message("error")["text"]


def test_an_agent_agrees_to_a_draw_unless_it_expected_more_at_its_last_move(client, pool):
    made = begin(client, [ME, agent()], game="reversi", options={})
    table = client.app.state.services.tables.residents.find(made["id"])
    with at(client, made["id"], made["tokens"].values()) as me:
        me.say("draw")  # it has not moved
        assert me.message("error")["text"].startswith("random refuses a draw")
        me.play("d3")
        me.until(lambda view: view["ply"] == 2)
        for value, status in ((0.6, "playing"), (0.5, "over")):
            table.history.values[1] = (1 - value, value)
            me.say("draw")
            if status == "playing":
                assert me.message("error")["text"].startswith("random refuses a draw")
        me.until(lambda view: view["status"] == "over")
    assert me.view["result"]["words"] == "a draw, agreed"


def test_a_game_that_nobody_continued_is_closed_but_not_one_of_a_cup(client):
    services = client.app.state.services
    left, watched, recent = (begin(client, [ME, agent()])["id"] for _ in range(3))
    seats = [Seat("human", "Ann"), Seat("human", "Bob")]
    cup = client.portal.call(services.tables.open, "nim", {}, seats, {"cup": "x"})
    with services.resources.store.engine.begin() as connection:
        old = StoredGame.id.in_([left, watched, cup])
        month = time.time() - 31 * 86_400
        connection.execute(update(StoredGame).where(old).values(updated=month))
    with at(client, watched):
        client.portal.call(services.tables.residents.close_left)
    found = {id: client.get(f"/api/tables/{id}").json() for id in (left, watched, recent, cup)}
    assert {id for id, table in found.items() if table["status"] == "over"} == {left}
    assert found[left]["result"]["words"] == "broken off"
    record = GameRecord.from_json(client.get(f"/api/tables/{left}/record").text)
    assert (record.shares, record.notes) == (None, {})


def test_a_game_is_deleted_by_those_alone_who_were_all_its_people(client):
    alone = begin(client, [ME, agent()])
    shared, mine, theirs = two_people(client)
    watched = begin(client, [agent(), agent()])
    for id, tokens, status in (
        (alone["id"], ["wrong"], 403),
        (alone["id"], alone["tokens"].values(), 200),
        (alone["id"], alone["tokens"].values(), 404),
        (shared, mine, 403),
        (shared, [*mine, *theirs], 200),
        (watched["id"], watched["tokens"].values(), 200),
    ):
        headers = {"X-Seat-Tokens": ",".join(tokens)}
        answer = client.post(f"/api/tables/{id}/remove", headers=headers)
        assert answer.status_code == status
    assert client.get("/api/tables").json()["tables"] == []


def test_a_move_against_an_agent_is_undone_at_once_and_no_game_is_lost_by_a_restart(tmp_path, pool):
    with serving(tmp_path) as client:
        made = begin(client, [ME, agent()])
        with at(client, made["id"], made["tokens"].values()) as me:
            me.play("take 1")
            me.until(my_turn)
            me.say("undo")
            me.until(lambda view: view["ply"] == 0)
            me.play("take 2")
            before = me.until(my_turn)
    with serving(tmp_path) as client, at(client, made["id"], made["tokens"].values()) as me:
        for key in ("ply", "scene", "actions", "seats", "to_move", "you"):
            assert me.view[key] == before[key]
        me.play("take 1")


def test_a_rematch_rotates_the_seats_and_their_tokens(client):
    table, mine, theirs = two_people(client)
    with at(client, table, mine) as me, at(client, table, theirs) as friend:
        me.say("resign")
        friend.until(lambda view: view["status"] == "over")
        assert "resigned" in friend.view["result"]["words"]
        friend.say("rematch")
        fresh = friend.message("rematch")
        assert list(fresh["tokens"]) == ["0"]
        me.until(lambda view: view["next"] is not None)
        assert me.view["next"] == {"id": fresh["table"], "seats": {"0": 1, "1": 0}}
    with at(client, fresh["table"], mine) as me:
        assert me.view["you"] == [1]


def test_a_busy_pool_is_retried(client, pool):
    pool.busy = True
    made = begin(client, [agent(), ME])
    with at(client, made["id"], made["tokens"].values()) as me:
        me.until(lambda view: (view["thinking"] or {}).get("state") == "busy")
        pool.busy = False
        me.until(my_turn)
        assert me.view["ply"] == 1


def test_a_game_of_agents_is_controlled_by_its_creator(client, pool):
    made = begin(client, [agent(), agent()], options={"stones": 1000}, pace=0.01)
    assert list(made["tokens"]) == ["host"]
    with at(client, made["id"], made["tokens"].values()) as host:
        host.until(lambda view: view["ply"] > 2)
        host.say("pause", on=True)
        held = host.until(lambda view: view["paused"] and not view["thinking"])
        asked = len(pool.tasks)
        for _ in range(3):  # any event at the table would make the agents continue
            host.say("pause", on=True)
            assert host.until(lambda view: True)["ply"] == held["ply"]
        assert len(pool.tasks) == asked
        host.say("pause", on=False)
        host.until(lambda view: view["ply"] > held["ply"] + 1)


def test_a_player_without_time_loses(client):
    made = begin(client, [ME, agent()], clock={"kind": "game", "seconds": 1})
    with at(client, made["id"], made["tokens"].values()) as me:
        me.until(lambda view: view["status"] == "over")
        assert me.view["result"]["how"] == "time"
        assert me.view["result"]["payoffs"] == [0.0, 1.0]


def test_levels_include_the_evaluator_and_the_networks(client):
    def asked(**options):
        return client.post("/api/levels", json={"game": "hex", "options": options}).json()

    found = asked(size=7)
    names = [level["name"] for level in found["levels"]]
    assert (names[0], names[-1]) == ("Beginner", "Network hex7")
    assert [one["spec"] for one in found["networks"]] == ["policy:hex7", "puct:hex7,sims=400"]
    assert found["judge"]["spec"] == "puct:hex7,seconds=1"
    assert found["judge"]["words"].startswith("tree search with the network hex7, 1 s a move")
    assert asked(size=5)["networks"] == []


def test_a_hint_names_a_move_and_players_can_disable_hints(client):
    made = begin(client, [ME, agent()])
    with at(client, made["id"], made["tokens"].values()) as me:
        me.say("hint")
        assert me.message("hint")["ply"] == 0
    made = begin(client, [ME, agent()], help=False)
    with at(client, made["id"], made["tokens"].values()) as me:
        assert not me.view["can"]["hint"]
        me.say("hint")
        assert "without hints" in me.message("error")["text"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"game": "chess"}, "there is no game"),
        ({"options": {"stones": 0}}, "stones must be"),
        ({"options": {"stone": 5}}, "no option"),
        ({"seats": [ME]}, "2 seats"),
        ({"seats": [ME, agent("uct")]}, "limit"),
        ({"seats": [ME, agent("puct:/etc/passwd,sims=5")]}, "there is no network"),
        ({"seats": [ME, agent("uct:sims=5,qtable=/etc/passwd")]}, "not loaded here"),
        ({"seats": [ME, agent("uct:seconds=4000")]}, "at most 60"),
        ({"seats": [ME, agent("human")]}, "cannot play here"),
        ({"seats": [ME, agent("greedy")]}, "greedy"),
        ({"seats": [ME, FRIEND], "seed": 4}, "seed"),
        ({"record": "{}"}, "not a game record"),
    ],
)
def test_an_impossible_game_is_refused_with_a_message(client, wrong, words):
    answer = client.post("/api/tables", json={**NIM, "seats": [ME, agent()], **wrong})
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_an_unknown_game_is_not_found(client):
    assert client.get("/api/tables/nothing").status_code == 404
    with client.websocket_connect(SOCKET) as socket:
        socket.send_json({"type": "watch", "table": "nothing"})
        assert "no game" in socket.receive_json()["text"]


def test_games_are_listed_by_last_move_newest_first(client):
    ids = [begin(client, [ME, agent()])["id"] for _ in range(3)]
    found = client.get("/api/tables?limit=2").json()
    assert [one["id"] for one in found["tables"]] == ids[:0:-1]
    rest = client.get(f"/api/tables?limit=2&before={found['more']}").json()
    assert [one["id"] for one in rest["tables"]] == ids[:1]
    assert client.get("/api/tables?game=hex").json()["tables"] == []
    assert len(client.get("/api/tables?player=RANDOM").json()["tables"]) == 3


@pytest.mark.slow
def test_a_rematch_exists_once_even_after_a_restart(tmp_path, pool):
    with serving(tmp_path) as client:
        made = begin(client, [ME, agent()])
        with at(client, made["id"], made["tokens"].values()) as me:
            me.say("resign")
            me.until(lambda view: view["status"] == "over")
            me.say("rematch")
            fresh = me.message("rematch")
    with serving(tmp_path) as client, at(client, made["id"], made["tokens"].values()) as me:
        assert me.view["next"]["id"] == fresh["table"]
        me.say("rematch")
        assert me.message("rematch")["table"] == fresh["table"]
    with serving(tmp_path) as client, at(client, fresh["table"], made["tokens"].values()) as me:
        assert me.view["next"] is None


def test_a_move_is_stored_before_it_is_sent(client, monkeypatch):
    table, mine, theirs = two_people(client)
    store = client.app.state.services.resources.store
    append, storing, may_store = store.append, threading.Event(), threading.Event()

    def slow(*words, **more):
        storing.set()
        assert may_store.wait(PATIENCE)
        append(*words, **more)

    told = []

    def noted(message):
        told.append((message.get("ply"), may_store.is_set()))
        return as_json(message)

    monkeypatch.setattr(table_socket, "as_json", noted)
    with at(client, table, mine) as me, at(client, table, theirs) as friend:
        monkeypatch.setattr(store, "append", slow)
        me.say("play", ply=0, actions=[0])
        assert storing.wait(PATIENCE)
        with client.websocket_connect(SOCKET) as socket:  # arrivals are announced to the others
            socket.send_json({"type": "watch", "table": table})
            assert client.get("/api/games").status_code == 200
            may_store.set()
            assert socket.receive_json()["ply"] == 1
        friend.until(lambda view: view["ply"] == 1)
    assert (0, False) in told
    assert (1, False) not in told


def test_a_move_is_stored_even_if_its_player_disconnects_meanwhile(client):
    table, _, _ = two_people(client)
    services = client.app.state.services

    async def play_and_leave():
        release = threading.Event()
        busy = asyncio.create_task(services.resources.writer.do(release.wait, PATIENCE))
        held = await services.tables.get(table)
        playing = asyncio.create_task(services.tables.play(held, frozenset({0}), 0, [0]))
        while held.ply == 0:  # until the move is in memory and waits for the writer
            await asyncio.sleep(0)
        playing.cancel()
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(playing, busy, return_exceptions=True)
        assert playing.cancelled()

    client.portal.call(play_and_leave)
    assert client.get(f"/api/tables/{table}").json()["ply"] == 1
    assert len(services.resources.store.record(table).actions) == 1
