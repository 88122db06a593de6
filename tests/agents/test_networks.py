"""Loading networks to play, also on boards of other sizes."""

import numpy as np
import pytest

import meeple
from meeple.agents.network_files import network_facts
from meeple.agents.networks import (
    checkpoint_files,
    find_checkpoint,
    learned_here,
    load_network,
    load_predictor,
    shipped_for,
    trained_on,
)
from meeple.errors import CheckpointError
from meeple.games.contract.registry import make
from meeple.learn.config import parse_config
from meeple.nets.checkpoint import read_metadata, save
from meeple.nets.network import ActorNetwork
from tests.learn.damaged import add_array
from tests.learn.small import trained
from tests.tiers import few_quick


def saved(folder, game, network):
    """Save an untrained network for a game; `network` is a section of a configuration."""
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
def test_tower_trained_on_one_board_size_plays_another(tmp_path, name, small, large):
    path = saved(tmp_path, make(name, **small), TOWER)
    game = make(name, **large)
    for spec in (f"policy:{path}", f"puct:{path},sims=10"):
        position = game.start()
        agent = meeple.agent(spec, game)
        while not position.is_over and len(position.actions) < 6:
            position.play(agent.choose(position))


@pytest.mark.parametrize(("size", "words"), [(4, ""), (9, "trained on size=4")])
def test_network_of_another_board_size_is_named_so_once_on_stderr(tmp_path, capsys, size, words):
    path, game = saved(tmp_path, make("hex", size=4), TOWER), make("hex", size=size)
    assert trained_on(path, game) == words
    for spec in (f"policy:{path}", f"puct:{path},sims=2"):
        meeple.agent(spec, game)
    noted = capsys.readouterr().err.splitlines()
    assert [line for line in noted if "network" in line] == (
        [f"the network {path} was {words}; it plays hex on another board"] if words else []
    )


def test_averaged_symmetries_give_equal_values_for_all_corners(tmp_path):
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


def test_central_logits_agree_on_boards_of_two_sizes(tmp_path):
    # A tower without blocks sees adjacent cells and the mean and maximum of the whole board.
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
        ("hex", {"size": 4, "swap": True}, TOWER, {"size": 5}, "not for hex .size=5, swap=False"),
        ("gomoku", {"size": 6, "in_a_row": 4}, TOWER, {"size": 6}, "in_a_row=4.*in_a_row=5"),
        ("reversi", {"payoff": "discs"}, TOWER, {"size": 6}, "payoff=discs.*payoff=win"),
    ],
)
def test_network_that_cannot_be_resized_is_refused_in_a_sentence(
    tmp_path, name, small, network, large, sentence
):
    path = saved(tmp_path, make(name, **small), network)
    with pytest.raises(CheckpointError, match=sentence):
        load_predictor(path, make(name, **large))


@pytest.mark.parametrize(
    "name", ["x" * 5000, "~nobody-of-that-name/run", "a\0b"], ids=["long", "home", "zero"]
)
def test_impossible_file_name_is_refused_in_a_sentence(name):
    with pytest.raises(CheckpointError, match="there is no file or run"):
        find_checkpoint(name)


def test_damaged_network_of_a_run_is_named(tmp_path):
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


# ------------------------------------------------------------ variants


def transposed(game, action):
    """Exchange row and column of a cell of Hex; the swap action stays."""
    size = int(game.options["size"])
    row, column = divmod(action, size)
    return action if row == size else column * size + row


@pytest.mark.parametrize("learned", [1, 2])
@pytest.mark.parametrize("swap", few_quick([True, False]))
@pytest.mark.parametrize("spec", ["policy:{}", "puct:{},sims=30", "puct:{},sims=30,symmetries=all"])
def test_hex_network_plays_the_same_game_for_either_starting_player(tmp_path, learned, swap, spec):
    games = [make("hex", size=5, swap=swap, first=first) for first in (1, 2)]
    small = make("hex", size=6 - learned, swap=swap, first=learned)  # one is resized
    path = saved(tmp_path, small, f"{TOWER}\ncritic = true")
    agents = [meeple.agent(spec.format(path), game) for game in games]
    one, other = (game.start() for game in games)
    choice = np.random.default_rng(learned)
    for _ in range(8):
        priors = []
        for agent, position in zip(agents, (one, other), strict=True):
            agent.choose(position)
            found = agent.analysis
            assert found is not None
            assert found.prior is not None
            priors.append(dict(zip(found.actions.tolist(), found.prior.tolist(), strict=True)))
        image = {transposed(games[0], action): prior for action, prior in priors[1].items()}
        assert priors[0] == pytest.approx(image, rel=1e-4, abs=1e-6)
        action = int(choice.choice(one.legal_actions()))
        one.play(action)
        other.play(transposed(games[0], action))
        if one.is_over:
            break


def choice_and_shares(agent, position):
    """Return what an agent plays, and the shares by seat that it sees."""
    action, found = agent.choose(position), agent.analysis
    assert found is not None
    assert found.value is not None
    return action, found.value


@pytest.mark.parametrize(("size", "first"), [(7, 1), (7, 2), (8, 1), (11, 2)])
def test_hex_networks_without_the_swap_rule_play_with_it(size, first):
    game = make("hex", size=size, swap=True, first=first)
    network = "hex11" if size > 8 else "hex7"
    assert (network in shipped_for(game)) == (size != 8)
    middle, corner, swap = size * size // 2, 0, size * size
    for spec in ("policy:{}", "puct:{},sims=20"):
        agent = meeple.agent(spec.format(network), game)
        for cell, swaps in ((middle, True), (corner, False)):
            position = game.start()
            position.play(cell)
            action, shares = choice_and_shares(agent, position)
            assert (action == swap) == swaps
            assert shares[position.to_move] > 0.55
    opened = game.start()
    opened.play(meeple.agent(f"policy:{network}", game).choose(opened))
    _, shares = choice_and_shares(agent, opened)
    assert shares.tolist() == pytest.approx([0.5, 0.5], abs=0.15)


def test_network_plays_the_variants_of_its_file_or_else_of_its_game(tmp_path):
    game, other = make("hex", size=4), make("hex", size=4, first=2)
    path = saved(tmp_path, game, TOWER)
    assert read_metadata(path).variants is None
    load_predictor(path, other)  # those of its game
    swapping = make("hex", size=4, swap=True)
    facts = network_facts(saved(tmp_path, swapping, TOWER))
    assert learned_here(facts, swapping)
    assert not learned_here(facts, game)
    saved(tmp_path, game, TOWER)
    weights = load_network(tmp_path / "hex.safetensors", game).weights
    options = dict(game.options)
    for variants, plays in (([{"first": 2}], True), ([], False), ([{"swap": True}], False)):
        path = tmp_path / "saved.safetensors"
        save(path, weights, game="hex", options=options, variants=variants)
        assert read_metadata(path).variants == tuple(variants)
        assert learned_here(network_facts(path), other) == plays
        if plays:
            load_predictor(path, other)
        else:
            with pytest.raises(CheckpointError, match=r"first=1.*not for hex.*first=2"):
                load_predictor(path, other)


@pytest.mark.parametrize(("first", "other"), [(1, 2), (2, 1)])
def test_trained_network_stores_its_variants(tmp_path, first, other):
    run = trained(tmp_path / "run", "run.episodes=4", f"game.options.first={first}")
    for _, file in checkpoint_files(run):
        assert read_metadata(file).variants == ({"first": other},)
    game = make("hex", size=3, first=other)
    assert meeple.agent(f"policy:{run}", game).choose(game.start()) in range(9)
