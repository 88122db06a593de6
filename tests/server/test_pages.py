"""Pages of plug-ins: their routes and files have the limits of the server's own."""

import json
import re

import pytest

from meeple.server.limits import LIMITS
from meeple.server.pages import PAGES, added_pages
from meeple.server.web.guard import CSP
from tests.server.tables import begin, serving
from tests.server.toys import FILES, MODULE, write_files

WORDS = "/api/plugins/toy/words"


@pytest.fixture
def toys(tmp_path, plug_in_package, monkeypatch):
    """Return a function that installs the plug-in with another text of its module."""
    monkeypatch.setattr(PAGES, "_loaded", {})

    def install(module=MODULE, name="toy"):
        write_files(tmp_path)
        plug_in_package("meeple-toys", {"pages": {name: "toys:PAGE"}}, toys=module)

    return install


@pytest.fixture
def client(tmp_path, toys, pool):
    toys()
    with serving(tmp_path) as client:
        yield client


def listed(client):
    """Return what the page is told of plug-ins."""
    (text,) = re.findall(r'id="plug-ins">(.*)</script>', client.get("/").text)
    return json.loads(text)


def test_page_lists_its_files_and_serves_them(client):
    (toy,) = listed(client)
    assert (toy["name"], toy["view"], toy["boards"]) == ("toy", "page.js", {"nim": "board.js"})
    assert (toy["title"]["de"], toy["languages"]) == ("Spielzeug", ["de", "en"])
    answer = client.get(toy["folder"] + toy["view"])
    assert answer.text == FILES["page.js"]
    assert "javascript" in answer.headers["content-type"]
    assert "immutable" in answer.headers["cache-control"]


def test_routes_have_a_prefix_and_the_servers_form_of_errors(client):
    assert client.get(WORDS).json() == {"words": f"{LIMITS.max_headers} toys"}
    assert client.get("/words").status_code == 404
    answer = client.post(WORDS, json={"words": "two"})
    assert (answer.status_code, answer.json()) == (409, {"error": "there are two already"})
    answer = client.post(WORDS, json={"wrong": 1})
    assert (answer.status_code, list(answer.json())) == (422, ["error"])


def test_routes_have_the_servers_guard(client, tmp_path):
    toy = listed(client)[0]
    for path in (WORDS, toy["folder"] + "page.js", "/api/plugins/toy/none"):
        headers = client.get(path).headers
        assert headers.get_list("content-security-policy") == [CSP]
        assert headers["x-content-type-options"] == "nosniff"
    for size in (LIMITS.small_json.max_bytes, 10_000_000):
        answer = client.post(WORDS, json={"words": "x" * size})
        assert answer.status_code == 413
        assert "bytes" in answer.json()["error"]
    elsewhere = {"origin": "http://evil.example"}
    assert client.post(WORDS, json={"words": "x"}, headers=elsewhere).status_code == 403
    with serving(tmp_path / "closed", password="secret", host="0.0.0.0") as closed:
        for path in (WORDS, toy["folder"] + "page.js"):
            assert closed.get(path).status_code == 401


def test_a_route_may_take_longer_requests(client):
    texts = "/api/plugins/toy/texts/long"
    size = LIMITS.small_json.max_bytes
    assert client.post(texts, json={"words": "x" * size}).json() == size
    size = LIMITS.game_json.max_bytes
    assert client.post(texts, json={"words": "x" * size}).status_code == 413


@pytest.mark.parametrize(
    "path", ["../toys.py", "%2e%2e/toys.py", "..%2ftoys.py", "languages/../../toys.py", "toys.py"]
)
def test_no_file_outside_of_the_folder_is_sent(client, path):
    answer = client.get(listed(client)[0]["folder"] + path)
    assert answer.status_code == 404
    assert "APIRouter" not in answer.text


@pytest.mark.parametrize("path", ["/api/games", "/../../games", "/{path:path}", "api/games"])
def test_no_route_shadows_one_of_the_server(path, toys, tmp_path, pool):
    with serving(tmp_path / "before") as client:
        before = client.get("/api/games").json().keys()
    toys(f'{MODULE}\nrouter.add_api_route("{path}", lambda: "stolen")\n')
    with serving(tmp_path / "after") as client:
        assert client.get("/api/games").json().keys() == before
        assert "stolen" not in client.get("/login").text
        assert client.get("/api/nothing").status_code == 404


def test_handlers_of_a_router_do_not_run(toys, tmp_path, pool):
    toys(f"{MODULE}\nrouter.on_startup.append(lambda: 1 / 0)\n")
    with serving(tmp_path) as client:
        assert client.get(WORDS).status_code == 200


def test_title_cannot_leave_its_element(toys, tmp_path, pool):
    title = "</script><script>alert(1)</script>"
    toys(MODULE.replace("Toys", title))
    with serving(tmp_path) as client:
        assert title not in client.get("/").text
        assert listed(client)[0]["title"]["en"] == title


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("static", "nowhere", "there is no folder "),
        ("page.js", "none.js", "there is no file none.js in "),
        ("board.js", "../toys.py", "there is no file ../toys.py in "),
        ("toy.css", "../../secret", "there is no file ../../secret in "),
        ("router=router", "router=3", "its router is a int, not an APIRouter"),
        ("PAGE =", "PAGE = 1 / 0 and", "ZeroDivisionError: "),
    ],
)
def test_faulty_page_is_left_out(old, new, sentence, toys, tmp_path, pool, caplog):
    toys(MODULE.replace(old, new))
    with serving(tmp_path) as client:
        assert listed(client) == []
        assert client.get("/api/games").status_code == 200
        assert client.get(WORDS).status_code == 404
    (message,) = [line for line in caplog.messages if "meeple-toys" in line]
    assert message.startswith("the plug-in toy (pages) of meeple-toys is left out: ")
    assert sentence in message


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("table", "Meeple has table itself"),
        ("lobby", "Meeple has lobby itself"),
        (
            "A.b",
            "a page's name has only small letters, digits, - and _",
        ),
        (
            "{x}",
            "a page's name has only small letters, digits, - and _",
        ),
    ],
)
def test_page_with_a_bad_name_is_left_out(name, sentence, toys, caplog):
    toys(name=name)
    assert added_pages() == {}
    assert caplog.messages[-1].endswith(sentence)


def test_scenes_name_their_game(client):
    begun = begin(client, [{"kind": "me"}, {"kind": "me"}])
    source = {"table": begun["id"]}
    answer = client.post("/api/scenes", json={"source": source, "ply": 0})
    assert answer.json()["scene"]["game"] == "nim"
