"""The agent `study` keeps the promises of every agent: it proves nothing wrong, writes within its
arrays, loads no kernel during a game, and can be named on the page and described.
"""

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.networks import Catalogue
from meeple.agents.spec import agent
from meeple.agents.words import in_words
from meeple.errors import ConfigError, UsageError
from meeple.server.play.levels import networks_for
from meeple.server.thinking.specs import check_for
from meeple.server.training import form
from meeple.tensor_file import SavedWeights
from meeple_studies.perceptron import new_perceptron
from meeple_studies.perceptron_file import save_perceptron
from tests.agents.test_compiled_when_built import loaded_during_a_game
from tests.agents.test_secrets import GAMES
from tests.search import test_proofs as proofs
from tests.search.odd_games import Odd
from tests.search.test_room import played


@pytest.fixture
def limits(monkeypatch):
    monkeypatch.setitem(proofs.LIMITS, "study", ({"sims": 200},))


@pytest.mark.slow
def test_it_proves_nothing(limits, tmp_path, record_property):
    counts = proofs.empty_counts()
    for game, *_ in proofs.BOARDS.values():
        proofs.compare_agents("study", game, tmp_path, counts)
    proofs.check(counts, record_property, proves=False)


@pytest.mark.nightly("the agent of studies proves nothing, with each pair of options")
@pytest.mark.parametrize("family", proofs.BOARDS)
def test_it_proves_nothing_with_pairs_of_options(family, limits, tmp_path, record_property):
    counts = proofs.empty_counts()
    for game in proofs.BOARDS[family]:
        proofs.compare_agents("study", game, tmp_path, counts, games=2, pairs=True)
    proofs.check(counts, record_property, proves=False)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_games_that_hide_something_are_refused(game):
    with pytest.raises(UsageError):
        meeple.agent("study:sims=20", game)


@pytest.mark.slow
@pytest.mark.parametrize("odd", [Odd(rounds=2, flips=40), Odd(rounds=2, flips=1, outcomes=1000)])
def test_it_stays_within_its_arrays(odd, tmp_path):
    assert any(played(odd.write(tmp_path), 0.3, "study").values())


@pytest.mark.skipif(not kernels.COMPILED, reason="nothing is compiled")
@pytest.mark.nightly("the agent of studies loads no kernel during a game")
def test_no_kernel_is_loaded_during_a_game():
    assert loaded_during_a_game("reversi", {"size": 6}, "study:seconds=0.005") == []


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            "study:runs/network.safetensors,sims=300",
            "a study's tree search with the network network, 300 simulations a move",
        ),
        ("study:sims=9", "a study's tree search with rollouts, 9 simulations a move"),
    ],
)
def test_it_is_described_by_its_method_and_limits(spec, words):
    assert in_words(spec) == words


def test_networks_of_a_study_can_be_named(tmp_path):
    folder = tmp_path / "reproduce" / "catan-agents"
    folder.mkdir(parents=True)
    game = meeple.make("catan-reduced")
    network = new_perceptron(np.ones(160, dtype=np.float32), (3,), 4, 1)
    save_perceptron(folder / "network.safetensors", network, SavedWeights({}, game.name, {}))
    assert "catan-agents/network" in Catalogue(tmp_path).names()
    spec = "study:catan-agents/network,sims=5"
    assert check_for(spec, game, tmp_path) == spec
    assert agent(spec, game, catalogue=Catalogue(tmp_path)).spec == spec
    assert networks_for(game, tmp_path) == {}  # it is not a network for other searches
    with pytest.raises(ConfigError, match=r"run\.start must be one of"):
        form.settle("hex5", {"run.start": "catan-agents/network"}, tmp_path)
