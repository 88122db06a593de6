"""The page of a tournament: its data, and its display in a browser."""

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from meeple.errors import MeepleError
from meeple_oht.page.serving import TournamentPage, create_page
from meeple_oht.store import TournamentStore
from tests.oht.stored import SIZE, play, stored
from tests.server.access import findings
from tests.server.pictures import picture
from tests.server.waiting import wait_until_it_fits


@pytest.fixture
def asking(tmp_path):
    """A client of the page, and the file of the tournament."""
    file = stored(tmp_path)
    with TestClient(create_page(file, "127.0.0.1"), base_url="http://127.0.0.1") as client:
        yield client, file


def test_the_table_has_players_games_and_boards(asking):
    client, _ = asking
    found = client.get("/api/oht").json()
    assert (found["title"], found["phase"]) == ("Hex, size 5", "league")
    assert (found["games_done"], found["games_all"]) == (2, 6)
    assert [(row["name"], row["won"], row["rank"]) for row in found["rows"]] == [
        ("Ada", 2, 1),
        ("Bob", 0, 2),
        ("Cid", 0, 2),
    ]
    assert [row["faults"] for row in found["rows"]] == [0, 1, 0]
    (board,) = found["boards"]
    assert board["seats"] == ["Cid", "Ada"]
    assert board["scene"]["family"] == "hexagons"
    assert board["scene"]["pieces"].count("p0") == 2
    assert board["moves"] == ["c3", "c2", "d2"]


def test_games_are_listed_and_replayed(asking):
    client, file = asking
    games = client.get("/api/oht/games").json()
    assert [game["id"] for game in games["games"]] == [3, 2, 1]
    assert [game["id"] for game in client.get("/api/oht/games?player=2").json()["games"]] == [2, 1]
    assert [game["id"] for game in client.get("/api/oht/games?before=2").json()["games"]] == [1]
    first = client.get("/api/oht/games/1?ply=0").json()
    assert first["scene"]["pieces"] == [""] * SIZE**2
    last = client.get("/api/oht/games/1").json()
    assert (last["ply"], last["winner"], last["how"]) == (9, 1, "rules")
    assert len(last["scene"]["line"]) == SIZE
    assert client.get("/api/oht/games/2").json()["seats"] == ["Ada", "Bob"]
    assert client.get("/api/oht/games/9").status_code == 404
    assert client.get("/api/oht/games/x").status_code == 422
    store = TournamentStore.open(file)
    play_on = [12, 7, 8, 13]
    store.add_move(3, 3, play_on[3], 0.1)
    assert client.get("/api/oht/games/3").json()["ply"] == 4
    store.close()


def test_the_page_is_read_only_and_guarded(asking):
    client, _ = asking
    answer = client.get("/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert client.post("/api/oht").status_code == 405
    assert client.get("/api/oht", headers={"host": "evil.example"}).status_code == 400
    words = client.get("/api/oht").text + client.get("/api/oht/games").text
    assert "token" not in words


def test_a_file_that_is_not_a_tournament_is_refused(tmp_path):
    with pytest.raises(MeepleError, match="there is no file"):
        create_page(tmp_path / "none.sqlite", "127.0.0.1")


def test_the_next_free_port_is_used_if_allowed(tmp_path):
    file = stored(tmp_path)
    first = TournamentPage(file, "127.0.0.1", 0)
    second = TournamentPage(file, "127.0.0.1", first.port, or_next=True)
    assert second.port > first.port
    with pytest.raises(MeepleError, match="cannot listen"):
        TournamentPage(file, "127.0.0.1", first.port)
    for page in (first, second):
        page.start()
        page.stop()


def test_the_browser_shows_the_table_the_boards_and_a_game(tmp_path, desks):
    file = stored(tmp_path)
    served = TournamentPage(file, "127.0.0.1", 0)
    served.start()
    try:
        page = desks("phone").open(served.url)
        page.get_by_role("heading", name="Tournament of Hex, size 5").wait_for()
        page.get_by_role("cell", name="connected").first.wait_for()
        page.locator(".board .stone.p0").nth(1).wait_for()
        wait_until_it_fits(page)
        assert findings(page) == []
        page.set_viewport_size({"width": 1280, "height": 900})
        store = TournamentStore.open(file)
        play(store, store.add_game(2, 1, 2, 10).id, [6, 7, 11, 13])
        store.close()
        page.locator(".oht-boards > li").nth(1).wait_for()  # without reloading
        page.locator(".board .stone.p1").nth(2).wait_for()
        picture(page, "page-tournament")
        page.set_viewport_size({"width": 360, "height": 740})
        page.get_by_role("link", name="Ada", exact=True).click()
        page.get_by_role("heading", name="Games of a player").wait_for()
        page.locator("td").first.wait_for()
        assert findings(page) == []
        expect(page.get_by_text("Ada won: Bob lost by an illegal move")).to_have_count(1)
        page.get_by_role("link", name="Game 1 of 2").last.click()
        page.get_by_text("9 of 9", exact=True).wait_for()
        page.get_by_role("button", name="One move back").click()
        page.get_by_text("8 of 9", exact=True).wait_for()
        assert findings(page) == []
        wait_until_it_fits(page)
        page.goto(f"{served.url}#/nothing")
        page.get_by_text("There is no such page here").wait_for()
    finally:
        served.stop()
