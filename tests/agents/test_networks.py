"""Networks found and loaded to play: on boards of other sizes, where they can."""

import numpy as np
import pytest

import meeple
from meeple.agents.networks import find_checkpoint, load_predictor
from meeple.errors import CheckpointError
from meeple.games.contract.registry import make
from meeple.learn.config import parse_config
from meeple.nets.checkpoint import save
from meeple.nets.network import ActorNetwork
from tests.learn.damaged import add_array


def saved(folder, game, network):
    """The file of an untrained network for a game; `network` is a configuration's section."""
    options = ", ".join(f"{name} = {value!r}".lower() for name, value in game.options.items())
    config = parse_config(
        f'[game]\nname = "{game.name}"\noptions = {{ {options} }}\n[network]\n{network}\n'
    )
    path = folder / f"{game.name}.safetensors"
    actor = ActorNetwork(config.architecture(game), seed=1)
    save(path, actor.weights, game=game.name, options=dict(game.options))
    return path


TOWER = 'kind = "conv"\nchannels = 8\nblocks = 2'


@pytest.mark.parametrize(
    ("name", "small", "large"),
    [
        ("hex", {"size": 4}, {"size": 9}),
        ("hex", {"size": 5, "swap": True}, {"size": 3, "swap": True}),
        ("gomoku", {"size": 6, "in_a_row": 4}, {"size": 9, "in_a_row": 4}),
        ("reversi", {"size": 6}, {"size": 10}),
    ],
)
def test_a_tower_trained_on_one_size_of_board_plays_another(tmp_path, name, small, large):
    path = saved(tmp_path, make(name, **small), TOWER)
    game = make(name, **large)
    for spec in (f"policy:{path}", f"puct:{path},sims=10"):
        position = game.start()
        agent = meeple.agent(spec, game)
        while not position.is_over and len(position.actions) < 6:
            position.play(agent.choose(position))


def test_with_all_symmetries_a_network_expects_as_much_of_every_corner(tmp_path):
    game = make("gomoku", size=3, in_a_row=3)
    path = saved(tmp_path, game, 'kind = "mlp"')
    corners = [game.start().parse_action(name) for name in ("a1", "c1", "a3", "c3")]
    spread = {}
    for symmetries in ("one", "all"):
        agent = meeple.agent(f"puct:{path},sims=4,symmetries={symmetries}", game)
        agent.choose(game.start())
        assert agent.analysis is not None
        assert agent.analysis.prior is not None
        priors = dict(zip(agent.analysis.actions, agent.analysis.prior, strict=True))
        spread[symmetries] = np.ptp([priors[corner] for corner in corners])
    assert spread["all"] < 1e-6 < spread["one"]


def test_the_same_cells_see_the_same_in_the_middle_of_boards_of_two_sizes(tmp_path):
    # A tower of no blocks sees one cell far and the whole board's mean and maximum.
    small, large = make("gomoku", size=5), make("gomoku", size=9)
    path = saved(tmp_path, small, 'kind = "conv"\nchannels = 8\nblocks = 0\ncritic = true')
    for game in (small, large):
        predict = load_predictor(path, game)
        position = game.start()
        observation, mask = position.observation(0), position.legal_mask()
        policy, value = predict(observation[None], mask[None])
        assert policy.shape == (1, game.num_actions)
        assert value is not None
        inner = policy.reshape(int(game.options["size"]), -1)[1:-1, 1:-1]
        assert inner.min() == pytest.approx(inner.max(), rel=1e-5)


@pytest.mark.parametrize(
    ("name", "small", "network", "large", "sentence"),
    [
        ("hex", {"size": 4}, 'kind = "mlp"', {"size": 5}, "size=4.*is of kind 'mlp'.*one size"),
        ("hex", {"size": 4}, TOWER, {"size": 5, "swap": True}, "not for hex .size=5, swap=True"),
        ("gomoku", {"size": 6, "in_a_row": 4}, TOWER, {"size": 6}, "in_a_row=4.*in_a_row=5"),
        ("reversi", {"payoff": "discs"}, TOWER, {"size": 6}, "payoff=discs.*payoff=win"),
    ],
)
def test_what_cannot_be_resized_is_refused_in_a_sentence(
    tmp_path, name, small, network, large, sentence
):
    path = saved(tmp_path, make(name, **small), network)
    with pytest.raises(CheckpointError, match=sentence):
        load_predictor(path, make(name, **large))


@pytest.mark.parametrize(
    "name", ["x" * 5000, "~nobody-of-that-name/run", "a\0b"], ids=["long", "home", "zero"]
)
def test_a_name_that_nothing_can_have_is_refused_in_a_sentence(name):
    with pytest.raises(CheckpointError, match="there is no file or run"):
        find_checkpoint(name)


def test_a_damaged_network_of_a_run_is_named(tmp_path):
    game = make("hex", size=3)
    (tmp_path / "checkpoints").mkdir()
    file = tmp_path / "checkpoints" / "00000024.safetensors"
    saved(tmp_path, game, 'kind = "mlp"').rename(file)
    meeple.agent(f"puct:{tmp_path},sims=2", game)
    add_array(file, [0, 2**62])
    for spec in (f"puct:{tmp_path},sims=2", f"policy:{tmp_path}"):
        with pytest.raises(CheckpointError, match=rf"{file.name} is corrupt"):
            meeple.agent(spec, game)
    file.unlink()
    file.mkdir()
    with pytest.raises(CheckpointError, match=rf"{file.name} is not a file"):
        meeple.agent(f"policy:{tmp_path}", game)


def test_the_shipped_network_of_hex_plays_larger_boards():
    position = make("hex", size=9).start()
    agent = meeple.agent("policy:hex7", position.game)
    assert agent.choose(position) in position.legal_actions()
