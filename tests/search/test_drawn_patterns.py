"""Patterns that are drawn for a game, the contents that they read, games of three with chance."""

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import meeple
from meeple.agents.spec import agent
from meeple.errors import CheckpointError, UsageError
from meeple.games.boards.shape import diamond
from meeple.games.check.capabilities import a_capability_answers_as_its_protocol_says
from meeple.games.check.walk import GameWalk
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import Patterns
from meeple.games.contract.registry import load_game_file
from meeple.kernels import CHANCE, OBSERVE, kernel
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.expectimax import Expectimax
from meeple.search.patterns.contents import Contents, contents_of, sampled_positions
from meeple.search.patterns.contributions import contributions
from meeple.search.patterns.drawn import Drawn
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import save_patterns
from meeple.search.patterns.layout import moves_of
from meeple.search.patterns.learning import PatternLearner
from meeple.search.patterns.temporal_differences import TdSettings
from tests.search.corner import Corner
from tests.search.test_patterns import random_evaluation_of, share_of_contents

EINSTEIN = Path(__file__).parents[2] / "examples" / "board_games" / "einstein.py"
Hex: type[Game] = type(meeple.make("hex"))


def of_kind(kind: type[Game], options: dict[str, Any] | None = None, **members: Any) -> Game:
    """A game of a class of its own, with the rules of `kind`."""
    game: Game = type("Variant", (kind,), {"__module__": kind.__module__, **members})(
        **(options or {})
    )
    return game


def seen_only() -> Game:
    """Hex 4x4 without the kernel `ownership`."""
    has = Hex.has
    return of_kind(Hex, {"size": 4}, has=lambda game, one: one == OBSERVE and has(game, one))


def test_contents_of_an_observation_tell_owners_apart_and_how_seats_exchange_them() -> None:
    owned, seen = Contents.of(meeple.make("hex", size=4)), Contents.of(seen_only())
    assert (owned.count, owned.exchanged) == (3, (0, 2, 1))
    assert (seen.kernel, seen.count, seen.exchanged) == (OBSERVE, 3, (0, 2, 1))
    positions = sampled_positions(meeple.make("hex", size=4))[::7]
    owners = contents_of(meeple.make("hex", size=4), owned, positions)
    found = contents_of(seen_only(), seen, positions)
    pairs = set(zip(owners.ravel().tolist(), found.ravel().tolist(), strict=True))
    assert len(pairs) == 3
    assert (0, 0) in pairs


def test_an_evaluation_by_observations_follows_its_formula() -> None:
    game = seen_only()
    evaluation = random_evaluation_of(PatternEvaluation(game, drawn=Drawn.for_game(game, 3)))
    evaluation.pack()
    for position in sampled_positions(meeple.make("hex", size=4))[::5]:
        (contents,) = contents_of(game, evaluation.layout.contents, [position])
        expected = share_of_contents(evaluation, contents, position.to_move)
        assert evaluation.shares(position)[position.to_move] == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("game", [meeple.make("hex", size=4), Corner()], ids=["two", "three"])
def test_contributions_are_shares_of_the_variance(game: Game) -> None:
    evaluation = random_evaluation_of(PatternEvaluation(game, drawn=Drawn.for_game(game, 1)))
    layout, positions = evaluation.layout, sampled_positions(game)[::5]
    shares = contributions(evaluation, positions)
    assert len(shares) == max(layout.pattern_of) + 1 > 1
    assert shares.sum() == pytest.approx(1)
    first, following = (layout.first_entry[layout.pattern_of.index(one)] for one in (0, 1))
    kept = np.isin(np.arange(layout.weights + 1), layout.weight_of[:, first:following])
    evaluation.weights[:, ~kept] = 0.0
    alone = contributions(evaluation, positions)
    assert alone == pytest.approx([1, *[0] * (len(shares) - 1)], abs=1e-6)


@pytest.mark.parametrize(
    ("limit", "most", "count"), [(None, 0, 25), ("MAX_LEVELS", 2, 5), ("MAX_CONTENTS", 8, 5)]
)
def test_values_of_planes_make_contents_or_their_signs_if_these_are_too_many(
    monkeypatch: pytest.MonkeyPatch, limit: str | None, most: int, count: int
) -> None:
    """EinStein's planes: numbers 1 to 6 of either player as shares, and which stones may move."""
    game = load_game_file(EINSTEIN)()
    if limit is not None:
        monkeypatch.setattr(f"meeple.search.patterns.contents.{limit}", most)
    found = Contents.of(game)
    assert found.count == count
    assert found.exchanged is not None
    assert [found.exchanged[one] for one in found.exchanged] == [*range(count)]


def test_declared_patterns_of_derived_contents_pass_the_check() -> None:
    groups = Patterns([[(0, 1, 15)]])
    game = of_kind(type(seen_only()), {"size": 4}, num_cells=0, patterns=lambda game: groups)
    assert PatternEvaluation(game).layout.groups
    a_capability_answers_as_its_protocol_says(GameWalk(game, 0))


def test_a_plane_that_marks_the_last_move_makes_no_contents() -> None:
    def rules_alone(game: Game, one: int) -> bool:
        return one == OBSERVE

    gomoku = of_kind(type(meeple.make("gomoku")), {"size": 6, "in_a_row": 4}, has=rules_alone)
    found = Contents.of(gomoku)
    assert (found.planes, found.count) == ((0, 1), 3)


def test_straight_lines_are_drawn_once_for_all_symmetries() -> None:
    game = of_kind(type(meeple.make("gomoku")), {"size": 6, "in_a_row": 4})
    groups = {frozenset(group) for (group,) in Drawn.for_game(game, 1).patterns.placements}
    starts = [*range(0, 36, 6), *range(1, 36, 6)]
    lines = [[start + n for n in range(5)] for start in starts]  # of rows
    lines += [[0, 7, 14, 21, 28], [7, 14, 21, 28, 35], [1, 8, 15, 22, 29]]
    moves = moves_of(game, Contents.of(game))
    for line in lines:
        images = {frozenset(move.cells[line].tolist()) for move in moves}
        assert len(images & groups) == 1


@kernel
def contents(s: Any, out: Any) -> None:
    """Contents that no game may write: beyond every table."""
    for cell in range(16):
        out[cell] = 100 - 7 * cell


def test_contents_that_are_none_count_as_empty() -> None:
    rules = ModuleType("wrong_contents")
    rules.contents = contents  # type: ignore[attr-defined]
    game = of_kind(
        Hex,
        {"size": 4},
        kernel_modules=(*Hex.kernel_modules, rules),
        num_contents=4,
        exchanged_contents=(0, 2, 1, 3),
    )
    drawn = Drawn.for_game(meeple.make("hex", size=4), 1)
    read = replace(Contents.of(game), cells=16)
    evaluation = random_evaluation_of(PatternEvaluation(game, drawn=Drawn(drawn.patterns, read)))
    evaluation.pack()
    shares = evaluation.shares(game.start())
    expected = np.array([[2 if cell == 14 else 0 for cell in range(16)]])
    assert shares[0] == pytest.approx(share_of_contents(evaluation, expected[0], 0), abs=2e-3)


@pytest.mark.parametrize(
    "members", [{"num_contents": 1}, {"num_contents": 33}, {"exchanged_contents": (0, 1, 1)}]
)
def test_wrong_contents_are_refused(members: dict[str, Any]) -> None:
    rules = ModuleType("contents_of_hex")
    rules.contents = contents  # type: ignore[attr-defined]
    modules = (*Hex.kernel_modules, rules)
    game = of_kind(Hex, kernel_modules=modules, **{"num_contents": 3, **members})
    with pytest.raises(UsageError, match="num_contents"):
        Contents.of(game)


def test_walks_are_equal_for_equal_seeds_and_stay_on_neighbouring_cells() -> None:
    game = meeple.make("reversi", size=6)
    first, again, other = (Drawn.for_game(game, seed) for seed in (1, 1, 2))
    assert first == again
    assert first.patterns != other.patterns
    for (group,) in first.patterns.placements:
        places = np.array([divmod(cell, 6) for cell in group])
        steps = np.abs(places[:, None] - places).max(axis=2)
        assert all((steps[n, :n] == 1).any() for n in range(1, len(group)))


def test_a_row_and_a_large_board_have_walks_within_the_limits() -> None:
    for options in ({"size": 3}, {"size": 19}):
        game = meeple.make("hex", **options)
        layout = PatternEvaluation(game, drawn=Drawn.for_game(game, 1)).layout
        assert 0 < layout.weights <= 2_000_000
        assert len({cell for group in layout.groups for cell in group}) > 0.8 * game.num_cells


def test_what_is_drawn_for_a_large_board_can_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = meeple.make("hex", size=19)
    monkeypatch.setattr("meeple.search.patterns.drawn.MAX_GROUPS", 50)
    drawn = Drawn.for_game(game, 1)
    assert 0 < len(drawn.patterns.placements) <= 50
    assert Drawn.from_json(json.loads(json.dumps(drawn.to_json())), game) == drawn
    monkeypatch.setattr("meeple.search.patterns.drawn.MAX_CELLS", 300)
    with pytest.raises(UsageError, match="too many for patterns"):
        Drawn.for_game(game, 1)


def test_drawn_patterns_survive_json_and_damaged_ones_are_refused() -> None:
    game = seen_only()
    drawn = Drawn.for_game(game, 1)
    data = json.loads(json.dumps(drawn.to_json()))
    assert Drawn.from_json(data, game) == drawn
    codes = bytes([0, 9, *[0] * (len(drawn.contents.codes) - 2)]).hex()
    damages: list[dict[str, Any]] = [
        {"kernel": "play"},
        {"kernel": "contents"},
        {"cells": 10**9},
        {"count": 300},
        {"count": "many"},
        {"stages": 10**9},
        {"planes": [0, 99]},
        {"planes": []},
        {"codes": "00"},
        {"limits": [[0.5]] * 3},
        {"limits": [[0.5], [float("nan")]]},
        {"limits": [[0.5], [1e40]]},
        {"limits": [[], [0.7, 0.5]]},
        {"codes": codes},
        {"exchanged": [0, 0, 0]},
        {"groups": []},
        {"groups": 7},
    ]
    for damage in damages:
        with pytest.raises(CheckpointError, match="drawn patterns"):
            Drawn.from_json({**data, **damage}, game)
    signs, positions = bytearray(9), sampled_positions(game)
    signs[0], signs[1], signs[3], _ = drawn.contents.codes  # digits of 3 signs, not of 2 levels
    older = {**data, "codes": signs.hex()}
    del older["limits"]
    expected = contents_of(game, drawn.contents, positions)
    read = Drawn.from_json(older, game).contents
    assert np.array_equal(contents_of(game, read, positions), expected)
    with pytest.raises(UsageError, match="placement"):
        PatternEvaluation(game, drawn=Drawn.from_json({**data, "groups": [[0, 16]]}, game))


@pytest.mark.slow
def test_a_game_of_three_with_chance_is_learned(tmp_path: Path) -> None:
    game = Corner()
    evaluation = PatternEvaluation(game, drawn=Drawn.for_game(game, 1))
    learner = PatternLearner(game, evaluation)
    learner.begin(1)
    learner.learn(3000, TdSettings(step=3.0, opening=2))
    save_patterns(tmp_path / "corner.safetensors", game, evaluation)
    tree = agent(f"uct:sims=60,eval={tmp_path / 'corner.safetensors'}", game)
    search = Expectimax(game, patterns=evaluation)
    for seed in range(4):
        position = game.start(seed)
        assert position.to_move == CHANCE
        while position.play_chance() == 0:
            position = game.start(seed + 100)
        position.play(5 if 5 in position.legal_actions() else 4)
        assert search.run(position, depth=1).best == 0
        assert tree.choose(position) == 0
        after = position.copy()
        after.play(0)
        evaluation.pack()
        shares = evaluation.shares(after)
        assert shares.sum() == pytest.approx(1)
        assert shares[1] > 0.8


def test_two_threads_learn_the_same_weights() -> None:
    game = meeple.make("hex", size=3)
    learner = PatternLearner(game, PatternEvaluation(game, drawn=Drawn.for_game(game, 1)))
    learner.begin(1)
    learner.learn(3001, TdSettings(opening=0), threads=2)
    share = AlphaBeta(game, patterns=learner.evaluation).run(game.start(), depth=1).value[0]
    assert share > 0.8  # the first player wins


def test_patterns_are_lines_and_walks_over_the_shape_of_the_board() -> None:
    shape = diamond(5, 5)
    groups = {
        group
        for (group,) in Drawn.for_game(
            of_kind(Hex, {"size": 5}, shape=shape), 1
        ).patterns.placements
    }
    lines = {tuple(line) for line in shape.rows_of(5).tolist()}
    assert 0 < len(groups & lines) < len(groups)
    for group in groups - lines:
        assert all(set(shape.around[cell]) & set(group) for cell in group)
