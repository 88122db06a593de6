"""Shared parts of the sockets: rate-limited messages, and sentences for invalid ones."""

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from meeple.rate_limit import Rate, TokenBucket
from meeple.sentences import say
from meeple.server.errors import Forbidden, TooMuch
from meeple.server.limits import LIMITS, JsonLimits, ServerLimits
from meeple.server.web.guard import weight
from meeple.server.web.json_limits import check_json

UNREADABLE = 4400  # close code of a socket that sends too many invalid messages


class Rubbish(Forbidden):
    """An invalid message: not text, too long, or not understood."""


class Inbox:
    """The messages of a socket, at a limited rate, with a limit of invalid ones."""

    def __init__(
        self, socket: WebSocket, form: JsonLimits, rate: Rate, limits: ServerLimits = LIMITS
    ) -> None:
        """Create the inbox.

        Args:
            socket: the accepted socket.
            form: limits of one message.
            rate: of the messages.
            limits: of the server.
        """
        self._socket, self._form, self._limits = socket, form, limits
        self._bucket = TokenBucket(rate)
        self._patience = TokenBucket(limits.invalid_messages)

    async def next_text(self) -> str:
        """Return the next message; raise Rubbish if it is not text or exceeds the limits."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        await self._bucket.wait(weight(message, self._limits))
        text = message.get("text")
        if text is None or len(text) > self._form.max_bytes:
            raise Rubbish(f"a message is a text of at most {self._form.max_bytes:,} bytes")
        try:
            check_json(text.encode("utf-8", "surrogatepass"), self._form)
        except TooMuch as error:
            raise Rubbish(str(error)) from None
        return str(text)

    async def bear(self) -> None:
        """Count an invalid message; after too many, close and raise WebSocketDisconnect."""
        if not self._patience.take():
            await self._socket.close(UNREADABLE)
            raise WebSocketDisconnect(UNREADABLE)


def fault_of(error: ValidationError | Rubbish) -> str:
    """Return the first fault of a message, without repeating its content."""
    if isinstance(error, Rubbish):
        return str(error)
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    return say("server.not_understood", reason=f"{where}: {fault['msg']}")
