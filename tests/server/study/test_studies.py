"""Studies through the server's routes: made, changed under a version, read, written as files."""

import base64
import json

import pytest
from sqlalchemy import text

from meeple.games.contract.records import GameRecord
from meeple.server.limits import ServerLimits
from tests.server.library.test_library import random_game
from tests.server.tables import ME, begin, serving

SGF = "(;GM[11]SZ[5]PB[Ann]PW[Bob];B[c3]C[centre](;W[d4]TR[a1])(;W[b2];B[b3]))"
HEX = {"game": "hex", "options": {"size": 5}}
COLUMNS = ("ids", "parents", "actions", "comments", "marks")


def make(client, status=200, title="Mine", **given):
    answer = client.post("/api/studies", json={"title": title, **given})
    assert answer.status_code == status, answer.text
    return answer.json()


def read(client, link, status=200):
    answer = client.get(f"/api/studies/{link}")
    assert answer.status_code == status, answer.text
    return answer.json()


def tree_of(study, **changes):
    columns = {name: study["nodes"][name] for name in COLUMNS}
    return {"game": study["game"], "options": study["options"], **columns, **changes}


def save(client, link, version, status=200, *, title="Mine", tree):
    wanted = {"version": version, "title": title, "tree": tree}
    answer = client.post(f"/api/studies/{link}", json=wanted)
    assert answer.status_code == status, answer.text
    return answer.json()


def grown(study, parent, action, comment="", marks=""):
    """The tree of a study with one more node."""
    tree = tree_of(study)
    added = zip(COLUMNS, (1 + max(tree["ids"]), parent, action, comment, marks), strict=True)
    return {**tree, **{name: [*tree[name], value] for name, value in added}}


def test_a_study_of_a_text_has_its_variations_comments_and_marks(client):
    study = make(client, text=SGF)
    nodes = study["nodes"]
    assert nodes["actions"] == ["", "c3", "d4", "b2", "b3"]
    assert nodes["parents"] == [-1, 0, 1, 1, 3]
    assert nodes["comments"][1] == "centre"
    assert nodes["marks"][2] == "triangle:0"
    assert nodes["movers"] == [-2, 0, 1, 1, 0]
    assert study["seats"] == ["Ann", "Bob"]


def test_a_study_of_a_file_is_decoded_by_the_server(client):
    text = "(;GM[11]CA[GBK]SZ[5]PB[王小明]PW[b];B[a1];W[b2])"
    study = make(client, data=base64.b64encode(text.encode("gbk")).decode())
    assert study["seats"] == ["王小明", "b"]
    assert study["notices"] == []
    guessed = text.replace("CA[GBK]", "").replace("王小明", "Jürgen").encode("latin-1")
    study = make(client, data=base64.b64encode(guessed).decode())
    assert study["seats"] == ["Jürgen", "b"]
    assert "which is a guess" in study["notices"][0]


def test_one_link_writes_and_the_other_only_reads(client):
    study = make(client, text=SGF)
    reading, writing = read(client, study["id"]), read(client, study["key"])
    assert (reading["can_write"], writing["can_write"]) == (False, True)
    assert reading["nodes"] == writing["nodes"]
    assert study["key"] not in json.dumps(reading)
    tree = grown(study, 2, "e5", "a comment", "circle:7")
    assert save(client, study["id"], 1, 403, tree=tree)["error"] == "this link only reads the study"
    saved = save(client, study["key"], 1, title="Ours", tree=tree)
    assert (saved["version"], saved["movers"][-1]) == (2, 0)
    again = read(client, study["id"])
    assert (again["title"], again["version"]) == ("Ours", 2)
    assert again["nodes"]["comments"][-1] == "a comment"
    assert again["nodes"]["marks"][-1] == "circle:7"


def test_a_change_of_an_older_version_is_refused_and_changes_nothing(client):
    study = make(client, text=SGF)
    save(client, study["key"], 1, tree=grown(study, 2, "e5"))
    refusal = save(client, study["key"], 1, 409, tree=grown(study, 2, "e4"))
    assert refusal["error"].startswith("this study was changed in another window")
    assert read(client, study["id"])["nodes"]["actions"][-1] == "e5"


def test_a_study_survives_the_server(tmp_path, pool):
    with serving(tmp_path) as client:
        study = make(client, text=SGF)
    with serving(tmp_path) as client:
        assert read(client, study["id"])["nodes"] == study["nodes"]


@pytest.mark.parametrize(
    ("link", "status", "words"),
    [
        *((link, 404, "there is no study at this address") for link in ("x", "a" * 64)),
        *((link, 422, "") for link in ("a" * 65, "%3Cb%3E")),
    ],
)
def test_a_damaged_address_is_answered_with_a_sentence(client, link, status, words):
    assert read(client, link, status)["error"].startswith(words)


@pytest.mark.parametrize("nodes", ["{half", "[1]", '{"ids": [0]}'])
def test_a_damaged_row_is_answered_with_a_sentence(client, nodes):
    study = make(client, text=SGF)
    engine = client.app.state.services.resources.store.engine
    with engine.begin() as connection:
        connection.execute(text("UPDATE studies SET nodes = :nodes"), {"nodes": nodes})
    assert read(client, study["id"], 404)["error"] == "this study is damaged in the database"


def test_a_deleted_study_is_gone(client):
    study = make(client, text=SGF)
    assert client.post(f"/api/studies/{study['id']}/remove").status_code == 403
    assert client.post(f"/api/studies/{study['key']}/remove").json() == {"done": True}
    read(client, study["id"], 404)


def download(client, study, format, status=200):
    answer = client.get(f"/api/studies/{study['id']}/file", params={"format": format})
    assert answer.status_code == status
    return answer


def test_sgf_and_json_lines_come_back(client):
    study = make(client, text=SGF)
    answer = download(client, study, "sgf")
    assert f"hex-study-{study['id']}.sgf" in answer.headers["content-disposition"]
    again = make(client, text=answer.text)
    assert (again["nodes"], again["seats"]) == (study["nodes"], ["Ann", "Bob"])
    answer = download(client, study, "jsonl")
    main, other = map(GameRecord.from_json, answer.text.splitlines())
    assert main.actions == ("c3", "d4")
    assert main.notes == {"comments": {"1": "centre"}, "marks": {"2": "triangle:0"}}
    assert other.actions == ("c3", "b2", "b3")
    assert make(client, text=answer.text)["nodes"] == study["nodes"]
    study = make(client, source={"game": "nim", "options": {"stones": 9}})
    assert "there is no SGF for nim" in download(client, study, "sgf", 400).json()["error"]


def test_variations_of_a_game_and_recorded_games_become_studies(client):
    source = {**HEX, "moves": ["c3", "d4", "b2"], "keep": 1, "then": ["a1", "a2"]}
    nodes = make(client, source=source)["nodes"]
    assert nodes["actions"] == ["", "c3", "d4", "b2", "a1", "a2"]
    assert nodes["parents"] == [-1, 0, 1, 2, 1, 4]
    record = random_game("catan", 3, seats=("Ann", "Bob", "Cid"), plies=40, players=3)
    study = make(client, source={"record": record.to_json()})
    assert study["nodes"]["actions"][1:] == list(record.actions)
    assert study["nodes"]["texts"][1].startswith("player 1")
    assert GameRecord.from_json(download(client, study, "jsonl").text).actions == record.actions


def test_a_game_in_progress_becomes_a_study_unless_it_has_secrets_or_allows_no_help(client):
    table = begin(client, [ME, ME])["id"]
    assert make(client, source={"table": table})["nodes"]["actions"] == [""]
    table = begin(client, [ME, ME], help=False)["id"]
    assert "without hints" in make(client, 403, source={"table": table})["error"]
    made = begin(client, [ME, ME, ME], game="catan", options={"players": 3})
    answer = client.post(
        "/api/studies",
        json={"title": "Cards", "source": {"table": made["id"]}},
        headers={"X-Seat-Tokens": ",".join(made["tokens"].values())},
    )
    assert (answer.status_code, "hidden cards" in answer.json()["error"]) == (403, True)


class TestLimits:
    @pytest.fixture
    def client(self, tmp_path, pool):
        limits = ServerLimits(
            max_studies=2,
            max_study_nodes=5,
            max_study_plies=3,
            max_comment_characters=10,
            max_study_characters=15,
            max_marks=1,
        )
        with serving(tmp_path, limits) as client:
            yield client

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"comments": ["x" * 11, "", ""]}, "a comment may have at most 10 characters"),
            ({"comments": ["x" * 9, "x" * 9, ""]}, "may have 15 characters in all"),
            ({"marks": ["circle:1 cross:2", "", ""]}, "at most 1 marks"),
            ({"marks": ["<script>", "", ""]}, "a mark is a shape"),
            ({"actions": ["", "c3", "c3"]}, "move 2 of a variation"),
            ({"parents": [-1, 0, 9]}, "before its parent"),
            ({"ids": [0, 1, 1]}, "given twice"),
        ],
    )
    def test_wrong_trees_are_refused_with_a_sentence(self, client, changes, words):
        study = make(client, source={**HEX, "moves": ["c3", "d4"]})
        refusal = save(client, study["key"], 1, 400, tree=tree_of(study, **changes))
        assert words in refusal["error"]
        assert read(client, study["id"])["version"] == 1

    def test_a_server_that_has_its_studies_refuses_another(self, client):
        first, _ = make(client, source=HEX), make(client, source=HEX)
        assert "stores 2 studies and takes no more" in make(client, 503, source=HEX)["error"]
        assert client.post(f"/api/studies/{first['key']}/remove").json() == {"done": True}
        make(client, source=HEX)

    def test_a_tree_has_a_limited_size_and_depth(self, client):
        words = make(client, 400, source={**HEX, "moves": ["a1", "a2", "a3", "a4", "a5"]})["error"]
        assert words == "a study may have at most 5 positions"
        words = make(client, 400, source={**HEX, "moves": ["a1", "a2", "a3", "a4"]})["error"]
        assert words == "a line of a study may have at most 3 moves"

    @pytest.mark.parametrize(
        "wanted",
        [
            {"title": " ", "text": SGF},
            {"title": "x" * 101, "text": SGF},
            {"title": "x"},
            {"title": "x", "text": SGF, "source": HEX},
            {"title": "x", "tree": {**HEX, **{key: [] for key in COLUMNS}, "ids": [0]}},
        ],
    )
    def test_malformed_requests_are_refused(self, client, wanted):
        assert client.post("/api/studies", json=wanted).status_code == 422
