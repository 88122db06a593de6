"""The host's end of a connection: messages out, answers in, in either dialect.

Whatever a client sends is read at once and in bounds, so that a slow or hostile one costs nothing
but its own session.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from meeple.errors import MeepleError
from meeple.protocols.oht import dialect2020 as old
from meeple.protocols.oht.frames import MOST_FROM_CLIENT, Frames, pack
from meeple.protocols.oht.messages import (
    Action,
    AnswerError,
    Authentication,
    Failure,
    Question,
    RequestAction,
    ServerMessage,
    WireError,
    read_action,
    read_token,
    read_yes,
    to_json,
)
from meeple.rate_limit import TokenBucket

LOG = logging.getLogger(__name__)
UNASKED_A_SECOND, UNASKED_AT_ONCE = 2.0, 20.0  # answers that nobody has asked for
UNREAD = 262_144  # bytes that a client may leave unread
LAST_SECONDS = 30.0  # for a client to read the last words of a session, and close
PIECE = 4096  # bytes read at once
PAUSE = 0.03  # seconds between two texts of 2020 without TLS, where they would run together

T = TypeVar("T")


class LinkLost(MeepleError):
    """The connection has ended."""


class Link:
    """A connection that speaks the dialect of frames; `OldLink` that of 2020."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._expected: asyncio.Future[Any] | None = None
        self._owed = 0  # answers that are still to come, but come too late
        self._unasked = TokenBucket(UNASKED_A_SECOND, UNASKED_AT_ONCE)
        self._frames = Frames(MOST_FROM_CLIENT)
        self.closed = asyncio.Event()
        self._pump = asyncio.create_task(self._read_all())
        self._ending: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ out

    async def tell(self, message: ServerMessage) -> None:
        """Send a message. Raises LinkLost."""
        if self.closed.is_set():
            raise LinkLost("the connection has ended")
        transport = self._writer.transport
        if transport.get_write_buffer_size() > UNREAD:
            LOG.info("a client reads nothing; its connection is closed")
            self.drop()
            raise LinkLost("the client reads nothing")
        await self._send(message)

    async def _send(self, message: ServerMessage) -> None:
        self._writer.write(pack(to_json(message)))

    async def fail(self, sentence: str) -> None:
        """End the session with an error in the protocol's own form."""
        with contextlib.suppress(LinkLost):
            await self.tell(Failure(sentence))
        await self.finish()

    def retire(self, error: MeepleError) -> None:
        """End the session with an error, without waiting for the client to read it and close.

        What was asked fails with that error at once.
        """
        self._refuse(error)
        self._ending = asyncio.get_running_loop().create_task(self.fail(str(error)))

    async def finish(self) -> None:
        """End the session once all that was told has gone out."""
        with contextlib.suppress(Exception):  # whatever the transport is in, it is to be closed
            async with asyncio.timeout(LAST_SECONDS):
                self._writer.close()  # once all has gone out
                await self._writer.wait_closed()
        self.drop()

    def drop(self) -> None:
        """End the session at once."""
        self.closed.set()
        self._writer.transport.abort()
        self._refuse(LinkLost("the connection has ended"))
        self._pump.cancel()

    # ------------------------------------------------------------ in

    async def ask_token(self) -> str:
        """Ask for the token. Raises LinkLost, WireError and AnswerError."""
        return await self._ask(Authentication(), read_token)

    async def ask_yes(self, question: Question) -> bool:
        """Ask for yes or no. Raises LinkLost, WireError and AnswerError."""
        return await self._ask(question, read_yes)

    async def ask_action(self, state: tuple[Any, ...], seconds: float) -> Action:
        """Ask for an action. Raises TimeoutError, LinkLost, WireError and AnswerError.

        The answer to what has timed out is waited for no more, and passed over when it comes.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self._ask(RequestAction(state), read_action)
        except TimeoutError:
            self._owed += 1
            self._expected = None
            raise

    async def _ask(self, message: ServerMessage, read: Callable[[Any], T]) -> T:
        self._expected = asyncio.get_running_loop().create_future()
        await self.tell(message)
        answer = await self._expected
        return read(answer)

    async def _read_all(self) -> None:
        """Take what the client sends, as long as it does."""
        try:
            while data := await self._reader.read(PIECE):
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
            self._answered(value[0])

    def _answered(self, value: Any) -> None:
        """An answer is here: give it to who has asked."""
        if self._owed:
            self._owed -= 1
        elif self._expected is not None and not self._expected.done():
            if isinstance(value, MeepleError):
                self._expected.set_exception(value)
            else:
                self._expected.set_result(value)
        elif not self._unasked.take():
            raise WireError("too many answers that nobody has asked for")

    def _refuse(self, error: MeepleError) -> None:
        if self._expected is not None and not self._expected.done():
            self._expected.set_exception(error)
            self._expected.exception()  # nobody need be waiting


class OldLink(Link):
    """A connection that speaks the dialect of 2020."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, records: bool
    ) -> None:
        """`records`: each text is one of TLS, and so one for its reader."""
        self._records = records
        self._answers = old.Answers()
        self._prompting = True
        super().__init__(reader, writer)

    async def _send(self, message: ServerMessage) -> None:
        for text in old.write(message):
            self._writer.write(text.encode())
            if not self._records:  # no `drain`, which waits for a client that reads nothing
                await asyncio.sleep(PAUSE)

    async def ask_token(self) -> str:
        self._prompting = True
        self._expected = asyncio.get_running_loop().create_future()
        self._writer.write(old.USERNAME.encode())
        await self._expected
        return await super().ask_token()

    async def ask_yes(self, question: Question) -> bool:
        def read(text: Any) -> bool:
            return str(text).lower().startswith("y")

        answer = await self._ask(question, read)
        self._writer.write(old.WELCOME.encode())
        if not self._records:
            await asyncio.sleep(PAUSE)
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
            self._answered(answer)
