"""The entrants of a series: remote players, whose links may break, and agents of the host.

An entrant returns an action or a fault; the series decides what a fault costs.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from meeple.agents.agent import Agent
from meeple.agents.networks import NEARBY
from meeple.agents.spec import agent as make_agent
from meeple.errors import MeepleError
from meeple.games.contract.game import Position
from meeple_oht.link import Link, LinkLost
from meeple_oht.rules import MAX_RECONNECTIONS, TournamentRules
from meeple_oht.wire.boards import WireBoard
from meeple_oht.wire.messages import (
    Action,
    AnswerError,
    GameOver,
    GameStart,
    SeriesStart,
    ServerMessage,
    WireError,
)

LOG = logging.getLogger(__name__)
T = TypeVar("T")
REPLACED = "you have connected again, so this connection is closed"


@dataclass(frozen=True)
class EntrantChoice:
    """An entrant's answer to a request: an action, or the fault that it committed instead."""

    action: Action | None
    seconds: float
    fault: str = ""  # timeout, rubbish or disconnect
    words: str = ""


class RemoteEntrant:
    """A remote player, which may reconnect: each connection is a new link."""

    def __init__(
        self,
        uid: int,
        name: str,
        rules: TournamentRules,
        on_link: Callable[[int, bool], None] | None = None,
    ) -> None:
        """Create the entrant; `on_link` is called with its id and whether it is connected."""
        self.uid, self.name, self._rules = uid, name, rules
        self._on_link = on_link or (lambda uid, here: None)
        self._link: Link | None = None
        self._linked_event = asyncio.Event()
        self._lock = asyncio.Lock()  # keeps messages in one order, on one link
        self._series: SeriesStart | None = None
        self._game: GameStart | None = None
        self._wait_left = rules.wait  # seconds left to wait for a new connection in this game
        self._returns = 0
        self._absent = False  # whether it did not reconnect in time

    @property
    def is_connected(self) -> bool:
        """Whether the player has a link that is not known to be broken."""
        return self._link is not None

    async def attach(self, link: Link) -> None:
        """Replace the link by a new one and send it the current series and game.

        The old link is closed without waiting, since its client may never read or close.
        """
        async with self._lock:
            before = self._link
            if before is not None:
                self.detach(before)
                before.retire(LinkLost(REPLACED))
            try:
                for message in (self._series, self._game):
                    if message is not None:
                        await link.send(message)
            except LinkLost:
                return
            self._link = link
            self._linked_event.set()
        self._on_link(self.uid, True)

    async def disconnect(self) -> None:
        """End the session, if there is one, after all messages have been sent."""
        link = self._link
        if link is not None:
            self.detach(link)
            await link.finish()

    def detach(self, link: Link) -> None:
        """Forget a link that has ended."""
        if link is self._link:
            self._link = None
            self._linked_event.clear()
            self._on_link(self.uid, False)

    async def send(self, message: ServerMessage) -> None:
        """Send a message if the player is connected.

        The starts of the current series and game are sent again when it reconnects.
        """
        async with self._lock:
            self._remember(message)
            link = self._link
            if link is not None:
                try:
                    await link.send(message)
                except LinkLost:
                    self.detach(link)

    def _remember(self, message: ServerMessage) -> None:
        """Update the messages that a new link is sent first, and the wait time of a new game."""
        if isinstance(message, SeriesStart):
            self._series, self._game = message, None
        elif isinstance(message, GameStart):
            self._game, self._returns = message, 0
            gone = self._absent and not self.is_connected
            self._wait_left = 0.0 if gone else self._rules.wait
        elif isinstance(message, GameOver):
            self._game = None

    def forget(self) -> None:
        """Clear the series, so that a new link is not sent it."""
        self._series = self._game = None

    async def begin(self, board: WireBoard, starter: int, seed: int) -> None:
        """Do nothing: the player is informed by the message `GameStart`."""

    async def choose(self, board: WireBoard, position: Position, starter: int) -> EntrantChoice:
        """Request an action; return the answer, or the fault."""
        state = board.state(position, starter)
        while True:
            link = self._link
            if link is None:
                if not await self._wait_for_return():
                    return EntrantChoice(None, 0.0, "disconnect", "not connected")
                continue
            began = time.perf_counter()
            try:
                action = await link.ask_action(state, self._rules.seconds)
                return EntrantChoice(action, time.perf_counter() - began)
            except LinkLost:
                self.detach(link)
                self._returns += 1
                if self._returns > MAX_RECONNECTIONS:
                    return EntrantChoice(None, 0.0, "disconnect", "connected again too often")
            except TimeoutError:
                words = f"no answer within {self._rules.seconds:g} s"
                return EntrantChoice(None, self._rules.seconds, "timeout", words)
            except AnswerError as error:
                return EntrantChoice(None, time.perf_counter() - began, "rubbish", str(error))
            except WireError as error:
                self.detach(link)
                return EntrantChoice(None, time.perf_counter() - began, "rubbish", str(error))

    async def _wait_for_return(self) -> bool:
        """Wait within the rules for the player to reconnect; return whether it did."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._wait_left):
                await self._linked_event.wait()
            self._absent = False
        except TimeoutError:
            self._absent = True
        self._wait_left = max(0.0, self._wait_left - (time.monotonic() - began))
        return not self._absent


class AgentThreads:
    """Daemon threads in which the host's agents search; the process can end meanwhile."""

    def __init__(self, count: int) -> None:
        """Create the threads; at most `count` agents search at the same time."""
        self._turns = asyncio.Semaphore(count)
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Ask all running agents to stop."""
        self._stopped.set()

    def is_stopped(self) -> bool:
        """Return whether the agents were asked to stop."""
        return self._stopped.is_set()

    async def run(self, call: Callable[[], T]) -> T:
        """Return a call's result. If cancelled, stop waiting; the thread ends on its own."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def settle(result: Callable[[], None]) -> None:
            if not answer.done():
                result()

        def work() -> None:
            try:
                result = partial(answer.set_result, call())
            except Exception as error:
                # A future does not accept StopIteration.
                fault = RuntimeError(repr(error)) if isinstance(error, StopIteration) else error
                result = partial(answer.set_exception, fault)
            except BaseException as error:  # a custom agent may not end the host by `sys.exit`
                result = partial(answer.set_exception, RuntimeError(repr(error)))
            with contextlib.suppress(RuntimeError):  # the host has ended
                loop.call_soon_threadsafe(settle, result)

        async with self._turns:
            threading.Thread(target=work, name="oht-agent", daemon=True).start()
            return await answer


class LocalEntrant:
    """An agent of the host, which searches in a thread."""

    def __init__(self, uid: int, name: str, spec: str, threads: AgentThreads) -> None:
        self.uid, self.name, self._spec, self._threads = uid, name, spec, threads
        self._agents: dict[int, Agent] = {}  # by the starting player, 1 or 2

    async def send(self, message: ServerMessage) -> None:
        """Do nothing: an agent needs no messages, only positions."""

    def forget(self) -> None:
        """Drop the agents after a series."""
        self._agents.clear()

    async def begin(self, board: WireBoard, starter: int, seed: int) -> None:
        """Reset the agent for a new game; a failure is logged."""
        try:
            await self._threads.run(partial(self._begin, board, starter, seed))
        except MeepleError as error:
            LOG.error("%s fails at the start of a game: %s", self.name, error)
        except Exception as error:  # of a custom agent, whatever it is
            LOG.exception("%s fails at the start of a game", self.name, exc_info=error)

    def _begin(self, board: WireBoard, starter: int, seed: int) -> None:
        if starter not in self._agents:
            game = board.begun_by(starter)
            self._agents[starter] = make_agent(self._spec, game, catalogue=NEARBY)
        self._agents[starter].begin(seed)

    async def choose(self, board: WireBoard, position: Position, starter: int) -> EntrantChoice:
        """Return the agent's action; an exception of the agent counts as a fault."""
        began = time.perf_counter()
        try:
            action = await self._threads.run(partial(self._choose, position.copy(), starter))
        except Exception as error:  # of a custom agent, whatever it is
            LOG.exception("%s fails", self.name, exc_info=error)
            words = f"{type(error).__name__}: {error}"
            return EntrantChoice(None, time.perf_counter() - began, "rubbish", words)
        return EntrantChoice(board.answer(action), time.perf_counter() - began)

    def _choose(self, position: Position, starter: int) -> int:
        return int(self._agents[starter].choose(position, self._threads.is_stopped))


Entrant = RemoteEntrant | LocalEntrant
