"""The output and errors of `python -m bench`; no speed is tested."""

import importlib
import json
import re
from dataclasses import fields

import pytest

from bench.speed import games, measuring, overview, search
from bench.speed.command import main
from bench.speed.subjects import SUBJECTS, BenchOptions
from meeple import extras
from meeple.errors import UsageError
from meeple.games.contract.registry import make

NIM = ["--game", "nim", "-o", "stones=9"]


@pytest.fixture(autouse=True)
def briefly(monkeypatch):
    monkeypatch.setattr(measuring, "SLICE_SECONDS", 0.001)


def printed(capsys, *words):
    assert main([*words, "--json", "--repeats", "2"], debug=True) == 0
    return json.loads(capsys.readouterr().out)


def test_search_speed_is_reported_with_its_settings(capsys):
    figures = printed(capsys, "uct", *NIM, "--sims", "50")
    assert figures["game"] == "nim"
    assert figures["options"]["stones"] == 9
    assert figures["simulations"] == 50
    assert figures["sims_per_second"] >= figures["sims_per_second_median"] > 0
    assert "ratio" not in figures


def test_several_threads_are_compared_with_one(capsys):
    figures = printed(capsys, "uct", *NIM, "--threads", "2")
    best, alone = figures["sims_per_second"], figures["one_thread_sims_per_second"]
    assert figures["ratio"] == pytest.approx(best / alone, abs=0.01)


def test_the_reference_implementation_plays_the_same_game(capsys):
    pytest.importorskip("pyspiel")
    figures = printed(capsys, "uct", *NIM, "-o", "take=9", "--sims", "50", "--vs", "openspiel")
    best, peer = figures["sims_per_second"], figures["peer_sims_per_second"]
    assert figures["ratio"] == pytest.approx(best / peer, abs=0.01)


@pytest.mark.parametrize(
    "game",
    [
        make("hex", size=7),
        make("nim", heaps="1,3,5,7", take=7, misere=True),
        make("nim", stones=9, take=9),
        make("reversi"),
        make("gomoku", size=4, in_a_row=3),
    ],
    ids=repr,
)
def test_games_of_both_implementations_have_equal_lengths_and_winners(game):
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game(*search.openspiel_game(game)).new_initial_state()
    position = game.start()
    while not position.is_over:
        legal, theirs = position.legal_actions(), state.legal_actions()
        assert len(legal) == len(theirs)
        position.play(int(legal[0]))
        state.apply_action(theirs[0])
    assert state.is_terminal()
    assert [(share > 0) for share in position.payoffs] == [r > 0 for r in state.returns()]


@pytest.mark.parametrize(
    "game",
    [
        make("hex", size=7, swap=True),
        make("nim", stones=9, take=3),
        make("ledge"),
        make("reversi", size=6),
        make("reversi", payoff="discs"),
        make("gomoku", rule="standard"),
        make("gomoku", opening="swap"),
    ],
    ids=repr,
)
def test_a_game_without_a_reference_implementation_is_refused(game):
    with pytest.raises(UsageError, match="OpenSpiel has no game like"):
        search.openspiel_game(game)


def test_random_games_are_counted_in_games_and_plies(capsys):
    figures = printed(capsys, "games", "--game", "nim", "-o", "stones=7", "-o", "take=1")
    assert figures["plies_per_game"] == 7
    assert figures["plies_per_second"] == pytest.approx(7 * figures["games_per_second"], rel=1e-3)


def test_random_games_of_catan_are_compared_with_catanatron():
    pytest.importorskip("catanatron", reason="catanatron, the peer, is not installed")
    game = make("catan", domestic_trade=False, victory_points=3)
    figures = games.game_speed(game, repeats=2, peer=True)
    best, peer = figures["games_per_second"], figures["peer_games_per_second"]
    assert figures["ratio"] == pytest.approx(best / peer, rel=0.01)
    assert figures["peer_plies_per_game"] > 16  # more than the setup


def test_catan_with_fewer_players_and_points_is_compared():
    game = make("catan", players=3, victory_points=8, domestic_trade=False, payoff="points")
    assert games.catanatron_game(game) == (3, 8)


@pytest.mark.parametrize(
    "game",
    [
        make("hex", size=7),
        make("catan"),
        make("catan", domestic_trade=False, robber=False),
        make("catan", domestic_trade=False, board="beginner"),
        make("catan", domestic_trade=False, discard_limit=9),
    ],
    ids=repr,
)
def test_a_game_without_an_equal_in_catanatron_is_refused(game):
    with pytest.raises(UsageError, match="catanatron has no game like"):
        games.catanatron_game(game)


@pytest.mark.slow
def test_belief_is_measured_after_every_ply_with_up_to_the_maximum_of_joint_hands(capsys):
    figures = printed(capsys, "belief", "-o", "max_turns=40")
    assert (figures["game"], figures["games"]) == ("catan", 2)
    assert figures["updates"] > 80
    assert figures["joint_hands_max"] <= figures["most_joint_hands"]
    for name in ("update", "sample", "update_of_most_joint_hands", "sample_of_most_joint_hands"):
        median, most = figures[f"{name}_us_median"], figures[f"{name}_us_max"]
        assert 0 < median <= figures[f"{name}_us_p99"] <= most


def test_positions_are_counted_at_each_depth(capsys):
    figures = printed(capsys, "perft", "--game", "reversi", "--depth", "5")
    assert figures["counts"] == [4, 12, 56, 244, 1396]
    assert figures["positions_per_second"] > 0
    assert figures["played_positions_per_second"] > 0


def test_self_play_reports_the_time_of_each_phase(tmp_path, capsys):
    config = tmp_path / "small.toml"
    config.write_text(
        '[game]\nname = "hex"\noptions = { size = 3 }\n'
        "[search]\nsimulations = 10\n[selfplay]\ngames = 2\n"
    )
    figures = printed(capsys, "selfplay", "--config", str(config))
    shares = [figures[name] for name in ("network", "tree", "rules", "python")]
    assert sum(shares) == pytest.approx(1, abs=0.01)
    assert min(shares) > 0
    assert figures["episodes_per_second"] > 0
    assert figures["ratio_to_network_alone"] > 0  # a time: only its sign is sure


def test_self_play_on_two_threads_is_compared_with_one(tmp_path, capsys):
    config = tmp_path / "small.toml"
    config.write_text(
        '[game]\nname = "hex"\noptions = { size = 3 }\n'
        '[search]\nmode = "alphazero"\nsimulations = 8\n[selfplay]\ngames = 4\n'
    )
    figures = printed(capsys, "selfplay", "--config", str(config), "--threads", "2")
    rates = figures["episodes_per_second"], figures["one_worker_episodes_per_second"]
    assert figures["ratio"] == pytest.approx(rates[0] / rates[1], abs=0.01)
    assert figures["workers"] == 2


def test_lockstep_search_is_measured_without_a_network(capsys):
    figures = printed(capsys, "puct", "--game", "reversi", "--sims", "20")
    assert figures["simulations"] == 20
    assert figures["sims_per_second"] > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["go"],
            "there is no benchmark 'go'; there are uct, puct, games, perft, start, memory, self",
        ),
        (
            ["uct", "--vs", "chess"],
            "there is no peer 'chess' to compare with; there are openspiel, cat",
        ),
        (["games", "--vs", "openspiel"], "--vs openspiel compares uct on one thread"),
        (["uct", "--vs", "openspiel", "--threads", "2"], "--vs openspiel compares uct on one thr"),
        (["uct", "--vs", "catanatron"], "--vs catanatron compares games on one thread"),
        (["perft", "--game", "nim"], "perft needs a number of plies: --depth N"),
        (["selfplay"], "selfplay needs a training configuration: --config FILE"),
        (["belief", "--game", "nim"], "belief is measured on catan, not on nim"),
        (["belief", "--sims", "9"], "belief takes no --sims; it takes --game, --option, --repeats"),
        (["puct", "--threads", "2"], "puct takes no --threads; it takes --game, --option, --sims"),
        (["start", "--depth", "2"], "start takes no --depth; it takes --game, --option, --repeats"),
        (["memory", "--repeats", "2"], "memory takes no --repeats; it takes no option but --json"),
        (["--game", "nim"], "--game needs a subject; without one, only --repeats is allowed"),
    ],
)
def test_wrong_usage_is_refused_with_a_message(words, sentence, capsys):
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


def test_comparison_without_its_peer_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(extras, "is_installed", lambda library: False)
    for words in (["uct", "--vs", "openspiel"], ["games", "-g", "catan", "--vs", "catanatron"]):
        assert main(words) == 2
        assert "pip install 'meeple[bench]'" in capsys.readouterr().err


def test_wrong_option_names_the_command_with_the_help(capsys):
    assert main(["--coffee"]) == 2
    assert capsys.readouterr().err.endswith("See `python -m bench --help`.\n")


def test_a_game_with_hidden_information_is_searched_by_determinization(capsys):
    figures = printed(capsys, "uct", "--game", "catan", "--sims", "20")
    assert figures["simulations"] == 20
    assert figures["sims_per_second"] > 0


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_has_a_function_with_options_of_the_command(name):
    module, _, function = SUBJECTS[name].target.partition(":")
    assert callable(getattr(importlib.import_module(f"bench.speed.{module}"), function))
    assert set(SUBJECTS[name].takes) <= {field.name for field in fields(BenchOptions)}


def test_the_help_names_every_subject_and_the_subjects_that_accept_an_option(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["--help"], debug=True) == 0
    words = " ".join(re.sub(r"[^\w/.:,;-]", " ", capsys.readouterr().out).split())
    for name, subject in SUBJECTS.items():
        assert f"{name}: {subject.help}" in words
    assert "For uct, selfplay: threads to compare with one" in words


def test_the_table_of_all_subjects_is_printed_during_the_measurement(monkeypatch, capsys):
    row = overview.Row("search", "9 sims/s", "3 x a peer", {"ratio": 3})
    monkeypatch.setattr(overview, "every_row", lambda repeats: iter([row] * repeats))
    assert main(["--repeats", "2"], debug=True) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["search", "9", "sims/s", "3", "x", "a", "peer"]
    assert len(out.splitlines()) == 2
    (first, second) = printed(capsys)
    assert first == second == row._asdict()
