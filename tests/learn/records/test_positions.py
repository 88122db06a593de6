"""Positions of records have what the mover knew, what was played, and the result."""

import dataclasses

import numpy as np
import pytest

import meeple
from meeple.errors import ConfigError, MeepleError, RunError, Stopped
from meeple.games.contract.records import replay, to_lines
from meeple.learn.records.gathering import store_records, stored_records
from meeple.learn.records.positions import RecordBatches, positions_of
from meeple.learn.targets import TARGETS
from meeple.protocols.records import formats
from tests.protocols.records.playing import random_game

REVERSI = [random_game("reversi", seed, size=4) for seed in range(12)]
GAME = meeple.make("reversi", size=4)


def test_each_decision_has_its_action_its_mover_and_the_result():
    found = positions_of(GAME, REVERSI)
    row = 0
    for number, record in enumerate(REVERSI):
        position = GAME.start()
        for name in record.actions:
            action = position.parse_action(name)
            if len(position.legal_actions()) > 1:
                assert found.states[row].tobytes() == position.row.tobytes()
                assert (found.actions[row], found.movers[row]) == (action, position.to_move)
                assert found.games[row] == number
                row += 1
            position.play(action)
        assert found.values[number].tolist() == position.payoffs.tolist()
    assert row == found.size


def test_setup_stones_and_outcomes_of_chance_are_not_learned():
    opened = dataclasses.replace(REVERSI[0], opening=3)
    assert positions_of(GAME, [opened]).size == positions_of(GAME, REVERSI[:1]).size - 3
    nim = meeple.make("catan", players=3)
    record = random_game("catan", 1, 60, players=3)
    found = positions_of(nim, [record])
    assert 0 < found.size < len(record.actions)
    assert found.movers.min() >= 0


def test_a_game_without_a_result_has_no_value_target():
    short = dataclasses.replace(REVERSI[0], actions=REVERSI[0].actions[:4], payoffs=None, notes={})
    assert positions_of(GAME, [short]).values.tolist() == [[0, 0]]
    given_up = dataclasses.replace(short, notes={"resigned": 1})
    assert positions_of(GAME, [given_up]).values.tolist() == [[1, 0]]


def test_owners_of_cells_are_those_at_the_end_if_it_is_known():
    short = dataclasses.replace(REVERSI[1], actions=REVERSI[1].actions[:4], payoffs=None, notes={})
    found = positions_of(GAME, [REVERSI[0], short])
    batches = RecordBatches(GAME, found, smoothing=0.0, symmetries=False, targets=TARGETS)
    owned = batches.held_out(np.arange(found.size)).batch.targets["ownership"]
    discs = [
        sum(int(word).bit_count() for word in words) for words in replay(REVERSI[0]).state.discs
    ]
    for row in range(found.size):
        mover = found.movers[row]
        known = found.games[row] == 0
        assert (owned[row] == 1).sum() == (discs[mover] if known else 0)
        assert (owned[row] == 0).sum() == (discs[1 - mover] if known else 0)


def test_a_batch_has_observations_in_random_symmetries():
    found = positions_of(GAME, REVERSI)
    rows = np.arange(20)
    plain = RecordBatches(GAME, found, smoothing=0.0, symmetries=False)
    transformed = RecordBatches(GAME, found, smoothing=0.0, symmetries=True)
    batch, legal, played = plain.held_out(rows)
    policies = batch.targets["policy"]
    assert policies.argmax(axis=1).tolist() == played.tolist()
    assert all(legal[row, action] for row, action in enumerate(played))
    other = transformed.training(rows, np.random.default_rng(0))
    symmetries = GAME.symmetries()
    for row in rows:
        seen = [batch.observations[row].ravel()]
        seen += [seen[0][symmetry.observation] for symmetry in symmetries]
        matches = [np.array_equal(one, other.observations[row].ravel()) for one in seen]
        assert any(matches)
        actions = [policies[row]]
        actions += [policies[row][symmetry.action] for symmetry in symmetries]
        assert any(
            fits and np.array_equal(actions[number], other.targets["policy"][row])
            for number, fits in enumerate(matches)
        )


def test_smoothing_distributes_a_share_over_legal_actions():
    found = positions_of(GAME, REVERSI)
    batches = RecordBatches(GAME, found, smoothing=0.3, symmetries=False)
    policies = batches.training(np.arange(5), np.random.default_rng(0)).targets["policy"]
    _, legal, played = batches.held_out(np.arange(5))
    for row in range(5):
        share = 0.3 / legal[row].sum()
        assert policies[row, played[row]] == pytest.approx(0.7 + share)
        assert policies[row].sum() == pytest.approx(1)
        assert (policies[row] > 0).tolist() == legal[row].tolist()


class TestFiles:
    def test_duplicate_games_of_several_formats_are_stored_once(self, tmp_path):
        (tmp_path / "a.jsonl").write_text(to_lines(REVERSI[:8]))
        (tmp_path / "b.ggf").write_text(formats.write(REVERSI[6:], "ggf"))
        gathered = store_records(GAME, [tmp_path / "a.jsonl", tmp_path / "b.ggf"], tmp_path / "run")
        kept = list(stored_records(tmp_path / "run"))
        assert {record.actions for record in kept} == {record.actions for record in REVERSI}
        assert gathered.kept == len(kept)
        assert gathered.twice == 14 - len(kept)

    def test_other_games_and_faulty_ones_are_skipped_and_counted(self, tmp_path):
        other = random_game("reversi", 1, size=6)
        wrong = dataclasses.replace(REVERSI[0], actions=("a1",), payoffs=None)
        path = tmp_path / "mixed.jsonl"
        path.write_text(to_lines([REVERSI[0], other, random_game("hex", 1, size=3), wrong]) + "{}")
        gathered = store_records(GAME, [path], tmp_path / "run")
        assert gathered.kept == 1
        others, faulty = gathered.sentences()
        assert "2 games that are not of this one: 1 of reversi (size=6, payoff=win)" in others
        assert faulty.startswith("Left out 2 games that cannot be read: action 1 of the record")

    @pytest.mark.parametrize(
        ("results", "said"),
        [
            (("?", "?"), ["None of the games has a result: moves are learned, but no values"]),
            (
                ("+2", "?"),
                [
                    "No values are learned from 1 game without a result",
                    "The result of 1 game is only declared by the file",
                ],
            ),
            (("+2:r", "-2:t"), []),
        ],
    )
    def test_games_without_a_result_and_declared_results_are_named(self, results, said, tmp_path):
        path, board = tmp_path / "a.ggf", "BO[4 ---- -O*- -*O- ---- *]"
        games = zip(("B[C4]", "B[D3]"), results, strict=True)
        path.write_text(
            "".join(f"(;GM[Othello]TY[4]{board}RE[{result}]{move};)\n" for move, result in games)
        )
        gathered = store_records(GAME, [path], tmp_path / "run")
        assert (gathered.kept, gathered.sentences()) == (2, said)
        values = positions_of(GAME, stored_records(tmp_path / "run")).values
        assert [bool(row.any()) for row in values] == [result != "?" for result in results]

    def test_files_without_a_suitable_game_are_refused_and_nothing_is_stored(self, tmp_path):
        path = tmp_path / "hex.jsonl"
        path.write_text(to_lines([random_game("hex", 1, size=3)]))
        with pytest.raises(ConfigError, match=r"no game of reversi \(size=4, payoff=win\)"):
            store_records(GAME, [path], tmp_path / "run")
        assert not (tmp_path / "run" / "records.jsonl").exists()
        with pytest.raises(MeepleError, match="there is no file"):
            store_records(GAME, [tmp_path / "none.sgf"], tmp_path / "run")

    def test_reading_can_be_stopped(self, tmp_path):
        path = tmp_path / "a.jsonl"
        path.write_text(to_lines(REVERSI))
        with pytest.raises(Stopped):
            store_records(GAME, [path], tmp_path / "run", stop=lambda: True)
        assert not (tmp_path / "run" / "records.jsonl").exists()

    def test_damaged_games_of_a_run_are_reported(self, tmp_path):
        (tmp_path / "records.jsonl").write_text("{}\n")
        with pytest.raises(RunError, match="damaged"):
            list(stored_records(tmp_path))
