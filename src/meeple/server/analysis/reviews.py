"""Reviews of games that people played: made when a game ends, in the background, one at a time.

A finished review is stored with its game, and made again only for other moves, another evaluator
or another version of Meeple.
"""

import asyncio
import contextlib
import hashlib
import json
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator

from meeple.errors import MeepleError
from meeple.files import version
from meeple.sentences import as_json, with_sentences
from meeple.server.analysis.analyst import Analyst
from meeple.server.analysis.asked import Asked, Json
from meeple.server.analysis.sources import GameSource
from meeple.server.analysis.thinker import Thinker
from meeple.server.errors import Busy, refusal
from meeple.server.play.table import Table
from meeple.server.resources import Resources

LOG = logging.getLogger(__name__)
IDLE_SECONDS = 0.25  # between two looks whether the pool is idle


class GameReview:
    """The messages of a review in the making, or made, for any number of readers."""

    def __init__(self, table: str, actions: tuple[int, ...]) -> None:
        self.table, self.actions = table, actions
        self.begun = self.done = self.wanted = False
        self._messages: list[Json] = []
        self._fault: MeepleError | None = None
        self._changed = asyncio.Event()

    @classmethod
    def made(cls, table: str, actions: tuple[int, ...], text: str) -> "GameReview":
        """Return a finished review of its messages as JSON."""
        review = cls(table, actions)
        review._messages = [with_sentences(message) for message in json.loads(text)]
        review.begun = review.done = True
        return review

    def as_text(self) -> str:
        """Return all messages as JSON."""
        return f"[{', '.join(map(as_json, self._messages))}]"

    def add(self, message: Json) -> None:
        """Add a message of `Thinker.sweep`."""
        self._messages.append(message)
        self._wake()

    def end(self, fault: MeepleError | None = None) -> None:
        """End the review, or report why it has ended early."""
        self.done, self._fault = True, fault
        self._wake()

    async def messages(self) -> AsyncGenerator[Json, None]:
        """Yield all messages as they are made; raise MeepleError if the review failed."""
        self.wanted = True
        given = 0
        while True:
            changed = self._changed
            for message in self._messages[given:]:
                given += 1
                yield message
            if given == len(self._messages) and self.done:
                break
            if given == len(self._messages):
                await changed.wait()
        if self._fault is not None:
            raise self._fault

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class Reviews:
    """Makes reviews while no agent has anything else to do; the newest stay in memory.

    A review that waits for an idle pool too long is dropped, unless a client reads it.
    """

    def __init__(self, analyst: Analyst, resources: Resources) -> None:
        self._analyst, self._limits = analyst, analyst.limits
        self._store, self._writer = resources.store, resources.writer
        self._reviews: OrderedDict[str, GameReview] = OrderedDict()  # by table
        self._task: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Stop the review in the making."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def begin(self, table: Table) -> None:
        """Plan the review of a game that is over, unless too many wait or it is too long."""
        actions, limits = table.position.actions, self._limits
        known = self._reviews.get(table.id)
        played = any(seat.is_person or seat.gone for seat in table.seats)
        if not played or (known is not None and known.actions == actions):
            return
        waiting = sum(not review.begun for review in self._reviews.values())
        if waiting >= limits.max_waiting_reviews or len(actions) > limits.long_plies:
            return
        self._reviews[table.id] = GameReview(table.id, actions)
        self._reviews.move_to_end(table.id)
        while len(self._reviews) > limits.max_reviews:
            self._reviews.popitem(last=False)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._make_all())

    async def of(self, asked: Asked, spec: str) -> GameReview | None:
        """Return the review of a game by its evaluator, if it is stored or in the making.

        A review that waits is dropped, since the caller makes one.
        """
        table = asked.table
        if table is None or not table.is_over or table.position.actions != asked.line.actions:
            return None
        review = self._reviews.get(table.id)
        if review is not None and review.actions == asked.line.actions:
            if review.begun:
                return review
            del self._reviews[table.id]
        return await self._stored(table.id, asked, spec)

    async def _stored(self, table: str, asked: Asked, spec: str) -> GameReview | None:
        key = self._key(asked, spec)
        text = await self._writer.do(self._store.review, table, key)
        return None if text is None else GameReview.made(table, asked.line.actions, text)

    def _key(self, asked: Asked, spec: str) -> str:
        """Return what a review depends on: the moves, the evaluator, and the version of Meeple."""
        facts = [asked.line.actions, spec, self._limits.review_seconds, version()]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    async def _make_all(self) -> None:
        while (review := self._next()) is not None:
            review.begun = True
            fault: MeepleError | None = None
            try:
                await self._make(review)
            except MeepleError as error:
                fault = error
            except Exception as error:
                LOG.error("game %s cannot be reviewed", review.table, exc_info=error)
                fault = MeepleError("the review failed: see the server's messages")
            review.end(fault)
            if fault is not None and self._reviews.get(review.table) is review:
                del self._reviews[review.table]

    def _next(self) -> GameReview | None:
        return next((one for one in self._reviews.values() if not one.begun), None)

    async def _make(self, review: GameReview) -> None:
        """Search every position of a game; raise MeepleError if that is not possible."""
        await self._wait_until_idle(review)
        asked = await self._analyst.ask(GameSource(table=review.table))
        spec, thinker = await self._analyst.judge(asked), Thinker(self._analyst)
        stored = await self._stored(review.table, asked, spec)
        if stored is not None:
            async for message in stored.messages():
                review.add(message)
            return
        try:
            sweep = thinker.sweep(asked, spec, self._limits.review_seconds)
            async with contextlib.aclosing(sweep) as found:
                async for message in found:
                    review.add(message)
                    await self._wait_until_idle(review)
        finally:
            thinker.close()
        key, text = self._key(asked, spec), review.as_text()
        await self._writer.do(self._store.put_review, review.table, key, text)

    async def _wait_until_idle(self, review: GameReview) -> None:
        """Wait until no agent searches; raise Busy after the server's patience."""
        began, pool = time.monotonic(), self._analyst.pool
        while any(pool.load) and not review.wanted:
            if time.monotonic() - began > self._limits.review_patience_seconds:
                raise refusal(Busy, "review_busy")
            await asyncio.sleep(IDLE_SECONDS)
