"""Who is let in, and how much they may ask: passwords, their cookies, names, origins and rates."""

import time

import pytest
from starlette.websockets import WebSocketDisconnect

from meeple.server import security
from meeple.server.security import COOKIE, SESSION, Password
from tests.server.tables import NIM, SOCKET, serving

NOW = 1_800_000_000.0  # a time of day, in seconds
WORD = "open sesame"


def password_at(time, word=WORD):
    return Password(word, now=lambda: time)


# ------------------------------------------------------------ the cookie of a password


@pytest.mark.parametrize(
    ("age", "known"), [(0, True), (SESSION - 1, True), (SESSION, False), (10 * SESSION, False)]
)
def test_a_cookie_is_known_until_its_session_has_passed(age, known):
    cookie = password_at(NOW).cookie()
    assert password_at(NOW + age).knows(cookie) == known


@pytest.mark.parametrize("change", [lambda until: until + 1, lambda until: until - 1])
def test_a_cookie_whose_end_was_changed_is_not_known(change):
    until, _, signature = password_at(NOW).cookie().partition(".")
    assert password_at(NOW).knows(f"{until}.{signature}")
    assert not password_at(NOW).knows(f"{change(int(until))}.{signature}")


def test_a_cookie_whose_signature_was_changed_is_not_known():
    cookie = password_at(NOW).cookie()
    other = "0" if cookie[-1] != "0" else "1"
    for changed in (cookie[:-1] + other, cookie[:-1], cookie.partition(".")[0], ""):
        assert not password_at(NOW).knows(changed)


def test_a_cookie_of_another_password_is_not_known():
    assert not password_at(NOW).knows(password_at(NOW, "another word").cookie())


def test_a_server_forgets_who_logged_in_when_the_session_has_passed(tmp_path, pool):
    with serving(tmp_path, host="0.0.0.0", password=WORD) as client:
        for issued, status in ((time.time(), 200), (time.time() - SESSION, 401)):
            headers = {"cookie": f"{COOKIE}={password_at(issued).cookie()}"}
            assert client.get("/api/games", headers=headers).status_code == status


# ------------------------------------------------------------ passwords


def test_a_server_with_a_password_lets_in_who_knows_it(tmp_path, pool):
    with serving(tmp_path, host="0.0.0.0", password="open sesame") as client:
        assert client.get("/api/games").status_code == 401
        page = client.get("/", headers={"accept": "text/html"}, follow_redirects=False)
        assert page.headers["location"] == "/login"
        assert refused_code(client) == 4401
        assert client.post("/api/login", json={"password": "guess"}).status_code == 403
        assert client.post("/api/login", json={"password": "open sesame"}).status_code == 200
        assert client.get("/api/games").status_code == 200
        client.cookies.set("meeple", "9999999999.forged")
        assert (
            client.get("/api/games", headers={"cookie": "meeple=9999999999.00"}).status_code == 401
        )


def test_passwords_cannot_be_tried_without_end(tmp_path, pool, monkeypatch):
    monkeypatch.setattr(security, "TRIES_A_SECOND", 0.0)
    with serving(tmp_path, host="0.0.0.0", password="open sesame") as client:
        answers = [
            client.post("/api/login", json={"password": "guess"}).status_code for _ in range(8)
        ]
        assert answers == [403] * 5 + [429] * 3


def test_a_class_behind_one_address_may_all_say_the_password(tmp_path, pool, monkeypatch):
    monkeypatch.setattr(security, "TRIES_A_SECOND", 0.0)
    with serving(tmp_path, host="0.0.0.0", password="open sesame") as served:
        for _ in range(30):
            assert served.post("/api/login", json={"password": "open sesame"}).status_code == 200
        for _ in range(5):
            assert served.post("/api/login", json={"password": "x"}).status_code == 403
        assert served.post("/api/login", json={"password": "x"}).status_code == 429


# ------------------------------------------------------------ names, origins, rates


def test_every_answer_carries_the_headers_that_keep_a_page_safe(client):
    for path in ("/api/games", "/api/tables/nothing", "/static/none"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def refused_code(client, **more):
    """The code that a socket is closed with before it opens."""
    with pytest.raises(WebSocketDisconnect) as refusal, client.websocket_connect(SOCKET, **more):
        pass
    return refusal.value.code


def test_nobody_reaches_the_server_by_another_name_or_from_another_site(client):
    assert client.get("/api/games", headers={"host": "evil.example"}).status_code == 421
    there = {"origin": "http://evil.example"}
    assert client.post("/api/levels", json=NIM, headers=there).status_code == 403
    assert refused_code(client, headers=there) == 4403


def test_a_request_may_not_be_too_long(client):
    answer = client.post("/api/tables", content=b"x" * 2_000_000)
    assert answer.status_code == 413


def test_long_requests_count_as_several(tmp_path, pool, monkeypatch):
    monkeypatch.setattr(security, "REQUESTS_A_SECOND", 0.0)
    monkeypatch.setattr(security, "REQUESTS_AT_ONCE", 100.0)
    with serving(tmp_path) as client:

        def status(length):
            headers = {"content-length": str(length)}
            return client.post("/api/levels", content=b"{}", headers=headers).status_code

        long = 49 * security.BYTES_OF_A_REQUEST
        assert [status(long), status(long), status(0)] == [422, 422, 429]
