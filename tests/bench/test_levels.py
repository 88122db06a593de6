"""Every step between levels was measured and wins 65 to 85 %."""

from types import SimpleNamespace

import pytest

from bench import levels as levels_module
from bench.levels import (
    ALL,
    BATCH,
    SEED,
    WIDE,
    LevelPairing,
    LevelResult,
    LevelResults,
    boards,
    check,
    extend,
    play,
    rival_is_decided,
    step_is_decided,
    steps,
    weights_of,
)


@pytest.fixture(scope="module")
def results():
    return LevelResults()


@pytest.mark.parametrize("levels", ALL, ids=lambda levels: levels.name)
def test_each_level_wins_65_to_85_percent_against_the_one_before(results, levels):
    assert boards(levels)
    assert check(results, [levels]) == []


def test_only_steps_that_win_more_are_listed_as_wide(results):
    large: dict[str, set[str]] = {levels.name: set() for levels in ALL}
    for levels in ALL:
        names = {spec: name for name, spec in levels.steps.items()}
        for pairing in steps(levels):
            if results.of(pairing).is_large:
                large[levels.name].add(names[pairing.spec])
    assert {name: set(names) for name, names in WIDE.items()} == {
        name: names for name, names in large.items() if names
    }


def test_measured_step_is_stored_and_evaluated(tmp_path):
    pairing = LevelPairing("nim", {"stones": 9}, "uct:sims=200", "random")
    result = play(pairing, 4)
    assert result.board == "nim -o stones=9"
    assert result.games == 4
    LevelResults(tmp_path / "levels.json").put(result)
    assert LevelResults(tmp_path / "levels.json").of(pairing) == result


def result(share, games=100):
    return LevelResult("nim", "perfect", "random", games, round(share * games), 0, 1.0)


def test_step_is_refused_if_its_interval_is_outside_the_limits():
    assert not any(result(share).is_small or result(share).is_large for share in (0.6, 0.75, 0.88))
    assert result(0.5).is_small
    assert result(0.95).is_large
    assert not result(0.95, games=10).is_large
    assert LevelResult("nim", "perfect", "random", 100, 55, 10, 1.0).share == 0.6


@pytest.mark.parametrize(
    ("share", "games", "decided"),
    [(0.75, 80, False), (0.75, 100, True), (0.5, 20, False), (0.5, 40, True), (1.0, 40, True)],
)
def test_a_step_is_decided_if_its_interval_is_within_or_outside_the_limits(share, games, decided):
    assert step_is_decided(result(share, games)) == decided


@pytest.mark.parametrize(
    ("share", "decided"), [(0.5, False), (0.6, False), (0.7, True), (0.3, True)]
)
def test_rivals_are_decided_if_the_interval_excludes_even_shares(share, decided):
    assert rival_is_decided(result(share, 40)) == decided


def test_match_is_extended_by_missing_games_alone(tmp_path, monkeypatch):
    played = []

    def play_few(pairing, games, seed, before):
        played.append((games, seed, before))
        return LevelResult(pairing.board, pairing.spec, pairing.against, games, games, 0, 1.0)

    monkeypatch.setattr(levels_module, "play", play_few)
    pairing = LevelPairing("nim", {}, "perfect", "random")
    for games in (50, 50, 60):
        found = extend(LevelResults(tmp_path / "levels.json"), pairing, games)
        assert (found.games, found.won) == (games, games)
    assert played == [
        (BATCH, SEED, 0),
        (BATCH, SEED, BATCH),
        (50 - 2 * BATCH, SEED, 2 * BATCH),
        (10, SEED, 50),
    ]


def test_no_two_batches_of_a_match_have_the_same_opening(monkeypatch):
    begun: list[bytes] = []

    def match(game, specs, *, games, openings, **_):
        begun.extend(opening.position(game).row.tobytes() for opening in openings)
        return SimpleNamespace(
            agents=[SimpleNamespace(games=games, wins=0, draws=0, ms_per_move=1.0)],
            interrupted=False,
        )

    monkeypatch.setattr("meeple.match", match)
    for before in (0, BATCH):
        levels_module.play(LevelPairing("reversi", {}, "greedy", "random"), BATCH, before=before)
    assert len(set(begun)) == len(begun) == BATCH


def test_a_stale_step_is_named(tmp_path):
    (levels, *_) = ALL
    pairing = next(steps(levels))
    results = LevelResults(tmp_path / "levels.json")
    results.put(LevelResult(pairing.board, pairing.spec, pairing.against, 200, 100, 0, 1.0))
    (fault, *_) = check(results, [levels])
    assert f"{pairing.spec} against {pairing.against}: 50.0%" in fault
    assert f"tune_levels {levels.name}" in fault


def test_a_step_of_other_weights_is_not_measured(tmp_path):
    pairing = LevelPairing("hex", {"size": 7}, "puct:hex7,sims=200", "policy:hex7")
    results = LevelResults(tmp_path / "levels.json")
    rows = (pairing.board, pairing.spec, pairing.against, 200, 150, 0, 1.0)
    results.put(LevelResult(*rows, networks=weights_of(pairing.spec)))
    assert results.of(pairing) is not None
    results.put(LevelResult(*rows, networks={"hex7": "000000000000"}))
    assert results.of(pairing) is None
    assert set(weights_of("minimax:eval=reversi8-patterns,depth=5")) == {"reversi8-patterns"}
