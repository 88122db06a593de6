"""Pattern evaluation: against its formula in plain Python, shared weights, and learning."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import meeple
from meeple.errors import CheckpointError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.patterns import HasPatterns, Patterns
from meeple.kernels import OWNERSHIP
from meeple.kernels.table import caller
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import load_patterns, save_patterns
from meeple.search.patterns.layout import layout_of
from meeple.search.patterns.learning import Examples, PatternLearner
from meeple.search.patterns.regression import fitted_factors, used_weights
from meeple.search.patterns.temporal_differences import TdSettings


def owners_of(position: Position) -> list[int]:
    owners = np.zeros(position.game.num_cells, np.int8)
    address = position.game.address_of(OWNERSHIP)
    caller("ownership")(address, position.address, owners.ctypes.data)
    return owners.tolist()


def shares_by_kernel(evaluation: PatternEvaluation, position: Position) -> np.ndarray:
    evaluation.pack()
    return evaluation.shares(position)


def share_by_formula(evaluation: PatternEvaluation, position: Position) -> float:
    """The share of the player to move, from all cells at once."""
    return share_of_contents(evaluation, np.array(owners_of(position)) + 1, position.to_move)


def share_of_contents(evaluation: PatternEvaluation, contents: np.ndarray, view: int) -> float:
    layout, base = evaluation.layout, evaluation.layout.contents.count
    occupied = np.count_nonzero(contents)
    weights = evaluation.weights[layout.stage_of[occupied]]
    logit = float(weights[-1] + evaluation.memory["tempo"][0, occupied])
    for group, first in zip(layout.groups, layout.first_entry.tolist(), strict=True):
        entry = first + sum(int(contents[cell]) * base**n for n, cell in enumerate(group))
        logit += float(weights[layout.weight_of[view, entry]])
    return float(1 / (1 + np.exp(-logit)))


def random_evaluation(game: Game, seed: int) -> PatternEvaluation:
    return random_evaluation_of(PatternEvaluation(game), seed)


def random_evaluation_of(evaluation: PatternEvaluation, seed: int = 0) -> PatternEvaluation:
    rng = np.random.default_rng(seed)
    evaluation.weights[:] = rng.normal(0, 0.1, evaluation.weights.shape)
    return evaluation


@pytest.mark.parametrize(
    ("name", "size"),
    [("reversi", 4), ("reversi", 6), ("reversi", 8), ("reversi", 10), ("gomoku", 7)],
)
@pytest.mark.slow
def test_evaluation_follows_its_formula_in_any_order_of_positions(name: str, size: int) -> None:
    game = meeple.make(name, size=size)
    evaluation = random_evaluation(game, 1)
    rng = np.random.default_rng(2)
    evaluation.tempo[:] = rng.normal(0, 0.1, evaluation.tempo.shape)
    evaluation.add_tempo(True)
    positions = []
    for _ in range(3):
        position = game.start()
        while not position.is_over:
            positions.append(position.copy())
            position.play(int(rng.choice(position.legal_actions())))
    for index in rng.permutation(len(positions))[:60]:
        position = positions[index]
        shares = shares_by_kernel(evaluation, position)
        expected = share_by_formula(evaluation, position)
        assert shares[position.to_move] == pytest.approx(expected, abs=1e-4)
        assert shares.sum() == pytest.approx(1)


def test_every_symmetric_position_has_the_same_value() -> None:
    game = meeple.make("reversi", size=6)
    evaluation = random_evaluation(game, 3)
    rng = np.random.default_rng(4)
    position = game.start()
    for _ in range(12):
        position.play(int(rng.choice(position.legal_actions())))
    contents, share = np.array(owners_of(position)) + 1, share_by_formula(evaluation, position)
    for symmetry in game.symmetries():
        turned = contents[symmetry.action[: game.num_cells]]
        image = share_of_contents(evaluation, turned, position.to_move)
        assert image == pytest.approx(share, abs=1e-5)


def test_mirrored_entries_of_a_row_share_a_weight() -> None:
    layout = layout_of(Rows(size=4))
    digits = list(product(range(3), repeat=4))
    entry = {row: sum(digit * 3**place for place, digit in enumerate(row)) for row in digits}
    weight_of = layout.weight_of[0]
    assert all(weight_of[entry[row]] == weight_of[entry[row[::-1]]] for row in digits)
    assert layout.weights == len({min(row, row[::-1]) for row in digits})
    assert sorted(map(sorted, layout.groups)) == sorted(
        [[0, 1, 2, 3], [12, 13, 14, 15], [0, 4, 8, 12], [3, 7, 11, 15]]
    )


Reversi: type[Game] = type(meeple.make("reversi"))


class Rows(Reversi):  # type: ignore[misc, valid-type]
    """Reversi with the first row as its only pattern."""

    placements: list[list[tuple[int, ...]]] = [[(0, 1, 2, 3)]]

    def patterns(self) -> Patterns:
        return Patterns(self.placements, seats_alike=True)


Rows.__module__ = Reversi.__module__  # the kernels of its rules


@pytest.mark.parametrize("placements", [[[(0, 0)]], [[(0, 16)]], [[(0, 1), (0, 1, 2)]], [[()]]])
def test_a_wrong_declaration_is_refused(placements: list[list[tuple[int, ...]]]) -> None:
    game = Rows(size=4)
    game.placements = placements
    with pytest.raises(UsageError, match="placement"):
        layout_of(game)


def patterned(kind: type[Game], patterns: Patterns, **options: int) -> Game:
    """A game of a class of its own: Python remembers whether a class fits a protocol."""
    members = {"patterns": lambda _: patterns, "__module__": kind.__module__}
    game: Game = type("Patterned", (kind,), members)(**options)
    return game


def test_seats_have_weights_of_their_own_unless_they_are_alike() -> None:
    line = Patterns([[(0, 1, 2)]])
    alike = Patterns([[(0, 1, 2)]], seats_alike=True)
    own, shared = (layout_of(patterned(Reversi, one, size=4)) for one in (line, alike))
    assert own.weights == 2 * shared.weights
    assert not set(own.weight_of[0, :27]) & set(own.weight_of[1, :27])
    exchanged = np.array([0, 2, 1])[np.arange(27)[:, None] // [1, 3, 9] % 3] @ [1, 3, 9]
    assert (shared.weight_of[1] == shared.weight_of[0][exchanged]).all()


def test_a_symmetry_that_exchanges_seats_exchanges_contents_and_view() -> None:
    Hex = type(meeple.make("hex"))
    groups: list[list[tuple[int, ...]]] = [[(0, 1, 2)], [(4,), (1,)], [(2, 5)]]
    evaluation = random_evaluation_of(PatternEvaluation(patterned(Hex, Patterns(groups), size=3)))
    rng, transposed = np.random.default_rng(5), np.arange(9).reshape(3, 3).T.ravel()
    for contents in rng.integers(0, 3, (30, 9)):
        for mover in range(2):
            share = share_of_contents(evaluation, contents, mover)
            turned = contents[::-1]
            assert share_of_contents(evaluation, turned, mover) == pytest.approx(share, abs=1e-6)
            image = np.array([0, 2, 1])[contents[transposed]]
            assert share_of_contents(evaluation, image, 1 - mover) == pytest.approx(share, abs=1e-6)
    first = [share_of_contents(evaluation, np.ones(9, int), mover) for mover in range(2)]
    assert first[0] != pytest.approx(first[1])


def test_a_game_without_patterns_is_refused() -> None:
    game = meeple.make("nim")
    assert not isinstance(game, HasPatterns)
    with pytest.raises(UsageError, match="declares no patterns"):
        PatternEvaluation(game)


def test_learning_is_repeatable_and_finds_what_wins() -> None:
    game = meeple.make("reversi", size=4)
    found = []
    for _ in range(2):
        learner = PatternLearner(game, PatternEvaluation(game))
        learner.begin(5)
        learner.learn(3000, TdSettings())
        found.append(learner.evaluation.weights.copy())
    assert np.array_equal(found[0], found[1])
    # White wins 4x4 by best play: by now the evaluation knows that Black is worse off.
    evaluation = PatternEvaluation(game, found[0])
    search = AlphaBeta(game, patterns=evaluation)
    assert search.run(game.start(), depth=2).value[0] < 0.4


def test_factors_of_logits_are_those_that_predict_results() -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 1, 40_000)
    stages = np.repeat(np.array([0, 2], np.int32), 20_000)
    true = np.where(stages == 0, 0.4, 2.5) * logits
    shares = (rng.random(40_000) < 1 / (1 + np.exp(-true))).astype(float)
    factors = fitted_factors(Examples(stages, logits, shares), 3)
    assert factors.tolist() == pytest.approx([0.4, 1.0, 2.5], rel=0.05)


def test_examples_have_the_logits_and_results_of_their_games() -> None:
    game = meeple.make("reversi", size=4)
    evaluation = PatternEvaluation(game)
    evaluation.weights[:, -1] = np.arange(len(evaluation.weights))  # the stage
    learner = PatternLearner(game, evaluation)
    learner.begin(3)
    examples = learner.examples(5, TdSettings(opening=0))
    assert np.array_equal(examples.logits, examples.stages)
    assert set(examples.shares.tolist()) <= {0.0, 0.5, 1.0}
    assert 5 * 8 <= len(examples.shares) <= 5 * game.max_plies


def test_positions_of_a_stage_differ_and_their_used_weights_sum_to_the_evaluation() -> None:
    game = meeple.make("reversi", size=6)
    evaluation = random_evaluation(game, 3)
    learner = PatternLearner(game, evaluation)
    learner.begin(4)
    states = learner.positions(40, 5, TdSettings())
    assert 20 < len(states) == len({state.tobytes() for state in states})
    for state, used in zip(states, used_weights(evaluation, states), strict=True):
        position = game.start()
        position.row[:] = state
        assert evaluation.stage(position) == 5
        share = 1 / (1 + np.exp(-evaluation.weights[5][used].sum()))
        assert share == pytest.approx(share_by_formula(evaluation, position), abs=1e-5)


def test_a_stage_that_no_game_reaches_has_no_positions() -> None:
    game = meeple.make("reversi", size=6)
    learner = PatternLearner(game, PatternEvaluation(game))
    assert len(learner.positions(5, 0, TdSettings())) == 0


def test_search_evaluates_leaves_by_patterns() -> None:
    game = meeple.make("reversi")
    evaluation = random_evaluation(game, 6)
    position = game.start()
    result = AlphaBeta(game, patterns=evaluation).run(position, depth=1)
    for action, value in zip(result.actions.tolist(), result.values, strict=True):
        after = position.copy()
        after.play(action)
        if not np.isnan(value).any():
            assert value[after.to_move] == pytest.approx(
                share_by_formula(evaluation, after), abs=1e-4
            )


def test_a_file_keeps_the_weights_and_refuses_another_board(tmp_path: Path) -> None:
    game = meeple.make("reversi", size=6)
    evaluation = random_evaluation(game, 7)
    save_patterns(tmp_path / "p.safetensors", game, evaluation, games=3)
    loaded = load_patterns(
        tmp_path / "p.safetensors", meeple.make("reversi", size=6, payoff="discs")
    )
    assert np.allclose(loaded.weights, evaluation.weights, atol=1e-3)
    assert not loaded.deviations.any()
    assert not loaded.tempo.any()
    evaluation.deviations[:], evaluation.tempo[:] = 0.25, 0.5
    save_patterns(tmp_path / "d.safetensors", game, evaluation)
    measured = load_patterns(tmp_path / "d.safetensors", game)
    assert (measured.deviations == 0.25).all()
    assert (measured.tempo == 0.5).all()
    with pytest.raises(CheckpointError, match="learned for reversi, size=6"):
        load_patterns(tmp_path / "p.safetensors", meeple.make("reversi"))
    (tmp_path / "broken.safetensors").write_bytes(b"nothing")
    with pytest.raises(CheckpointError):
        load_patterns(tmp_path / "broken.safetensors", game)


def test_weights_of_windows_serve_boards_of_every_size(tmp_path: Path) -> None:
    learned = random_evaluation(meeple.make("gomoku", size=9), 8)
    save_patterns(tmp_path / "w.safetensors", meeple.make("gomoku", size=9), learned)
    larger = meeple.make("gomoku", size=12)
    loaded = load_patterns(tmp_path / "w.safetensors", larger)
    assert np.allclose(loaded.weights, learned.weights, atol=1e-3)
    assert len(loaded.layout.groups) > len(learned.layout.groups)
    with pytest.raises(CheckpointError, match="have weights"):
        load_patterns(tmp_path / "w.safetensors", meeple.make("gomoku", in_a_row=4))


def test_a_win_by_threats_ends_a_game_that_is_learned_from() -> None:
    game = meeple.make("gomoku", size=7, in_a_row=4)
    game.compile()
    learner = PatternLearner(game, PatternEvaluation(game))
    learner.begin(3)
    assert learner.learn(200, TdSettings(step=5.0, opening=4)) < 0.25
    evaluation = PatternEvaluation(game, learner.evaluation.weights)
    open_three, alone = game.start(), game.start()
    for cell in ("d4", "a1", "d5", "g7"):
        open_three.play(int(open_three.parse_action(cell) or 0))
    for cell in ("d4", "a1", "g1", "g7"):
        alone.play(int(alone.parse_action(cell) or 0))
    assert shares_by_kernel(evaluation, open_three)[0] > shares_by_kernel(evaluation, alone)[0]
