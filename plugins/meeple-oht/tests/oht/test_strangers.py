"""Connections without an answer, handshake or valid token, or too many, do not harm the host."""

import asyncio
import contextlib
import json
import signal
import socket
import struct
import threading
import time
from dataclasses import replace

import pytest

from meeple.rate_limit import Rate
from meeple_oht import door
from meeple_oht.limits import HOST_LIMITS
from meeple_oht.rules import TournamentRules
from tests.oht.hosts import PATIENCE, HostProcess, all_done, hosting, running, token_of
from tests.oht.plain_client import OldClient, PlainClient

SIZE = 3
STOPPED = 120.0  # seconds until a host has stopped, on a busy machine


def first_free(state):
    return list(divmod(state.index(0, 1) - 1, SIZE))


@pytest.fixture
def start_host(tmp_path):
    """Start hosts in processes that end with the test."""
    started = []

    def start(names, *options, **others):
        started.append(HostProcess(tmp_path, names, "-o", f"size={SIZE}", *options, **others))
        return started[-1]

    yield start
    for host in started:
        host.kill()


class Deaf(PlainClient):
    """A client that never moves and never closes."""

    def __init__(self, port, token, until, **options):
        super().__init__(port, token, first_free, **options)
        self.until, self.done = until, threading.Event()

    def run(self):
        self.connect()
        with contextlib.suppress(OSError):
            while True:
                self.heard.append(self.next())
                if self.heard[-1]["topic"] == self.until:
                    break
                self.answer(self.heard[-1])
        self.done.set()

    def answer(self, message):
        if message["topic"] == "authentication":
            self.send(self.token)
        elif message["topic"] == "question":
            self.send(self.qualify)

    def topics(self):
        return [message["topic"] for message in self.heard]


@pytest.mark.slow
def test_a_host_stops_soon_though_no_client_closes(start_host):
    names = ["Ada", "Bob", "Cid"]
    players = [f"--qualifier=uct:seconds={PATIENCE:g}", "--qualifier-games", 1]
    host = start_host(names, *players)
    for when, number in (("before", signal.SIGTERM), ("after", signal.SIGINT)):
        deaf = [
            Deaf(host.ports[0], token_of("Ada"), until="request_action"),
            Deaf(host.ports[0], token_of("Bob"), until="authentication"),
            Deaf(host.ports[0], token_of("Cid"), until="game_start", qualify=False),
        ]
        threads = running(*(client.run for client in deaf))
        all_done(threads)
        if when == "before":  # a move, after which the agent of the host computes
            deaf[0].send([0, 0])
            time.sleep(0.2)
        began = time.monotonic()
        host.process.send_signal(number)
        code = host.end()[1]
        assert time.monotonic() - began < STOPPED
        assert code == 130
        for client in deaf:
            client.wire.close()
        if when == "before":
            host.start()
    assert "Traceback" not in host.log.read_text()


# ------------------------------------------------------------ connections


def connection(port, address):
    wire = socket.socket()
    wire.settimeout(PATIENCE)
    wire.bind((address, 0))
    wire.connect(("127.0.0.1", port))
    return wire


class Again(PlainClient):
    """Connect; retry while the host refuses connections."""

    def run(self):
        for _ in range(600):
            with contextlib.suppress(OSError):
                return super().run()
            time.sleep(0.1)
        raise AssertionError("the host refuses")


class From(PlainClient):
    """A client whose connections come from another address."""

    address = "127.0.0.2"

    def connect(self):
        self.wire = connection(self.port, self.address)
        if self.tls:
            self.wire = self.secured(self.wire)


@pytest.mark.slow
def test_connections_without_a_handshake_leave_room_for_other_addresses(start_host):
    host = start_host(["Ada", "Bob"], descriptors=512)
    open_ones = []
    try:
        for number in range(900):
            with contextlib.suppress(OSError):  # a refusal may come at once
                open_ones.append(connection(host.ports[0], "127.0.0.1"))
                if number % 2:
                    open_ones[-1].sendall(b"\x16\x03\x01\x02\x00\x01")
        clients = [From(host.ports[0], token_of(name), first_free) for name in ("Ada", "Bob")]
        scores = []
        all_done(running(*(lambda c=c: scores.append(c.run()) for c in clients)))
    finally:
        for wire in open_ones:
            wire.close()
    assert sum(scores) == 100.0
    assert host.end()[1] == 0
    log = host.log.read_text()
    assert "Traceback" not in log
    assert "127.0.0.1" in log
    assert log.count("\n") < 20


@pytest.mark.parametrize(
    "limits",
    [
        replace(HOST_LIMITS, max_connections_per_address=2),
        replace(HOST_LIMITS, max_strangers_per_address=2),
    ],
    ids=["connections", "strangers"],
)
def test_connections_of_an_address_are_limited_until_some_close(tmp_path, limits):
    with hosting(tmp_path, ["Ada", "Bob"], tls=False, limits=limits) as host:
        clients = [PlainClient(host.port, "x", first_free, tls=False) for _ in range(3)]
        for client in clients[:2]:
            client.connect()
            assert client.next() == {"topic": "authentication"}
        with pytest.raises(OSError, match=r"closed|reset"):
            clients[2].run()
        other = From(host.port, "x", first_free, tls=False)
        assert other.run() is None
        for client in clients[:2]:
            client.wire.close()
        assert Again(host.port, "x", first_free, tls=False).run() is None


def test_a_logged_in_player_does_not_count_as_a_stranger(tmp_path):
    rules, limits = TournamentRules(games=1), replace(HOST_LIMITS, max_strangers_per_address=1)
    with hosting(tmp_path, ["Ada", "Bob"], rules, tls=False, limits=limits) as host:
        ada = Deaf(host.port, token_of("Ada"), "question", tls=False)
        ada.run()
        bob = Deaf(host.port, token_of("Bob"), "question", tls=False)
        bob.run()
        assert bob.topics() == ["authentication", "question"]
        ada.wire.close()
        bob.wire.close()


def test_connections_of_an_address_beyond_the_first_ones_wait_their_turn():
    made = door.Door(None, replace(HOST_LIMITS, handshakes=Rate(0.01, 4.0)))
    waits = [made._handshakes.reserve("127.0.0.1", 1) for _ in range(6)]
    assert waits[:4] == [0.0] * 4
    assert waits[4:] == pytest.approx([100.0, 200.0], abs=20)
    assert made._handshakes.reserve("127.0.0.2", 1) == 0.0


def test_refusals_are_logged_once_a_minute(caplog):
    made = door.Door(None)
    for number in range(1000):
        made.note(f"127.0.0.{1 + number % 9}", "a wrong token")
    asyncio.run(made.close())
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert lines[0] == "refused: 127.0.0.1: a wrong token (1 times)"
    assert "and 4 more" in lines[1]


# ------------------------------------------------------------ tokens


def refused(port, token, tls=False):
    """Return the error that a token causes."""
    client = PlainClient(port, token, first_free, tls=tls)
    assert client.run() is None
    return client.heard[-1]["error"]


def test_the_right_token_is_let_in_after_many_wrong_ones(tmp_path):
    with hosting(tmp_path, ["Ada", "Bob"], TournamentRules(games=2), tls=False, old=True) as host:
        for number in range(60):
            assert "no player's token" in refused(host.port, f"wrong token {number}")
            if number % 3 == 0:
                wrong = OldClient(host.ports[1], "wrong", first_free, tls=False)
                assert wrong.run() is None
        clients = [
            PlainClient(host.port, token_of(name), first_free, tls=False) for name in ("Ada", "Bob")
        ]
        scores = []
        all_done(running(*(lambda c=c: scores.append(c.run()) for c in clients)))
        host.join()
    assert sum(scores) == 100.0


def test_one_player_cannot_hold_the_connections_of_an_address(tmp_path):
    with hosting(tmp_path, ["Ada", "Bob"], TournamentRules(games=2), tls=False) as host:
        asked = [Deaf(host.port, token_of("Ada"), "question", tls=False) for _ in range(40)]
        for client in asked:
            client.run()
        held = [client for client in asked if "error" not in client.topics()]
        words = [client.heard[-1].get("error") for client in asked if client not in held]
        assert len(held) < 20
        assert all("you have" in one for one in words)
        clients = [PlainClient(host.port, token_of("Bob"), first_free, tls=False)]
        threads = running(clients[0].run)
        for client in asked:
            client.wire.close()
        threads += running(Again(host.port, token_of("Ada"), first_free, tls=False).run)
        all_done(threads)
        host.join()


SURROGATES = [r'"\ud800"', r'"a token\udfff"', r'["\ud83d"]', r'{"\ud83d": 1}']


@pytest.mark.parametrize("content", SURROGATES)
def test_a_lone_surrogate_gets_an_error(tmp_path, caplog, content):
    with hosting(tmp_path, ["Ada", "Bob"], tls=False) as host:
        wire = socket.create_connection(("127.0.0.1", host.port))
        wire.sendall(struct.pack("<i", len(content)) + content.encode())
        data = b""
        while more := wire.recv(4096):
            data += more
        wire.close()
    (first,) = struct.unpack("<i", data[:4])
    assert "UTF-8" in json.loads(data[8 + first :])["error"]
    assert not [record for record in caplog.records if record.exc_info]
