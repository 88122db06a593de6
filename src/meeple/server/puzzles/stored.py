"""Puzzles, and the ratings of the people who solve them, in the database of the games.

Calls block; the server makes those that write in one dedicated thread. A person is a token of a
browser, stored as a hash.
"""

import hashlib
import json
import random
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import JSON, Engine, ForeignKey, String, delete, func, insert, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from meeple.arena.puzzles import NOTE
from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord
from meeple.rate_limit import TokenBuckets
from meeple.server.errors import NotFound, refusal
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.play.seats import digest
from meeple.server.puzzles.glicko import START_DEVIATION, START_RATING, Rating, updated
from meeple.server.store import StoredBase

NEAREST = 6  # puzzles by rating, of which one is drawn


class StoredPuzzle(StoredBase):
    """A row of the table of puzzles."""

    __tablename__ = "puzzles"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), index=True)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    seed: Mapped[int]
    moves: Mapped[list[str]] = mapped_column(JSON)  # that lead to the position
    solution: Mapped[list[str]] = mapped_column(JSON)  # the person's moves at even places
    proof: Mapped[str]
    rating: Mapped[float]
    deviation: Mapped[float] = mapped_column(default=START_DEVIATION)
    tries: Mapped[int] = mapped_column(default=0)
    solved: Mapped[int] = mapped_column(default=0)


class StoredSolver(StoredBase):
    """A row of the table of people who solve puzzles."""

    __tablename__ = "solvers"

    person: Mapped[str] = mapped_column(String(64), primary_key=True)  # hash of the token
    rating: Mapped[float] = mapped_column(default=START_RATING)
    deviation: Mapped[float] = mapped_column(default=START_DEVIATION)
    tries: Mapped[int] = mapped_column(default=0)
    solved: Mapped[int] = mapped_column(default=0)
    updated: Mapped[float] = mapped_column(index=True)


class StoredAttempt(StoredBase):
    """A row of the table of first attempts, which alone are rated."""

    __tablename__ = "attempts"

    person: Mapped[str] = mapped_column(
        ForeignKey("solvers.person", ondelete="CASCADE"), primary_key=True
    )
    puzzle: Mapped[str] = mapped_column(
        ForeignKey("puzzles.id", ondelete="CASCADE"), primary_key=True
    )
    solved: Mapped[bool]
    time: Mapped[float]


class StoredRater(StoredBase):
    """A row of the table of the callers whose attempt counts in the rating of a puzzle."""

    __tablename__ = "raters"

    number: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)  # hash of the caller and the puzzle


class Solver(NamedTuple):
    """A person's rating and count of rated puzzles."""

    rating: Rating = Rating()
    tries: int = 0
    solved: int = 0


class AttemptResult(NamedTuple):
    """The person after an attempt, and whether it was the first one at the puzzle."""

    solver: Solver
    change: float
    is_first: bool


class PuzzleStore:
    """The puzzles of one server."""

    def __init__(self, engine: Engine, limits: ServerLimits = LIMITS) -> None:
        """Use an open database, with at most `limits.max_solvers` people."""
        self._engine, self._limits = engine, limits
        self._new_solvers = TokenBuckets(limits.new_solvers)

    def add(self, records: Iterable[GameRecord]) -> None:
        """Store the puzzles that `meeple puzzles` made; those that are known stay as they are.

        Raises:
            MeepleError: A record is no puzzle.
        """
        rows = {row["id"]: row for row in map(_row, records)}
        if not rows:
            return
        with self._engine.begin() as connection:
            connection.execute(insert(StoredPuzzle).prefix_with("OR IGNORE"), list(rows.values()))

    def games(self) -> dict[str, int]:
        """Return the games that have puzzles, with their numbers."""
        query = select(StoredPuzzle.game, func.count().label("total")).group_by(StoredPuzzle.game)
        with self._engine.connect() as connection:
            return {row.game: row.total for row in connection.execute(query)}

    def get(self, id: str) -> StoredPuzzle:
        """Return a puzzle; raise NotFound."""
        with Session(self._engine, expire_on_commit=False) as session:
            puzzle = session.get(StoredPuzzle, id)
            if puzzle is None:
                raise refusal(NotFound, "no_such_puzzle")
            session.expunge(puzzle)
            return puzzle

    def solver(self, token: str) -> Solver:
        """Return a person's rating."""
        with Session(self._engine) as session:
            return _solver(session.get(StoredSolver, digest(token)))

    def next(self, token: str, game: str, after: str = "") -> StoredPuzzle:
        """Return a puzzle near the person's rating that the person has not tried.

        If all are tried, it is one of those that were tried longest ago.

        Args:
            token: of the person.
            game: its name; empty: any.
            after: the id of a puzzle that is not wanted again at once.

        Raises:
            NotFound: There is no puzzle.
        """
        person = digest(token)
        value = self.solver(token).rating.value
        tried = select(StoredAttempt.puzzle).where(StoredAttempt.person == person)
        wanted = select(StoredPuzzle).where(StoredPuzzle.id != after)
        if game:
            wanted = wanted.where(StoredPuzzle.game == game)
        fresh = wanted.where(StoredPuzzle.id.not_in(tried))
        nearest = fresh.order_by(func.abs(StoredPuzzle.rating - value)).limit(NEAREST)
        oldest = (
            wanted.join(StoredAttempt, StoredAttempt.puzzle == StoredPuzzle.id)
            .where(StoredAttempt.person == person)
            .order_by(StoredAttempt.time)
            .limit(NEAREST)
        )
        with Session(self._engine, expire_on_commit=False) as session:
            found = list(session.scalars(nearest)) or list(session.scalars(oldest))
            session.expunge_all()
        if not found:
            if game:
                raise refusal(NotFound, "no_puzzle_of", game=game)
            raise refusal(NotFound, "no_puzzle")
        return random.choice(found)

    def rate(self, token: str, id: str, solved: bool, caller: str = "") -> AttemptResult:
        """Count the first attempt of a person at a puzzle in both ratings.

        Tokens are free, so a puzzle's rating counts only the first attempt from an address, and a
        person for whom there is no room is not rated.

        Raises:
            NotFound: There is no such puzzle.
        """
        person, now = digest(token), time.time()
        with Session(self._engine) as session, session.begin():
            puzzle = session.get(StoredPuzzle, id)
            if puzzle is None:
                raise refusal(NotFound, "no_such_puzzle")
            solver = session.get(StoredSolver, person)
            if session.get(StoredAttempt, (person, id)) is not None:
                return AttemptResult(_solver(solver), 0.0, False)
            if solver is None:
                if not self._has_room(session, caller):
                    return AttemptResult(Solver(), 0.0, False)
                solver = StoredSolver(person=person, updated=now)
                session.add(solver)
                session.flush()
            mine = Rating(solver.rating, solver.deviation)
            its = Rating(puzzle.rating, puzzle.deviation)
            score = float(solved)
            solver.rating, solver.deviation = updated(mine, [(its, score)])
            rows: list[StoredSolver | StoredPuzzle] = [solver]
            if self._is_new_rater(session, caller, id):
                puzzle.rating, puzzle.deviation = updated(its, [(mine, 1.0 - score)])
                rows.append(puzzle)
            for row in rows:
                row.tries += 1
                row.solved += solved
            solver.updated = now
            session.add(StoredAttempt(person=person, puzzle=id, solved=solved, time=now))
            return AttemptResult(_solver(solver), solver.rating - mine.value, True)

    def _has_room(self, session: Session, caller: str) -> bool:
        """Return whether another person of a caller may be stored.

        Beyond the limit, the person who was away longest of those with one attempt makes room.
        """
        if not self._new_solvers.take(caller):
            return False
        count = session.scalar(select(func.count()).select_from(StoredSolver)) or 0
        if count < self._limits.max_solvers:
            return True
        with_one = select(StoredSolver.person).where(StoredSolver.tries <= 1)
        gone = session.scalar(with_one.order_by(StoredSolver.updated).limit(1))
        session.execute(delete(StoredSolver).where(StoredSolver.person == gone))
        return gone is not None

    def _is_new_rater(self, session: Session, caller: str, puzzle: str) -> bool:
        """Note that a caller's attempt counts for a puzzle; return False if one did before."""
        key = digest(f"{caller} {puzzle}")
        if session.scalar(select(StoredRater.number).where(StoredRater.key == key)) is not None:
            return False
        session.add(StoredRater(key=key))
        session.flush()
        newest = session.scalar(select(func.max(StoredRater.number))) or 0
        old = StoredRater.number <= newest - self._limits.max_raters
        session.execute(delete(StoredRater).where(old))
        return True


def _solver(row: StoredSolver | None) -> Solver:
    if row is None:
        return Solver()
    return Solver(Rating(row.rating, row.deviation), row.tries, row.solved)


def puzzle_id(record: GameRecord) -> str:
    """Return the id of the puzzle that a record holds: a hash of its position."""
    moves = list(record.actions[: record.opening])
    named = json.dumps([record.game, dict(record.options), record.seed, moves], sort_keys=True)
    return hashlib.sha256(named.encode()).hexdigest()[:12]


def _row(record: GameRecord) -> dict[str, Any]:
    note = record.notes.get(NOTE)
    solution = list(record.actions[record.opening :])
    if not isinstance(note, dict) or not solution:
        raise MeepleError("this record is no puzzle: make puzzles by `meeple puzzles`")
    return {
        "id": puzzle_id(record),
        "game": record.game,
        "options": dict(record.options),
        "seed": record.seed,
        "moves": list(record.actions[: record.opening]),
        "solution": solution,
        "proof": str(note.get("proof", "")),
        "rating": float(note.get("rating", START_RATING)),
    }
