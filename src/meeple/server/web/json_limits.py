"""Limits of the JSON that clients send, checked before it is parsed.

Parsing and validation are calls into C and Rust that hold the GIL, so running them in a thread
would not help other requests; these limits bound their cost. The check takes a few milliseconds for
the longest text.
"""

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.types import Scope

from meeple.server.errors import TooMuch, refusal
from meeple.server.limits import JsonLimits, ServerLimits

_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Any])
_BRACKETS = re.compile(rb"[\[\]{}]")
_MARK = "json_limits"  # the attribute of an endpoint with the name of its limits


def takes(limits: str) -> Callable[[_Endpoint], _Endpoint]:
    """Return a decorator of an endpoint, below that of the route: the limits of its requests.

    `limits` is the name of `JsonLimits` of `ServerLimits`; without it they are `small_json`.
    """

    def marked(endpoint: _Endpoint) -> _Endpoint:
        setattr(endpoint, _MARK, limits)
        return endpoint

    return marked


def limits_of(scope: Scope, limits: ServerLimits) -> JsonLimits:
    """Return the limits of the route of a request."""
    for prefix, path, name in _marked_paths(scope.get("app")):
        asked = scope["path"]
        if asked.startswith(prefix) and path.match(asked.removeprefix(prefix)):
            found: JsonLimits = getattr(limits, name)
            return found
    return limits.small_json


@functools.lru_cache(maxsize=64)
def _marked_paths(app: Starlette | None) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Return the prefixes and paths of an application's routes with limits of their own."""
    return tuple(_marked(() if app is None else app.routes))


def _marked(routes: Iterable[Any], prefix: str = "") -> Iterator[tuple[str, re.Pattern[str], str]]:
    for route in routes:
        router = getattr(route, "original_router", None)  # FastAPI keeps one that is included
        if router is not None:
            yield from _marked(router.routes, prefix)
        elif isinstance(route, Mount):  # of a plug-in's page
            yield from _marked(route.routes, prefix + route.path)
        elif isinstance(route, Route) and hasattr(route.endpoint, _MARK):
            yield prefix, route.path_regex, getattr(route.endpoint, _MARK)


def check_json(text: bytes, limits: JsonLimits) -> None:
    """Check the size and the shape of a JSON text by its quotes, commas, colons and brackets.

    Invalid JSON may pass, since the parser stops at its first fault.

    Raises:
        TooMuch: The text exceeds a limit.
    """
    if len(text) > limits.max_bytes:
        raise refusal(TooMuch, "request_bytes", most=limits.max_bytes)
    if b"\0" in text:  # UTF-16, whose quotes the counts below would miss
        raise refusal(TooMuch, "request_utf8")
    structure = _without_strings(text, limits)
    containers = structure.count(b"[") + structure.count(b"{")
    if structure.count(b",") + containers > limits.max_items:
        raise refusal(TooMuch, "request_values", most=limits.max_items)
    if structure.count(b":") > limits.max_members or containers > limits.max_containers:
        raise refusal(
            TooMuch, "request_keys", most=limits.max_members, containers=limits.max_containers
        )
    if _depth(structure) > limits.max_depth:
        raise refusal(TooMuch, "request_depth", most=limits.max_depth)


def _without_strings(text: bytes, limits: JsonLimits) -> bytes:
    """Return the text outside of strings; raise TooMuch for too many strings."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    if text.count(b'"') > 2 * (limits.max_items + limits.max_members):
        raise refusal(TooMuch, "request_values", most=limits.max_items)
    return b"".join(text.split(b'"')[::2])


def _depth(structure: bytes) -> int:
    """Return the maximum depth of nested containers."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(structure):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
