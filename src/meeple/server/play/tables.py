"""All games under way: whoever plays or looks on comes through here, and agents are asked to move.

Everything is written to the database before anybody is told of it.
"""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np

from meeple.agents.spec import parse
from meeple.errors import MeepleError
from meeple.games.contract.registry import make_from
from meeple.server.errors import Busy, Forbidden, Stopped, TooMany
from meeple.server.play.begin import beginning, rematch
from meeple.server.play.levels import adviser
from meeple.server.play.precompile import precompile
from meeple.server.play.table import Table, Thinking, digest, new_token
from meeple.server.schemas import NewTable
from meeple.server.settings import Settings
from meeple.server.specs import settle
from meeple.server.store import Ply, Store, StoredGame
from meeple.server.thinking.pool import Pool, Task

MOST_RESIDENT = 256  # games kept in memory although nobody looks at them
MOST_BYTES = 200_000_000  # that those take, about
MOST_WATCHERS = 5000
THREADS = 3  # that set games up: long ones take seconds each, and play goes on beside them
BUSY_PAUSE = 1.0  # seconds until a busy pool is asked again
AGENT_SEEDS = 2**31

LOG = logging.getLogger(__name__)

_Result = TypeVar("_Result")


class Watcher(Protocol):
    """Somebody who is told when a table has changed."""

    tokens: tuple[str, ...]

    def wake(self) -> None:
        """The table has changed."""
        ...

    def tell(self, message: dict[str, Any]) -> None:
        """A message beside the view."""
        ...


class Tables:
    """The games in memory, and what is done with them."""

    def __init__(self, settings: Settings, store: Store, pool: Pool) -> None:
        self.settings, self.store, self.pool = settings, store, pool
        pool.on_state = self._note_state
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._watchers: dict[str, set[Watcher]] = defaultdict(set)
        self._alarms: set[asyncio.Task[None]] = set()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="tables")

    async def close(self) -> None:
        """Stop all agents; what was played is stored already."""
        tasks = [table.task for table in self._tables.values() if table.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._writer.shutdown()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def written(self, call: Callable[..., _Result], *args: Any, **named: Any) -> _Result:
        """Call the store in the thread that writes."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, partial(call, *args, **named))

    async def _aside(self, call: Callable[..., _Result], *args: Any) -> _Result:
        """Call something long, that needs no database, in another thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)

    # ------------------------------------------------------------ finding

    async def get(self, id: str) -> Table:
        """A table, from memory or the database. Raises NotFound."""
        while (table := self._tables.get(id)) is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
            await asyncio.shield(self._loading[id])
        table.used = time.monotonic()
        return table

    @contextlib.asynccontextmanager
    async def _held(self, table: Table) -> AsyncIterator[None]:
        """Nobody else changes the table meanwhile.

        Raises MeepleError where it is not the one in use: what could not be stored was forgotten,
        and who still has that table must not write over the game as it is.
        """
        async with table.lock:
            if self._tables.get(table.id) is not table:
                raise MeepleError("this game had to be loaded again: look at it anew")
            yield

    async def _load(self, id: str) -> Table:
        try:
            stored, plies = await self.written(self.store.game, id)
            table = self._tables[id] = await self._aside(_loaded, stored, plies)
            table.used = time.monotonic()  # after all that came while it was set up
            self._trim()
            return table
        finally:
            del self._loading[id]

    def _trim(self) -> None:
        """Let go of the tables that nobody has used for longest."""
        idle = [
            table
            for table in self._tables.values()
            if not self._watchers.get(table.id) and table.task is None and not table.lock.locked()
        ]
        idle.sort(key=lambda table: table.used, reverse=True)
        total = 0
        for number, table in enumerate(idle):
            total += table.cost
            if number and (number >= MOST_RESIDENT or total > MOST_BYTES):
                self._drop(table)

    def _drop(self, table: Table) -> None:
        """Forget a table in memory."""
        self._tables.pop(table.id, None)
        if table.timer:
            table.timer.cancel()
        for seat in range(table.game.players):
            self.pool.forget(f"{table.id}:{seat}")

    @property
    def resident(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    # ------------------------------------------------------------ looking on

    def watch(self, table: Table, watcher: Watcher) -> None:
        """Tell somebody of all changes from now on. Raises TooMany."""
        if sum(map(len, self._watchers.values())) >= MOST_WATCHERS:
            raise TooMany("too many people are looking on at this server")
        if self._tables.get(table.id) is not table:
            raise MeepleError("this game had to be loaded again: look at it anew")
        self._watchers[table.id].add(watcher)
        self.changed(table)
        self._go_on(table)

    def unwatch(self, table: Table, watcher: Watcher) -> None:
        """Tell them no more."""
        watchers = self._watchers[table.id]
        watchers.discard(watcher)
        if not watchers:
            del self._watchers[table.id]
            self._trim()
        else:
            self.changed(table)

    def here(self, table: Table) -> frozenset[int]:
        """The seats whose people look on at the moment."""
        tokens = [token for one in self._watchers.get(table.id, ()) for token in one.tokens]
        return table.seats_of(tokens)

    def changed(self, table: Table) -> None:
        """Tell everybody who looks on."""
        for watcher in self._watchers.get(table.id, ()):
            watcher.wake()

    # ------------------------------------------------------------ beginning

    async def create(self, wanted: NewTable) -> tuple[Table, dict[str, str], dict[str, str]]:
        """A new table, its maker's tokens by seat ("host" where they have none), and invitations.

        Raises MeepleError in a sentence for options, specs or a record that cannot be.
        """
        made = await self._aside(beginning, wanted, self.settings.runs)
        table = await self._set_up(made.stored, made.played)
        return table, made.tokens, made.invites

    async def _set_up(self, stored: StoredGame, played: Sequence[Ply] = ()) -> Table:
        """A new table, stored and in memory."""
        table = await self._aside(_loaded, stored, played)
        table.begin()
        stored.status, stored.result, stored.terms = table.status, table.result, table.terms()
        await self.written(self.store.add, stored, table.plies(0))
        self._tables[table.id] = table
        self._trim()
        return table

    async def claim(self, table: Table, invite: str, name: str) -> tuple[int, str]:
        """Take the seat of an invitation, which is then spent; the seat and its token."""
        async with self._held(table):
            number = table.invited(invite)
            if number is None:
                raise Forbidden("this invitation has been used, or is for another game")
            seat, token = table.seats[number], new_token()
            seat.kind, seat.name, seat.invite, seat.token = "human", name, "", digest(token)
            await self._write(table, table.ply)
        self._after(table)
        return number, token

    # ------------------------------------------------------------ moving

    async def play(self, table: Table, you: frozenset[int], ply: int, actions: list[int]) -> None:
        """Actions of a person. Raises Forbidden or IllegalAction, nothing changed."""
        async with self._held(table):
            table.play(you, ply, actions)
            await self._write(table, ply)
        self._after(table)

    async def undo(self, table: Table, you: frozenset[int]) -> None:
        """Take back the last move of a person, at once or when the others have agreed."""
        async with self._held(table):
            refusal = table.undo_refusal(you)
            if refusal is not None:
                raise Forbidden(refusal)
            if table.others(you):
                table.asks, table.agreed = min(you), you
                self.changed(table)
                return
            await self._take_back(table, you)
        self._stop(table)
        self._after(table)

    async def answer(self, table: Table, you: frozenset[int], agree: bool) -> None:
        """Whether the others agree that a move is taken back."""
        async with self._held(table):
            asks = table.asks
            if asks is None or not you - table.agreed:
                raise Forbidden("nobody asks you to take a move back")
            table.agreed |= you
            if agree and table.others(table.agreed):
                return
            table.asks = None
            if not agree or table.undo_refusal(frozenset((asks,))) is not None:
                self.changed(table)
                return
            await self._take_back(table, frozenset((asks,)))
        self._stop(table)
        self._after(table)

    async def _take_back(self, table: Table, you: frozenset[int]) -> None:
        """Go back to before the last move of somebody who may; with the lock held."""
        goal = table.undo_goal(you)
        assert goal is not None
        table.take_back(goal)
        await self._write(table, goal, keep=goal)

    async def resign(self, table: Table, you: frozenset[int]) -> None:
        """A person gives up: for the seat to move, if it is theirs, or their first."""
        if table.is_over or table.waits or not you:
            raise Forbidden("there is nothing to give up here")
        seat = table.reader(you)
        assert seat is not None
        await self._leave(table, seat, "resigned")

    async def _leave(self, table: Table, seat: int, how: str) -> None:
        async with self._held(table):
            if table.is_over:
                return
            table.give_up(seat, how)
            await self._write(table, table.ply)
        self._stop(table)
        self._after(table)

    def now(self, table: Table) -> None:
        """Have the agent that thinks move at once."""
        if table.thinking is None:
            raise Forbidden("nobody is thinking")
        self.pool.stop(f"{table.id}:{table.thinking.seat}")

    def pause(self, table: Table, on: bool) -> None:
        """Hold a game without people, or let it go on."""
        if table.people:
            raise Forbidden("only games without people can be held")
        table.paused = on
        if on:
            self._stop(table)
        self._after(table)

    async def rematch(self, table: Table) -> Table:
        """The same again with the seats moved on by one; everybody's token moves along."""
        if not table.is_over:
            raise Forbidden("the game is not over")
        async with self._held(table):
            if table.next is not None:
                return await self.get(table.next["id"])
            stored, moved = rematch(table)
            fresh = await self._set_up(stored)
            table.next = {"id": fresh.id, "seats": moved}
            await self._write(table, table.ply)
        self.changed(table)
        return fresh

    async def hint(self, table: Table, you: frozenset[int]) -> dict[str, Any]:
        """What a search would do for the person to move. Raises Forbidden, Busy."""
        if not table.help:
            raise Forbidden("this game is played without hints")
        if table.is_over or table.waits or table.position.to_move not in you:
            raise Forbidden("hints are for who is to move")
        spec = await self._aside(adviser, table.game, self.settings.runs)
        task = self._task(table, "hint", await self._settled(spec))
        _, thought = await self.pool.choose(task)
        return {**(thought or {}), "ply": len(task.actions)}

    def may_analyse(self, table: Table, tokens: Iterable[str], to_move: int) -> int | None:
        """The seat for whose eyes a position with `to_move` may be searched; None: for anybody's.

        Raises Forbidden in a sentence where the asker may not know so much.
        """
        if table.is_over:
            return None
        you = table.seats_of(tokens)
        if not table.help:
            raise Forbidden("this game is played without hints: it can be analysed when it is over")
        if not table.game.hides:
            return None
        if to_move not in you:
            raise Forbidden(
                "while hidden cards are in play, only who is to move may have it searched"
            )
        return to_move

    # ------------------------------------------------------------ behind the scenes

    async def _write(self, table: Table, first: int, keep: int | None = None) -> None:
        """Store the plies from `first` on. What cannot be stored did not happen."""
        table.version += 1
        try:
            await self.written(
                self.store.append,
                table.id,
                first,
                table.plies(first),
                keep=keep,
                **table.columns(),
            )
        except Exception as error:
            LOG.error("game %s cannot be stored", table.id, exc_info=error)
            self._drop(table)
            for watcher in list(self._watchers.get(table.id, ())):
                watcher.tell({"type": "reload"})
            # What the database says may hold what it was to store: cards, and tokens' hashes.
            raise MeepleError("the game cannot be stored: see the server's messages") from error

    def _after(self, table: Table) -> None:
        """Tell everybody, set the clock's alarm, and ask the agent that is to move."""
        self.changed(table)
        self._set_alarm(table)
        self._go_on(table)

    def _set_alarm(self, table: Table) -> None:
        if table.timer:
            table.timer.cancel()
            table.timer = None
        clock = table.clock
        if clock is None or clock.running is None:
            return
        seat, version = clock.running, table.version
        loop = asyncio.get_running_loop()
        left = clock.remaining(seat)

        def ring() -> None:
            if table.version == version and clock.running == seat:
                task = loop.create_task(self._leave(table, seat, "time"))
                self._alarms.add(task)
                task.add_done_callback(self._alarms.discard)

        table.timer = loop.call_later(left + 0.05, ring)

    def _stop(self, table: Table) -> None:
        if table.thinking:
            self.pool.stop(f"{table.id}:{table.thinking.seat}")

    def _agent_is_due(self, table: Table) -> bool:
        mover = table.mover
        if mover is None or mover.kind != "agent" or self._tables.get(table.id) is not table:
            return False
        return bool(table.people) or (not table.paused and bool(self._watchers.get(table.id)))

    def _go_on(self, table: Table) -> None:
        """Have the agents move, if it is their turn and they are not at it already."""
        table.start_clock()
        if table.clock and table.timer is None:
            self._set_alarm(table)
        if table.task is None and self._agent_is_due(table):
            table.task = asyncio.create_task(self._let_agents_play(table))

    async def _let_agents_play(self, table: Table) -> None:
        try:
            while self._agent_is_due(table):
                began = time.monotonic()
                if await self._agent_moves(table):
                    await asyncio.sleep(max(0.0, table.pace - (time.monotonic() - began)))
        except MeepleError as error:
            self._tell_all(table, {"type": "error", "text": str(error)})
        finally:
            table.task = None
            table.thinking = None
            self.changed(table)

    async def _agent_moves(self, table: Table) -> bool:
        """One choice of an agent; False where it came to nothing."""
        seat, version = table.position.to_move, table.version
        if table.thinking is None or table.thinking.seat != seat:
            table.thinking = Thinking(seat)
        task = self._task(table, str(seat), await self._settled(table.seats[seat].spec))
        self.changed(table)
        try:
            action, thought = await self.pool.choose(task)
        except Busy:
            table.thinking.state = "busy"
            self.changed(table)
            await asyncio.sleep(BUSY_PAUSE)
            return False
        except Stopped:
            return False
        async with self._held(table):
            if table.version != version or table.is_over:
                return False
            first = table.ply
            table.thinking = None
            table.choose(action, (thought or {}).get("value"))
            await self._write(table, first)
        self._set_alarm(table)
        self.changed(table)
        return True

    async def _settled(self, spec: str) -> str:
        """A spec as workers need it; to find its network, folders are looked through."""
        if parse(spec).path is None:
            return settle(spec, self.settings.runs)
        return await self._aside(settle, spec, self.settings.runs)

    def _task(self, table: Table, who: str, spec: str) -> Task:
        seed = np.random.SeedSequence([table.position.seed, sum(who.encode())])
        return Task(
            key=f"{table.id}:{who}",
            game=table.game.name,
            options=dict(table.game.options),
            seed=table.position.seed,
            actions=table.position.actions,
            spec=spec,
            agent_seed=int(seed.generate_state(1)[0]) % AGENT_SEEDS,
        )

    def _note_state(self, key: str, state: str) -> None:
        """A worker has begun to think about a task, or to compile what it needs for that."""
        id, _, who = key.rpartition(":")
        table = self._tables.get(id)
        if table is not None and table.thinking and str(table.thinking.seat) == who:
            table.thinking.state = state
            self.changed(table)

    def _tell_all(self, table: Table, message: dict[str, Any]) -> None:
        for watcher in list(self._watchers.get(table.id, ())):
            watcher.tell(message)


def _loaded(stored: StoredGame, plies: Sequence[Ply]) -> Table:
    """A table whose game can be shown at once."""
    precompile(make_from(stored.game, stored.options))
    return Table(stored, plies)
