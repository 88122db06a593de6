"""Fixtures and outcomes as JSON, for workers in other processes."""

from typing import Any

from meeple.arena.games.forfeit import Fault
from meeple.arena.games.outcome import Outcome
from meeple.arena.plan.openings import Opening
from meeple.arena.plan.schedule import Fixture
from meeple.games.contract.records import GameRecord


def fixture_to_json(fixture: Fixture) -> dict[str, Any]:
    """Return a fixture as JSON."""
    opening = fixture.opening
    return {
        "number": fixture.number,
        "lineup": list(fixture.lineup),
        "opening": None if opening is None else [opening.seed, *opening.actions],
        "seed": fixture.seed,
        "place": fixture.place,
    }


def fixture_of(data: dict[str, Any]) -> Fixture:
    """Return the fixture of its JSON."""
    given = data["opening"]
    return Fixture(
        number=data["number"],
        lineup=tuple(data["lineup"]),
        opening=None if given is None else Opening(given[0], tuple(given[1:])),
        seed=data["seed"],
        place=data["place"],
    )


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON."""
    return {
        "number": outcome.number,
        "lineup": list(outcome.lineup),
        "record": outcome.record.to_json(),
        "choices": list(outcome.choices),
        "seconds": list(outcome.seconds),
        "simulations": list(outcome.simulations),
        "habits": {name: list(counts) for name, counts in outcome.habits.items()},
        "fault": None if outcome.fault is None else list(outcome.fault),
        "warm": outcome.warm,
    }


def outcome_of(data: dict[str, Any]) -> Outcome:
    """Return the outcome of its JSON; raise MeepleError for an invalid record."""
    return Outcome(
        number=data["number"],
        lineup=tuple(data["lineup"]),
        record=GameRecord.from_json(data["record"]),
        choices=tuple(data["choices"]),
        seconds=tuple(data["seconds"]),
        simulations=tuple(data["simulations"]),
        habits=data["habits"],
        fault=None if data["fault"] is None else Fault(*data["fault"]),
        warm=data["warm"],
    )
