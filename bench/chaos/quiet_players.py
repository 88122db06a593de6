"""Quiet players of a tournament, a program of its own: `python -m bench.chaos.quiet_players URL`.

The honest players of `host.NAMES` play each other, and a newcomer connects every second. Prints a
line of JSON for each answer of the host: when it was asked, how long it took, and what was wrong.
An answer is the round trip of a move, or the time until a new connection is asked for its token.
"""

import asyncio
import json
import ssl
import struct
import sys
import time
from typing import Any
from urllib.parse import urlsplit

from bench.chaos.host import NAMES, token_of
from bench.chaos.quiet import ADDRESS

THINK = 0.1  # seconds of a move of the honest players
PAUSE = 1.0  # seconds between two newcomers
PATIENCE = 60.0  # seconds until a newcomer gives up
HEAD = struct.Struct("<i")  # the length of a message, before it
MOVE_OF_GUESTS = 600.0  # seconds: they leave before their first move


class Player:
    """A client that sleeps for `think` seconds, then takes the first free cell.

    `trips` receives the round trip of each move: seconds from an action to the next request to
    this player, less the opponent's `think`.
    """

    def __init__(
        self, token: str, trips: list[float], think: float, address: str = "127.0.0.1"
    ) -> None:
        self.token, self.trips, self.think, self.address = token, trips, think, address
        self.requests = 0

    async def run(self, port: int, context: ssl.SSLContext) -> None:
        """Connect, and answer until the end or until it is cancelled."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=context, local_addr=(self.address, 0)
        )
        try:
            await self.answer(reader, writer)
        finally:
            writer.transport.abort()
            writer.close()
            await asyncio.sleep(0)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the host's messages until it ends the session."""
        sent = None
        while True:
            (length,) = HEAD.unpack(await reader.readexactly(HEAD.size))
            message = json.loads(await reader.readexactly(length))
            topic = message["topic"]
            if topic == "authentication":
                self.send(writer, self.token)
            elif topic == "question":
                self.send(writer, True)
            elif topic == "request_action":
                now = time.perf_counter()
                if sent is not None:
                    self.trips.append(now - sent - self.think)
                self.requests += 1
                if self.think:
                    await asyncio.sleep(self.think)
                state = message["state"]
                size = int((len(state) - 1) ** 0.5)
                self.send(writer, divmod(state.index(0, 1) - 1, size))
                sent = time.perf_counter()
            elif topic in ("game_over", "game_start"):
                sent = None  # what comes next is another game
            elif topic in ("finish", "error"):
                return

    def send(self, writer: asyncio.StreamWriter, value: Any) -> None:
        content = json.dumps(value).encode()
        writer.write(HEAD.pack(len(content)) + content)


def answered(kind: str, asked: float, seconds: float, fault: str = "") -> None:
    """Print a line about an answer."""
    print(json.dumps({"kind": kind, "at": asked, "seconds": seconds, "fault": fault}), flush=True)


class Printed(list[float]):
    """Round trips of moves, printed as they come."""

    def append(self, seconds: float) -> None:
        """A round trip has ended."""
        answered("move", time.time() - seconds, seconds)


async def newcomer(port: int, context: ssl.SSLContext) -> None:
    """Connect, and wait to be asked for a token."""
    asked, began, fault = time.time(), time.perf_counter(), ""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, ssl=context, local_addr=(ADDRESS, 0)
            )
            (length,) = HEAD.unpack(await reader.readexactly(HEAD.size))
            topic = json.loads(await reader.readexactly(length))["topic"]
            fault = "" if topic == "authentication" else f"a newcomer was answered {topic!r}"
            writer.transport.abort()
    except TimeoutError:
        fault = f"a newcomer was not answered within {PATIENCE:.0f} s"
    except (OSError, EOFError) as error:
        fault = f"a newcomer was refused: {error!r}"
    answered("connection", asked, time.perf_counter() - began, fault)


async def honest(name: str, port: int, context: ssl.SSLContext) -> None:
    """Play for one of them."""
    try:
        await Player(token_of(name), Printed(), THINK, ADDRESS).run(port, context)
        fault = "ended its session"
    except (OSError, EOFError) as error:
        fault = f"lost the connection: {error!r}"
    answered("move", time.time(), 0.0, f"{name} {fault}")


async def play(port: int) -> None:
    """Begin the league with all who are in it, and play on."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    tasks = [asyncio.create_task(honest(name, port, context)) for name in (NAMES[0], NAMES[-1])]
    guests = [Player(token_of(name), [], MOVE_OF_GUESTS, ADDRESS) for name in NAMES[1:3]]
    visits = [asyncio.create_task(guest.run(port, context)) for guest in guests]
    while not any(guest.requests for guest in guests):
        await asyncio.sleep(0.05)
    for visit in visits:
        visit.cancel()
    await asyncio.gather(*visits, return_exceptions=True)
    while not all(task.done() for task in tasks):
        await newcomer(port, context)
        await asyncio.sleep(PAUSE)


def main() -> None:
    """Play until the reader of the answers is gone."""
    try:
        asyncio.run(play(urlsplit(sys.argv[1]).port or 0))
    except BrokenPipeError:
        return


if __name__ == "__main__":
    main()
