"""Malformed input of clients gives errors of the protocol and has no other effect."""

import asyncio
import json
import struct
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple_oht.entrants import RemoteEntrant
from meeple_oht.link import Link, LinkLost, OldLink
from meeple_oht.rules import TournamentRules
from meeple_oht.wire.boards import WireBoard
from meeple_oht.wire.frames import FrameReader, pack
from meeple_oht.wire.messages import AnswerError, ClientQuestion, GameStart, Notice, WireError

pytestmark = pytest.mark.anyio
EXAMPLES, EACH = 100, 100  # 10,000 messages
BOUND = 5.0  # time limit of one message in seconds, on a busy machine


class Memory:
    """Both ends of a connection in memory: feeds input and records output."""

    def __init__(self):
        self.reader = asyncio.StreamReader()
        self.written = b""
        self.aborted, self.unread = False, 0

    @property
    def transport(self):
        return self

    def write(self, data):
        self.written += data

    async def drain(self):
        pass

    def close(self):
        self.reader.feed_eof()

    async def wait_closed(self):
        pass

    def abort(self):
        self.aborted = True

    def get_write_buffer_size(self):
        return self.unread

    @property
    def told(self):
        """The messages that were sent."""
        frames, found = FrameReader(1_000_000), []
        frames.feed(self.written)
        while (value := frames.next()) is not None:
            found.append(value[0])
        return found


def framed_text(text):
    content = text.encode("utf-8", "surrogatepass")
    return struct.pack("<i", len(content)) + content


def memory() -> Any:
    return Memory()


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=4,
)
MALFORMED = st.one_of(
    st.binary(max_size=80),
    st.binary(max_size=80).map(lambda content: struct.pack("<i", len(content)) + content),
    st.tuples(st.integers(-(2**31), 2**31 - 1), st.binary(max_size=20)).map(
        lambda lie: struct.pack("<i", lie[0]) + lie[1]
    ),
    JSON.map(pack),
    st.integers(21, 900).map(lambda deep: framed_text("[" * deep + "]" * deep)),
    st.sampled_from(["NaN", "-Infinity", '"\\ud800"', "1e999", "[1,2", "{}", "[1,2]x"]).map(
        framed_text
    ),
    st.integers(10, 5000).map(lambda digits: framed_text("[1," + "9" * digits + "]")),
)


def is_action(data):
    """Whether the bytes are by chance a valid answer: a frame with one or two integers."""
    if len(data) < 4 or struct.unpack("<i", data[:4])[0] > len(data) - 4:
        return False
    try:
        value = json.loads(data[4 : 4 + struct.unpack("<i", data[:4])[0]])
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list) and {type(part) for part in value} == {int}


async def answered(data, board, position):
    """Return what a host read from an answer, and what it sent the client."""
    wire = memory()
    remote = RemoteEntrant(1, "Ada", TournamentRules(wait=0.0))
    link = Link(wire.reader, wire)
    await remote.attach(link)
    asked = asyncio.ensure_future(remote.choose(board, position, 1))
    await asyncio.sleep(0)
    wire.reader.feed_data(data)
    wire.reader.feed_eof()
    choice = await asked
    for _ in range(6):  # the error is sent by another task
        await asyncio.sleep(0)
    link.drop()
    return choice, wire


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.lists(MALFORMED, min_size=EACH, max_size=EACH))
async def test_ten_thousand_malformed_messages_change_nothing(messages):
    board = WireBoard(meeple.make("hex", size=3))
    position = board.begun_by(1).start()
    position.play(4)
    position.play(0)
    before = position.row.copy(), position.actions

    for data in messages:
        began = time.perf_counter()
        choice, wire = await answered(data, board, position)
        assert time.perf_counter() - began < BOUND
        topics = [message["topic"] for message in wire.told]
        assert topics[0] == "request_action"
        if is_action(data):
            continue
        assert choice.action is None
        assert choice.fault in ("rubbish", "disconnect")
        assert choice.words
        if "error" in topics:  # later input cannot be read
            assert choice.fault == "rubbish"
            assert topics == ["request_action", "error"]
            assert wire.told[1]["error"]
    assert (position.row == before[0]).all()
    assert position.actions == before[1]


@pytest.mark.parametrize("data", [b"\xff\xff\xff\xff", b"\x03\x00\x00\x00abc"])
async def test_unreadable_data_ends_the_session_with_an_error(data):
    wire = memory()
    link = Link(wire.reader, wire)
    asked = asyncio.ensure_future(link.ask_token())
    await asyncio.sleep(0)
    wire.reader.feed_data(data)
    with pytest.raises(WireError):
        await asked
    await asyncio.wait_for(link.closed.wait(), 60)
    assert [message["topic"] for message in wire.told] == ["authentication", "error"]


async def test_a_late_answer_is_not_taken_for_the_next_one():
    wire = memory()
    link = Link(wire.reader, wire)
    with pytest.raises(TimeoutError):
        await link.ask_action((1, 0), 0.01)
    asked = asyncio.ensure_future(link.ask_action((1, 2), 60))
    await asyncio.sleep(0)
    wire.reader.feed_data(pack([0, 0]) + pack([1, 1]))
    assert await asked == (1, 1)
    link.drop()


async def test_too_many_unrequested_answers_end_the_session():
    wire = memory()
    link = Link(wire.reader, wire)
    await asyncio.sleep(0)
    wire.reader.feed_data(pack([0, 0]) * 15)
    await asyncio.sleep(0.01)
    assert not link.closed.is_set()
    wire.reader.feed_data(pack([0, 0]) * 50)
    await asyncio.wait_for(link.closed.wait(), 60)
    assert wire.told[-1]["topic"] == "error"
    with pytest.raises(LinkLost):
        await link.send(ClientQuestion("a", "b"))


async def test_a_client_that_reads_nothing_is_dropped():
    wire = memory()
    wire.unread = 1_000_000
    link = Link(wire.reader, wire)
    with pytest.raises(LinkLost):
        await link.send(ClientQuestion("a", "b"))
    assert wire.aborted


async def test_a_client_that_does_not_close_delays_no_other_link():
    class Deaf(Memory):
        async def wait_closed(self):
            await asyncio.Event().wait()

    board = WireBoard(meeple.make("hex", size=3))
    position = board.begun_by(1).start()
    remote = RemoteEntrant(1, "Ada", TournamentRules(wait=60.0))
    asleep: Any = Deaf()
    await remote.attach(Link(asleep.reader, asleep))
    asked = asyncio.ensure_future(remote.choose(board, position, 1))
    await asyncio.sleep(0)
    wire = memory()
    second = Link(wire.reader, wire)
    await asyncio.wait_for(remote.attach(second), 60)
    wire.reader.feed_data(pack([1, 1]))
    for _ in range(10):
        await asyncio.sleep(0)
    assert (await asyncio.wait_for(asked, 60)).action == (1, 1)
    assert [message["topic"] for message in asleep.told] == ["request_action", "error"]
    await asyncio.wait_for(remote.send(Notice("on it goes")), 60)
    second.drop()


async def test_reconnecting_repeatedly_gains_no_time():
    board = WireBoard(meeple.make("hex", size=3))
    remote = RemoteEntrant(1, "Ada", TournamentRules(wait=60.0))
    asked = asyncio.ensure_future(remote.choose(board, board.begun_by(1).start(), 1))
    links: list[Link] = []
    while not asked.done():
        assert len(links) < 100
        wire = memory()
        links.append(Link(wire.reader, wire))
        await remote.attach(links[-1])
        for _ in range(4):
            await asyncio.sleep(0)
    assert asked.result().fault == "disconnect"
    for link in links:
        link.drop()


async def test_a_client_of_2020_that_reads_nothing_delays_no_other():
    class Full(Memory):
        async def drain(self):
            await asyncio.Event().wait()

    wire: Any = Full()
    link = OldLink(wire.reader, wire, records=False)
    await asyncio.wait_for(link.send(GameStart(1)), 60)
    assert wire.written.endswith(b"1")
    link.drop()


async def test_the_dialect_of_2020_has_a_login_and_refuses_rubbish():
    wire = memory()
    link = OldLink(wire.reader, wire, records=True)

    async def next_answer(data, asked):
        for _ in range(3):
            await asyncio.sleep(0)
        wire.reader.feed_data(data)
        return await asked

    asked = asyncio.ensure_future(link.ask_token())
    await asyncio.sleep(0)
    wire.reader.feed_data(b"somebody")
    assert await next_answer(b"the-token", asked) == "the-token"
    yes = asyncio.ensure_future(link.ask_yes(ClientQuestion("qualify", "?")))
    assert await next_answer(b"y", yes) is True
    move = asyncio.ensure_future(link.ask_action((1, 0), 60))
    assert await next_answer(b"(3, 4)", move) == (3, 4)
    move = asyncio.ensure_future(link.ask_action((1, 0), 60))
    with pytest.raises(AnswerError):
        await next_answer(b"what?", move)
    move = asyncio.ensure_future(link.ask_action((1, 0), 60))
    with pytest.raises(WireError):
        await next_answer(b"\xff", move)
    link.drop()
