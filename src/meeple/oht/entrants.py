"""Who plays in a series: somebody at the end of a link that may break, or an agent of the host's.

An entrant answers for its moves; what a fault costs is for the series to say.
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
from meeple.agents.spec import agent as make_agent
from meeple.errors import MeepleError
from meeple.games.contract.game import Position
from meeple.oht.link import Link, LinkLost
from meeple.oht.rules import RETURNS, Rules
from meeple.protocols.oht.boards import Board
from meeple.protocols.oht.messages import (
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
ONCE_MORE = "you have connected once more, so this connection is closed"


@dataclass(frozen=True)
class Choice:
    """What an entrant answered to a request: an action, or the fault it committed instead."""

    action: Action | None
    seconds: float
    fault: str = ""  # timeout, rubbish or disconnect
    words: str = ""


class Remote:
    """A player at the end of a link, through all of its links."""

    def __init__(
        self, uid: int, name: str, rules: Rules, on_link: Callable[[int, bool], None] | None = None
    ) -> None:
        """`on_link` is told when the player has connected, and when it is gone."""
        self.uid, self.name, self._rules = uid, name, rules
        self._on_link = on_link or (lambda uid, here: None)
        self._link: Link | None = None
        self._arrived = asyncio.Event()
        self._lock = asyncio.Lock()  # what is told comes in one order, to one link
        self._series: SeriesStart | None = None
        self._game: GameStart | None = None
        self._patience = rules.wait  # seconds that are left to wait for it in this game
        self._returns = 0
        self._absent = False  # whether it did not come back in time

    @property
    def is_connected(self) -> bool:
        """Whether it has a link that works, as far as is known."""
        return self._link is not None

    async def attach(self, link: Link) -> None:
        """A new link takes the place of the last one, and is told where its player is.

        The last one is closed beside: its client may never read that, nor close.
        """
        async with self._lock:
            before = self._link
            if before is not None:
                self.detach(before)
                before.retire(LinkLost(ONCE_MORE))
            try:
                for message in (self._series, self._game):
                    if message is not None:
                        await link.tell(message)
            except LinkLost:
                return
            self._link = link
            self._arrived.set()
        self._on_link(self.uid, True)

    async def hang_up(self) -> None:
        """End the session, if there is one, once all that was told has gone out."""
        link = self._link
        if link is not None:
            self.detach(link)
            await link.finish()

    def detach(self, link: Link) -> None:
        """That link has ended."""
        if link is self._link:
            self._link = None
            self._arrived.clear()
            self._on_link(self.uid, False)

    async def tell(self, message: ServerMessage) -> None:
        """Tell the player, if it is there. What tells it where it is, is told again on return."""
        async with self._lock:
            self._remember(message)
            link = self._link
            if link is not None:
                try:
                    await link.tell(message)
                except LinkLost:
                    self.detach(link)

    def _remember(self, message: ServerMessage) -> None:
        """What a new link has to be told before anything else."""
        if isinstance(message, SeriesStart):
            self._series, self._game = message, None
        elif isinstance(message, GameStart):
            self._game, self._returns = message, 0
            gone = self._absent and not self.is_connected
            self._patience = 0.0 if gone else self._rules.wait
        elif isinstance(message, GameOver):
            self._game = None

    def forget(self) -> None:
        """The series is over: who connects now is in none."""
        self._series = self._game = None

    async def begin(self, board: Board, starter: int, seed: int) -> None:
        """A game begins, which the message says."""

    async def choose(self, board: Board, position: Position, starter: int) -> Choice:
        """The player's answer to a request for an action."""
        state = board.state(position, starter)
        while True:
            link = self._link
            if link is None:
                if not await self._come_back():
                    return Choice(None, 0.0, "disconnect", "not connected")
                continue
            began = time.perf_counter()
            try:
                action = await link.ask_action(state, self._rules.seconds)
                return Choice(action, time.perf_counter() - began)
            except LinkLost:
                self.detach(link)
                self._returns += 1
                if self._returns > RETURNS:
                    return Choice(None, 0.0, "disconnect", "connected again too often")
            except TimeoutError:
                words = f"no answer within {self._rules.seconds:g} s"
                return Choice(None, self._rules.seconds, "timeout", words)
            except AnswerError as error:
                return Choice(None, time.perf_counter() - began, "rubbish", str(error))
            except WireError as error:
                self.detach(link)
                return Choice(None, time.perf_counter() - began, "rubbish", str(error))

    async def _come_back(self) -> bool:
        """Wait for the player to connect again, as long as the rules say."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._patience):
                await self._arrived.wait()
            self._absent = False
        except TimeoutError:
            self._absent = True
        self._patience = max(0.0, self._patience - (time.monotonic() - began))
        return not self._absent


class AgentThreads:
    """Threads in which the host's agents think. The process can end while they do."""

    def __init__(self, count: int) -> None:
        """`count`: agents that think at the same time; the others wait."""
        self._turns = asyncio.Semaphore(count)
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Ask all that are thinking to stop."""
        self._stopped.set()

    def is_stopped(self) -> bool:
        """Whether they were asked to."""
        return self._stopped.is_set()

    async def run(self, call: Callable[[], T]) -> T:
        """The call's result. Cancelled, it waits no longer, and the thread ends in its time."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def settle(result: Callable[[], None]) -> None:
            if not answer.done():
                result()

        def work() -> None:
            try:
                result = partial(answer.set_result, call())
            except Exception as error:
                # A future takes no StopIteration, which would end an iterator elsewhere.
                fault = RuntimeError(repr(error)) if isinstance(error, StopIteration) else error
                result = partial(answer.set_exception, fault)
            except BaseException as error:  # a custom agent may not end the host by `sys.exit`
                result = partial(answer.set_exception, RuntimeError(repr(error)))
            with contextlib.suppress(RuntimeError):  # the host has ended
                loop.call_soon_threadsafe(settle, result)

        async with self._turns:
            threading.Thread(target=work, name="oht-agent", daemon=True).start()
            return await answer


class Local:
    """An agent of the host's own, which thinks in a thread."""

    def __init__(self, uid: int, name: str, spec: str, threads: AgentThreads) -> None:
        self.uid, self.name, self._spec, self._threads = uid, name, spec, threads
        self._agents: dict[int, Agent] = {}  # by who begins

    async def tell(self, message: ServerMessage) -> None:
        """It is told nothing: it sees positions."""

    def forget(self) -> None:
        """The series is over."""
        self._agents.clear()

    async def begin(self, board: Board, starter: int, seed: int) -> None:
        """A game begins: the agent forgets the one before."""
        try:
            await self._threads.run(partial(self._begin, board, starter, seed))
        except MeepleError as error:
            LOG.error("%s fails at the start of a game: %s", self.name, error)
        except Exception as error:  # of a custom agent, whatever it is
            LOG.exception("%s fails at the start of a game", self.name, exc_info=error)

    def _begin(self, board: Board, starter: int, seed: int) -> None:
        if starter not in self._agents:
            self._agents[starter] = make_agent(self._spec, board.begun_by(starter))
        self._agents[starter].begin(seed)

    async def choose(self, board: Board, position: Position, starter: int) -> Choice:
        """The agent's action; one that fails has committed a fault, and stops nobody."""
        began = time.perf_counter()
        try:
            action = await self._threads.run(partial(self._think, position.copy(), starter))
        except Exception as error:  # of a custom agent, whatever it is
            LOG.exception("%s fails", self.name, exc_info=error)
            words = f"{type(error).__name__}: {error}"
            return Choice(None, time.perf_counter() - began, "rubbish", words)
        return Choice(board.answer(action), time.perf_counter() - began)

    def _think(self, position: Position, starter: int) -> int:
        return int(self._agents[starter].choose(position, self._threads.is_stopped))


Entrant = Remote | Local
