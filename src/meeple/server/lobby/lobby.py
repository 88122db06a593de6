"""The lobby: games, agents and networks to choose from, and the list of stored games."""

import logging
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from meeple.agents.engine.listed import listed_engines
from meeple.agents.evaluators import described, second_evaluator
from meeple.agents.kinds import AGENTS
from meeple.agents.networks import Catalogue
from meeple.agents.spec import ENGINE
from meeple.games.contract.game import Game
from meeple.games.contract.lessons import HasLesson
from meeple.games.contract.registry import game_class, loaded_games, make_from, working_games
from meeple.games.contract.result import result_text
from meeple.options import describe_option
from meeple.sentences import say
from meeple.server.play.levels import (
    SECONDS,
    default_evaluator,
    levels,
    network_choices,
    networks,
    networks_for,
)
from meeple.server.play.precompile import board_of
from meeple.server.play.table import stored_result_text
from meeple.server.play.views import title
from meeple.server.resources import Resources
from meeple.server.store import PLAYING, Filter, StoredGame, seats_words
from meeple.server.thinking.specs import agent_names
from meeple.server.web.schemas import MAX_FILE_BYTES

LOG = logging.getLogger(__name__)


class Lobby:
    """Answers what can be played, and which games are stored."""

    def __init__(self, resources: Resources) -> None:
        self._store, self._work, self._runs = resources.store, resources.work, resources.runs
        self._limits = resources.limits

    async def catalogue(self) -> dict[str, Any]:
        """Return every game with its options, every agent and network, and limits of uploads."""
        found = await self._work.games.do(_catalogue, self._runs)
        uploads = {"games": self._limits.max_upload_games, "bytes": MAX_FILE_BYTES}
        return {**found, "upload_limits": uploads}

    async def levels(self, name: str, options: dict[str, Any]) -> dict[str, Any]:
        """Return a game's players, agents by strength, default evaluator and networks."""
        return await self._work.files.do(_levels_of, name, options, self._runs)

    async def tables(self, wanted: Filter, held: frozenset[str]) -> dict[str, Any]:
        """Return stored games, the last played first, and the time from which on to ask for more.

        `more` is None if these are all. `held` are hashes of the client's tokens.
        """
        limit = wanted.limit
        found = await self._work.files.do(self._store.list, replace(wanted, limit=limit + 1))
        more = found[limit - 1].updated if len(found) > limit else None
        return {"tables": summaries(found[:limit], held), "more": more}


# ------------------------------------------------------------ games and agents


def _catalogue(runs: Path) -> dict[str, Any]:
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
        {
            "name": ENGINE,
            "usage": f"{ENGINE}:{name}",
            "help": say("agent.the_program", agent=name),
            "keys": [],
        }
        for name in listed_engines()
    ]
    return {
        "games": [describe(name) for name in working_games(LOG.error)],
        "agents": agents + engines,
        "networks": [
            {
                "name": name,
                "game": learned.game,
                "options": learned.options,
                "kind": learned.kind.name,
            }
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
        "players": game.seats,
        "hides": game.hides,
        "board": board_of(kind),
        "loaded": name in loaded_games(),
        "has_lesson": isinstance(game, HasLesson),
        "options": [describe_option(key, kind.declared[key]) for key in kind.form_options()],
    }


def _levels_of(name: str, options: dict[str, Any], runs: Path) -> dict[str, Any]:
    game = make_from(name, options)
    judge, fitting = default_evaluator(game, runs), networks_for(game, runs)
    second = second_evaluator(game, SECONDS, judge)
    return {
        "players": game.seats,
        "seats": game.seat_names,
        "levels": [asdict(choice) for choice in levels(game, fitting)],
        "judge": _described(game, judge, runs),
        "second": None if second is None else _described(game, second, runs),
        "networks": [asdict(choice) for choice in network_choices(game, fitting)],
    }


def _described(game: Game, spec: str, runs: Path) -> dict[str, str]:
    """Return an evaluator, and how strong it was measured to be."""
    return {"spec": spec, "words": described(game, spec, Catalogue(runs))}


# ------------------------------------------------------------ stored games


def summaries(found: Iterable[StoredGame], held: frozenset[str]) -> list[dict[str, Any]]:
    """Return the summaries of stored games; damaged ones are logged and omitted."""
    listed = []
    for stored in found:
        try:
            listed.append(summary(stored, held))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            LOG.error("game %s is damaged, and left out of lists", stored.id, exc_info=error)
    return listed


def summary(stored: StoredGame, held: frozenset[str]) -> dict[str, Any]:
    """Return the summary of a stored game for the holder of tokens with these hashes."""
    return {
        "id": stored.id,
        "game": stored.game,
        "title": title(stored.game),
        "options": stored.options,
        "seats": seats_words(stored.seats),
        "status": stored.status,
        "result": _result(stored),
        "plies": stored.plies,
        "created": stored.created,
        "updated": stored.updated,
        "origin": stored.origin,
        "people": sum(seat.get("kind") in ("human", "open") for seat in stored.seats),
        "begun": stored.terms.get("host") in held,
    }


def _result(stored: StoredGame) -> str:
    """Return the result of a stored game as text; empty before its end."""
    if stored.result is None:
        return "" if stored.status == PLAYING else result_text(None, ())
    return stored_result_text(stored.result, seats_words(stored.seats))
