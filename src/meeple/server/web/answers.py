"""Answers: data as JSON text, and every error as one sentence."""

import functools
import inspect
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from meeple.errors import MeepleError
from meeple.sentences import as_json, sentences_in
from meeple.server.errors import (
    Busy,
    Conflict,
    Forbidden,
    NotFound,
    TooMany,
    TooMuch,
    error_json,
    refusal,
)
from meeple.server.settings import STATIC

LOG = logging.getLogger(__name__)
STATUS: dict[type[MeepleError], int] = {
    NotFound: 404,
    Forbidden: 403,
    Conflict: 409,
    TooMuch: 413,
    Busy: 503,
    TooMany: 429,
}
WRONG = 400


def json_answer(text: str) -> Response:
    """Return an HTTP response with a JSON text."""
    return Response(text, media_type="application/json")


class WordedRoute(APIRoute):
    """A route whose answer has the codes of its sentences; FastAPI's validation drops them."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        super().__init__(path, _worded(endpoint), **more)


def _worded(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    def answer(data: Any) -> Any:
        plain = data.model_dump(by_alias=True) if isinstance(data, BaseModel) else data
        says = isinstance(plain, dict) and sentences_in(plain)
        return json_answer(as_json(plain)) if says else data

    @functools.wraps(endpoint)
    async def later(*given: Any, **named: Any) -> Any:
        return answer(await endpoint(*given, **named))

    @functools.wraps(endpoint)
    def at_once(*given: Any, **named: Any) -> Any:
        return answer(endpoint(*given, **named))

    return later if inspect.iscoroutinefunction(endpoint) else at_once


def add_error_answers(app: FastAPI) -> None:
    """Answer every error by one sentence, as JSON."""
    app.add_exception_handler(MeepleError, _meeple_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(SQLAlchemyError, _database_error)


async def _meeple_error(request: Request, error: Any) -> Response:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), WRONG)
    return Response(as_json(error_json(error)), status, media_type="application/json")


async def _validation_error(request: Request, error: Any) -> JSONResponse:
    """Answer with the first fault of a request, without repeating its content."""
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"] if part != "body")
    words = f"{where}: {fault['msg']}" if where else str(fault["msg"])
    return JSONResponse({"error": words}, status_code=422)


async def _http_error(request: Request, error: Any) -> Response:
    """Answer with the error; a browser that opened an unknown address gets a page."""
    if error.status_code == HTTPStatus.NOT_FOUND and "text/html" in request.headers.get(
        "accept", ""
    ):
        return FileResponse(STATIC / "missing.html", status_code=HTTPStatus.NOT_FOUND)
    return JSONResponse({"error": str(error.detail)}, status_code=error.status_code)


async def _database_error(request: Request, error: Any) -> JSONResponse:
    """Answer a failure of the database, e.g. a full disk, without its message."""
    LOG.error("%s %s: the database fails", request.method, request.url.path, exc_info=error)
    return JSONResponse(error_json(refusal(Busy, "database_fails")), status_code=503)
