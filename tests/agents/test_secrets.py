"""No agent uses hidden information: it acts alike in positions that its seat cannot distinguish."""

import dataclasses
import functools
import itertools
from collections import defaultdict

import numpy as np
import pytest

from examples.leduc import Leduc
from meeple import kernels
from meeple.agents.kinds import OWN_AGENTS
from meeple.agents.spec import agent
from meeple.errors import MeepleError
from meeple.games.catan.game import Catan
from meeple.games.contract.game import Position
from meeple.search.exact.information_tree import information_tree
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.exact.strategy_file import save as save_strategy
from meeple.search.values.features import features_of
from meeple.search.values.file import KIND
from meeple.search.values.network import Widths, untrained
from meeple.tensor_file import SavedWeights
from tests.agents.test_policy import network_file
from tests.games.catan.playing import random_game
from tests.search.coin import Coin
from tests.search.kuhn import Kuhn
from tests.search.pennies import Pennies

SPECS = {
    "random": "random",
    "weighted": "weighted",
    "greedy": "greedy:determinizations=3",
    "uct": "uct:sims=60",
    "playouts": "playouts:sims=60",
    "minimax": "minimax:depth=1,determinizations=3",
    "puct": "puct:{},sims=40,leaves=3",
    "policy": "policy:{},temperature=1",
    "states": "states:{},determinizations=4,depth=2",
    "states, playouts": "states:{},determinizations=2,sims=40",
    "uct, network": "uct:sims=60,network={}",
    "strategy": "strategy:{}",
    "perfect": "perfect",
}
GAMES = [Coin(), Kuhn(), Pennies(), Leduc(), Catan(domestic_trade=False)]
SMALL = ("coin", "kuhn", "pennies", "leduc")
REFUSED = {
    ("catan", "perfect"),  # it needs a small game
    *itertools.product(SMALL, ("weighted", "greedy", "minimax")),  # need a heuristic
}


def test_every_agent_is_tested():
    """All but the human agent and custom classes, which receive the full position. Messages to
    other programs are tested in `tests/protocols/json_lines/`.
    """
    kinds = {kind.partition(",")[0] for kind in SPECS}
    assert kinds == OWN_AGENTS.keys() - {"human", "agent", "engine"}


@functools.cache
def alike(game, most=6, tried=200):
    """Return pairs of positions with different histories that the mover cannot distinguish."""
    tree, groups = information_tree(game), defaultdict(list)
    decisions = np.flatnonzero(tree.mover >= 0)
    order = np.random.default_rng(1).permutation(decisions)[:tried]
    for node in order:
        position = game.start()
        for action in tree.actions_to(int(node)):
            position.play(action)
        groups[tree.number_of(position)].append(position)
    found = [(group[0], group[-1]) for group in groups.values() if len(group) > 1]
    assert found
    return found[:most]


@functools.cache
def alike_in_catan(game, most=2):
    """Return such pairs of Catan in which the second has the visible history of the first."""
    rng = kernels.new_rng(7)
    found: list[tuple[Position, Position]] = []
    for position in random_game(2, domestic_trade=False):
        if len(position.actions) % 150 == 149 and position.to_move >= 0 and len(found) < most:
            twin, belief = position.copy(), game.belief(position.to_move)
            belief.follow(position)
            for _ in range(100):
                belief.sample(twin.row, rng)
                if twin.row.tobytes() != position.row.tobytes():
                    found.append((position.copy(), twin))
                    break
    assert found
    return found


def output_of(player, position):
    """Return the choice of an agent and all that it publishes."""
    chosen = player.choose(position)
    if player.analysis is None:
        return chosen, None
    said = dataclasses.replace(player.analysis, seconds=0.0)
    return chosen, [
        part.tobytes() if isinstance(part, np.ndarray) else part for part in vars(said).values()
    ]


def cases():
    """Yield each agent in each game; few of them in small games, where each compiles kernels."""
    at_night = pytest.mark.nightly("no agent uses what is hidden in three more games")
    for game, kind in itertools.product(GAMES, SPECS):
        marks = [pytest.mark.slow] if kind == "perfect" else []
        if game.name in ("coin", "kuhn", "pennies") and kind not in ("random", "uct", "perfect"):
            marks = [at_night]
        yield pytest.param(game, kind, marks=marks, id=f"{game.name}-{kind}")


@pytest.mark.parametrize(("game", "kind"), [*cases()])
def test_agent_output_does_not_depend_on_hidden_information(game, kind, tmp_path):
    path = tmp_path / "network.safetensors"
    if kind.startswith("states") or kind == "uct, network":
        weights = untrained(features_of(game), Widths(), 1)
        SavedWeights(weights, game.name, dict(game.options)).write(path, KIND)
    elif kind == "strategy":
        sampling = ExternalSampling(game, 1)
        sampling.run(0 if game.name == "catan" else 100)
        save_strategy(path, sampling)
    else:
        network_file(path, game=game, critic=True)
    spec = SPECS[kind].format(path)
    if (game.name, kind) in REFUSED:
        with pytest.raises(MeepleError):
            agent(spec, game).choose(game.start() if game.name == "catan" else alike(game)[0][0])
        return
    for one, other in alike_in_catan(game) if game.name == "catan" else alike(game):
        answers = []
        for shown in (one, other):
            player = agent(spec, game, seed=3)
            if game.name == "catan":
                player.choose(one)  # has observed the history
            answers.append(output_of(player, shown))
        assert answers[0] == answers[1]
