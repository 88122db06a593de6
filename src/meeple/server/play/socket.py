"""The socket of a table: sends every change to the page, and receives the people's actions."""

import asyncio
import contextlib
from collections import deque
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from meeple.errors import MeepleError
from meeple.games.contract.shown import fault_text
from meeple.sentences import as_json
from meeple.server.errors import Busy, Forbidden, error_message, refusal
from meeple.server.play.messages import MESSAGE, ChatText, Pause, Play, Reply, Watch
from meeple.server.play.seats import hashes
from meeple.server.play.table import Table
from meeple.server.play.tables import Tables
from meeple.server.web.inbox import Inbox, Rubbish, fault_of
from meeple.server.web.requests import part

router = APIRouter()

AGAIN = 4503  # close code of a socket whose table cannot be loaded yet


class TablePage:
    """A page that shows a table; it always gets the newest view, and may skip older ones."""

    def __init__(self, socket: WebSocket, tables: Tables, table: Table, tokens: tuple[str, ...]):
        self.socket, self.tables, self.table, self.tokens = socket, tables, table, tokens
        self.held = hashes(tokens)
        self._due = asyncio.Event()
        self._changed = False
        self._waiting: deque[dict[str, Any]] = deque(maxlen=tables.limits.max_unsent_messages)
        self._known = 0  # number of plies whose events were sent
        self._cuts = table.history.cuts
        self._reader: int | None = None

    @property
    def you(self) -> frozenset[int]:
        """The seats of the page's tokens."""
        return self.table.seats_with(self.held)

    def wake(self) -> None:
        """Note that the table has changed."""
        self._changed = True
        self._due.set()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message after the next view."""
        self._waiting.append(message)
        self._due.set()

    async def send_all(self) -> None:
        """Send views and messages until cancelled."""
        while True:
            await self._due.wait()
            self._due.clear()
            if self._changed:
                self._changed = False
                async with self.table.upkeep.lock:  # send only what is stored
                    view = self._message() if self.tables.residents.has(self.table) else None
                if view is not None:  # not dropped after a failed write
                    await self._send(view)
            while self._waiting:
                await self._send(self._waiting.popleft())

    def _message(self) -> dict[str, Any]:
        """Return the view of the table as a message, or the fault of a method of its game."""
        try:
            return self._view()
        except MeepleError as error:
            return error_message(error)
        except Exception as error:  # of the author's code
            return error_message(MeepleError(fault_text(error)))

    def _view(self) -> dict[str, Any]:
        table = self.table
        reader = table.history.reader(self.you)
        since = min(self._known, table.history.unchanged_since(self._cuts))
        if reader != self._reader:
            since = 0  # the texts of another viewer
        view = self.tables.residents.view(table, self.held, since)
        self._known, self._cuts, self._reader = table.ply, table.history.cuts, reader
        return {"type": "table", **view}

    async def _send(self, message: dict[str, Any]) -> None:
        await self.socket.send_text(as_json(message))


@router.websocket("/ws/table")
async def play_at(socket: WebSocket, tables: Annotated[Tables, part(Tables)]) -> None:
    """Serve a page that plays at a table or watches it."""
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        limits = tables.limits
        inbox = Inbox(socket, limits.table_json, limits.table_messages, limits)
        page = await _seated(socket, inbox, tables)
        if page is None:
            return
        sender = asyncio.create_task(page.send_all())
        try:
            tables.watch(page.table, page)
            if page.table.chat.lines:
                page.tell({"type": "chat", "lines": list(page.table.chat.lines)})
            await _listen(page, inbox)
        except MeepleError as error:
            await socket.send_json(error_message(error))
        finally:
            tables.residents.unwatch(page.table, page)
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)


async def _seated(socket: WebSocket, inbox: Inbox, tables: Tables) -> TablePage | None:
    """Return the page after its first message; None after an error, which is sent to it."""
    try:
        text = await asyncio.wait_for(
            inbox.next_text(), timeout=tables.limits.first_message_seconds
        )
        first = Watch.model_validate_json(text)
        table = await tables.get(first.table)
    except Busy:  # the page comes back by itself
        await socket.close(AGAIN)
        return None
    except (ValidationError, MeepleError, TimeoutError) as error:
        if not isinstance(error, MeepleError):
            error = MeepleError("the first message names a table")
        await socket.send_json({**error_message(error), "fatal": True})
        await socket.close(4404)
        return None
    return TablePage(socket, tables, table, tuple(first.tokens))


async def _listen(page: TablePage, inbox: Inbox) -> None:
    """Handle the page's messages until it disconnects."""
    hint: asyncio.Task[None] | None = None
    try:
        while True:
            try:
                message = MESSAGE.validate_json(await inbox.next_text())
                if message.type == "hint":
                    if hint is None or hint.done():
                        hint = asyncio.create_task(_give_hint(page))
                else:
                    await _do(page, message)
            except (ValidationError, Rubbish) as error:
                await inbox.bear()
                page.tell({"type": "error", "text": fault_of(error)})
            except MeepleError as error:
                page.tell(error_message(error))
                page.wake()
    finally:
        if hint is not None:
            hint.cancel()


async def _give_hint(page: TablePage) -> None:
    try:
        thought = await page.tables.hint(page.table, page.you)
        page.tell({"type": "hint", **thought})
    except MeepleError as error:
        page.tell(error_message(error))


async def _do(page: TablePage, message: Any) -> None:
    """Handle one message; raise MeepleError if it is refused."""
    tables, table, you = page.tables, page.table, page.you
    host = table.is_host(page.held)
    if not you and not host:
        raise refusal(Forbidden, "only_players")
    if isinstance(message, Play):
        await tables.play(table, you, message.ply, message.actions)
    elif isinstance(message, ChatText):
        tables.chat(table, you, message.text)
    elif isinstance(message, Reply):
        await tables.answer(table, you, message.agree)
    elif isinstance(message, Pause):
        if not host:
            raise refusal(Forbidden, "only_creator_pauses")
        tables.pause(table, message.on)
    elif message.type == "undo":
        await tables.undo(table, you)
    elif message.type == "draw":
        await tables.offer_draw(table, you)
    elif message.type == "now":
        tables.now(table)
    elif message.type == "resign":
        await tables.resign(table, you)
    else:
        await _rematch(page)


async def _rematch(page: TablePage) -> None:
    """Begin a rematch, and send the page its tokens by their new seats."""
    table = page.table
    fresh = await page.tables.rematch(table)
    tokens = {
        str(seat): token for token in page.tokens for seat in sorted(fresh.seats_of((token,)))
    }
    page.tell({"type": "rematch", "table": fresh.id, "tokens": tokens})
