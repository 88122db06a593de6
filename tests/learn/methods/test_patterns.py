"""Runs that learn the weights of patterns: resumed, started from others, damaged, refused."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import meeple
from meeple.agents.networks import checkpoint_files
from meeple.arena.match import match
from meeple.arena.topp import play_topp
from meeple.cli.shared.reports import REPORT
from meeple.cli.train.topp import write_report
from meeple.errors import CheckpointError, ConfigError, UsageError
from meeple.games.contract.registry import load_game_file
from meeple.learn.config import PatternsConfig, parse_sections
from meeple.learn.loop import start_run, train
from meeple.learn.methods.probes import LEAST_DEVIATION
from meeple.search.patterns.file import read_patterns
from meeple.search.patterns.learning import games_at_once
from meeple.tensor_file import read_tensors
from tests.learn.small import Heard

CORNER = Path(__file__).parents[2] / "search" / "corner.py"
SMALL = (
    'game.name="reversi"',
    "game.options.size=4",
    "run.rounds=4",
    "training.games=200",
    "training.saved=2",
    "matches.minutes=0",
)


def config(*changes: str) -> PatternsConfig:
    return parse_sections(PatternsConfig, "", [*SMALL, *changes])


def trained(folder, *changes, reporter=None):
    start_run(config(*changes), folder)
    return train(folder, reporter)


def weights_in(folder):
    return read_patterns(checkpoint_files(folder)[-1][1]).weights["weights"]


def check_interrupted(folder, checks, *changes, reporter=None):
    """Check that a run that is stopped ends as another; return the rounds when it was stopped.

    `checks`: how often it asks before it stops.
    """
    whole = trained(folder / "whole", *changes, reporter=reporter)
    start_run(config(*changes), folder / "parts")
    asked = itertools.count()
    rounds = train(folder / "parts", stop=lambda: next(asked) >= checks).episodes
    assert train(folder / "parts").episodes == whole.episodes
    assert np.array_equal(weights_in(folder / "whole"), weights_in(folder / "parts"))
    assert np.abs(weights_in(folder / "whole")).max() > 0
    return rounds


@pytest.mark.slow
def test_a_run_that_is_stopped_resumes_as_if_uninterrupted(tmp_path):
    assert 0 < check_interrupted(tmp_path, 5) < 4


def test_games_of_larger_boards_are_learned_from_in_smaller_slices():
    found = [games_at_once(meeple.make("hex", size=size)) for size in (7, 15, 19)]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1000 > found[2] > 0


@pytest.mark.slow
def test_a_run_saves_weights_and_reports_its_rounds(tmp_path):
    heard = Heard()
    trained(tmp_path, reporter=heard)
    assert [episodes for episodes, _ in heard.waves] == [1, 2, 3, 4]
    assert all(0 < figures["loss/share"] < 0.25 for _, figures in heard.waves)
    assert [number for number, _ in checkpoint_files(tmp_path)] == [0, 2, 4]
    result = play_topp(tmp_path, games=4)
    assert len(result.standings.entries) == 12
    write_report(tmp_path, result)
    report = (tmp_path / REPORT).read_text("utf-8")
    assert "<h2>Patterns</h2>" in report
    shares = [float(share) for share in re.findall(r"<figcaption>(\S+) %", report)]
    assert 1 < len(shares) == report.count("<figure><svg")
    assert shares == sorted(shares, reverse=True)


@pytest.mark.slow
def test_matches_measure_the_weights_during_training(tmp_path):
    heard = Heard()
    trained(tmp_path, "matches.minutes=0.0001", "matches.games=2", reporter=heard)
    assert any("match/alone/random" in figures for _, figures in heard.waves)


@pytest.mark.slow
def test_a_run_starts_from_weights_of_another(tmp_path):
    trained(tmp_path / "first")
    trained(tmp_path / "second", f"run.start={tmp_path / 'first'}", "run.rounds=1")
    begun = read_patterns(checkpoint_files(tmp_path / "second")[0][1]).weights["weights"]
    assert np.array_equal(begun, weights_in(tmp_path / "first"))
    with pytest.raises(CheckpointError, match="was learned for reversi, size=4"):
        trained(tmp_path / "third", "game.options.size=6", f"run.start={tmp_path / 'first'}")


@pytest.mark.slow
def test_weights_learned_from_discs_are_saved_as_logits_of_winning(tmp_path):
    run = trained(tmp_path, "training.options.payoff=discs")
    path = tmp_path / "training" / run.training
    learned = read_tensors(path, "Meeple pattern training")[1]["weights"]
    saved = weights_in(tmp_path)
    used = np.abs(learned) > 0.05
    ratios = [s[u] / w[u] for s, w, u in zip(saved, learned, used, strict=True) if u.any()]
    assert max(map(np.median, ratios)) > 1.5  # a result varies more than the share of the discs
    assert all(np.allclose(found, np.median(found), rtol=0.01) for found in ratios)


LABELS = ("labels.positions=60", "labels.depth=2", "labels.exact=6", "run.rounds=2")


@pytest.mark.slow
def test_each_stage_has_a_round_of_labels_which_resumes_as_if_uninterrupted(tmp_path):
    heard = Heard()
    stopped = check_interrupted(tmp_path, 200, *LABELS, reporter=heard)
    stages = len(weights_in(tmp_path / "whole"))
    assert [episodes for episodes, _ in heard.waves] == list(range(1, 2 + stages + 1))
    labelled = [figures for _, figures in heard.waves[2:] if "labels/learned" in figures]
    assert sum(f["loss/share"] < f["loss/share_before"] for f in labelled) > len(labelled) / 2
    assert config(*LABELS).games_after(2 + stages) == 2 * 200
    assert 2 < stopped < 2 + stages


@pytest.mark.slow
def test_probes_are_measured_at_the_end_of_a_run(tmp_path):
    trained(tmp_path, "training.probes=1", "game.options.size=6", "run.rounds=2")
    files = [path for _, path in checkpoint_files(tmp_path)]
    assert "deviations" not in read_patterns(files[0]).weights
    deviations = read_patterns(files[-1]).weights["deviations"]
    assert deviations is not None
    assert (deviations[:, 4:] > 0).all()
    assert (deviations > 1.1 * LEAST_DEVIATION).any()


def test_a_damaged_file_of_weights_is_replaced_by_the_state_before(tmp_path):
    trained(tmp_path)
    newest = sorted((tmp_path / "training").iterdir())[-1]
    newest.write_bytes(newest.read_bytes()[:-9])
    heard = Heard()
    assert train(tmp_path, heard).episodes == 4
    assert any("damaged" in text or "corrupt" in text for text in heard.messages)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("training.options.size=6", "training.options change the board"),
        ("training.options.colour=6", "colour"),
        ("training.decay=2", "training.decay must be"),
        ("training.games=0", "training.games must be"),
        ("labels.depth=0", "labels.depth must be"),
        ("gate.games=3", "unknown section 'gate'"),
        ('game.name="catan" labels.positions=9', "alpha-beta, which is for games of two players"),
        ('game.name="catan" training.probes=9', "alpha-beta, which is for games of two players"),
    ],
)
def test_a_wrong_configuration_is_refused(change, sentence):
    with pytest.raises(ConfigError, match=sentence):
        parse_sections(PatternsConfig, "", [*(SMALL[0], SMALL[2]), *change.split()])


@pytest.mark.slow
def test_a_game_of_three_with_chance_is_learned_to_the_end(tmp_path):
    game = load_game_file(CORNER)()
    trained(tmp_path, f'game.name="{game.name}"', "game.options={}", "matches.minutes=0.0001")
    position = game.start()
    position.play_chance()
    agent = meeple.agent(f"minimax:eval={tmp_path},depth=2", game)
    assert agent.choose(position) in position.legal_actions()


@pytest.mark.slow
def test_a_game_without_patterns_learns_drawn_ones_and_resumes_with_them(tmp_path):
    drawn = ('game.name="hex"', "run.rounds=3", "training.games=300")
    check_interrupted(tmp_path, 4, *drawn)
    whole = checkpoint_files(tmp_path / "whole")[-1][1]
    game = meeple.make("hex", size=4)
    result = match(game, [f"minimax:eval={whole},depth=1", "random"], games=20, seed=1)
    assert result.agents[0].share > 0.7


def test_a_game_without_a_board_is_refused(tmp_path):
    start_run(parse_sections(PatternsConfig, "", ['game.name="nim"']), tmp_path)
    with pytest.raises(UsageError, match="nim has no board to place patterns on"):
        train(tmp_path)
