"""A tournament: qualifiers as players arrive, then a round-robin league, then scores.

All state is derived from the store, so that a new process resumes a killed one.
"""

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from meeple.errors import MeepleError
from meeple_oht.entrants import AgentThreads, Entrant, LocalEntrant, RemoteEntrant
from meeple_oht.link import Link
from meeple_oht.rules import score_of
from meeple_oht.series import Series, SeriesContext
from meeple_oht.store import (
    DONE,
    FAILED,
    LEAGUE,
    NEW,
    OVER,
    QUALIFIER,
    READY,
    REGISTRATION,
    StoredPlayer,
    StoredSeries,
    TournamentStore,
)
from meeple_oht.wire.messages import Finish, Notice, TournamentOver

LOG = logging.getLogger(__name__)


def league_pairs(uids: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of a round robin, by rounds in which every player plays.

    The first of a pair is player 1; each player is player 1 in about half of its pairs.

    Source: the circle method (Schurig's tables, 1886).
    """
    circle: list[int | None] = list(uids)
    if len(circle) % 2:
        circle.append(None)
    pairs = []
    for turn in range(len(circle) - 1):
        for at in range(len(circle) // 2):
            pair = (circle[at], circle[-1 - at])
            if turn % 2 and not at:  # the fixed player; the others alternate anyway
                pair = pair[::-1]
            if pair[0] is not None and pair[1] is not None:
                pairs.append((pair[0], pair[1]))
        circle.insert(1, circle.pop())
    return pairs


class HostedTournament:
    """A running tournament, from its stored phase to its end."""

    def __init__(
        self, context: SeriesContext, store: TournamentStore, threads: AgentThreads
    ) -> None:
        """Create the tournament; `threads` run the agents of the host."""
        self._context, self._store, self._threads = context, store, threads
        self._rows = {row.uid: row for row in store.players()}
        stored = store.tournament()
        self.phase, self._created = stored.phase, stored.created
        self._changed = asyncio.Event()  # wakes the phase that waits for a change
        self._over = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._busy: set[int] = set()  # ids of the players in a series of the league
        self._qualifying: set[int] = set()
        self._remotes = {
            row.uid: RemoteEntrant(row.uid, row.name, context.rules, self._on_link)
            for row in self._rows.values()
            if not row.spec
        }

    # ------------------------------------------------------------ the phases

    async def run(self) -> None:
        """Run the tournament to its end. Raises what stops it, such as a full disk."""
        if self.phase == REGISTRATION:
            await self._register()
        if self.phase == LEAGUE:
            await self._play_league()
        self._over.set()
        await asyncio.gather(*(self._end_session(remote) for remote in self._remotes.values()))

    async def _register(self) -> None:
        """Wait until all players have qualified or failed, or the time is up; begin the league."""
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
        await self._context.write(self._store.begin_league, pairs, self._context.rules.games)
        self.phase = LEAGUE

    def _ready(self) -> list[int]:
        return [row.uid for row in self._rows.values() if row.competes and row.state == READY]

    def _all_registered(self) -> bool:
        return not self._qualifying and all(
            row.state != NEW for row in self._rows.values() if row.competes
        )

    def _seconds_left(self) -> float | None:
        """Return the seconds until the league begins without missing players; None: no limit."""
        rules = self._context.rules
        if not rules.register:
            return None
        return self._created + rules.register - time.time()

    async def _play_league(self) -> None:
        """Play all unfinished series, each as soon as both its players are free."""
        store = self._store
        waiting = [
            row
            for row in await self._context.write(lambda: store.series(kind=LEAGUE))
            if row.state != DONE
        ]
        while waiting or self._busy:
            for row in list(waiting):
                if len(self._busy) >= 2 * self._context.rules.series_at_once:
                    break
                if not self._busy & set(row.uids):
                    waiting.remove(row)
                    self._busy |= set(row.uids)
                    self._start(self._league_series(row))
            await self._wait(None)
        await self._context.write(store.set_phase, OVER)
        self.phase = OVER

    async def _league_series(self, row: StoredSeries) -> None:
        try:
            await Series(self._context, row, [self._entrant(uid) for uid in row.uids]).play()
        finally:
            self._busy -= set(row.uids)
            self._changed.set()

    def _entrant(self, uid: int) -> Entrant:
        row = self._rows[uid]
        if row.spec:
            return LocalEntrant(uid, row.name, row.spec, self._threads)
        return self._remotes[uid]

    # ------------------------------------------------------------ players come and go

    def player(self, name: str) -> StoredPlayer | None:
        """Return the player of a name; None if it was listed after the registration."""
        return next((row for row in self._rows.values() if row.name == name), None)

    async def arrive(self, row: StoredPlayer, link: Link) -> None:
        """Serve a player that has connected for the tournament until its link ends."""
        remote = self._remotes[row.uid]
        refusal = self._refusal(row)
        if refusal:
            await link.fail(refusal)
            return
        try:
            await remote.attach(link)
            if self._over.is_set():
                await self._end_session(remote)
            elif self.phase == REGISTRATION and row.uid not in self._qualifying:
                if row.state == NEW:
                    self._qualifying.add(row.uid)
                    self._start(self._qualify(row, remote))
                else:
                    await remote.send(Notice("you take part; the league begins when all are here"))
            await link.closed.wait()
        finally:
            remote.detach(link)

    def _refusal(self, row: StoredPlayer) -> str:
        """Return why a player cannot take part; "" if it can."""
        if row.state == FAILED:
            return f"you have not qualified in {row.attempts} attempts; you may still practise"
        if row.state == NEW and self.phase != REGISTRATION:
            return "the league has begun without you; you may still practise"
        return ""

    async def _qualify(self, row: StoredPlayer, remote: RemoteEntrant) -> None:
        """Play or resume an attempt at the qualifiers and announce its result."""
        try:
            words, score = await self._play_qualifiers(row, remote)
        finally:
            self._qualifying.discard(row.uid)
            self._changed.set()
        await remote.send(Notice(words))
        if score is not None:
            await self._end_session(remote, score)

    async def _play_qualifiers(
        self, row: StoredPlayer, remote: RemoteEntrant
    ) -> tuple[str, float | None]:
        """Play an attempt; return the message for the player, and its score if it failed."""
        context, rules = self._context, self._context.rules
        others = [one.uid for one in self._rows.values() if not one.competes]
        if not others:
            await self._set(row, state=READY)
            return "welcome; the league begins when all are here", None
        series = await self._attempt(row, others)
        for one in series:
            if one.state != DONE:
                await Series(context, one, [remote, self._entrant(one.second)]).play()
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
        """Return the series of an interrupted attempt, or of a new one."""
        context, store = self._context, self._store

        def begun() -> list[StoredSeries]:
            return store.series(kind=QUALIFIER, first=row.uid, attempt=row.attempts)

        left = await context.write(begun)
        if any(one.state != DONE for one in left):
            return left
        row.attempts += 1
        games = context.rules.qualifier_games
        await context.write(store.begin_attempt, row.uid, row.attempts, against, games)
        return await context.write(begun)

    async def _result(self, series: Sequence[StoredSeries]) -> tuple[int, int, int]:
        """Return the games won, drawn and played by player 1 of these series."""
        store = self._store
        games = [
            game
            for one in series
            for game in await self._context.write(partial(store.games, series=one.id))
        ]
        won = sum(game.winner == 1 for game in games)
        drawn = sum(game.winner == 0 for game in games)
        return won, drawn, len(games)

    async def _end_session(self, remote: RemoteEntrant, score: float | None = None) -> None:
        if score is None:
            score = await self._context.write(self._league_score, remote.uid)
        await remote.send(TournamentOver(score))
        await remote.send(Finish())
        await remote.disconnect()

    def _league_score(self, uid: int) -> float:
        won = drawn = played = 0
        for first, second, winner, count in self._store.results(LEAGUE):
            if uid in (first, second):
                played += count
                won += count * (winner == (1 if uid == first else 2))
                drawn += count * (winner == 0)
        return score_of(won, drawn, played)

    async def say(self, words: str, level: str = "warning") -> None:
        """Send a notice to all connected players."""
        for remote in self._remotes.values():
            await remote.send(Notice(words, level))

    async def close(self) -> None:
        """Stop all series; a later host resumes them from the store."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(remote.disconnect() for remote in self._remotes.values()))

    # ------------------------------------------------------------ underneath

    async def _set(self, row: StoredPlayer, state: str) -> None:
        await self._context.write(lambda: self._store.set_player(row.uid, state=state))
        row.state = state
        self._changed.set()

    def _on_link(self, uid: int, here: bool) -> None:
        LOG.info("%s has %s", self._rows[uid].name, "connected" if here else "disconnected")
        self._context.writer.submit(lambda: self._store.set_player(uid, connected=here))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._run_task(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task; its failure, such as a full disk, ends the tournament.

        The failure is recorded before `_changed` wakes another task, so that a failed series never
        counts as played.
        """
        try:
            await work
        except Exception as error:
            self._failure = self._failure or error
        finally:
            self._changed.set()

    async def _wait(self, seconds: float | None) -> None:
        """Wait for a change, at most `seconds`. Raises the failure of a series."""
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass
        self._changed.clear()
        if self._failure is not None:
            raise self._failure
