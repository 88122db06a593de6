"""The data of any position for the page: its board, its legal actions, and the game's plies."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from meeple.arena.explorer import is_explorable
from meeple.games.boards.scene import Scene
from meeple.games.contract.capabilities import explanations, in_setup
from meeple.games.contract.game import Position
from meeple.games.contract.registry import make_from
from meeple.games.contract.result import result_text
from meeple.games.contract.shown import scene_of
from meeple.kernels import CHANCE
from meeple.sentences import as_json
from meeple.server.analysis.arrange import source_of
from meeple.server.analysis.asked import Asked, Json
from meeple.server.analysis.sources import GameSource, Lines
from meeple.server.errors import Forbidden, refusal
from meeple.server.play.levels import default_evaluator
from meeple.server.play.precompile import wait_for_kernels
from meeple.server.play.stored import table_replay
from meeple.server.play.tables import Tables
from meeple.server.play.views import about, actions_of, plies_view
from meeple.server.resources import Resources
from meeple.server.thinking.specs import settle
from meeple.server.work import Lane


class Analyst:
    """Answers questions about positions; one for each application."""

    def __init__(self, resources: Resources, tables: Tables) -> None:
        self.pool, self.limits = resources.pool, resources.limits
        self._tables, self._work, self._runs = tables, resources.work, resources.runs
        self._lines = Lines(resources.limits)

    async def ask(self, source: GameSource, tokens: Sequence[str] = ()) -> Asked:
        """Return the game of a source; raise NotFound, Forbidden, Busy or another MeepleError."""
        if source.table is None:
            if source.game is not None:
                await wait_for_kernels(source.game)
            lane = self._work.on(source.most_plies)
            return Asked(await lane.do(self._lines.of_text, source), None, (), self._tables)
        table = await self._tables.get(source.table)
        if source.then and table.game.hides and not table.is_over:
            raise refusal(Forbidden, "hidden_no_tries")
        position = table.position.copy()
        make = partial(table_replay, table, position)
        lane = self._work.on(len(position.actions))
        line = await lane.do(self._lines.of_table, table.id, position.actions, make, source)
        return Asked(line, table, tuple(tokens), self._tables)

    async def positions(self, asked: Asked) -> str:
        """Return the texts of the game's plies, as JSON."""
        asked.check_looks()
        return await self._lane(asked).do(lambda: as_json(_positions(asked)))

    async def describe(self, asked: Asked) -> None:
        """Prepare the texts of all plies, which are kept with the game."""
        await self._lane(asked).do(asked.line.texts)

    async def scene(
        self, asked: Asked, ply: int, seat: int | None = None, explain: bool = False
    ) -> Json:
        """Return the board after `ply` plies, its legal actions, and explanations if wanted."""
        return await self._lane(asked).do(_scene, asked, ply, asked.viewer(ply, seat), explain)

    async def arrange(self, name: str, options: Json, pieces: Sequence[str], to_move: Any) -> Any:
        """Return the options and the names of the moves that place the stones."""
        await wait_for_kernels(name)
        work = self._work.long  # many orders of the stones may have to be tried
        tries = self.limits.max_placements
        return await work.do(lambda: source_of(make_from(name, options), pieces, to_move, tries))

    async def judge(self, asked: Asked) -> str:
        """Return the spec of the default evaluator of a game."""
        return await self._work.files.do(default_evaluator, asked.line.game, self._runs)

    async def settled(self, spec: str) -> str:
        """Return a spec as a worker needs it; raise SpecError for an invalid one."""
        return await self._work.files.do(settle, spec, self._runs)

    def _lane(self, asked: Asked) -> Lane:
        return self._work.on(asked.line.plies)


# ------------------------------------------------------------ JSON data


def _positions(asked: Asked) -> Json:
    line, game = asked.line, asked.line.game
    over = line.payoffs is not None
    values = [] if asked.table is None else asked.table.history.values
    plies = plies_view(line.texts(), values) if asked.is_open else _visible_plies(asked)
    result = result_text(line.payoffs, game.player_names, tally=line.tally) if over else ""
    if asked.table is not None and line.plies == asked.table.ply:
        over, result = asked.table.is_over, asked.table.result_text()
    return {
        **about(game),
        "explorable": is_explorable(game),
        "players": game.seat_names,
        "seats": list(line.seats),
        "family": scene_of(game.start(line.seed)).family,
        "plies": plies,
        "opening": line.opening,
        "over": over,
        "result": result,
        "more": line.more,
        "statistics": [asdict(table) for table in line.statistics()] if over else [],
    }


def _visible_plies(asked: Asked) -> list[Json]:
    """Return the plies of an unfinished game with hidden information, as a seat may see them."""
    table, line = asked.table, asked.line
    assert table is not None
    reader = table.history.reader(asked.you)
    texts = {told.ply: told.to(reader) for told in list(table.history.told)}
    return [
        {"ply": ply, "seat": max(mover, CHANCE), "name": "", "text": texts.get(ply, "")}
        for ply, mover in enumerate(line.movers[: line.plies])
    ]


def _scene(asked: Asked, ply: int, viewer: int | None, explain: bool) -> Json:
    line, game = asked.line, asked.line.game
    with line.at(ply) as position:
        over, mover = position.is_over, position.to_move
        scene = scene_of(position, viewer)
        shares = [round(float(share), 6) for share in position.payoffs] if over else None
        said = explanations(position, viewer) if explain else ()
        return {
            "ply": ply,
            "scene": {"game": game.name, **scene.to_json()},
            "actions": _playable(position, scene),
            "to_move": mover,
            "mover": game.player_name(mover) if mover >= 0 else "",
            "seat": viewer,
            "over": over,
            "setup": mover >= 0 and in_setup(position),
            "payoffs": shares,
            "result": result_text(shares, game.player_names, tally=position.tally) if over else "",
            "explanations": [asdict(one) for one in said],
        }


def _playable(position: Position, scene: Scene) -> list[Json]:
    """Return the legal actions; at a chance node the outcomes, with their probabilities."""
    if position.to_move != CHANCE:
        return actions_of(position, scene)
    outcomes, chances = position.chance_outcomes()
    plain: Json = {"group": "What chance brings", "clicks": [], "marks": []}
    return [
        {**plain, "id": outcome, "name": name, "label": name, "probability": round(chance, 6)}
        for outcome, chance in zip(outcomes.tolist(), chances.tolist(), strict=True)
        if (name := position.action_name(outcome))
    ]
