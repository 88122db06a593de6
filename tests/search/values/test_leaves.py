"""Tree search with leaves evaluated by a value network."""

import numpy as np
import pytest

import meeple
from examples.coins import Coins
from examples.pig import Pig
from examples.tricks import Tricks
from meeple.agents.spec import agent
from meeple.errors import CheckpointError, SpecError
from meeple.kernels import CHANCE
from meeple.search.mcts.information_set import InformationSetUct
from meeple.search.mcts.search import TreeSearch
from meeple.search.values.features import features_of
from meeple.search.values.file import KIND
from meeple.search.values.network import untrained
from meeple.tensor_file import SavedWeights
from tests.search.values.test_any_game import SMALL, network_of, network_shares


def decision(game, seed=3):
    position = game.start(seed)
    while position.to_move == CHANCE:
        position.play(int(position.chance_outcomes()[0][1]))
    return position


@pytest.mark.parametrize("game", [meeple.make("nim"), Coins()], ids=lambda game: game.name)
def test_a_child_visited_once_has_the_networks_value(game):
    network, position = network_of(game), decision(game)
    count = len(position.legal_actions())
    result = TreeSearch(InformationSetUct(game, network=network), seed=1).run(position, count)
    assert result.visits.tolist() == [1] * count
    for action, values in zip(result.actions.tolist(), result.values, strict=True):
        after = position.copy()
        after.play(action)
        assert values == pytest.approx(network_shares(network, after), abs=1e-5)


def test_finished_game_has_the_value_of_its_result():
    game = meeple.make("nim", heaps="1", take=1)
    result = TreeSearch(InformationSetUct(game, network=network_of(game)), seed=1).run(
        game.start(0), 4
    )
    assert result.values[0].tolist() == [1.0, 0.0]


def test_dice_are_rolled_before_the_network_evaluates():
    """The value of a roll in Pig is the mean of the network's values of six positions."""
    game = Pig()
    network, position = network_of(game), decision(game)
    result = TreeSearch(InformationSetUct(game, network=network, c=100.0), seed=1).run(
        position, 5_000
    )
    seen = {}
    for seed in range(40):
        after = position.copy()
        after.play(1)
        rng = np.random.default_rng(seed)
        while after.to_move == CHANCE:
            outcomes, odds = after.chance_outcomes()
            after.play(int(rng.choice(outcomes, p=odds / odds.sum())))
        seen[after.row.tobytes()] = network_shares(network, after)[position.to_move]
    roll = float(result.values[result.actions.tolist().index(1), position.to_move])
    assert min(seen.values()) < roll < max(seen.values())


def test_rollout_may_precede_the_network(tmp_path):
    game = Tricks()
    network, position = network_of(game), decision(game)
    at_once = TreeSearch(InformationSetUct(game, network=network), seed=1).run(position, 60)
    later = TreeSearch(InformationSetUct(game, network=network, plies=4), seed=1).run(position, 60)
    to_the_end = TreeSearch(InformationSetUct(game, network=network, plies=18), seed=1).run(
        position, 600
    )
    assert not np.array_equal(at_once.values, later.values)
    plain = TreeSearch(InformationSetUct(game, c=0.2), seed=1).run(position, 600)
    assert np.abs(to_the_end.value - plain.value).max() < 0.05


def test_an_agent_searches_with_a_network_of_its_game(tmp_path):
    game, path = Coins(), tmp_path / "coins.safetensors"
    weights = untrained(features_of(game), SMALL, 1)
    SavedWeights(weights, game.name, dict(game.options)).write(path, KIND)
    position = decision(game)
    player = agent(f"uct:sims=50,network={path}", game, seed=2)
    assert player.choose(position) in position.legal_actions()
    with pytest.raises(SpecError, match="takes no qtable or threads: with a network"):
        agent(f"uct:sims=50,threads=2,network={path}", game)
    with pytest.raises(CheckpointError, match="was trained for coins, not for nim"):
        agent(f"uct:sims=50,network={path}", meeple.make("nim"))
    with pytest.raises(CheckpointError, match="there is no file"):
        agent("uct:sims=50,network=nowhere", game)
