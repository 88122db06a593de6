"""A tournament: qualifiers as players arrive, then a league in which each meets each, then scores.

All of it follows from what is stored, so that a new process goes on where the last one was killed.
"""

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from meeple.errors import MeepleError
from meeple.oht.entrants import AgentThreads, Entrant, Local, Remote
from meeple.oht.link import Link
from meeple.oht.rules import score_of
from meeple.oht.series import Desk, Series
from meeple.oht.store import (
    DONE,
    FAILED,
    LEAGUE,
    NEW,
    OVER,
    QUALIFIER,
    READY,
    REGISTRATION,
    Store,
    StoredPlayer,
    StoredSeries,
)
from meeple.protocols.oht.messages import Finish, Notice, TournamentOver

LOG = logging.getLogger(__name__)


def league_pairs(uids: Sequence[int]) -> list[tuple[int, int]]:
    """Each with each once, in rounds in which everybody plays (the circle method).

    Who is named first is player 1; each player is that about as often as not. These are Schurig's
    tables of 1886, as every handbook of tournaments has them.
    """
    circle: list[int | None] = list(uids)
    if len(circle) % 2:
        circle.append(None)
    pairs = []
    for turn in range(len(circle) - 1):
        for at in range(len(circle) // 2):
            pair = (circle[at], circle[-1 - at])
            if turn % 2 and not at:  # who stays in place; the others change rows by themselves
                pair = pair[::-1]
            if pair[0] is not None and pair[1] is not None:
                pairs.append((pair[0], pair[1]))
        circle.insert(1, circle.pop())
    return pairs


class Tournament:
    """One tournament as it runs, from the phase that is stored to its end."""

    def __init__(self, desk: Desk, store: Store, threads: AgentThreads) -> None:
        """`threads`: where agents of the host's own think."""
        self._desk, self._store, self._threads = desk, store, threads
        self._rows = {row.uid: row for row in store.players()}
        stored = store.tournament()
        self.phase, self._created = stored.phase, stored.created
        self._changed = asyncio.Event()  # something happened that may let something else begin
        self._over = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._busy: set[int] = set()  # uids that play a series of the league
        self._qualifying: set[int] = set()
        self._remotes = {
            row.uid: Remote(row.uid, row.name, desk.rules, self._linked)
            for row in self._rows.values()
            if not row.spec
        }

    # ------------------------------------------------------------ the phases

    async def run(self) -> None:
        """Run it to the end. Raises what keeps it from going on, such as a full disk."""
        if self.phase == REGISTRATION:
            await self._register()
        if self.phase == LEAGUE:
            await self._play_league()
        self._over.set()
        await asyncio.gather(*(self._dismiss(remote) for remote in self._remotes.values()))

    async def _register(self) -> None:
        """Until all who may take part have qualified or failed, or the time is up."""
        for row in self._rows.values():
            if row.spec and row.competes and row.state == NEW:
                await self._set(row, state=READY)
        while not self._all_registered():
            left = self._seconds_left()
            if left is not None and left <= 0 and len(self._ready()) >= 2 and not self._qualifying:
                break
            await self._wait(max(left, 0.2) if left is not None else None)
        ready = self._ready()
        if len(ready) < 2:
            raise MeepleError("the tournament ends: fewer than two players have qualified")
        LOG.info("the league begins with %d players", len(ready))
        pairs = league_pairs(ready)
        await self._desk.write(self._store.begin_league, pairs, self._desk.rules.games)
        self.phase = LEAGUE

    def _ready(self) -> list[int]:
        return [row.uid for row in self._rows.values() if row.competes and row.state == READY]

    def _all_registered(self) -> bool:
        return not self._qualifying and all(
            row.state != NEW for row in self._rows.values() if row.competes
        )

    def _seconds_left(self) -> float | None:
        """Until the league begins without those who are missing; None: it waits for all."""
        rules = self._desk.rules
        if not rules.register:
            return None
        return self._created + rules.register - time.time()

    async def _play_league(self) -> None:
        """Play all series that are not done, each as soon as both its players are free."""
        store = self._store
        waiting = [
            row
            for row in await self._desk.write(lambda: store.series(kind=LEAGUE))
            if row.state != DONE
        ]
        while waiting or self._busy:
            for row in list(waiting):
                if len(self._busy) >= 2 * self._desk.rules.series_at_once:
                    break
                if not self._busy & set(row.uids):
                    waiting.remove(row)
                    self._busy |= set(row.uids)
                    self._start(self._league_series(row))
            await self._wait(None)
        await self._desk.write(store.set_phase, OVER)
        self.phase = OVER

    async def _league_series(self, row: StoredSeries) -> None:
        try:
            await Series(self._desk, row, [self._entrant(uid) for uid in row.uids]).play()
        finally:
            self._busy -= set(row.uids)
            self._changed.set()

    def _entrant(self, uid: int) -> Entrant:
        row = self._rows[uid]
        if row.spec:
            return Local(uid, row.name, row.spec, self._threads)
        return self._remotes[uid]

    # ------------------------------------------------------------ players come and go

    def player(self, name: str) -> StoredPlayer | None:
        """The player of that name; None where it came too late to be one."""
        return next((row for row in self._rows.values() if row.name == name), None)

    async def arrive(self, row: StoredPlayer, link: Link) -> None:
        """A player has connected for the tournament; served until the link ends."""
        remote = self._remotes[row.uid]
        refusal = self._refusal(row)
        if refusal:
            await link.fail(refusal)
            return
        try:
            await remote.attach(link)
            if self._over.is_set():
                await self._dismiss(remote)
            elif self.phase == REGISTRATION and row.uid not in self._qualifying:
                if row.state == NEW:
                    self._qualifying.add(row.uid)
                    self._start(self._qualify(row, remote))
                else:
                    await remote.tell(Notice("you take part; the league begins when all are here"))
            await link.closed.wait()
        finally:
            remote.detach(link)

    def _refusal(self, row: StoredPlayer) -> str:
        """Why a player cannot take part; "" where it can."""
        if row.state == FAILED:
            return f"you have not qualified in {row.attempts} attempts; you may still practise"
        if row.state == NEW and self.phase != REGISTRATION:
            return "the league has begun without you; you may still practise"
        return ""

    async def _qualify(self, row: StoredPlayer, remote: Remote) -> None:
        """Play the qualifiers, from where they are; what is lost by then may be tried again."""
        try:
            words, score = await self._play_qualifiers(row, remote)
        finally:
            self._qualifying.discard(row.uid)
            self._changed.set()
        await remote.tell(Notice(words))
        if score is not None:
            await self._dismiss(remote, score)

    async def _play_qualifiers(self, row: StoredPlayer, remote: Remote) -> tuple[str, float | None]:
        """What to tell the player afterwards, and its score where it has not qualified."""
        desk, rules = self._desk, self._desk.rules
        others = [one.uid for one in self._rows.values() if not one.competes]
        if not others:
            await self._set(row, state=READY)
            return "welcome; the league begins when all are here", None
        series = await self._attempt(row, others)
        for one in series:
            if one.state != DONE:
                await Series(desk, one, [remote, self._entrant(one.second)]).play()
        won, drawn, played = await self._result(series)
        result = f"{won} of {played} games won"
        if won >= rules.wins:
            await self._set(row, state=READY)
            return f"{result}: you have qualified; the league begins when all are here", None
        left = rules.attempts - row.attempts
        await self._set(row, state=NEW if left > 0 else FAILED)
        again = f"connect again for another attempt ({left} left)" if left > 0 else "that was all"
        return f"{result}, {rules.wins} are needed: {again}", score_of(won, drawn, played)

    async def _attempt(self, row: StoredPlayer, against: Sequence[int]) -> list[StoredSeries]:
        """The series of the attempt that a killed host has left, or of a new one."""
        desk, store = self._desk, self._store

        def begun() -> list[StoredSeries]:
            return store.series(kind=QUALIFIER, first=row.uid, attempt=row.attempts)

        left = await desk.write(begun)
        if any(one.state != DONE for one in left):
            return left
        row.attempts += 1
        games = desk.rules.qualifier_games
        await desk.write(store.begin_attempt, row.uid, row.attempts, against, games)
        return await desk.write(begun)

    async def _result(self, series: Sequence[StoredSeries]) -> tuple[int, int, int]:
        """Games that a player has won and drawn, and how many there were."""
        store = self._store
        games = [
            game
            for one in series
            for game in await self._desk.write(partial(store.games, series=one.id))
        ]
        won = sum(game.winner == 1 for game in games)
        drawn = sum(game.winner == 0 for game in games)
        return won, drawn, len(games)

    async def _dismiss(self, remote: Remote, score: float | None = None) -> None:
        """Tell a player its score, and end its session."""
        if score is None:
            score = await self._desk.write(self._league_score, remote.uid)
        await remote.tell(TournamentOver(score))
        await remote.tell(Finish())
        await remote.hang_up()

    def _league_score(self, uid: int) -> float:
        won = drawn = played = 0
        for first, second, winner, count in self._store.results(LEAGUE):
            if uid in (first, second):
                played += count
                won += count * (winner == (1 if uid == first else 2))
                drawn += count * (winner == 0)
        return score_of(won, drawn, played)

    async def say(self, words: str, level: str = "warning") -> None:
        """Tell all who are connected."""
        for remote in self._remotes.values():
            await remote.tell(Notice(words, level))

    async def close(self) -> None:
        """Stop all that is being played; what is stored stays, and is gone on with next time."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(remote.hang_up() for remote in self._remotes.values()))

    # ------------------------------------------------------------ underneath

    async def _set(self, row: StoredPlayer, state: str) -> None:
        await self._desk.write(lambda: self._store.set_player(row.uid, state=state))
        row.state = state
        self._changed.set()

    def _linked(self, uid: int, here: bool) -> None:
        LOG.info("%s has %s", self._rows[uid].name, "connected" if here else "disconnected")
        self._desk.writer.submit(lambda: self._store.set_player(uid, connected=here))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        """What keeps a series from going on, such as a full disk, ends the tournament.

        It is known before anybody else runs: a series that has failed never counts as played.
        """
        try:
            await work
        except Exception as error:
            self._failure = self._failure or error
        finally:
            self._changed.set()

    async def _wait(self, seconds: float | None) -> None:
        """Until something has changed, or so long. Raises what a series has failed with."""
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass
        self._changed.clear()
        if self._failure is not None:
            raise self._failure
