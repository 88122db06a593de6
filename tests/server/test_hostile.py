"""Attacks: reading hidden information, acting for others, stopping the server."""

import contextlib
import json
import sqlite3
import time
from dataclasses import replace

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

import meeple
from meeple.errors import MeepleError
from meeple.games.contract.pasted import read_pasted
from meeple.kernels import CHANCE
from meeple.rate_limit import Rate
from meeple.server import store
from meeple.server.analysis import arrange as arranging
from meeple.server.limits import LIMITS
from meeple.server.play.seats import Seat
from meeple.server.play.stored import new_stored, terms_of
from meeple.server.play.taking_back import undo_goal, undo_refusal
from tests.server.tables import FRIEND, ME, NIM, SOCKET, at, begin, begun_table, serving, two_people

RECORD = {
    "game": "nim",
    "options": {"stones": 9},
    "seats": ["Ann", "Bob"],
    "seed": 1,
    "actions": ["take 1"],
    "payoffs": None,
}
SEEDED = [json.dumps({**RECORD, "seed": seed}) for seed in (-1, 10**400)]
HALF = "\ud800"  # half of a surrogate pair, which no file can store
DEEP = "[" * 100_000
NESTED = json.dumps({**RECORD, "notes": {"a": 0}}).replace(": 0", ": " + "[" * 980 + "]" * 980)


# ------------------------------------------------------------ failures of the server


@pytest.mark.parametrize("option", ["name", "self", "game", "__class__", ""])
def test_no_name_of_an_option_makes_the_server_fail(client, option):
    answer = client.post("/api/levels", json={"game": "hex", "options": {option: 1}})
    assert answer.status_code == 400
    assert "has no option" in answer.json()["error"]


@pytest.mark.parametrize(
    "record",
    [
        DEEP,
        '{"a":' + DEEP,
        NESTED,
        *SEEDED,
        json.dumps({**RECORD, "seats": [HALF, "Bob"]}),
        json.dumps({**RECORD, "notes": {HALF: 1}}),
        json.dumps({**RECORD, "options": {"name": 1}}),
        json.dumps({**RECORD, "options": {"stones": "9" * 5000}}),
        json.dumps({**RECORD, "actions": ["take " + "9" * 5000]}),
        json.dumps({**RECORD, "game": "hex", "options": {}, "actions": ["a" + "9" * 5000]}),
        json.dumps({**RECORD, "actions": ["take 1"] * 30_000}),
    ],
)
def test_no_record_makes_the_server_fail(client, record):
    for path, body in (
        ("/api/tables", {"game": "nim", "seats": [ME, ME], "record": record}),
        ("/api/records", {"text": record}),
        ("/api/positions", {"source": {"record": record}}),
    ):
        fine = path == "/api/positions" and record in SEEDED  # any seed may be viewed
        assert client.post(path, json=body).status_code == (200 if fine else 400), path


@pytest.mark.parametrize(
    ("old", "words"),
    [(b"junk" * 999, "not a database"), (None, "no database of games")],
)
def test_a_file_that_is_not_a_game_database_is_named_at_startup(tmp_path, old, words):
    file = tmp_path / store.FILE
    if old is None:
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute("create table games (id text primary key)")
    else:
        file.write_bytes(old)
    with pytest.raises(MeepleError, match=words) as caught:
        store.GameStore(tmp_path)
    assert str(file) in str(caught.value)


# ------------------------------------------------------------ long computations


@pytest.mark.parametrize(
    "text", ["1" * 900_000, "1." * 400_000, "1" + "." * 900_000, "," * 900_000]
)
def test_typed_moves_are_refused_quickly(text):
    # A pattern that restarts at each of the digits would take hours.
    with pytest.raises(MeepleError):
        read_pasted(meeple.make("hex", size=19).start(1), text + "x")


@pytest.mark.parametrize(("game", "in_a_row"), [("gomoku", {"in_a_row": 3}), ("hex", {})])
def test_placed_stones_are_refused_quickly(game, in_a_row):
    pieces = (["p0"] * 19 + ["p1"] * 19) * 9 + ["p0"] * 10 + ["p1"] * 9
    with pytest.raises(MeepleError, match="no order was found"):
        arranging.arrange(meeple.make(game, size=19, **in_a_row), pieces, max_placements=500)


def test_only_a_few_long_games_without_viewers_stay_in_memory(client, monkeypatch):
    residents = client.app.state.services.tables.residents
    made = [begin(client, [ME, ME])["id"] for _ in range(8)]
    one = residents.find(made[0]).cost
    monkeypatch.setattr(residents, "_limits", replace(LIMITS, max_idle_bytes=3 * one))
    with at(client, made[0]):
        pass
    assert len(residents.tables) <= 3
    for id in made:
        assert client.get(f"/api/tables/{id}").status_code == 200
    assert len(residents.tables) <= 3
    monkeypatch.setattr(residents, "_limits", replace(LIMITS, max_idle_bytes=0))
    for id in made:
        assert client.get(f"/api/tables/{id}").status_code == 200
    assert len(residents.tables) == 1


def test_a_failing_database_gives_status_503_without_details(client, monkeypatch):
    def locked(*args):
        raise OperationalError("SELECT secret", {"token": "secret"}, Exception("locked"))

    monkeypatch.setattr(client.app.state.services.resources.store, "add", locked)
    answer = client.post("/api/tables", json={**NIM, "seats": [ME, ME]})
    assert answer.status_code == 503
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OperationalError("INSERT", {}, Exception("database or disk is full")), "error"),
        (OSError("no space"), "the game cannot be stored: see the server's messages"),
    ],
)
def test_a_move_that_cannot_be_stored_is_sent_to_no_client(client, monkeypatch, error, said):
    """The player once saw the roll and knew it when the same dice came again."""
    made = begin(client, [ME, ME], game="catan-reduced", options={"players": 2})
    residents = client.app.state.services.tables.residents

    def full(*args, **columns):
        raise error

    with at(client, made["id"], made["tokens"].values()) as me:
        action = me.view["actions"][0]["id"]
        with monkeypatch.context() as patch:
            patch.setattr(client.app.state.services.resources.store, "append", full)
            dropped = residents.find(made["id"])
            me.say("play", ply=0, actions=[action])
            told = [me.socket.receive_json() for _ in range(2)]
        assert {message["type"] for message in told} == {"reload", "error"}
        assert said in str(told)
        assert not residents.has(dropped)
        assert client.get(f"/api/tables/{made['id']}").json()["ply"] == 0
        for late in ("hint", "resign"):  # no later request about the dropped table may show it
            me.say(late)
            assert "loaded again" in me.message("error")["text"]
    with at(client, made["id"], made["tokens"].values()) as me:
        assert me.view["ply"] == 0, "what could not be stored did not happen"


def test_a_game_is_read_whole_while_its_moves_are_stored(tmp_path):
    reading, writing = store.GameStore(tmp_path), store.GameStore(tmp_path)
    table = begun_table(stones=9)
    row = new_stored(table.game.start(1), table.seats, terms_of(table), {})
    id = row.id
    reading.add(row, [store.Ply(0)])

    @event.listens_for(reading.engine, "after_cursor_execute")
    def _move_stored(*_):
        writing.append(id, writing.count_plies([id]), [store.Ply(0)])

    for _ in range(3):
        game, plies = reading.game(id)
        assert len(plies) == game.plies
    for one in (reading, writing):
        one.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seats", "{"),
        ("seats", '"text"'),
        ("seats", "[1, 2]"),
        ("options", "[["),
        ("result", '{"payoffs": "x"}'),
        ("result", '{"payoffs": [1.0]}'),
        ("terms", "nothing"),
        ("seats", b"[\xff"),
        ("plies", "3"),  # more than are stored
    ],
)
def test_a_damaged_row_hides_no_other_and_is_named_in_the_log(client, caplog, column, value):
    damaged, whole = (begin(client, [ME, ME])["id"] for _ in range(2))
    with client.app.state.services.resources.store.engine.begin() as connection:
        change = text(
            f"UPDATE games SET {column} = CAST(:value AS TEXT) WHERE id = :id"
        )  # the name of a column
        connection.execute(change, {"value": value, "id": damaged})
    answer = client.get("/api/tables")
    assert answer.status_code == 200
    listed = [table["id"] for table in answer.json()["tables"]]
    assert whole in listed
    if damaged not in listed:
        assert damaged in caplog.text
    residents = client.app.state.services.tables.residents
    residents._drop(residents.find(damaged))
    for address in ("", "/replay", "/record"):
        answer = client.get(f"/api/tables/{damaged}{address}")
        assert answer.status_code == 404, (address, answer.text)
        words = f"game {damaged} is damaged in the database, and cannot be shown"
        fields = {"id": damaged}
        assert answer.json() == {"error": words, "code": "game_damaged", "fields": fields}
    with client.websocket_connect(SOCKET) as socket:
        socket.send_json({"type": "watch", "table": damaged})
        assert "is damaged" in socket.receive_json()["text"]


def test_a_search_text_with_a_zero_byte_finds_nothing(client):
    """The byte once ended the pattern, which then matched every game."""
    begin(client, [ME, ME])
    for field in ("text", "player", "game"):
        assert client.get(f"/api/tables?{field}=%00").json()["tables"] == []
    assert len(client.get("/api/tables?text=nim").json()["tables"]) == 1


@pytest.mark.parametrize("seats", ["agent", "people"])
def test_dice_cannot_be_undone_at_a_table_with_an_agent(seats):
    """Otherwise a player would continue with knowledge of future dice."""
    rivals = [Seat("agent", spec="random")] if seats == "agent" else [Seat("human", token="y")]
    seats_taken = [Seat("human", token="x"), *rivals]
    table = begun_table("catan-reduced", seats_taken, seed=4, players=2)
    player, here = meeple.agent("random", table.game, 1), frozenset((0,))
    refused = allowed = 0
    for _ in range(60):
        if table.is_over:
            break
        goal = undo_goal(table, here)
        if goal is not None:
            refusal = undo_refusal(table, here)
            if CHANCE in table.history.movers[goal:] and seats == "agent":
                assert refusal == "undo_chance"
                refused += 1
            else:
                allowed += 1
        table.choose(player.choose(table.position))
    assert bool(refused) == (seats == "agent")
    assert refused or allowed


def test_downloads_are_limited_to_a_moment_of_work(tmp_path, client):
    line = json.dumps(RECORD)
    ids = client.post("/api/records", json={"text": "\n".join([line] * 9)}).json()["ids"]
    url = f"/api/records?ids={','.join(ids)}"
    assert len(client.get(url).text.splitlines()) == 9
    with serving(tmp_path, replace(LIMITS, max_download_plies=8)) as limited:
        assert "fewer" in limited.get(url).json()["error"]
        assert limited.get(f"/api/tables/{ids[0]}/record").status_code == 200


def test_an_upload_stores_all_of_its_games_or_none(client):
    with client.app.state.services.resources.store.engine.begin() as connection:
        connection.execute(
            text(
                "CREATE TRIGGER full BEFORE INSERT ON plies WHEN (SELECT count(*) FROM games) > 1 "
                "BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
        )
    line = json.dumps(RECORD)
    assert client.post("/api/records", json={"text": f"{line}\n{line}"}).status_code == 503
    assert client.get("/api/tables").json()["tables"] == []
    assert client.post("/api/records", json={"text": line}).status_code == 200


# ------------------------------------------------------------ rates


def test_a_client_over_its_rate_is_not_read_until_its_budget_recovers(tmp_path, pool):
    limits = replace(LIMITS, table_messages=Rate(20.0, 3.0))
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(serving(tmp_path, limits))
        made = begin(client, [ME, ME])
        me = stack.enter_context(at(client, made["id"], made["tokens"].values()))
        began = time.monotonic()
        for ply in range(9):
            me.say("play", ply=ply, actions=[0])
        me.until(lambda view: view["status"] == "over")
        assert time.monotonic() - began > 5 / limits.table_messages.per_second


# ------------------------------------------------------------ hidden information


def test_a_multiplayer_game_cannot_start_from_a_record_with_known_cards(client):
    game = meeple.make("catan", players=2)
    record = meeple.games.contract.records.record_of(game.start(5), ["Ann", "Bob"]).to_json()
    body = {"game": "catan", "seats": [ME, FRIEND], "record": record}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 400
    assert "knows what is hidden" in answer.json()["error"]


def test_a_multiplayer_game_cannot_start_from_a_record_with_known_dice(client):
    game = meeple.make("catan-reduced", players=2)
    record = meeple.games.contract.records.record_of(game.start(5), ["Ann", "Bob"]).to_json()
    seeds = set()
    for seats in ([ME, ME], [ME, FRIEND]):
        body = {"game": "catan-reduced", "seats": seats, "record": record}
        made = client.post("/api/tables", json=body).json()
        seeds.add(client.app.state.services.resources.store.game(made["id"])[0].seed)
    assert 5 in seeds
    assert len(seeds) == 2


def test_buying_a_card_cannot_be_undone():
    """Otherwise a player could buy, look, undo, and continue with knowledge of the next card."""
    seats = [Seat("human", token="x"), Seat("agent", spec="random"), Seat("agent", spec="random")]
    table = begun_table("catan", seats, seed=4, players=3, victory_points=6)
    player = meeple.agent("weighted", table.game, 1)
    here = frozenset((0,))
    refused = allowed = 0
    while not table.is_over:
        goal = undo_goal(table, here)
        if goal is not None:
            secret = any(t.ply >= goal and t.to(0) != t.to(None) for t in table.history.told)
            refusal = undo_refusal(table, here)
            assert (refusal is not None) == (secret or CHANCE in table.history.movers[goal:])
            assert secret == (refusal == "undo_seen")
            refused, allowed = refused + secret, allowed + (not secret)
        table.choose(player.choose(table.position))
    assert refused
    assert allowed
    assert undo_refusal(table, here) == "game_over", "all cards have been shown"


def test_the_server_does_not_reveal_the_folder_of_its_networks(client):
    seats = [ME, {"kind": "agent", "spec": "puct:hex7,sims=2"}]
    answer = client.post("/api/tables", json={**NIM, "seats": seats})
    assert answer.status_code == 400
    assert "hex7 was trained for hex" in answer.json()["error"]
    assert "/" not in answer.text


# ------------------------------------------------------------ results


def test_a_player_who_resigned_cannot_agree_to_an_undo(client):
    table, mine, theirs = two_people(client)
    with at(client, table, mine) as me, at(client, table, theirs) as friend:
        me.play("take 2")
        me.say("undo")
        friend.until(lambda view: view["asks"] == {"kind": "undo", "seat": 0})
        friend.say("resign")
        friend.until(lambda view: view["status"] == "over")
        assert friend.view["asks"] is None
        friend.say("answer", agree=True)
        assert "nobody asks" in friend.message("error")["text"]
    assert client.get(f"/api/tables/{table}").json()["status"] == "over"


def test_a_move_is_undone_once_all_others_agree(client):
    options = {"players": 3, "hidden_hands": False}
    made = begin(client, [ME, FRIEND, FRIEND], game="catan", options=options)
    url = f"/api/tables/{made['id']}"
    others = [
        client.post(f"{url}/claim", json={"invite": invite}).json()["token"]
        for invite in made["invites"].values()
    ]
    with (
        at(client, made["id"], made["tokens"].values()) as me,
        at(client, made["id"], others[:1]) as second,
        at(client, made["id"], others[1:]) as third,
    ):
        me.say("play", ply=0, actions=[me.view["actions"][0]["id"]])
        me.until(lambda view: view["ply"] == 1)
        me.say("undo")
        third.until(lambda view: view["asks"] == {"kind": "undo", "seat": 0})
        second.until(lambda view: view["asks"] == {"kind": "undo", "seat": 0})
        for _ in range(2):
            second.say("answer", agree=True)
        assert "nobody asks" in second.message("error")["text"]
        assert client.get(url).json()["ply"] == 1
        third.say("answer", agree=True)
        third.until(lambda view: view["ply"] == 0)
