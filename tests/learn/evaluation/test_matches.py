"""Matches against fixed opponents: pairings, paired openings, fairness."""

import pytest

from meeple.errors import MeepleError
from meeple.games.contract.registry import make
from meeple.learn.evaluation.matches import Matches, network_matches, opponents_of
from meeple.learn.evaluation.results import MatchPairing, pairings_in
from meeple.learn.loop import train
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import NetworkRun, open_run
from meeple.nets.checkpoint import load
from meeple.nets.inference import Predictor
from tests.learn.small import HEX3, Heard, config, trained

ALWAYS = ("matches.games=8", "matches.simulations=8", 'matches.opponents=["random", "start"]')


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a finished run."""
    return trained(tmp_path_factory.mktemp("matches") / "run", *ALWAYS)


def opened(folder, *changes):
    """Return a finished run in memory, with these settings."""
    return open_run(NetworkRun, config(*changes), RunFolder(folder), print)


def matches(run: NetworkRun) -> Matches:
    return network_matches(run, Predictor(run.network.weights))


def played(run: NetworkRun, stop: bool = False, seconds: float = 60.0) -> dict[str, float]:
    """Return the figures of a round of matches."""
    return matches(run).play(run.state.seconds, lambda: stop, seconds)


@pytest.mark.slow
def test_the_network_plays_every_opponent_with_and_without_search(finished):
    run = opened(finished, *ALWAYS)
    figures = played(run)
    assert set(pairings_in(figures)) == {
        MatchPairing(player, opponent)
        for player in ("alone", "search")
        for opponent in ("random", "start")
    }
    assert all(figures[one.count] == 8 for one in pairings_in(figures))
    alone = [figures[f"match/alone/{opponent}"] for opponent in ("random", "start")]
    assert (figures["seat/1"] + figures["seat/2"]) / 2 == pytest.approx(sum(alone) / 2)
    assert figures["match/search/random"] > 0.6  # after 24 episodes of Hex 3x3, with 8 simulations


def test_rounds_differ_only_in_the_network(finished):
    run = opened(finished, *ALWAYS)
    assert played(run) == played(run)


def test_a_network_scores_half_against_itself(finished):
    """Every opening is played in both seat orders."""
    run = opened(finished, *ALWAYS)
    run.network.set_weights(
        load(run.folder.path / "checkpoints" / "00000000.safetensors").weights.tensors
    )
    assert played(run)["match/alone/start"] == 0.5


def test_a_short_time_limit_gives_a_few_games_and_a_stopped_round_no_result(finished):
    run = opened(finished, *ALWAYS, "matches.games=100")
    assert played(run, seconds=0.0)["match/alone/random/games"] == 8
    assert played(run, stop=True) == {}


def waves_with_matches(folder, *changes):
    """Return for each wave of a run whether it had a round of matches."""
    heard = Heard()
    trained(folder, *changes, reporter=heard)
    return [bool(pairings_in(metrics)) for _, metrics in heard.waves]


@pytest.mark.slow
def test_learning_does_not_depend_on_matches(tmp_path):
    without, with_them = tmp_path / "without", tmp_path / "with"
    assert waves_with_matches(without, "matches.minutes=0") == [False] * 6
    assert waves_with_matches(with_them, *ALWAYS, "matches.minutes=0.00001") == [True] * 6
    last = "checkpoints/00000024.safetensors"
    tensors = [load(run / last).weights.tensors for run in (without, with_them)]
    assert {k: v.tobytes() for k, v in tensors[0].items()} == {
        k: v.tobytes() for k, v in tensors[1].items()
    }


@pytest.mark.slow
def test_a_run_of_sufficient_length_ends_with_a_round(tmp_path, monkeypatch):
    assert waves_with_matches(tmp_path / "short", *ALWAYS) == [False] * 6
    monkeypatch.setattr("meeple.learn.evaluation.matches.MIN_FINAL_ROUND_SECONDS", 0.0)
    assert waves_with_matches(tmp_path / "long", *ALWAYS) == [False] * 5 + [True]


def test_the_default_opponents_are_those_that_can_play_the_game(tmp_path):
    usual = ("random", "uct:sims=100", "start")
    assert opponents_of(config().matches, config().make_game()) == usual
    assert opponents_of(config().matches, make("reversi", size=4)) == (*usual, "greedy")
    no_critic = opened(trained(tmp_path / "run", "network.critic=false"), "network.critic=false")
    assert {pairing.player for pairing in matches(no_critic)._pairings()} == {"alone"}


def test_an_opponent_that_cannot_play_is_refused_with_a_message(tmp_path):
    with pytest.raises(MeepleError, match="uct needs a limit"):
        trained(tmp_path / "run", 'matches.opponents=["uct"]', base=HEX3)


def test_a_finished_run_plays_no_further_matches(finished):
    assert train(finished).episodes == 24
