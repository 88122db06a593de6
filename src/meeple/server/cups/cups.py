"""The cups of a server: stored, joined, started, and continued when a game of a round ends."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Iterable
from typing import Annotated, Any, Literal
from weakref import WeakValueDictionary

from pydantic import Field

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.registry import make_from
from meeple.server.cups.cup import Cup, CupGame, Entrant
from meeple.server.errors import Forbidden, NotFound, refusal
from meeple.server.play.begin import clock_terms, new_seed
from meeple.server.play.levels import level_name
from meeple.server.play.messages import ClockChoice, Name
from meeple.server.play.precompile import wait_for_kernels
from meeple.server.play.seats import Seat, digest, new_token
from meeple.server.play.table import Table
from meeple.server.play.tables import Tables
from meeple.server.play.views import title
from meeple.server.resources import Resources
from meeple.server.store import new_id
from meeple.server.thinking.specs import check_for
from meeple.server.web.schemas import GameChoice, Spec, Strict

MAX_ENTRANTS = 32
LOOK_SECONDS = 30.0  # until a view looks for stopped agents and unnoticed results again


class NewCup(GameChoice):
    """A request for a cup, with the agents that take part."""

    format: Literal["round-robin", "swiss"]
    agents: Annotated[list[Spec], Field(max_length=MAX_ENTRANTS, fail_fast=True)] = []
    clock: ClockChoice | None = None
    help: bool = False


class Joining(Strict):
    """A request to take part."""

    name: Annotated[Name, Field(min_length=1)]


class Cups:
    """The cups, and the actions of people in them."""

    def __init__(self, resources: Resources, tables: Tables) -> None:
        self._store, self._writer, self._work = resources.store, resources.writer, resources.work
        self._runs, self._tables = resources.runs, tables
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._continued: dict[str, float] = {}
        """When the results of a cup were looked for, if no game of it has ended since."""
        self._tasks: set[asyncio.Task[Any]] = set()
        tables.on_over.append(self._note_over)

    async def close(self) -> None:
        """Stop continuing cups; what was begun is stored."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def create(self, wanted: NewCup) -> dict[str, str]:
        """Create a cup; return its id and the creator's token.

        Raises:
            MeepleError: The options or a spec are invalid.
        """
        await wait_for_kernels(wanted.game)
        token = new_token()
        cup = await self._work.files.do(self._new, wanted, digest(token))
        await self._save(cup)
        return {"id": cup.id, "token": token}

    def _new(self, wanted: NewCup, host: str) -> Cup:
        game = make_from(wanted.game, wanted.options)
        if game.has_par:
            raise refusal(UsageError, "cup_without_opponents")
        entrants = []
        for spec in wanted.agents:
            check_for(spec, game, self._runs)
            entrants.append(Entrant(level_name(game, spec) or spec, spec))
        terms = {"help": wanted.help, "clock": clock_terms(wanted.clock, game.players)}
        options = dict(game.options)
        players = game.players
        return Cup(
            new_id(), game.name, options, players, terms, wanted.format, new_seed(), host, entrants
        )

    async def join(self, id: str, name: str) -> str:
        """Let a person take part; return the token with which it plays."""
        async with self._changing(id) as cup:
            if cup.begun:
                raise refusal(Forbidden, "cup_begun")
            if len(cup.entrants) >= MAX_ENTRANTS:
                raise refusal(Forbidden, "cup_full", most=MAX_ENTRANTS)
            if any(one.name == name for one in cup.entrants):
                raise refusal(UsageError, "name_taken")
            token = new_token()
            cup.entrants.append(Entrant(name, token=digest(token)))
            await self._save(cup)
        return token

    async def start(self, id: str, tokens: Iterable[str]) -> None:
        """Begin the first round; raise Forbidden if the tokens lack the creator's."""
        async with self._changing(id) as cup:
            if cup.host not in map(digest, tokens):
                raise refusal(Forbidden, "cup_creator_starts")
            if len(cup.entrants) < cup.players:
                raise refusal(UsageError, "cup_too_few", least=cup.players)
            if not cup.begun:
                cup.begin()
                await self._save(cup)
        await self._continue(id)

    async def view(self, id: str, tokens: Iterable[str]) -> dict[str, Any]:
        """Return a cup as JSON data.

        After the server was restarted, the first view continues the cup.
        """
        cup = await self._load(id)
        if cup.begun and not cup.is_over and not self._is_current(id):
            cup = await self._continue(id)
        held = tuple(tokens)
        you, scores = cup.you(held), cup.scores()
        return {
            "id": cup.id,
            "game": cup.game,
            "title": title(cup.game),
            "options": cup.options,
            "format": cup.format,
            "status": "over" if cup.is_over else "playing" if cup.begun else "open",
            "round": cup.round,
            "rounds": cup.rounds,
            "you": you,
            "entrants": [
                {"name": one.name, "spec": one.spec, "score": round(score, 2)}
                for one, score in zip(cup.entrants, scores, strict=True)
            ],
            "games": [vars(game) for game in cup.games if game.table],
            "can": {
                "join": not cup.begun and you is None,
                "start": not cup.begun and cup.host in map(digest, held),
            },
        }

    # ------------------------------------------------------------ rounds

    def _note_over(self, table: Table) -> None:
        """Continue the cup of a game that is over."""
        if id := table.agreed.cup:
            self._continued.pop(id, None)
            task = asyncio.create_task(self._continue_later(id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _continue_later(self, id: str) -> None:
        with contextlib.suppress(MeepleError):  # the next view tries again
            await self._continue(id)

    async def _continue(self, id: str) -> Cup:
        """Store the results of games, and begin the next round after the last one."""
        async with self._changing(id) as cup:
            if self._is_current(id):
                return cup
            self._continued[id] = time.monotonic()
            try:
                await self._store_results(cup)
                await self._open_tables(cup)
            except BaseException:
                self._continued.pop(id, None)
                raise
        return cup

    def _is_current(self, id: str) -> bool:
        looked = self._continued.get(id)
        return looked is not None and time.monotonic() - looked < LOOK_SECONDS

    async def _store_results(self, cup: Cup) -> None:
        """Store the results of the games that are over, and the next round if that is due."""
        found = [(game, await self._result(game)) for game in cup.open_games if game.table]
        over = [(game, payoffs) for game, payoffs in found if payoffs is not None]
        for game, payoffs in over:
            game.payoffs = payoffs
        if await self._work.short.do(cup.pair) or over:
            await self._save(cup)

    async def _open_tables(self, cup: Cup) -> None:
        """Open the tables of a round that are not open yet, and store their ids."""
        closed = [game for game in cup.open_games if not game.table]
        try:
            for game in closed:
                seats = [self._seat(cup.entrants[number]) for number in game.seats]
                terms = {**cup.terms, "cup": cup.id}
                game.table = await self._tables.open(cup.game, cup.options, seats, terms)
        finally:
            if any(game.table for game in closed):
                await self._save(cup)

    async def _result(self, game: CupGame) -> list[float] | None:
        """Return the payoffs of a game; None if it is not over."""
        try:
            table = await self._tables.get(game.table)
        except NotFound:
            return [1 / len(game.seats)] * len(game.seats)
        if table.result is None:
            self._tables.resume(table)  # agents, after the server was restarted
            return None
        return table.result["payoffs"] or [1 / len(game.seats)] * len(game.seats)

    @staticmethod
    def _seat(entrant: Entrant) -> Seat:
        if entrant.spec:
            return Seat("agent", entrant.name, entrant.spec)
        return Seat("human", entrant.name, token=entrant.token)

    # ------------------------------------------------------------ storage

    @contextlib.asynccontextmanager
    async def _changing(self, id: str) -> AsyncIterator[Cup]:
        """Load a cup for a change; one change of a cup at a time."""
        lock = self._locks.setdefault(id, asyncio.Lock())
        async with lock:
            yield await self._load(id)

    async def _load(self, id: str) -> Cup:
        return Cup.of(json.loads(await self._writer.do(self._store.cup, id)))

    async def _save(self, cup: Cup) -> None:
        await self._writer.do(self._store.put_cup, cup.id, json.dumps(cup.to_json()))
