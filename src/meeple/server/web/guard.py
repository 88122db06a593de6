"""Access control and limits of requests: password, origin, sizes, rates, and response headers."""

import asyncio
import hashlib
import hmac
import json
from collections import Counter
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import cookie_parser

from meeple.errors import MeepleError
from meeple.rate_limit import TokenBuckets
from meeple.server.errors import Busy, Forbidden, TooMany, TooMuch, error_json, refusal
from meeple.server.limits import LIMITS, JsonLimits, ServerLimits
from meeple.server.settings import LOOPBACK, ServerSettings
from meeple.server.web.assets import PREFIX as ASSETS
from meeple.server.web.json_limits import check_json, limits_of
from meeple.server.web.sessions import COOKIE, Secret, Sessions, secret_of
from meeple.server.work import caller_now

Scope = dict[str, Any]

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
# Scrypt parameters: the minimum of OWASP's Password Storage Cheat Sheet for 16 MiB of memory
# (128 COST BLOCK bytes), PASSES times; about 0.2 s.
COST, BLOCK, PASSES = 2**14, 8, 5
LOGIN_PATH = "/api/login"
LOGIN_MODULES = ("login.js", "messages.js", "storage.js")
OPEN_PATHS = (
    *("/login", LOGIN_PATH, "/static/css/", "/static/icon.svg", "/static/languages/"),
    *(f"/static/js/{module}" for module in LOGIN_MODULES),
)


class Password:
    """The server's password, and the sessions of clients that sent it."""

    def __init__(self, word: str, secret: Secret, limits: ServerLimits = LIMITS) -> None:
        self._salt = secret.salt
        self._hash = self._hashed(word)
        self.sessions = Sessions(secret, self._hash, limits.session_seconds)
        self._tries = TokenBuckets(limits.wrong_passwords)
        self._max_waiting = limits.max_waiting_logins
        self._turn, self._waiting = asyncio.Lock(), 0

    async def log_in(self, word: str, who: str) -> str:
        """Return the session cookie for a caller with the right password.

        Passwords are checked one at a time, in a thread: concurrent checks would use all
        processors, and 16 MiB each.

        Raises:
            Forbidden: The password is wrong.
            TooMany: The caller sent five wrong ones; it may try five a minute from then on.
            Busy: Too many checks wait.
        """
        if self._waiting >= self._max_waiting:
            raise refusal(Busy, "logins_busy")
        self._waiting += 1
        try:
            async with self._turn:
                return await self._checked(word, who)
        finally:
            self._waiting -= 1

    async def _checked(self, word: str, who: str) -> str:
        if not self._tries.take(who):
            raise refusal(TooMany, "wrong_passwords")
        hashed = await asyncio.to_thread(self._hashed, word)
        if not hmac.compare_digest(hashed, self._hash):
            raise refusal(Forbidden, "wrong_password")
        self._tries.take(who, -1)  # a right password does not count: many may share an address
        return self.sessions.cookie()

    def _hashed(self, word: str) -> bytes:
        """Hash a password with scrypt, which is slow on purpose."""
        return hashlib.scrypt(word.encode(), salt=self._salt, n=COST, r=BLOCK, p=PASSES, dklen=32)


def password_of(settings: ServerSettings, limits: ServerLimits = LIMITS) -> Password | None:
    """Return the server's password, or None if it has none.

    Raises:
        MeepleError: The secret of the cookies cannot be read or stored in the server's folder.
    """
    if not settings.password:
        return None
    return Password(settings.password, secret_of(settings.data), limits)


class Guard:
    """The outermost middleware: checks every request and adds headers to every response."""

    def __init__(
        self,
        app: Any,
        settings: ServerSettings,
        password: Password | None,
        limits: ServerLimits = LIMITS,
    ) -> None:
        # Check the Host header of a local server, against DNS rebinding.
        names = [f"[{name}]" if ":" in name else name for name in LOOPBACK]
        self.app = TrustedHostMiddleware(app, names if settings.only_here else ["*"])
        self.password, self._limits = password, limits
        self._rates = TokenBuckets(limits.requests)
        self._logins = TokenBuckets(limits.logins)
        self._messages = TokenBuckets(limits.messages)
        self._sockets: Counter[str] = Counter()  # open ones, by caller

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope["password"] = self.password
        who = caller(scope)
        caller_now.set(who)
        refused = self._refusal(scope, who)
        if refused is None and scope["type"] == "http":
            try:
                receive = await _checked_body(receive, limits_of(scope, self._limits))
            except TooMuch as error:
                refused = 413, error
        if refused is not None:
            await _refuse(scope, receive, send, *refused)
        elif scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send, who)
        else:
            await self.app(scope, receive, _with_headers(scope, send))

    async def _serve_socket(self, scope: Scope, receive: Any, send: Any, who: str) -> None:
        """Serve a socket until it closes, or refuse it beyond the limits."""
        limits, count = self._limits, self._sockets.total()
        if self._sockets[who] >= limits.max_sockets_per_caller or count >= limits.max_sockets:
            error = refusal(TooMany, "too_many_pages")
            await _refuse(scope, receive, send, 429, error)
            return
        self._sockets[who] += 1
        try:
            await self.app(scope, self._rate_limited(receive, who), _closing_on_refusal(send))
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    def _rate_limited(self, receive: Any, who: str) -> Any:
        """Limit the rate of a socket's messages: charge each before passing it on."""

        async def paid() -> Any:
            message = await receive()
            if message["type"] == "websocket.receive":
                await self._messages.wait(who, weight(message, self._limits))
            return message

        return paid

    def _refusal(self, scope: Scope, who: str) -> tuple[int, MeepleError] | None:
        """Return the status and error of a refused request, or None."""
        limits = self._limits
        if len(scope["headers"]) > limits.max_headers:
            return 431, refusal(TooMuch, "request_headers", most=limits.max_headers)
        query = scope.get("query_string", b"")
        if len(query) > limits.max_query_bytes or query.count(b"&") >= limits.max_query_fields:
            return 400, refusal(TooMuch, "address_too_long")
        headers = _headers(scope)
        length = _length(headers, limits.game_json.max_bytes)
        max_bytes = limits_of(scope, limits).max_bytes
        if not self._rates.take(who, 1 + length // limits.request_bytes):
            return 429, refusal(TooMany, "too_many_requests")
        origin = headers.get("origin")
        from_elsewhere = origin is not None and _host_of(origin) != headers.get("host")
        if from_elsewhere and (scope["type"] == "websocket" or scope["method"] != "GET"):
            return 403, refusal(Forbidden, "other_site")
        if length > max_bytes and "transfer-encoding" not in headers:
            return 413, refusal(TooMuch, "request_bytes", most=max_bytes)
        if not self._is_logged_in(scope, headers):
            return 401, refusal(Forbidden, "password_needed")
        if scope["path"] == LOGIN_PATH and self.password and not self._logins.take(who):
            return 429, refusal(TooMany, "password_tries")
        return None

    def _is_logged_in(self, scope: Scope, headers: dict[str, str]) -> bool:
        if self.password is None or _is_open(scope["path"]):
            return True
        jar = cookie_parser(headers.get("cookie", ""))
        return COOKIE in jar and self.password.sessions.knows(jar[COOKIE])


def _is_open(path: str) -> bool:
    """Return whether a path is public, without the password."""
    return path.startswith(OPEN_PATHS) and ".." not in path.split("/")


def weight(message: Any, limits: ServerLimits) -> int:
    """Return the cost of a socket's message: a long one counts as several."""
    content = message.get("text") or message.get("bytes") or ""
    return 1 + len(content) // limits.request_bytes


def caller(scope: Scope) -> str:
    """Return the identity of a client: its IPv4 address, or the /64 network of its IPv6 address.

    A client with one IPv6 address usually controls all 2 ** 64 addresses of its network.
    """
    client = scope.get("client")
    name = str(client[0]) if client else ""
    try:
        address = ip_address(name)
    except ValueError:
        return name
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return name


def _length(headers: dict[str, str], max_bytes: int) -> int:
    """Return the declared size of a request in bytes, or the maximum if it declares none."""
    if "transfer-encoding" in headers:
        return max_bytes
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 12 else max_bytes + 1


def _host_of(origin: str) -> str:
    """Return the host and port of an origin; empty if it is malformed."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


async def _refuse(scope: Scope, receive: Any, send: Any, status: int, error: MeepleError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": str(error)})
        return
    send = _with_headers(scope, send)
    page = status == 401 and "text/html" in _headers(scope).get("accept", "")
    body = b"" if page else json.dumps(error_json(error)).encode()
    headers = [(b"location", b"/login")] if page else [(b"content-type", b"application/json")]
    status = 303 if page else status
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _closing_on_refusal(send: Any) -> Any:
    """Close a refused socket instead of sending the application's HTTP response.

    Uvicorn would log such a response as an error (its pull request 3138).
    """

    async def sent(message: Any) -> None:
        if message["type"] == "websocket.http.response.start":
            message = {"type": "websocket.close", "code": 4000 + message["status"]}
        if message["type"] != "websocket.http.response.body":
            await send(message)

    return sent


async def _checked_body(receive: Any, limits: JsonLimits) -> Any:
    """Read the whole body of a request, and check it before it is parsed.

    Returns:
        A `receive` function with the body.

    Raises:
        TooMuch: The body exceeds the limits of its route.
    """
    body = bytearray()
    message: dict[str, Any] = {"more_body": True}
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
        if len(body) > limits.max_bytes:
            break
    check_json(bytes(body), limits)
    if message["type"] == "http.request":
        message = {"type": "http.request", "body": bytes(body), "more_body": False}
    waiting = [message]

    async def received() -> Any:
        return waiting.pop() if waiting else await receive()

    return received


def _with_headers(scope: Scope, send: Any) -> Any:
    """Add the security headers to the responses."""
    fixed = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start":
            cached = (b"cache-control", _cached(scope["path"], message["status"]))
            headers = [*message.get("headers", []), *fixed, cached]
            message = {**message, "headers": headers}
        await send(message)

    return sent


def _cached(path: str, status: int) -> bytes:
    """Return how a browser may cache a response; an asset's address changes with its content."""
    if path.startswith(f"{ASSETS}/") and status == HTTPStatus.OK:
        return b"public, max-age=31536000, immutable"
    return b"no-cache" if path.startswith("/static/") else b"no-store"
