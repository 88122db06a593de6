"""The host's end of a connection: messages out, answers in, in either dialect.

Input is read at once and within bounds, so that a slow or hostile client harms only its own
session.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from meeple.errors import MeepleError
from meeple.rate_limit import TokenBucket
from meeple_oht.limits import HOST_LIMITS, HostLimits
from meeple_oht.wire import dialect2020 as old
from meeple_oht.wire.frames import MAX_CLIENT_FRAME_BYTES, FrameReader, pack
from meeple_oht.wire.messages import (
    Action,
    AnswerError,
    Authentication,
    ClientQuestion,
    Failure,
    RequestAction,
    ServerMessage,
    WireError,
    read_action,
    read_token,
    read_yes,
    to_json,
)

LOG = logging.getLogger(__name__)
READ_BYTES = 4096  # most bytes of one read
PAUSE_SECONDS = 0.03  # between two texts of 2020 without TLS, so that a reader can tell them apart

T = TypeVar("T")


class LinkLost(MeepleError):
    """The connection has ended."""


class Link:
    """A connection in the dialect of JSON frames; `OldLink` is one in the dialect of 2020."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: HostLimits = HOST_LIMITS,
    ) -> None:
        self._reader, self._writer, self._limits = reader, writer, limits
        self._expected: asyncio.Future[Any] | None = None
        self._overdue = 0  # answers to requests that have timed out, to be discarded
        self._unasked = TokenBucket(limits.unrequested_answers)
        self._frames = FrameReader(MAX_CLIENT_FRAME_BYTES)
        self.closed = asyncio.Event()
        self._pump = asyncio.create_task(self._read_all())
        self._ending: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ out

    async def send(self, message: ServerMessage) -> None:
        """Send a message. Raises LinkLost."""
        if self.closed.is_set():
            raise LinkLost("the connection has ended")
        transport = self._writer.transport
        if transport.get_write_buffer_size() > self._limits.max_unread_bytes:
            LOG.info("a client reads nothing; its connection is closed")
            self.drop()
            raise LinkLost("the client reads nothing")
        await self._send(message)

    async def _send(self, message: ServerMessage) -> None:
        self._writer.write(pack(to_json(message)))

    async def fail(self, sentence: str) -> None:
        """End the session with an error message of the protocol."""
        with contextlib.suppress(LinkLost):
            await self.send(Failure(sentence))
        await self.finish()

    def retire(self, error: MeepleError) -> None:
        """End the session with an error, without waiting for the client to read it and close.

        A pending request fails with that error at once.
        """
        self._fail_request(error)
        self._ending = asyncio.get_running_loop().create_task(self.fail(str(error)))

    async def finish(self) -> None:
        """End the session once all messages have been sent."""
        with contextlib.suppress(Exception):  # close the transport in any state
            async with asyncio.timeout(self._limits.close_seconds):
                self._writer.close()  # closes after the buffer has been sent
                await self._writer.wait_closed()
        self.drop()

    def drop(self) -> None:
        """End the session at once."""
        self.closed.set()
        self._writer.transport.abort()
        self._fail_request(LinkLost("the connection has ended"))
        self._pump.cancel()

    # ------------------------------------------------------------ in

    async def ask_token(self) -> str:
        """Ask for the token. Raises LinkLost, WireError and AnswerError."""
        return await self._ask(Authentication(), read_token)

    async def ask_yes(self, question: ClientQuestion) -> bool:
        """Ask for yes or no. Raises LinkLost, WireError and AnswerError."""
        return await self._ask(question, read_yes)

    async def ask_action(self, state: tuple[Any, ...], seconds: float) -> Action:
        """Ask for an action. Raises TimeoutError, LinkLost, WireError and AnswerError.

        After a timeout, the late answer is discarded when it comes.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self._ask(RequestAction(state), read_action)
        except TimeoutError:
            self._overdue += 1
            self._expected = None
            raise

    async def _ask(self, message: ServerMessage, read: Callable[[Any], T]) -> T:
        self._expected = asyncio.get_running_loop().create_future()
        await self.send(message)
        answer = await self._expected
        return read(answer)

    async def _read_all(self) -> None:
        """Read what the client sends until the connection ends."""
        try:
            while data := await self._reader.read(READ_BYTES):
                self._take(data)
        except WireError as error:
            LOG.info("a connection is closed: %s", error)
            self.retire(error)
            return
        except (OSError, asyncio.IncompleteReadError):
            pass
        self.drop()

    def _take(self, data: bytes) -> None:
        self._frames.feed(data)
        while (value := self._frames.next()) is not None:
            self._deliver(value[0])

    def _deliver(self, value: Any) -> None:
        """Deliver an answer to the pending request."""
        if self._overdue:
            self._overdue -= 1
        elif self._expected is not None and not self._expected.done():
            if isinstance(value, MeepleError):
                self._expected.set_exception(value)
            else:
                self._expected.set_result(value)
        elif not self._unasked.take():
            raise WireError("too many unrequested answers")

    def _fail_request(self, error: MeepleError) -> None:
        if self._expected is not None and not self._expected.done():
            self._expected.set_exception(error)
            self._expected.exception()  # avoids a warning if no task awaits it


class OldLink(Link):
    """A connection in the dialect of 2020."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: HostLimits = HOST_LIMITS,
        *,
        records: bool,
    ) -> None:
        """Create the link; `records` says that TLS keeps texts apart, so no pauses are needed."""
        self._records = records
        self._answers = old.Answers()
        self._prompting = True
        super().__init__(reader, writer, limits)

    async def _send(self, message: ServerMessage) -> None:
        for text in old.write(message):
            self._writer.write(text.encode())
            if not self._records:  # no `drain`: it would wait for a client that reads nothing
                await asyncio.sleep(PAUSE_SECONDS)

    async def ask_token(self) -> str:
        self._prompting = True
        self._expected = asyncio.get_running_loop().create_future()
        self._writer.write(old.USERNAME.encode())
        await self._expected
        return await super().ask_token()

    async def ask_yes(self, question: ClientQuestion) -> bool:
        def read(text: Any) -> bool:
            return str(text).lower().startswith("y")

        answer = await self._ask(question, read)
        self._writer.write(old.WELCOME.encode())
        if not self._records:
            await asyncio.sleep(PAUSE_SECONDS)
        self._prompting = False
        return answer

    def _take(self, data: bytes) -> None:
        try:
            self._answers.feed(data.decode())
        except UnicodeDecodeError:
            raise WireError("what was sent is not text in UTF-8") from None
        while True:
            answer: Any
            try:
                answer = (
                    self._answers.next_line() if self._prompting else self._answers.next_action()
                )
            except AnswerError as error:
                answer = error
            if answer is None:
                return
            self._deliver(answer)
