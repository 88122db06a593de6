"""The output and errors of `python -m bench`; no speed is tested."""

import importlib
import json
from dataclasses import fields
from typing import Any

import pytest

from bench.speed import games, measuring, overview, search
from bench.speed.command import main
from bench.speed.subjects import SUBJECTS, BenchOptions
from meeple import extras
from meeple.errors import UsageError
from meeple.games.contract.registry import make


@pytest.fixture(autouse=True)
def briefly(monkeypatch):
    monkeypatch.setattr(measuring, "SLICE_SECONDS", 0.001)


def printed(capsys, *words):
    assert main([*words, "--json", "--repeats", "2"], debug=True) == 0
    return json.loads(capsys.readouterr().out)


SELF_PLAY = """
game = { name = "hex", options = { size = 3 } }
search = { mode = "alphazero", simulations = 8 }
selfplay = { games = 4 }
"""
FIGURES: dict[str, tuple[str, dict[str, Any]]] = {
    "uct": ("uct -g nim -o stones=9 --sims 50", {"game": "nim", "simulations": 50}),
    "uct on two threads": ("uct -g nim -o stones=9 --threads 2", {"threads": 2}),
    "uct by determinization": ("uct -g catan --sims 20", {"simulations": 20}),
    "lockstep search without a network": ("puct -g reversi --sims 20", {"simulations": 20}),
    "random games": ("games -g nim -o stones=7 -o take=1", {"plies_per_game": 7}),
    "perft": ("perft -g reversi --depth 5", {"counts": [4, 12, 56, 244, 1396]}),
    "self-play": ("selfplay --config small.toml", {}),
    "self-play on two threads": ("selfplay --config small.toml --threads 2", {"workers": 2}),
}
RATES = {"threads": "one_thread_sims_per_second", "workers": "one_worker_episodes_per_second"}


@pytest.mark.parametrize(("words", "expected"), FIGURES.values(), ids=FIGURES)
def test_figures_are_printed_with_their_settings(words, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SELF_PLAY)
    figures = printed(capsys, *words.split())
    assert figures.items() >= expected.items()
    rates = {name: value for name, value in figures.items() if name.endswith("_per_second")}
    assert min(rates.values()) > 0
    for name, other in RATES.items():
        if name in expected:
            best = rates[other.removeprefix("one_thread_").removeprefix("one_worker_")]
            assert figures["ratio"] == pytest.approx(best / rates[other], abs=0.01)
    if words.startswith("selfplay") and "workers" not in expected:
        shares = [figures[name] for name in ("network", "tree", "rules", "python")]
        assert sum(shares) == pytest.approx(1, abs=0.01)
        assert min(shares) > 0


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


def test_random_games_of_catan_are_compared_with_catanatron():
    pytest.importorskip("catanatron", reason="catanatron, the peer, is not installed")
    game = make("catan", domestic_trade=False, victory_points=3)
    figures = games.game_speed(game, repeats=2, peer=True)
    best, peer = figures["games_per_second"], figures["peer_games_per_second"]
    assert figures["ratio"] == pytest.approx(best / peer, rel=0.01)
    assert figures["peer_plies_per_game"] > 16  # more than the setup


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


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_subject_has_a_function_with_options_of_the_command(name):
    module, _, function = SUBJECTS[name].target.partition(":")
    assert callable(getattr(importlib.import_module(f"bench.speed.{module}"), function))
    assert set(SUBJECTS[name].takes) <= {field.name for field in fields(BenchOptions)}


def test_the_table_of_all_subjects_is_printed_during_the_measurement(monkeypatch, capsys):
    row = overview.Row("search", "9 sims/s", "3 x a peer", {"ratio": 3})
    monkeypatch.setattr(overview, "every_row", lambda repeats: iter([row] * repeats))
    assert main(["--repeats", "2"], debug=True) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["search", "9", "sims/s", "3", "x", "a", "peer"]
    assert len(out.splitlines()) == 2
    (first, second) = printed(capsys)
    assert first == second == row._asdict()
