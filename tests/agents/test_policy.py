"""The policy agent plays by the network's policy, and refuses files of other games."""

import numpy as np
import pytest

import meeple
from meeple.agents.networks import checkpoint_files, find_checkpoint
from meeple.agents.policy import PolicyAgent, pick
from meeple.agents.spec import agent
from meeple.errors import CheckpointError, RunError
from meeple.nets.architecture import Architecture
from meeple.nets.checkpoint import save
from meeple.nets.network import ActorNetwork
from meeple.search.mcts.decisive import DecisiveMoves

POLICY = np.array([0.0, 0.5, 0.0, 0.2, 0.3, 0.0], dtype=np.float32)
LEGAL = np.array([1, 3, 4, 5], dtype=np.int32)
HEX3 = meeple.make("hex", size=3)


def network_file(path, seed=1, game=HEX3, critic=False, hidden=(8,)):
    architecture = Architecture(
        hidden=hidden,
        observation_shape=game.observation_shape,
        num_actions=game.num_actions,
        players=game.players,
        critic=critic,
    )
    path.parent.mkdir(exist_ok=True)
    weights = ActorNetwork(architecture, seed=seed).weights
    save(path, weights, game=game.name, options=dict(game.options))
    return path


@pytest.mark.parametrize(
    ("epsilon", "temperature", "expected"),
    [
        (0.0, 0.0, [0, 1, 0, 0, 0, 0]),
        (0.4, 0.0, [0, 0.7, 0, 0.1, 0.1, 0.1]),
        (0.0, 1.0, POLICY),
        (0.0, 0.5, POLICY**2 / (POLICY**2).sum()),
        (0.0, 1e-300, [0, 1, 0, 0, 0, 0]),
    ],
    ids=["greedy", "epsilon", "by probability", "sharpened by the power", "tiny temperature"],
)
def test_actions_are_drawn_by_epsilon_and_temperature(epsilon, temperature, expected):
    rng = np.random.default_rng(5)
    picked = [pick(POLICY, LEGAL, epsilon, temperature, rng) for _ in range(5000)]
    np.testing.assert_allclose(np.bincount(picked, minlength=6) / 5000, expected, atol=0.03)


def test_agent_plays_the_network_of_a_file(tmp_path):
    path = network_file(tmp_path / "net.safetensors", critic=True)
    made = agent(f"policy:{path}", HEX3)
    assert isinstance(made, PolicyAgent)
    position = HEX3.start()
    position.play(4)
    action = made.choose(position)
    analysis = made.analysis
    assert analysis is not None
    assert action == analysis.actions[analysis.policy.argmax()]
    assert 4 not in analysis.actions
    assert analysis.policy.sum() == pytest.approx(1, abs=1e-5)
    assert analysis.value is not None
    assert analysis.value.sum() == pytest.approx(1, abs=1e-5)
    assert position.actions == (4,)
    with pytest.raises(CheckpointError, match="size=3"):
        agent(f"policy:{path}", meeple.make("hex", size=4))


def test_run_folder_denotes_its_newest_network(tmp_path):
    for episode in (0, 50, 1000, 200):
        network_file(tmp_path / "checkpoints" / f"network-{episode}.safetensors", seed=episode)
    assert [episode for episode, _ in checkpoint_files(tmp_path)] == [0, 50, 200, 1000]
    assert find_checkpoint(tmp_path).name == "network-1000.safetensors"


def test_folder_without_networks_is_named(tmp_path):
    with pytest.raises(RunError, match="no folder 'checkpoints'"):
        agent(f"policy:{tmp_path}", HEX3)
    (tmp_path / "checkpoints").mkdir()
    with pytest.raises(RunError, match="holds no network"):
        agent(f"policy:{tmp_path}", HEX3)
    with pytest.raises(CheckpointError, match=r"none\.safetensors"):
        agent(f"policy:{tmp_path / 'none.safetensors'}", HEX3)


@pytest.mark.parametrize(("decisive", "wins", "defends"), [(True, 40, 40), (False, 0, 0)])
def test_decisive_moves_are_played_whatever_the_network_prefers(decisive, wins, defends):
    game = meeple.make("gomoku", size=5, in_a_row=4)

    def predict(observations, masks):
        """Prefer the last cell by far."""
        policy = np.where(masks, 1e-6, 0.0).astype(np.float32)
        policy[:, -1] = 1.0
        return policy, None

    def choices(names):
        position = game.start()
        for name in names.split():
            position.play(position.parse_action(name))
        found = DecisiveMoves(game) if decisive else None
        player = PolicyAgent(predict, temperature=1.0, seed=3, decisive=found)
        return [position.action_name(player.choose(position)) for _ in range(40)]

    won = choices("b1 b2 c1 b3 d1 c4")  # Black completes a1 to d1 or b1 to e1
    assert sum(name in ("a1", "e1") for name in won) == wins
    lost = choices("b1 b2 c1 b3 e4 b4")  # White completes b2 to b5, if Black does not stand there
    assert sum(name == "b5" for name in lost) == defends
