"""Fixtures and outcomes as JSON, for workers in other processes and the store."""

from typing import Any

from meeple.arena.games.forfeit import Fault
from meeple.arena.games.outcome import Outcome
from meeple.arena.plan.openings import Opening
from meeple.arena.plan.schedule import Fixture
from meeple.games.contract.records import GameRecord


def fixture_to_json(fixture: Fixture) -> dict[str, Any]:
    """Return a fixture as JSON."""
    opening = fixture.opening
    given = None if opening is None else [opening.seed, *opening.actions]
    return {**_lists(vars(fixture)), "opening": given}


def fixture_of(data: dict[str, Any]) -> Fixture:
    """Return the fixture of its JSON."""
    given = data["opening"]
    opening = None if given is None else Opening(given[0], tuple(given[1:]))
    return Fixture(**_tuples(data) | {"opening": opening})


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON."""
    return {**_lists(vars(outcome)), "record": outcome.record.to_json()}


def outcome_of(data: dict[str, Any]) -> Outcome:
    """Return the outcome of its JSON; raise MeepleError for an invalid record."""
    fault = None if data["fault"] is None else Fault(*data["fault"])
    record = GameRecord.from_json(data["record"])
    return Outcome(**_tuples(data) | {"record": record, "fault": fault})


def _lists(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with lists in place of tuples."""
    return {k: list(field) if isinstance(field, tuple) else field for k, field in fields.items()}


def _tuples(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with tuples in place of lists."""
    return {k: tuple(field) if isinstance(field, list) else field for k, field in fields.items()}
