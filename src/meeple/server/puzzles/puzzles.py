"""The puzzles of a server: the next one for a person, checked answers, and solutions."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from meeple.games.contract.records import GameRecord, read_records
from meeple.games.contract.registry import make_from
from meeple.server.play.precompile import wait_for_kernels
from meeple.server.play.views import title
from meeple.server.puzzles.stored import AttemptResult, PuzzleStore, Solver, StoredPuzzle
from meeple.server.resources import Resources
from meeple.server.work import caller_now

Json = dict[str, Any]
SHIPPED = Path(__file__).parent / "shipped"


def shipped() -> list[GameRecord]:
    """Return the puzzles that ship with the package."""
    return [record for file in sorted(SHIPPED.glob("*.jsonl")) for record in read_records(file)]


class Puzzles:
    """Sets puzzles and checks answers; one for each application."""

    def __init__(self, resources: Resources) -> None:
        self._store = PuzzleStore(resources.store.engine, resources.limits)
        self._writer, self._work = resources.writer, resources.work
        self._filled = False
        self._filling = asyncio.Lock()

    async def next(self, person: str, game: str, after: str) -> Json:
        """Return a puzzle near a person's rating, without its solution; raise NotFound."""
        await self._fill()
        puzzle = await self._work.files.do(self._store.next, person, game, after)
        return await self._shown(puzzle, person)

    async def get(self, id: str, person: str) -> Json:
        """Return a puzzle without its solution; raise NotFound."""
        await self._fill()
        return await self._shown(await self._work.files.do(self._store.get, id), person)

    async def answer(self, id: str, person: str, moves: Sequence[str]) -> Json:
        """Check the last of the moves from a puzzle's position: the person's, and the replies.

        The first attempt is rated: it fails with the first wrong move.

        Returns:
            Whether the move is `right`, the opponent's `reply` if another move is to be found, and
            `you` once the puzzle is decided.
        """
        puzzle = await self._work.files.do(self._store.get, id)
        solution = puzzle.solution
        right = list(moves) == solution[: len(moves)] and len(moves) % 2 == 1
        if not right:
            return {"right": False, **await self._rated(id, person, solved=False)}
        if len(moves) == len(solution):
            rated = await self._rated(id, person, solved=True)
            return {"right": True, "reply": None, "proof": puzzle.proof, **rated}
        return {"right": True, "reply": solution[len(moves)]}

    async def solution(self, id: str, person: str) -> Json:
        """Return the solution; the attempt counts as failed if it was not decided before."""
        puzzle = await self._work.files.do(self._store.get, id)
        rated = await self._rated(id, person, solved=False)
        return {"solution": puzzle.solution, "proof": puzzle.proof, **rated}

    async def _rated(self, id: str, person: str, *, solved: bool) -> Json:
        rated: AttemptResult = await self._writer.do(
            self._store.rate, person, id, solved, caller_now.get()
        )
        change = round(rated.change) if rated.is_first else None
        return {"you": _person(rated.solver), "change": change}

    async def _fill(self) -> None:
        """Store the puzzles that ship, once."""
        async with self._filling:
            if not self._filled:
                await self._writer.do(lambda: self._store.add(shipped()))
                self._filled = True

    async def _shown(self, puzzle: StoredPuzzle, person: str) -> Json:
        await wait_for_kernels(puzzle.game)
        solver, games = await self._work.files.do(
            lambda: (self._store.solver(person), self._store.games())
        )
        game = make_from(puzzle.game, puzzle.options)
        return {
            "id": puzzle.id,
            "title": title(puzzle.game),
            "game": puzzle.game,
            "options": dict(game.options),
            "players": game.seat_names,
            "seed": puzzle.seed,
            "moves": puzzle.moves,
            "rating": round(puzzle.rating),
            "tries": puzzle.tries,
            "solved": puzzle.solved,
            "you": _person(solver),
            "games": [[name, title(name), count] for name, count in games.items()],
        }


def _person(solver: Solver) -> Json:
    rating = solver.rating
    return {
        "rating": round(rating.value),
        "deviation": round(rating.deviation),
        "tries": solver.tries,
        "solved": solver.solved,
    }
