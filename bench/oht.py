"""How soon a host of a tournament answers: `python -m bench.oht [--idle 100] [--playing 20]`.

Starts `meeple oht host` with so many players, of whom at most `--playing` are in a series at a time
and the others are connected and wait. All think for `--think` milliseconds, and take the first free
cell. Printed is the round trip of a move: from the sending of an action until the next request to
the same player, less the other one's thinking; two moves are stored in it. With `--think 0` the
host has as much to do as it can. TLS, loopback, clients in this process.

With `--unfinished N` another process opens N connections from one address without a handshake, and
again each second. `login_most_ms` is the longest time in which the host sent its first message to a
client that connected from a quiet address, once a second.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import resource
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HEAD = struct.Struct("<i")
BUSY, QUIET = "127.0.0.9", "127.0.0.2"  # whence unfinished connections come, and logins
LOGIN_LIMIT = 60.0  # seconds that a login is waited for


class Player:
    """A client that does not think."""

    def __init__(
        self, token: str, trips: list[float], think: float, address: str = "127.0.0.1"
    ) -> None:
        """`address`: that it connects from."""
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
        """Answer what the host asks."""
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


def hold_unfinished(port: int, count: int) -> None:
    """Open connections that send nothing, and again each second; until the process is ended."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    while True:
        wires = [socket.socket() for _ in range(count)]
        for wire in wires:
            wire.settimeout(5)
            with contextlib.suppress(OSError):
                wire.bind((BUSY, 0))
                wire.connect(("127.0.0.1", port))
        time.sleep(1)
        for wire in wires:
            wire.close()


async def log_in_each_second(port: int, context: ssl.SSLContext, times: list[float]) -> None:
    """Connect from the quiet address, and note the seconds until the host's first message."""
    while True:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(LOGIN_LIMIT):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", port, ssl=context, local_addr=(QUIET, 0)
                )
                await reader.readexactly(HEAD.size)
            writer.transport.abort()
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.1)
            times.append(LOGIN_LIMIT)
            continue
        times.append(time.perf_counter() - began)
        await asyncio.sleep(1.0)


async def measure(args: argparse.Namespace, port: int, tokens: list[str]) -> dict[str, Any]:
    """Play for so many seconds, once the league has begun."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    trips: list[float] = []
    players = [Player(token, trips, args.think / 1000) for token in tokens]
    tasks = [asyncio.ensure_future(player.run(port, context)) for player in players]
    while not trips:
        await asyncio.sleep(0.05)
        for task in tasks:
            if task.done():
                task.result()
    await asyncio.sleep(1.0)  # what compiles, compiles
    trips.clear()
    logins: list[float] = []
    tasks.append(asyncio.ensure_future(log_in_each_second(port, context, logins)))
    await asyncio.sleep(args.seconds)
    ordered = sorted(trips)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if not ordered:
        raise SystemExit("nobody has moved")
    return {
        "connected": len(players),
        "playing": args.playing,
        "size": args.size,
        "think_ms": args.think,
        "moves": len(ordered),
        "moves_a_second": round(len(ordered) / args.seconds, 1),
        **{
            f"p{round(100 * share)}_ms": round(1000 * ordered[int(share * (len(ordered) - 1))], 2)
            for share in (0.5, 0.95, 0.99)
        },
        "most_ms": round(1000 * ordered[-1], 2),
        "unfinished": args.unfinished,
        "logins": len(logins),
        "login_most_ms": round(1000 * max(logins, default=LOGIN_LIMIT), 1),
    }


def main() -> int:
    """Print the figures; exit status 1 where p95 is not below the bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=100)
    parser.add_argument("--playing", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=50.0, help="milliseconds of each move")
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--unfinished", type=int, default=0, help="connections from one address")
    parser.add_argument("--bound", type=float, default=50.0, help="milliseconds of p95")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tokens = [f"token-of-{number}" for number in range(args.idle + args.playing)]
        players = Path(folder) / "players.toml"
        players.write_text(
            "".join(f'[[player]]\nname = "{one[9:]}"\ntoken = "{one}"\n' for one in tokens)
        )
        words = ["--players", str(players), "--file", f"{folder}/oht.sqlite", "--port", "0"]
        words += ["-o", f"size={args.size}", "--at-once", str(args.playing // 2)]
        words += ["--seconds", "60", "--page", "0"]
        host = subprocess.Popen(
            [sys.executable, "-m", "meeple", "oht", "host", *words],
            stdout=subprocess.PIPE,
            text=True,
        )
        holder: Any = None
        try:
            assert host.stdout is not None
            line = next(line for line in host.stdout if "listens at port" in line)
            port = int(line.split()[-1])
            if args.unfinished:
                holder = multiprocessing.get_context("spawn").Process(
                    target=hold_unfinished, args=(port, args.unfinished), daemon=True
                )
                holder.start()
            found = asyncio.run(measure(args, port, tokens))
        finally:
            if holder is not None:
                holder.kill()
            host.kill()
            host.communicate()
    print(json.dumps(found, indent=2))
    return int(found["p95_ms"] >= args.bound)


if __name__ == "__main__":
    sys.exit(main())
