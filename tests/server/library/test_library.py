"""The library stores uploads, returns them, and refuses invalid ones with a message."""

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord, record_of, to_lines
from meeple.protocols.records import formats
from meeple.server.library.uploads import read_games
from meeple.server.limits import LIMITS
from meeple.server.web.schemas import MAX_FILE_BYTES
from tests.conformance import played
from tests.protocols.records.test_wthor import one_game
from tests.server.tables import ME, agent, at, begin

HEX = "(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R]EV[Club night];B[c3]C[a good start];W[d4])"
LONG = (
    '{{"game": "nim", "options": {{}}, "seats": ["a", "b"], "seed": 0, "actions": [{}], '
    '"payoffs": null}}'
)
"""A record in progress, without its actions."""


def random_game(name="hex", seed=0, seats=("Ann", "Bob"), plies=10_000, **options):
    return record_of(played(meeple.make(name, **options), seed, plies), seats)


def bring(client, text):
    answer = client.post("/api/records", json={"text": text})
    assert answer.status_code == 200, answer.text
    return answer.json()["ids"]


def games_of(text):
    return list(formats.read(text, format="sgf").found.records())


def refused(client, text, status=400):
    answer = client.post("/api/records", json={"text": text})
    assert answer.status_code == status, answer.text
    return answer.json()["error"]


def download(client, id, format="jsonl"):
    answer = client.get(f"/api/tables/{id}/record", params={"format": format})
    assert answer.status_code == 200, answer.text
    return answer


def test_json_lines_survive_upload_and_download(client):
    records = [random_game(size=4), random_game("nim", 1), random_game("reversi", 2, size=4)]
    records.append(random_game("catan", 3, seats=("Ann", "Bob", "Cid"), plies=100, players=3))
    ids = bring(client, to_lines(records))
    assert [GameRecord.from_json(download(client, id).text) for id in ids] == records
    plies = client.get(f"/api/tables/{ids[-1]}/replay").json()["plies"]
    assert len(plies) == len(records[-1].actions)
    assert any(" rolled " in ply["text"] for ply in plies)


def test_sgf_is_listed_replayed_and_survives_upload_and_download(client):
    [id] = bring(client, HEX.replace("Ann", "Zoë Zanzibar"))
    answer = download(client, id, "sgf")
    assert games_of(answer.text) == games_of(HEX.replace("Ann", "Zoë Zanzibar"))
    assert f'filename="hex-{id}.sgf"' in answer.headers["content-disposition"]
    [listed] = client.get("/api/tables", params={"player": "zanzibar"}).json()["tables"]
    assert (listed["id"], listed["origin"]) == (id, "uploaded")
    shown = client.get(f"/api/tables/{id}/replay").json()
    assert shown["result"] == "player 1 wins: player 2 resigned"
    assert [(ply["ply"], ply["seat"], ply["text"]) for ply in shown["plies"]] == [
        (0, 0, "c3"),
        (1, 1, "d4"),
    ]
    assert (shown["game"], shown["seats"]) == ("hex", ["Zoë Zanzibar", "Bob"])
    assert shown["notes"] == {"event": "Club night", "comments": {"1": "a good start"}}


def test_an_upload_is_listed_as_ones_own_and_deleted_with_its_token(client):
    mine, other = ({"X-Seat-Tokens": token} for token in ("mine", "other"))
    ids = [
        client.post("/api/records", json={"text": HEX}, headers=headers).json()["ids"][0]
        for headers in (mine, other)
    ]
    listed = client.get("/api/tables", params={"mine": True}, headers=mine).json()["tables"]
    assert [(one["id"], one["begun"]) for one in listed] == [(ids[0], True)]
    wanted = {"mine": True, "ids": ids[1]}
    assert len(client.get("/api/tables", params=wanted, headers=mine).json()["tables"]) == 2
    assert client.post(f"/api/tables/{ids[1]}/remove", headers=mine).status_code == 403
    assert client.post(f"/api/tables/{ids[0]}/remove", headers=mine).status_code == 200
    assert [client.get(f"/api/tables/{id}").status_code for id in ids] == [404, 200]


def test_byte_order_marks_are_ignored(client):
    record = random_game("nim", 1)
    ids = bring(client, "".join("\ufeff" + to_lines([record]) for _ in range(2)))
    ids += bring(client, "\ufeff" + HEX)
    assert [GameRecord.from_json(download(client, id).text) for id in ids[:2]] == [record] * 2
    assert games_of(download(client, ids[2], "sgf").text) == games_of(HEX)


def test_the_number_of_a_seat_is_no_name_but_a_sentence(client):
    [id] = bring(client, HEX.replace("Ann", "player 1"))
    shown = client.get(f"/api/tables/{id}/replay").json()
    assert shown["seats"] == ["player 1", "Bob"]
    assert shown["sentences"]["player 1"] == {"code": "game.player", "fields": {"n": 1}}


def test_an_upload_with_an_invalid_game_stores_none_and_names_its_move(client):
    before = client.get("/api/tables").json()["tables"]
    wrong = "(;GM[11]SZ[5];B[c3];W[c3])"
    assert refused(client, HEX + wrong) == "game 2, move 2, W[c3]: the rules do not allow it there"
    line = json.loads(random_game(size=3).to_json())
    line["actions"][1] = line["actions"][0]
    words = refused(client, f"{random_game(size=3).to_json()}\n{json.dumps(line)}")
    assert words.startswith("game 2, action 2 of the record, player 2 to move")
    assert client.get("/api/tables").json()["tables"] == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no game in this text"),
        (" \n\n", "there is no game in this text"),
        ("e4 e5", "this is in no format of game records: known are jsonl"),
        ("{", "line 1: this is not a game record: the line is no JSON"),
        ('\n{"game": 1}', "line 2: this is not a game record: it needs the fields"),
        ('{"game":' + "[" * 100_000, "line 1: this is not a game record"),
        ("(;GM[1];B[aa])", "it has GM[1]"),
        (LONG.format('"take 1",' * 20_000 + '"take 1"'), "20,000 plies, not 20,001"),
    ],
)
def test_a_text_without_a_game_is_refused_in_a_short_sentence(client, text, words):
    assert words in refused(client, text)
    assert len(refused(client, LONG.format('"' + "x" * 100_000 + '"'))) < 500


def test_games_over_the_limit_are_uploaded_in_parts(client):
    most = LIMITS.max_upload_games
    for text in (HEX * (most + 1), "{}\n" * (most + 1)):
        words = refused(client, text, status=413)
        assert words == "these are 201 games; at most 200 are read at once"
    refused(client, "(;" + "x" * 1_000_001, status=422)
    body = {"text": HEX * (most + 3), "first": most + 1}
    assert len(client.post("/api/records", json=body).json()["ids"]) == 3
    answer = client.post("/api/records", json=body | {"first": 900})
    assert answer.json()["error"] == "there is no game 900: it has 203 games"
    limits = client.get("/api/games").json()["upload_limits"]
    assert limits == {"games": most, "bytes": MAX_FILE_BYTES}


def test_ggf_and_psq_survive_upload_and_download(client):
    for name, format in (("reversi", "ggf"), ("gomoku", "psq")):
        text = formats.write([random_game(name, 3)], format)
        [id] = bring(client, text)
        answer = download(client, id, format)
        assert answer.text == text
        assert f'filename="{name}-{id}.{format}"' in answer.headers["content-disposition"]


def test_files_are_uploaded_as_base64_in_their_encoding_and_a_guess_is_reported(client):
    def upload(data):
        answer = client.post("/api/records", json={"data": base64.b64encode(data).decode()}).json()
        return GameRecord.from_json(download(client, answer["ids"][0]).text), answer["notices"]

    assert upload(one_game())[0].actions[:2] == ("f5", "d6")
    text = "(;GM[4]FF[4]CA[Shift_JIS]SZ[15]PB[表十]PW[Guest];B[hh];W[ii];B[gg])"
    record, notices = upload(text.encode("shift_jis"))
    assert (record.seats, len(record.actions), notices) == (("表十", "Guest"), 3, [])
    [notice] = upload(b"(;GM[11]SZ[3]PB[J\xfcrgen];B[a1])")[1]
    assert "which is a guess" in notice


def test_a_declared_result_is_stored_shown_and_downloaded(client):
    [id] = bring(client, "(;GM[11]SZ[4]PB[Ann]PW[Bob]RE[W+];B[a1])")
    listed = client.get("/api/tables?result=other").json()["tables"]
    [result] = [table["result"] for table in listed if table["id"] == id]
    assert result.endswith("wins (declared)")
    record = GameRecord.from_json(download(client, id).text)
    assert (record.shares, record.is_declared) == ((0.0, 1.0), True)
    found = client.post("/api/explore", json={"source": {"table": id}, "ply": 0}).json()
    assert sum(move["declared"] for move in found["moves"]) == 1


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 422, "one of 'text' or 'data'"),
        ({"text": HEX, "data": "AAAA"}, 422, "one of 'text' or 'data'"),
        *(({"data": data}, 400, "base64") for data in ("\u00e9", "A", "(;GM[11])")),
    ],
)
def test_an_upload_is_either_text_or_base64(client, body, status, words):
    answer = client.post("/api/records", json=body)
    assert (answer.status_code, words in answer.json()["error"]) == (status, True)


def test_a_long_name_is_truncated(client):
    [id] = bring(client, random_game("nim", seats=("x" * 900, "b\n\tb")).to_json())
    assert GameRecord.from_json(download(client, id).text).seats == ("x" * 100, "b b")


def test_games_are_filtered_by_winner(client):
    won = "(;GM[11]SZ[5]PB[Result Finder]RE[{}];B[c3];W[d4])"
    seats = ("Result Finder", "Somebody")
    games = (random_game("reversi", seed, seats, size=4) for seed in range(99))
    drawn = next(game for game in games if game.payoffs == (0.5, 0.5))
    ids = bring(client, won.format("B+R") + won.format("W+R") + won.format("?"))
    ids += bring(client, to_lines([drawn]))
    for id, result in zip(ids, ("first", "other", "none", "draw"), strict=True):
        wanted = {"player": "result finder", "result": result}
        found = client.get("/api/tables", params=wanted).json()["tables"]
        assert [table["id"] for table in found] == [id], result
    assert client.get("/api/tables", params={"result": "nobody"}).status_code == 422


def test_several_games_are_downloaded_as_one_file_in_order(client):
    ids = bring(client, HEX + HEX.replace("c3", "b2"))
    answer = client.get("/api/records", params={"ids": ",".join(ids), "format": "sgf"})
    assert [record.actions[0] for record in games_of(answer.text)] == ["c3", "b2"]


def test_a_game_without_sgf_names_the_format_to_use(client):
    [id] = bring(client, random_game("nim").to_json())
    answer = client.get(f"/api/tables/{id}/record", params={"format": "sgf"})
    assert answer.status_code == 400
    assert "take JSON lines" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        *((f"tables/nobody-has-it/{part}", {404}) for part in ("record", "replay")),
        *((f"tables/{id}/record", {404, 422}) for id in ("..%2F..%2Fetc", "a b", "x" * 40)),
        *((f"records?ids={ids}", {400, 422}) for ids in ("", ",", "../x", "a," * 3000)),
    ],
)
def test_a_missing_or_invalid_game_is_not_downloaded(client, path, statuses):
    answer = client.get(f"/api/{path}")
    assert answer.status_code in statuses
    assert statuses != {404} or "there is no game" in answer.json()["error"]


def test_a_game_in_progress_is_downloaded_without_its_seed_and_one_with_secrets_is_not(client):
    def begun(game, **options):
        wanted = {"game": game, "options": options, "seats": [ME] * options.get("players", 2)}
        return client.post("/api/tables", json=wanted).json()["id"]

    record = GameRecord.from_json(download(client, begun("hex", size=4)).text)
    assert (record.seed, record.payoffs) == (0, None)
    id = begun("catan", players=3)
    for path in ("record", "replay"):
        answer = client.get(f"/api/tables/{id}/{path}")
        assert answer.status_code == 403
        assert "seed" not in answer.text


def test_an_agents_evaluation_is_stored_with_its_ply(client):
    made = begin(client, [agent(), agent()], options={"stones": 5})
    with at(client, made["id"]) as page:
        page.until(lambda view: view["status"] == "over")
    plies = client.get(f"/api/tables/{made['id']}/replay").json()["plies"]
    assert plies
    assert all(ply["value"] == [0.5, 0.5] for ply in plies)
    looked_at = client.post("/api/positions", json={"source": {"table": made["id"]}}).json()
    assert [ply["value"] for ply in looked_at["plies"]] == [ply["value"] for ply in plies]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@pytest.mark.slow
@given(
    st.fixed_dictionaries(
        {
            "game": st.sampled_from(["hex", "nim", "ledge", "reversi", "gomoku"]) | JSON,
            "options": st.dictionaries(
                st.sampled_from(["size", "swap", "row", "heaps", "stones", "payoff"]), JSON
            )
            | JSON,
            "seats": st.just(["a", "b"]) | JSON,
            "seed": st.integers() | JSON,
            "actions": st.lists(st.sampled_from(["a1", "take 1", "pick", "swap", ""])) | JSON,
            "payoffs": st.none() | st.just([1, 0]) | JSON,
        },
        optional={"opening": st.integers() | JSON, "notes": JSON, "board": JSON},
    )
)
@settings(max_examples=200)
def test_any_json_is_a_game_or_is_refused_with_a_message(fields):
    try:
        read_games(json.dumps(fields), None, LIMITS.max_upload_games)
    except MeepleError as error:
        assert "\n" not in str(error)  # noqa: PT017 - most texts are refused, some are games
