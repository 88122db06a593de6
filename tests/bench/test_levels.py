"""Every step between levels was measured and wins at least 60 %; documents quote the figures."""

from pathlib import Path

import pytest

from bench.levels import (
    ALL,
    LevelPairing,
    LevelResult,
    LevelResults,
    boards,
    check,
    play,
    steps,
    table,
)

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "levels.md"


@pytest.fixture(scope="module")
def results():
    return LevelResults()


@pytest.mark.parametrize("levels", ALL, ids=lambda levels: levels.name)
def test_each_level_wins_three_games_in_five_against_the_one_before(results, levels):
    assert boards(levels)
    assert check(results, [levels]) == []


def test_document_has_every_figure(results):
    rows = set(DOCUMENT.read_text().splitlines())
    assert [row for row in table(results) if row not in rows] == []


def test_measured_step_is_stored_and_evaluated(tmp_path):
    pairing = LevelPairing("nim", {"stones": 9}, "uct:sims=200", "random")
    result = play(pairing, 4)
    assert result.board == "nim -o stones=9"
    assert result.games == 4
    LevelResults(tmp_path / "levels.json").add(result)
    assert LevelResults(tmp_path / "levels.json").of(pairing) == result


def result(share, games=100):
    return LevelResult("nim", "perfect", "random", games, round(share * games), 0, 1.0)


def test_step_is_confirmed_by_its_share_and_interval():
    assert result(0.6).is_a_step
    assert not result(0.59).is_a_step
    assert not result(0.7, games=10).is_a_step
    assert LevelResult("nim", "perfect", "random", 100, 55, 10, 1.0).share == 0.6


def test_missing_steps_are_named(tmp_path):
    nothing = LevelResults(tmp_path / "none.json")
    (levels, *_) = ALL
    faults = check(nothing, [levels])
    assert len(faults) >= len(list(steps(levels))) > 0
    assert all("not played" in fault for fault in faults)
