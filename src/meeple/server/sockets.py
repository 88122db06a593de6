"""What the sockets share: reading messages at a bounded rate, and saying what is wrong with one."""

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from meeple.rate_limit import TokenBucket
from meeple.server.errors import Forbidden, TooMuch
from meeple.server.json_limits import JsonLimits, check_json
from meeple.server.security import weight

INVALID_PER_SECOND, INVALID_BURST = 0.2, 20.0  # messages of no meaning that a socket may send
UNREADABLE = 4400  # the code that a socket is closed with that goes on sending such


class Rubbish(Forbidden):
    """A message that is no text, too long, or not understood."""


class Inbox:
    """The messages of a socket: each is paid for first, and few may be rubbish."""

    def __init__(self, socket: WebSocket, limits: JsonLimits, *, rate: float, burst: float) -> None:
        """`limits`: of a message; `rate`, `burst`: messages a second, and at once."""
        self._socket, self._limits = socket, limits
        self._bucket = TokenBucket(rate, burst)
        self._patience = TokenBucket(INVALID_PER_SECOND, INVALID_BURST)

    async def next_text(self) -> str:
        """The next message. Raises Rubbish for one that is no text, or is beyond the limits."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        await self._bucket.wait(weight(message))
        text = message.get("text")
        if text is None or len(text) > self._limits.max_bytes:
            raise Rubbish(f"a message is a text of at most {self._limits.max_bytes:,} bytes")
        try:
            check_json(text.encode("utf-8", "surrogatepass"), self._limits)
        except TooMuch as error:
            raise Rubbish(str(error)) from None
        return str(text)

    async def bear(self) -> None:
        """Bear with a message of no meaning. Closes the socket, and raises WebSocketDisconnect,
        where there were too many.
        """
        if not self._patience.take():
            await self._socket.close(UNREADABLE)
            raise WebSocketDisconnect(UNREADABLE)


def fault_of(error: ValidationError | Rubbish) -> str:
    """The first thing that is wrong with a message, without repeating what was sent."""
    if isinstance(error, Rubbish):
        return str(error)
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    return f"the message is not understood: {where}: {fault['msg']}"
