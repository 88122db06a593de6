"""Routes of play: the games and agents, new tables, seats, and lists of tables."""

import logging
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field, StringConstraints

from meeple.agents.engine.listed import listed_engines
from meeple.agents.kinds import AGENTS
from meeple.agents.spec import ENGINE
from meeple.agents.words import method_in_words
from meeple.games.contract.registry import game_class, make_from, working_games
from meeple.games.contract.result import result_text
from meeple.options import describe_option
from meeple.server.answers import as_json, json_answer
from meeple.server.play.levels import levels, networks, networks_for, strongest_spec
from meeple.server.play.precompile import family_of
from meeple.server.play.table import stored_result_text
from meeple.server.play.views import title, view_of
from meeple.server.routes.requests import services_of, tokens_of
from meeple.server.schemas import Claim, GameChoice, GameId, NewTable
from meeple.server.specs import agent_names
from meeple.server.store import MAX_LISTED, RESULTS, Filter, StoredGame, seat_words

router = APIRouter()
LOG = logging.getLogger(__name__)

# ------------------------------------------------------------ games and agents


@router.get("/api/games")
async def game_list(request: Request) -> dict[str, Any]:
    """Return every game with its options, every agent and every network."""
    services = services_of(request)
    return await services.work.games.do(_catalogue, services.settings.runs)


def _catalogue(runs: Path) -> dict[str, Any]:
    found = [describe(name) for name in working_games(LOG.error)]
    agents = [
        {
            "name": name,
            "usage": AGENTS[name].usage(name),
            "help": AGENTS[name].help,
            "keys": [describe_option(key, option) for key, option in AGENTS[name].keys.items()],
        }
        for name in agent_names()
        if name != ENGINE
    ]
    engines = [
        {"name": ENGINE, "usage": f"{ENGINE}:{name}", "help": f"the program {name}", "keys": []}
        for name in listed_engines()
    ]
    return {
        "games": found,
        "agents": agents + engines,
        "networks": [
            {"name": name, "game": learned.game, "options": learned.options}
            for name, learned in networks(runs).items()
        ],
    }


def describe(name: str) -> dict[str, Any]:
    """Return a game and its options."""
    kind = game_class(name)
    game = kind()
    return {
        "name": name,
        "title": title(name),
        "summary": kind.summary,
        "players": game.players,
        "hides": game.hides,
        "family": family_of(kind),
        "options": [describe_option(key, option) for key, option in kind.declared.items()],
    }


@router.post("/api/levels")
async def level_list(wanted: GameChoice, request: Request) -> dict[str, Any]:
    """Return a game's players, agents by strength, default evaluator and networks."""
    services = services_of(request)
    return await services.work.files.do(_levels_of, wanted, services.settings.runs)


def _levels_of(wanted: GameChoice, runs: Path) -> dict[str, Any]:
    game = make_from(wanted.game, wanted.options)
    judge, fitting = strongest_spec(game, runs), networks_for(game, runs)
    return {
        "players": game.players,
        "seats": game.player_names,
        "levels": [asdict(choice) for choice in levels(game, fitting)],
        "judge": {"spec": judge, "words": method_in_words(judge)},
        "networks": fitting,
    }


# ------------------------------------------------------------ tables


@router.post("/api/tables")
async def new_table(wanted: NewTable, request: Request) -> dict[str, Any]:
    """Begin a game."""
    table, tokens, invites = await services_of(request).tables.create(wanted)
    return {"id": table.id, "tokens": tokens, "invites": invites}


@router.post("/api/tables/{id}/claim")
async def claimed_seat(id: GameId, wanted: Claim, request: Request) -> dict[str, Any]:
    """Take the seat of an invitation."""
    tables = services_of(request).tables
    seat, token = await tables.claim(await tables.get(id), wanted.invite, wanted.name)
    return {"seat": seat, "token": token}


class TableQuery(BaseModel):
    """The filter of a list of games; an empty field does not filter."""

    game: Annotated[str, StringConstraints(max_length=64)] = ""
    status: Annotated[str, StringConstraints(pattern="^(playing|over|)$")] = ""
    player: Annotated[str, StringConstraints(max_length=60)] = ""
    text: Annotated[str, StringConstraints(max_length=60)] = ""
    result: Annotated[str, StringConstraints(pattern=f"^({'|'.join(RESULTS)}|)$")] = ""
    ids: Annotated[str, StringConstraints(max_length=4000, pattern=r"^[A-Za-z0-9_,-]*$")] = ""
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 30
    before: Annotated[float | None, Field(allow_inf_nan=False)] = None

    def filter(self) -> Filter:
        """Return the filter of the database, with one more row to detect a further page."""
        ids = tuple(word for word in self.ids.split(",") if word)
        return Filter(**{**self.model_dump(), "ids": ids, "limit": self.limit + 1})


@router.get("/api/tables")
async def table_list(request: Request, wanted: Annotated[TableQuery, Query()]) -> dict[str, Any]:
    """Return stored games, the last played first."""
    services = services_of(request)
    found = await services.work.files.do(services.store.list, wanted.filter())
    limit = wanted.limit
    more = found[limit - 1].updated if len(found) > limit else None
    return {"tables": summaries(found[:limit]), "more": more}


def summaries(found: Iterable[StoredGame]) -> list[dict[str, Any]]:
    """Return the summaries of stored games; damaged ones are logged and omitted."""
    listed = []
    for stored in found:
        try:
            listed.append(summary(stored))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            LOG.error("game %s is damaged, and left out of lists", stored.id, exc_info=error)
    return listed


def summary(stored: StoredGame) -> dict[str, Any]:
    """Return the summary of a stored game."""
    return {
        "id": stored.id,
        "game": stored.game,
        "title": title(stored.game),
        "options": stored.options,
        "seats": [seat_words(seat) for seat in stored.seats],
        "status": stored.status,
        "result": _result(stored),
        "plies": stored.plies,
        "created": stored.created,
        "updated": stored.updated,
        "origin": stored.origin,
    }


def _result(stored: StoredGame) -> str:
    """Return the result of a stored game as text; empty before its end."""
    if stored.result is None:
        return "" if stored.status == "playing" else result_text(None, ())
    return stored_result_text(stored.result, [seat_words(seat) for seat in stored.seats])


@router.get("/api/tables/{id}")
async def table_view(id: GameId, request: Request) -> Response:
    """Return a table as the holder of the request's tokens may see it."""
    tables, tokens = services_of(request).tables, tokens_of(request)
    while True:
        table = await tables.get(id)
        you = table.seats_of(tokens)
        async with table.upkeep.lock:
            if tables.has(table):  # not dropped after a failed write
                view = view_of(table, you, host=table.is_host(tokens), here=tables.here(table))
                return json_answer(as_json(view))
