"""The outermost layer of the server in isolation: each limit, from both sides."""

import asyncio
import functools
import json
from dataclasses import replace
from typing import Any

import pytest

from meeple.rate_limit import Rate, TokenBucket, TokenBuckets
from meeple.server.app import create_app
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.settings import ServerSettings
from meeple.server.web.guard import HEADERS, Guard, Password, caller
from meeple.server.web.sessions import new_secret
from tests.server.clocks import Clock

pytestmark = pytest.mark.anyio
ME = ("192.0.2.1", 1)
HERE = ("host", "localhost")
OPEN_TO_ALL = ServerSettings(host="0.0.0.0", password="open sesame")
PASSWORD = Password("open sesame", new_secret())
application = functools.cache(lambda: create_app(ServerSettings()))  # whose routes have limits


class App:
    """The application behind the guard: it reads a request to its end and answers."""

    def __init__(self) -> None:
        self.scopes: list[Any] = []
        self.read: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        if scope["type"] != "http":
            return
        while True:
            message = await receive()
            self.read.append(message)
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-own", b"1")]})
        await send({"type": "http.response.body", "body": b"hello"})


def scope_of(*headers: tuple[str, str], kind: str = "http", **fields: Any) -> dict[str, Any]:
    """Return the scope of a request, to this machine unless another host is given."""
    told = headers if any(name == "host" for name, _ in headers) else (HERE, *headers)
    raw = [(name.encode(), value.encode("latin-1")) for name, value in told]
    about = {"type": kind, "method": "GET", "path": "/", "client": ME, "app": application()}
    return {**about, "headers": raw, **fields}


def ask(guard: Guard, scope: dict[str, Any], *bodies: bytes) -> list[Any]:
    """Return everything sent in answer to a request with a body in these pieces.

    Nothing is sent to a socket before its first message.
    """
    waiting = [
        {"type": "http.request", "body": body, "more_body": number < len(bodies)}
        for number, body in enumerate(bodies or (b"",), 1)
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        assert scope["type"] == "http" or not waiting
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    return sent


def status(guard: Guard, *headers: tuple[str, str], **fields: Any) -> int:
    """Return the status of the answer to a request."""
    return int(ask(guard, scope_of(*headers, **fields))[0]["status"])


# ---------------------------------------------------------------- rates


def test_a_bucket_fills_at_its_rate_up_to_its_burst():
    clock = Clock()
    bucket = TokenBucket(Rate(2, 3), now=clock)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    clock.now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 0.25
    assert not bucket.take(), "half a token is none"
    clock.now += 0.25
    assert bucket.take(), "and what was refused has cost nothing"
    clock.now += 100
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    for _ in range(5):
        bucket.take(-1)  # gives a token back, never over the burst
    assert [bucket.take(2), bucket.take(2), bucket.take(), bucket.take()] == [
        True, False, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rate", "passed", "pause"), [(4.0, 0.0, 0.25), (1000.0, 0.0, 0.01), (2.0, 0.375, 0.125)]
)
def test_a_waiting_caller_sleeps_until_a_token_is_available_and_takes_it(
    rate, passed, pause, monkeypatch
):
    clock = Clock()
    bucket = TokenBucket(Rate(rate, 1), now=clock)
    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.now += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)
    asyncio.run(bucket.wait())
    assert not slept, "the first is there"
    clock.now += passed
    asyncio.run(bucket.wait())
    assert slept == [pytest.approx(pause)]


def test_each_caller_has_a_bucket_and_the_oldest_of_four_thousand_are_forgotten():
    buckets = TokenBuckets(Rate(1e-9, 1))
    for number in range(4096):
        assert buckets.take(str(number))
    assert not buckets.take("0")
    assert buckets.take("somebody else"), "now the one who asked longest ago is forgotten"
    assert buckets.take("1")
    assert not buckets.take("3")


def count_answered(guard: Guard, count: int, *headers: tuple[str, str], client: Any = ME) -> int:
    """Return how many of `count` requests are within the rate."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message.get("status"))

    async def ask_all() -> None:
        for _ in range(count):
            await guard(scope_of(*headers, client=client, path="/api/tables"), receive, send)

    asyncio.run(ask_all())
    assert sent.count(200) + sent.count(429) == count
    return sent.count(200)


def test_a_caller_may_send_two_thousand_requests_at_once_and_two_hundred_a_second(clock):
    guard = Guard(App(), ServerSettings(), None)
    assert count_answered(guard, 2100) == 2000
    clock.now += 1
    assert count_answered(guard, 300) == 200
    assert count_answered(guard, 10, client=("192.0.2.2", 1)) == 10, "others may go on"


@pytest.mark.parametrize(
    ("header", "cost"),
    [
        (("content-length", "19999"), 1),
        (("content-length", "20000"), 2),
        (("content-length", "1000000"), 51),
        (("transfer-encoding", "chunked"), 61),
    ],
)
def test_a_long_request_counts_as_several(header, cost, clock):
    assert count_answered(Guard(App(), ServerSettings(), None), 2001, header) == 2000 // cost


# ---------------------------------------------------------------- password


def test_only_the_login_is_open_without_the_cookie():
    guard = Guard(App(), OPEN_TO_ALL, PASSWORD)
    for path in ("/login", "/api/login", "/static/css/page.css", "/static/icon.svg"):
        assert status(guard, path=path) == 200
    for path in (
        "/",
        "/api/tables",
        "/static/js/table.js",
        "/x/login",
        "/static/css/../js/main.js",
    ):
        assert status(guard, path=path) == 401
        assert status(guard, ("cookie", "other=1"), path=path) == 401
        assert status(guard, ("cookie", "meeple=1.2"), path=path) == 401
        assert status(guard, ("cookie", "not@legal=1"), path=path) == 401
        assert status(guard, ("cookie", f"meeple={PASSWORD.sessions.cookie()}"), path=path) == 200


def test_no_login_is_required_without_a_password():
    app = App()
    assert status(Guard(app, ServerSettings(), None)) == 200
    assert app.scopes[0]["password"] is None


# ---------------------------------------------------------------- callers, hosts and origins


@pytest.mark.parametrize("host", ["localhost", "LocalHost:8000", "127.0.0.1", "[::1]:80", "[::1]"])
def test_a_local_server_answers_to_its_own_names(host):
    assert status(Guard(App(), ServerSettings(), None), ("host", host)) == 200


@pytest.mark.parametrize(
    "host",
    [
        *("example.org", "www.localhost", "localhost.example.org", "example.org:localhost"),
        *("localhost:", "localhost:x", "", " ", "10.0.0.1", "[::2]", "0.0.0.0", "::1"),
        *("]127.0.0.1[", "[127.0.0.1]", "[localhost]", "[::1", "::1]", "[::1]]", "[[::1]]"),
        *("a@localhost", "localhost/", "localhost#", "localhost,example.org", "localhost "),
        *("http://[x", "http://[", "]", ":", "\xff", "127.0.0.1]"),
    ],
)
def test_a_local_server_refuses_any_other_name(host):
    assert status(Guard(App(), ServerSettings(), None), ("host", host)) == 400
    assert status(Guard(App(), ServerSettings(host="0.0.0.0"), None), ("host", host)) == 200


def test_a_refusal_of_a_name_has_the_security_headers_and_closes_a_socket_before_it_opens():
    app = App()
    guard = Guard(app, ServerSettings(), None)
    assert ask(guard, {**scope_of(), "headers": []})[0]["status"] == 400, "a missing name"
    evil = ("host", "evil.example")
    assert dict(ask(guard, scope_of(evil))[0]["headers"])[b"x-content-type-options"] == b"nosniff"
    sent = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guard(scope_of(evil, kind="websocket"), None, send))
    assert sent == [{"type": "websocket.close", "code": 4400}]
    assert app.scopes == []


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:1", "null", "http://[", "]", ":", "\xff"]
)
def test_pages_of_other_sites_may_only_read(origin):
    guard = Guard(App(), ServerSettings(), None)
    assert status(guard, ("origin", origin), method="POST") == 403
    assert status(guard, ("origin", origin), method="GET") == 200
    (closed,) = ask(guard, scope_of(("origin", origin), kind="websocket"), b"asked")
    assert (closed["type"], closed["code"]) == ("websocket.close", 4403)
    assert "other sites" in closed["reason"], "sent after the handshake"
    assert status(guard, ("origin", "http://localhost"), method="POST") == 200


def test_callers_are_ipv4_addresses_or_ipv6_networks():
    assert caller({"client": ("192.0.2.7", 5)}) == "192.0.2.7"
    assert caller({"client": ("::ffff:192.0.2.7", 5)}) == "192.0.2.7"
    assert caller({"client": ("2001:db8:1:2:3:4:5:6", 5)}) == "2001:db8:1:2::"
    assert caller({"client": ("testclient", 5)}) == "testclient"
    assert caller({"client": None}) == caller({}) == ""


# ---------------------------------------------------------------- sizes and sockets


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        ("0", 200),
        ("1200000", 200),
        ("1200001", 413),
        ("00000000005", 200),
        ("000000000005", 413),
        *((length, 413) for length in ("-1", "", "1e9", "\xb2", "9" * 5000)),
    ],
)
def test_the_declared_length_of_a_request_is_limited(length, expected):
    guard = Guard(App(), ServerSettings(), None)
    assert status(guard, ("content-length", length), path="/api/tables") == expected


@pytest.mark.parametrize(
    ("path", "most"), [("/", 64_000), ("/api/login", 2_000), ("/api/records", 1_200_000)]
)
def test_a_route_accepts_its_maximum_of_bytes_and_no_more_are_read(path, most):
    app, half = App(), b"x" * (most // 2)
    ask(Guard(app, ServerSettings(), None), scope_of(path=path), half, half)
    assert [message["body"] for message in app.read] == [half + half]
    app.read.clear()
    answer = ask(Guard(app, ServerSettings(), None), scope_of(path=path), half, half, b"x", b"x")
    assert answer[0]["status"] == 413
    assert app.read == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"query_string": b"a&" * 31}, 200),
        ({"query_string": b"a&" * 32}, 400),
        ({"query_string": b"a" * 8192}, 200),
        ({"query_string": b"a" * 8193}, 400),
        ({"headers": [(b"host", b"localhost")] * 100}, 200),
        ({"headers": [(b"host", b"localhost")] * 101}, 431),
    ],
)
def test_addresses_and_headers_count_towards_the_length(fields, expected):
    scope = {**scope_of(), **fields}
    assert ask(Guard(App(), ServerSettings(), None), scope)[0]["status"] == expected


@pytest.mark.slow
def test_logins_are_counted_before_their_body_is_read(clock):
    app, password = App(), Password("open sesame", new_secret())
    guard = Guard(app, OPEN_TO_ALL, password)

    def log_in(address="192.0.2.1"):
        return status(guard, method="POST", path="/api/login", client=(address, 1))

    assert [log_in() for _ in range(101)] == [200] * 100 + [429]
    assert len(app.scopes) == 100
    assert log_in("192.0.2.2") == 200
    clock.now += 1
    assert [log_in(), log_in()] == [200, 429]


class Sockets:
    """Sockets that stay open until `close` is set."""

    def __init__(self, settings: ServerSettings, limits: ServerLimits = LIMITS) -> None:
        self.guard = Guard(self.serve, settings, None, limits)
        self.opened = 0
        self.refused: list[int] = []
        self.close = asyncio.Event()

    async def serve(self, scope: Any, receive: Any, send: Any) -> None:
        self.opened += 1
        await self.close.wait()
        if scope["path"] == "/fails":
            raise RuntimeError("lost")

    async def open(self, count: int, address: str, path: str = "/") -> Any:
        """Open `count` sockets; return an awaitable of their ends."""

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            self.refused.append(message["code"])

        asked = scope_of(kind="websocket", client=(address, 1), path=path)
        calls = [self.guard(dict(asked), receive, send) for _ in range(count)]
        ends = asyncio.gather(*calls, return_exceptions=True)
        for _ in range(3):
            await asyncio.sleep(0)
        return ends


@pytest.mark.slow
async def test_a_caller_may_hold_a_thousand_sockets_and_all_callers_six_thousand(clock):
    sockets = Sockets(ServerSettings())
    for network in range(5):
        await sockets.open(1000, f"192.0.2.{network}")
    clock.now += 1  # the request rate is not the limit here
    await sockets.open(1, "192.0.2.0")
    assert (sockets.opened, sockets.refused) == (5000, [4429])
    await sockets.open(999, "192.0.2.5")
    await sockets.open(1, "192.0.2.6")
    assert (sockets.opened, sockets.refused) == (6000, [4429])
    await sockets.open(1, "192.0.2.7")
    assert (sockets.opened, sockets.refused) == (6000, [4429, 4429])
    sockets.close.set()


@pytest.mark.parametrize("path", ["/", "/fails"])
async def test_a_closed_socket_makes_room_for_another(path):
    sockets = Sockets(ServerSettings(), replace(LIMITS, max_sockets_per_caller=2))
    for round_ in range(1, 4):
        sockets.close.clear()
        ends = await sockets.open(3, "192.0.2.0", path)
        assert (sockets.opened, sockets.refused) == (2 * round_, [4429] * round_)
        sockets.close.set()
        await ends


async def test_one_of_two_sockets_still_counts_after_the_other_closed():
    sockets = Sockets(ServerSettings(), replace(LIMITS, max_sockets_per_caller=2))
    await sockets.open(1, "192.0.2.0")
    first, sockets.close = sockets.close, asyncio.Event()
    await sockets.open(1, "192.0.2.0")
    first.set()
    for _ in range(3):
        await asyncio.sleep(0)
    await sockets.open(2, "192.0.2.0")
    assert (sockets.opened, sockets.refused) == (3, [4429])
    sockets.close.set()


# ---------------------------------------------------------------- answers


def test_every_response_has_security_headers():
    guard = Guard(App(), ServerSettings(), None)
    for path, cached in (
        ("/", "no-store"),
        ("/static/js/a.js", "no-cache"),
        ("/assets/12ab/js/a.js", "public, max-age=31536000, immutable"),
    ):
        start, body = ask(guard, scope_of(path=path))
        headers = dict(start["headers"])
        assert headers[b"x-own"] == b"1"
        assert headers[b"cache-control"] == cached.encode()
        for name, value in HEADERS.items():
            assert headers[name.lower().encode()] == value.encode()
        assert body == {"type": "http.response.body", "body": b"hello"}


def test_a_refusal_is_a_sentence_in_json():
    start, body = ask(Guard(App(), ServerSettings(), None), scope_of(("content-length", "9999999")))
    headers = dict(start["headers"])
    assert start["status"] == 413
    assert headers[b"content-type"] == b"application/json"
    assert headers[b"content-length"] == str(len(body["body"])).encode()
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert json.loads(body["body"])["error"].startswith("a request here may have")


def test_a_browser_without_the_password_is_redirected_to_the_login():
    guard = Guard(App(), OPEN_TO_ALL, PASSWORD)
    start, body = ask(guard, scope_of(("accept", "text/html,*/*")))
    headers = dict(start["headers"])
    assert (start["status"], headers[b"location"]) == (303, b"/login")
    assert (headers[b"content-length"], body["body"]) == (b"0", b"")
    assert status(guard, ("accept", "application/json")) == 401
    too_long = ask(guard, scope_of(("accept", "text/html"), ("content-length", "9999999")))
    assert too_long[0]["status"] == 413


def test_startup_and_shutdown_pass_without_checks():
    app = App()
    assert ask(Guard(app, OPEN_TO_ALL, PASSWORD), {"type": "lifespan"}) == []
    assert app.scopes == [{"type": "lifespan"}]
