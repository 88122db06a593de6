"""The library stores uploads, returns them, and refuses invalid ones with a message."""

import base64
import contextlib
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

HEX = "(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[B+R]EV[Club night];B[c3]C[a good start];W[d4])"
ME = {"kind": "me"}


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


class TestUpload:
    @pytest.mark.slow
    def test_json_lines_survive_upload_and_download(self, client):
        records = [random_game(size=4), random_game("nim", 1), random_game("reversi", 2, size=4)]
        ids = bring(client, to_lines(records))
        assert [GameRecord.from_json(download(client, id).text) for id in ids] == records

    @pytest.mark.slow
    def test_a_game_of_catan_survives_upload_and_download(self, client):
        record = random_game("catan", 3, seats=("Ann", "Bob", "Cid"), plies=300, players=3)
        [id] = bring(client, to_lines([record]))
        assert GameRecord.from_json(download(client, id).text) == record

    def test_sgf_survives_upload_and_download(self, client):
        [id] = bring(client, HEX)
        answer = download(client, id, "sgf")
        assert games_of(answer.text) == games_of(HEX)
        assert f'filename="hex-{id}.sgf"' in answer.headers["content-disposition"]

    def test_byte_order_marks_are_ignored(self, client):
        record = random_game("nim", 1)
        ids = bring(client, "".join("\ufeff" + to_lines([record]) for _ in range(2)))
        ids += bring(client, "\ufeff" + HEX)
        assert [GameRecord.from_json(download(client, id).text) for id in ids[:2]] == [record] * 2
        assert games_of(download(client, ids[2], "sgf").text) == games_of(HEX)

    def test_a_resigned_game_has_a_winner(self, client):
        [id] = bring(client, HEX)
        shown = client.get(f"/api/tables/{id}/replay").json()
        assert shown["result"] == "player 1 wins: player 2 resigned"

    def test_an_uploaded_game_is_listed(self, client):
        [id] = bring(client, HEX.replace("Ann", "Zoë Zanzibar"))
        answer = client.get("/api/tables", params={"player": "zanzibar"}).json()
        assert [table["id"] for table in answer["tables"]] == [id]
        assert answer["tables"][0]["origin"] == "uploaded"

    def test_an_upload_with_an_invalid_game_stores_none(self, client):
        before = client.get("/api/tables").json()["tables"]
        wrong = "(;GM[11]SZ[5];B[c3];W[c3])"
        assert refused(client, HEX + wrong) == (
            "game 2, move 2, W[c3]: the rules do not allow it there"
        )
        assert client.get("/api/tables").json()["tables"] == before

    def test_an_error_names_the_line_and_its_action(self, client):
        line = json.loads(random_game(size=3).to_json())
        line["actions"][1] = line["actions"][0]
        words = refused(client, f"{random_game(size=3).to_json()}\n{json.dumps(line)}")
        assert words.startswith("game 2, action 2 of the record, player 2 to move")

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
        ],
    )
    def test_a_text_without_a_game_is_refused(self, client, text, words):
        assert refused(client, text).startswith(words)

    @pytest.mark.parametrize(
        "text", [HEX * (LIMITS.max_upload_games + 1), "{}\n" * (LIMITS.max_upload_games + 1)]
    )
    def test_upload_over_the_limit_requires_a_start_index(self, client, text):
        words = refused(client, text, status=413)
        assert words == "these are 201 games; at most 200 are read at once"

    def test_games_over_the_limit_are_uploaded_in_parts(self, client):
        body = {"text": HEX * (LIMITS.max_upload_games + 3), "first": LIMITS.max_upload_games + 1}
        answer = client.post("/api/records", json=body)
        assert len(answer.json()["ids"]) == 3
        answer = client.post("/api/records", json=body | {"first": 900})
        assert answer.json()["error"] == "there is no game 900: it has 203 games"

    def test_ggf_and_psq_survive_upload_and_download(self, client):
        for name, format in (("reversi", "ggf"), ("gomoku", "psq")):
            text = formats.write([random_game(name, 3)], format)
            [id] = bring(client, text)
            answer = download(client, id, format)
            assert answer.text == text
            assert f'filename="{name}-{id}.{format}"' in answer.headers["content-disposition"]

    def test_a_binary_file_is_uploaded_as_base64(self, client):
        data = base64.b64encode(one_game()).decode()
        [id] = client.post("/api/records", json={"data": data}).json()["ids"]
        assert GameRecord.from_json(download(client, id).text).actions[:2] == ("f5", "d6")

    def test_a_text_is_uploaded_in_its_encoding_and_a_guess_is_reported(self, client):
        text = "(;GM[4]FF[4]CA[Shift_JIS]SZ[15]PB[表十]PW[Guest];B[hh];W[ii];B[gg])"
        data = base64.b64encode(text.encode("shift_jis")).decode()
        answer = client.post("/api/records", json={"data": data}).json()
        record = GameRecord.from_json(download(client, answer["ids"][0]).text)
        assert (record.seats, len(record.actions)) == (("表十", "Guest"), 3)
        assert answer["notices"] == []
        data = base64.b64encode(b"(;GM[11]SZ[3]PB[J\xfcrgen];B[a1])").decode()
        [notice] = client.post("/api/records", json={"data": data}).json()["notices"]
        assert "which is a guess" in notice

    def test_a_declared_result_is_stored_shown_and_downloaded(self, client):
        [id] = bring(client, "(;GM[11]SZ[4]PB[Ann]PW[Bob]RE[W+];B[a1])")
        listed = client.get("/api/tables?result=other").json()["tables"]
        [result] = [table["result"] for table in listed if table["id"] == id]
        assert result.endswith("wins (declared)")
        record = GameRecord.from_json(download(client, id).text)
        assert (record.shares, record.is_declared) == ((0.0, 1.0), True)
        found = client.post("/api/explore", json={"source": {"table": id}, "ply": 0}).json()
        assert sum(move["declared"] for move in found["moves"]) == 1

    @pytest.mark.parametrize("body", [{}, {"text": HEX, "data": "AAAA"}])
    def test_an_upload_has_either_text_or_bytes(self, client, body):
        answer = client.post("/api/records", json=body)
        assert answer.status_code == 422
        assert "one of 'text' or 'data'" in answer.json()["error"]

    @pytest.mark.parametrize("data", ["\u00e9", "A", "(;GM[11])"])
    def test_invalid_base64_is_refused(self, client, data):
        answer = client.post("/api/records", json={"data": data})
        assert answer.status_code == 400
        assert "base64" in answer.json()["error"]

    def test_a_text_over_the_limit_is_refused(self, client):
        refused(client, "(;" + "x" * 1_000_001, status=422)

    def test_a_game_over_the_length_limit_is_refused(self, client):
        long = GameRecord("nim", {}, ("a", "b"), 0, ("take 1",) * 20_001, None)
        assert "20,000 plies, not 20,001" in refused(client, long.to_json())

    def test_an_error_message_does_not_repeat_a_long_text(self, client):
        long = GameRecord("nim", {}, ("a", "b"), 0, ("x" * 100_000,), None)
        assert len(refused(client, long.to_json())) < 500

    def test_a_long_name_is_truncated(self, client):
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


class TestDownload:
    def test_several_games_are_downloaded_as_one_file_in_order(self, client):
        ids = bring(client, HEX + HEX.replace("c3", "b2"))
        answer = client.get("/api/records", params={"ids": ",".join(ids), "format": "sgf"})
        assert [record.actions[0] for record in games_of(answer.text)] == ["c3", "b2"]

    def test_a_game_without_sgf_names_the_format_to_use(self, client):
        [id] = bring(client, random_game("nim").to_json())
        answer = client.get(f"/api/tables/{id}/record", params={"format": "sgf"})
        assert answer.status_code == 400
        assert "take JSON lines" in answer.json()["error"]

    @pytest.mark.parametrize("path", ["record", "replay"])
    def test_a_missing_game_is_reported(self, client, path):
        answer = client.get(f"/api/tables/nobody-has-it/{path}")
        assert answer.status_code == 404
        assert "there is no game" in answer.json()["error"]

    @pytest.mark.parametrize("id", ["..%2F..%2Fetc", "a b", "x" * 40])
    def test_an_invalid_id_is_refused(self, client, id):
        assert client.get(f"/api/tables/{id}/record").status_code in (404, 422)

    @pytest.mark.parametrize("ids", ["", ",", "../x", "a," * 3000])
    def test_an_invalid_list_of_games_is_refused(self, client, ids):
        assert client.get("/api/records", params={"ids": ids}).status_code in (400, 422)

    def test_a_game_in_progress_is_downloaded_without_its_seed(self, client):
        made = client.post(
            "/api/tables", json={"game": "hex", "options": {"size": 4}, "seats": [ME, ME]}
        ).json()
        record = GameRecord.from_json(download(client, made["id"]).text)
        assert (record.seed, record.payoffs) == (0, None)

    @pytest.mark.parametrize("path", ["record", "replay"])
    def test_a_game_with_hidden_information_is_withheld_until_it_ends(self, client, path):
        wanted = {"game": "catan", "options": {"players": 3}, "seats": [ME, ME, ME]}
        made = client.post("/api/tables", json=wanted).json()
        answer = client.get(f"/api/tables/{made['id']}/{path}")
        assert answer.status_code == 403
        assert "seed" not in answer.text


class TestReplay:
    def test_a_replay_has_every_ply_in_order(self, client):
        [id] = bring(client, HEX)
        answer = client.get(f"/api/tables/{id}/replay").json()
        assert [(ply["ply"], ply["seat"], ply["text"]) for ply in answer["plies"]] == [
            (0, 0, "c3"),
            (1, 1, "d4"),
        ]
        assert (answer["game"], answer["seats"]) == ("hex", ["Ann", "Bob"])
        assert answer["notes"] == {"event": "Club night", "comments": {"1": "a good start"}}

    def test_an_agents_evaluation_is_stored_with_its_ply(self, client):
        wanted = {
            "game": "nim",
            "options": {"stones": 5},
            "seats": [{"kind": "agent", "spec": "random"}, {"kind": "agent", "spec": "random"}],
        }
        made = client.post("/api/tables", json=wanted).json()
        with (
            contextlib.suppress(AssertionError),
            client.websocket_connect(
                "ws://127.0.0.1/ws/table", headers={"origin": "http://127.0.0.1"}
            ) as socket,
        ):
            socket.send_json({"type": "watch", "table": made["id"], "tokens": []})
            while socket.receive_json()["status"] != "over":
                pass
        plies = client.get(f"/api/tables/{made['id']}/replay").json()["plies"]
        assert plies
        assert all(ply["value"] == [0.5, 0.5] for ply in plies)
        looked_at = client.post("/api/positions", json={"source": {"table": made["id"]}}).json()
        assert [ply["value"] for ply in looked_at["plies"]] == [ply["value"] for ply in plies]

    def test_a_replay_of_catan_describes_events_in_sentences(self, client):
        record = random_game("catan", 5, seats=("Ann", "Bob", "Cid"), plies=100, players=3)
        [id] = bring(client, record.to_json())
        plies = client.get(f"/api/tables/{id}/replay").json()["plies"]
        assert len(plies) == len(record.actions)
        assert any(" rolled " in ply["text"] for ply in plies)


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


def test_the_page_gets_the_limits_of_uploads(client):
    limits = client.get("/api/games").json()["upload_limits"]
    assert limits == {"games": LIMITS.max_upload_games, "bytes": MAX_FILE_BYTES}
