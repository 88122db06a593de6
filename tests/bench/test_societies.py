"""The checks of chaos on tournaments, studies and agents' moves detect their faults."""

import asyncio

import pytest

from bench.chaos.findings import Findings
from bench.chaos.people import World
from bench.chaos.societies import Cup, student


def a_cup(results, scores, form="round-robin", round=1):
    games = [{"table": table, "payoffs": payoffs} for table, payoffs in results.items()]
    entrants = [{"score": score} for score in scores]
    return {"games": games, "entrants": entrants, "format": form, "round": round}


@pytest.fixture
def cup():
    return Cup(World("http://nowhere", Findings(), 1), "one", [])


def test_results_that_stay_and_add_up_are_right(cup):
    cup._check(a_cup({"a": [1, 0], "b": None}, [1, 0]))
    cup._check(a_cup({"a": [1, 0], "b": [0.5, 0.5]}, [1.5, 0.5]))
    cup._check(a_cup({"a": [1, 0], "b": [0.5, 0.5]}, [1.5, 0.5, 0.5], "swiss"))
    assert cup.world.findings.faults == []
    assert cup.world.findings.counts["results of cups"] == 2


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (a_cup({"a": [0, 1]}, [0, 1]), "the result of a was [1, 0], is [0, 1]"),
        (a_cup({"a": None}, [0, 0]), "the result of a was [1, 0], is None"),
        (a_cup({"a": [1, 0]}, [2, 0]), "1 games over, and the scores sum up to 2"),
    ],
)
def test_a_changed_result_or_score_is_a_fault(cup, view, words):
    cup._check(a_cup({"a": [1, 0]}, [1, 0]))
    cup._check(view)
    assert words in cup.world.findings.faults[0]


def test_a_study_that_is_not_as_saved_is_a_fault():
    nodes = {"ids": [0], "parents": [-1], "actions": [""], "marks": [""], "comments": [""]}
    study = {"id": "i", "key": "k", "version": 1, "game": "hex", "options": {}, "nodes": nodes}

    class Old(World):
        """A world whose server returns the study as it was before it was saved."""

        async def ask(self, method, path, **more):
            if self.findings.faults:
                raise asyncio.CancelledError
            return study if path == "/api/studies" or method == "GET" else {"version": 2}

    world = Old("http://nowhere", Findings(), 1)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(student(world))
    assert "study i is not as saved" in world.findings.faults[0]
