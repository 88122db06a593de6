"""What is told of any position: the board, what agents think of it, and where a game swung.

Who may know what of a game under way is asked of `Tables.may_analyse`, for every ply.
"""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar

from starlette.responses import Response

from meeple.errors import MeepleError, UsageError
from meeple.games.boards.scene import Scene
from meeple.games.contract.game import Position
from meeple.games.contract.registry import make_from
from meeple.kernels import CHANCE, OVER
from meeple.server.analysis.arrange import arrange
from meeple.server.analysis.sources import Line, Lines, Source, valued
from meeple.server.errors import Forbidden
from meeple.server.house import House, answer_of
from meeple.server.play.table import Table, result_words
from meeple.server.play.views import actions_of, title
from meeple.server.specs import settle
from meeple.server.store import seat_words
from meeple.server.thinking.pool import Task

AGENT_SEED = 1  # of all agents that analyse: what they find can be found again
_THREADS = 2  # that replay games, so that nobody else waits for them

Json = dict[str, Any]
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Asked:
    """A game that somebody asks about, and who asks."""

    line: Line
    table: Table | None  # whose game it is, where it is one's here
    tokens: tuple[str, ...]
    house: House

    @property
    def is_open(self) -> bool:
        """Whether all of it may be known to anybody."""
        return self.table is None or self.table.is_over or not self.line.game.hides

    @property
    def you(self) -> frozenset[int]:
        """The seats of a table that whoever asks acts for."""
        return frozenset() if self.table is None else self.table.seats_of(self.tokens)

    def viewer(self, ply: int, wanted: int | None = None) -> int | None:
        """The seat through whose eyes a position is shown: the one to move, or the wanted one.

        Raises Forbidden where it may not be shown.
        """
        self.line.check(ply)
        mover = self.line.movers[ply]
        only = None
        if self.table is not None:
            only = self.house.tables.may_analyse(self.table, self.tokens, mover)
        if only is not None:
            return only
        if wanted is not None and wanted >= self.line.game.players:
            raise UsageError(f"there is no seat {wanted}: seats are 0 to {self._last_seat}")
        return wanted if wanted is not None else mover if mover >= 0 else None

    def check_looks(self) -> None:
        """Raises Forbidden where not even the list of its plies may be told."""
        if self.table is not None:
            seat = min(self.you, default=OVER)  # of a game that hides only players may know more
            self.house.tables.may_analyse(self.table, self.tokens, seat)

    @property
    def _last_seat(self) -> int:
        return self.line.game.players - 1


class Analyst:
    """Answers questions about positions; one for each application."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._lines = Lines()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="analysis")

    async def _aside(self, call: Callable[..., _Result], *args: Any) -> _Result:
        """Call something long in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)

    async def ask(self, source: Source, tokens: Sequence[str] = ()) -> Asked:
        """The game of a source. Raises MeepleError in a sentence, NotFound and Forbidden too."""
        if source.table is None:
            return Asked(await self._aside(self._lines.of_text, source), None, (), self.house)
        table = await self.house.tables.get(source.table)
        if source.then and table.game.hides and not table.is_over:
            raise Forbidden("while hidden cards are in play, no moves can be tried out")
        position, seats = table.position.copy(), [seat_words(asdict(seat)) for seat in table.seats]
        make = partial(Line, position, seats, opening=table.opening)
        line = await self._aside(self._lines.of_table, table.id, position.actions, make, source)
        return Asked(line, table, tuple(tokens), self.house)

    async def positions(self, asked: Asked) -> Response:
        """The game's plies in words, as the answer to a request."""
        asked.check_looks()
        return await self._aside(lambda: answer_of(_positions(asked)))

    async def scene(self, asked: Asked, ply: int, seat: int | None = None) -> Json:
        """The board after so many plies, and what can be played there."""
        return await self._aside(_scene, asked, ply, asked.viewer(ply, seat))

    async def arrange(self, name: str, options: Json, pieces: Sequence[str], to_move: Any) -> Any:
        """The moves that place stones, by name."""
        return await self._aside(lambda: arrange(make_from(name, options), pieces, to_move))

    async def settled(self, spec: str) -> str:
        """A spec as a worker needs it. Raises SpecError."""
        return await self._aside(settle, spec, self.house.settings.runs)


class Thinker:
    """Has positions searched for one who asks, one after the other."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst, self._pool = analyst, analyst.house.pool
        self._name = f"analysis-{secrets.token_hex(8)}"
        self._keys: set[str] = set()

    def close(self) -> None:
        """Let the pool forget what it remembers for this one."""
        for key in self._keys:
            self._pool.forget(key)
        self._keys.clear()

    async def think(
        self, asked: Asked, ply: int, spec: str, seconds: float
    ) -> AsyncGenerator[Json, None]:
        """Thoughts about one position, ever better; the last one is `final`.

        Closing it ends the thinking. Raises MeepleError, Busy too, in a sentence.
        """
        asked.viewer(ply)
        mover = asked.line.movers[ply]
        if mover == OVER:
            raise UsageError("the game is over here: there is nothing to think about")
        if mover == CHANCE:
            raise UsageError("chance decides here: choose an outcome first")
        task = self._task(asked.line, ply, await self._analyst.settled(spec))
        thoughts = self._pool.analyse(task, seconds)
        try:
            async for thought in thoughts:
                yield {**thought, "spec": spec, "final": bool(thought.get("final")), "ply": ply}
        except MeepleError as error:
            if task.spec not in str(error):
                raise
            raise MeepleError(str(error).replace(task.spec, spec)) from None  # no paths of ours
        finally:
            self._pool.stop(task.key)
            await _close(thoughts)

    def _task(self, line: Line, ply: int, spec: str) -> Task:
        """One tree serves a whole game; where something is hidden, one for each seat."""
        seat = line.movers[ply] if line.game.hides else ""
        parts = (line.game.name, dict(line.game.options), line.seed, spec, seat)
        key = f"{self._name}:{hashlib.sha256(repr(parts).encode()).hexdigest()[:12]}"
        self._keys.add(key)
        return Task(
            key=key,
            game=line.game.name,
            options=dict(line.game.options),
            seed=line.seed,
            actions=line.actions[:ply],
            spec=spec,
            agent_seed=AGENT_SEED,
        )

    async def sweep(self, asked: Asked, spec: str, seconds: float) -> AsyncGenerator[Json, None]:
        """The value of every position of a game that may be searched, one after the other.

        Each comes with the best move, and with what the move played gave away against it:
        `swing`, a share of the mover's, None where nobody can tell. Raises MeepleError.
        """
        before: _Found | None = None
        refusal: Forbidden | None = None
        told = False
        for ply, mover in enumerate(asked.line.movers):
            found: _Found | None = None
            if mover == OVER:
                found = _Found(ply, mover, {"value": asked.line.payoffs})
            elif mover != CHANCE:
                try:
                    found = _Found(ply, mover, await self._last_thought(asked, ply, spec, seconds))
                except Forbidden as error:
                    refusal = error
            if before is not None:
                told = True
                yield before.judged(asked.line, found)
            before = found
        if before is not None:
            yield before.judged(asked.line, None)
        elif refusal is not None and not told:
            raise refusal

    async def _last_thought(self, asked: Asked, ply: int, spec: str, seconds: float) -> Json:
        last: Json = {}
        async with contextlib.aclosing(self.think(asked, ply, spec, seconds)) as thoughts:
            async for thought in thoughts:
                last = thought
        return last


@dataclass(frozen=True)
class _Found:
    """What a sweep found at a ply."""

    ply: int
    mover: int
    thought: Json

    @property
    def best(self) -> int | None:
        """The number of the action that was chosen."""
        line, actions = self.thought.get("line"), self.thought.get("actions")
        return actions.index(line[0]) if line and actions and line[0] in actions else None

    @property
    def promise(self) -> list[float] | None:
        """Every player's share after the best action; a tree's mean is lower for the mover."""
        best = self.best
        after = None if best is None else self.after(best)
        value = self.thought.get("value")
        return after or (None if value is None else list(value))

    def after(self, number: int) -> list[float] | None:
        """Every player's share after an action by its number, where the search looked at it."""
        values = self.thought.get("action_values")
        return list(values[number]) if values and None not in values[number] else None

    def judged(self, line: Line, after: "_Found | None") -> Json:
        """The message about this ply; `after` is what was found at the next."""
        best = self.best
        return {
            "ply": self.ply,
            "value": self.thought.get("value"),
            "best": None if best is None else self.thought["names"][best],
            "swing": self._swing(line, after),
        }

    def _swing(self, line: Line, after: "_Found | None") -> float | None:
        """What the move played gave away: against the best one, as the next search saw it.

        Where chance comes next, its luck is no fault: then as this search saw the move.
        """
        best, promise = self.best, self.promise
        if best is None or promise is None or self.ply >= line.plies:
            return None
        actions, played = self.thought["actions"], line.actions[self.ply]
        if actions[best] == played:
            return 0.0
        reached = None if after is None else after.promise
        if reached is None and played in actions:
            reached = self.after(actions.index(played))
        if reached is None:
            return None
        return round(max(0.0, promise[self.mover] - reached[self.mover]), 4)


async def _close(thoughts: Any) -> None:
    """End a stream before its end, where it is one that can be ended."""
    if isinstance(thoughts, AsyncGenerator):
        await thoughts.aclose()


# ------------------------------------------------------------ in words


def _positions(asked: Asked) -> Json:
    line, game = asked.line, asked.line.game
    over = line.payoffs is not None
    plies = line.told() if asked.is_open else _known(asked)
    result = result_words(game, line.payoffs) if line.payoffs is not None else ""
    if asked.table is not None and line.plies == asked.table.ply:
        over, result = asked.table.is_over, asked.table.winner_words()
    if asked.table is not None and asked.is_open:
        plies = valued(plies, asked.table.values)
    return {
        "game": game.name,
        "title": title(game.name),
        "options": dict(game.options),
        "hides": game.hides,
        "players": [game.player_name(seat) for seat in range(game.players)],
        "seats": list(line.seats),
        "family": game.scene(game.start(line.seed), None).family,
        "plies": plies,
        "opening": line.opening,
        "over": over,
        "result": result,
        "more": line.more,
    }


def _known(asked: Asked) -> list[Json]:
    """The plies of a game that hides something and goes on, as a seat was told of them."""
    table, line = asked.table, asked.line
    assert table is not None
    reader = table.reader(asked.you)
    texts = {told.ply: told.to(reader) for told in list(table.told)}
    return [
        {"ply": ply, "seat": max(mover, CHANCE), "name": "", "text": texts.get(ply, "")}
        for ply, mover in enumerate(line.movers[: line.plies])
    ]


def _scene(asked: Asked, ply: int, viewer: int | None) -> Json:
    line, game = asked.line, asked.line.game
    with line.at(ply) as position:
        over, mover = position.is_over, position.to_move
        scene = game.scene(position, viewer)
        shares = [round(float(share), 6) for share in position.payoffs] if over else None
        return {
            "ply": ply,
            "scene": scene.to_json(),
            "actions": _actions(position, scene),
            "to_move": mover,
            "mover": game.player_name(mover) if mover >= 0 else "",
            "seat": viewer,
            "over": over,
            "payoffs": shares,
            "result": "" if shares is None else result_words(game, shares),
        }


def _actions(position: Position, scene: Scene) -> list[Json]:
    """What can be played; at a chance node the outcomes, with their probabilities."""
    if position.to_move != CHANCE:
        return actions_of(position, scene)
    outcomes, chances = position.chance_outcomes()
    plain: Json = {"group": "What chance brings", "clicks": [], "marks": []}
    return [
        {**plain, "id": outcome, "name": name, "label": name, "probability": round(chance, 6)}
        for outcome, chance in zip(outcomes.tolist(), chances.tolist(), strict=True)
        if (name := position.action_name(outcome))
    ]
