"""A network with output that is not finite stops the game, which is saved; no move is played."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
import torch

import meeple
from meeple.agents.policy import PolicyAgent
from meeple.agents.search_agent import SearchAgent
from meeple.cli import main
from meeple.errors import NetworkError
from meeple.games.contract.records import read_records, replay
from meeple.nets.architecture import Architecture
from meeple.nets.checkpoint import save
from meeple.nets.network import ActorNetwork
from meeple.search.evaluators import NetworkEvaluator
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch

HEX4 = meeple.make("hex", size=4)


class Breaking:
    """A network of equal chances that returns NaN for a policy or a value once `broken`."""

    def __init__(self, what="policy"):
        self.broken, self.what = False, what

    def __call__(self, observations, legal):
        if self.broken and self.what == "raises":
            raise NetworkError
        policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
        value = np.full((len(legal), 2), 0.5, dtype=np.float32)
        if self.broken:
            (policy if self.what == "policy" else value)[-1, 0] = np.nan
        return policy, value


def searcher(network):
    search = TreeSearch(Puct(HEX4, NetworkEvaluator(network)))
    return SearchAgent(search, simulations=50, seconds=None)


@pytest.fixture
def here(tmp_path, monkeypatch):
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("what", "make"),
    [("policy", searcher), ("value", searcher), ("raises", PolicyAgent)],
)
def test_game_is_saved_and_the_error_names_the_file(here, what, make):
    network = Breaking(what)
    agent, position = make(network), HEX4.start(seed=3)
    for _ in range(3):
        position.play(agent.choose(position))
    network.broken = True
    with pytest.raises(NetworkError, match="not finite; the game so far is saved in") as raised:
        agent.choose(position)
    (file,) = here.iterdir()
    assert file.name in str(raised.value)
    (record,) = read_records(file)
    assert replay(record).actions == position.actions
    assert record.seats == ("?", agent.spec)
    assert record.payoffs is None
    assert "not finite" in record.notes["stopped"]
    network.broken = False
    if make is searcher:  # the stopped search starts a new tree
        assert agent.choose(HEX4.start()) == searcher(network).choose(HEX4.start())
        assert agent.analysis.visits.sum() == 49  # the root's own belongs to no child


def test_game_is_saved_to_the_temporary_folder_if_the_folder_is_not_writable(
    here, tmp_path, monkeypatch
):
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(other))
    here.rmdir()
    network = Breaking("raises")
    network.broken = True
    with pytest.raises(NetworkError, match="saved in") as raised:
        PolicyAgent(network).choose(HEX4.start())
    (file,) = other.iterdir()
    assert str(file) in str(raised.value)
    other.chmod(0o700)
    file.unlink()
    other.rmdir()
    with pytest.raises(NetworkError, match="not finite; the game so far could not be saved"):
        PolicyAgent(network).choose(HEX4.start())


@pytest.mark.parametrize("kind", ["mlp", "conv"])
def test_network_file_whose_weights_overflow_is_named(here, tmp_path, kind, capsys):
    architecture = Architecture(
        kind=kind,
        channels=8,
        blocks=2,
        critic=True,
        observation_shape=HEX4.observation_shape,
        num_actions=HEX4.num_actions,
        players=2,
    )
    network = ActorNetwork(architecture, seed=0)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(1e30).add_(1e30)
    path = tmp_path / "huge.safetensors"
    save(path, network.weights, game="hex", options=dict(HEX4.options))
    with pytest.raises(NetworkError, match=rf"^policy:{path}: .* not finite; the game so far"):
        meeple.agent(f"policy:{path}", HEX4).choose(HEX4.start())
    assert len(list(here.iterdir())) == 1
    with pytest.raises(NetworkError, match="not finite"):
        meeple.agent(f"puct:{path},sims=20", HEX4).choose(HEX4.start())
    words = ["match", "hex", f"policy:{path}", "random", "-o", "size=4", "--games", "2"]
    assert main.run(words, debug=False) == main.FAILED
    sentence = capsys.readouterr().err.strip().splitlines()[-1]
    assert sentence.startswith(f"policy:{path}: the network's output holds numbers that are not")
    assert Path(sentence.rsplit(" ", 1)[1]).exists()
