"""What the sockets share: reading a message, and saying what is wrong with one."""

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from meeple.server.errors import Forbidden


async def next_text(socket: WebSocket, longest: int) -> str:
    """The next message. Raises Forbidden for one that is no text, or has too many characters."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if text is None or len(text) > longest:
        raise Forbidden(f"a message is a text of at most {longest:,} characters")
    return str(text)


def first_fault(error: ValidationError) -> str:
    """The first thing that is wrong with a message, without repeating what was sent."""
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    return f"the message is not understood: {where}: {fault['msg']}"
