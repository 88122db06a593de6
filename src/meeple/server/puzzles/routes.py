"""Routes of puzzles."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field, StringConstraints

from meeple.arena.puzzles import MAX_ANSWERS
from meeple.server.analysis.sources import ActionName
from meeple.server.puzzles.puzzles import Puzzles
from meeple.server.web.answers import WordedRoute
from meeple.server.web.requests import part
from meeple.server.web.schemas import Strict, Token

router = APIRouter(route_class=WordedRoute)

PuzzleId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{1,16}$")]
_Puzzles = Annotated[Puzzles, part(Puzzles)]


class Person(Strict):
    """The person who solves, by a token that the browser made."""

    person: Token


class NextPuzzle(Person):
    """A request for a puzzle, of one game if `game` is not empty."""

    game: Annotated[str, StringConstraints(max_length=64)] = ""
    after: Annotated[str, StringConstraints(max_length=16)] = ""


class Answer(Person):
    """The moves from the position on: the person's and the replies, the last one new."""

    moves: Annotated[
        list[ActionName], Field(min_length=1, max_length=2 * MAX_ANSWERS, fail_fast=True)
    ]


@router.post("/api/puzzles/next")
async def next_puzzle(wanted: NextPuzzle, puzzles: _Puzzles) -> dict[str, Any]:
    """Return a puzzle near the person's rating."""
    return await puzzles.next(wanted.person, wanted.game, wanted.after)


@router.post("/api/puzzles/{id}")
async def puzzle(id: PuzzleId, wanted: Person, puzzles: _Puzzles) -> dict[str, Any]:
    """Return a puzzle."""
    return await puzzles.get(id, wanted.person)


@router.post("/api/puzzles/{id}/answer")
async def answer(id: PuzzleId, wanted: Answer, puzzles: _Puzzles) -> dict[str, Any]:
    """Check a move, and return the opponent's reply."""
    return await puzzles.answer(id, wanted.person, wanted.moves)


@router.post("/api/puzzles/{id}/solution")
async def solution(id: PuzzleId, wanted: Person, puzzles: _Puzzles) -> dict[str, Any]:
    """Return the solution of a puzzle, which counts as failed unless it is solved already."""
    return await puzzles.solution(id, wanted.person)
