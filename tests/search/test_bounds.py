"""Every agent plays games of odd sizes, compiled with bounds checks.

Compiling everything with bounds checks takes minutes; `test_room.py` plays some of the games in
plain Python.
"""

import pytest
from numba import config

from meeple.agents.kinds import AGENTS
from meeple.agents.trials import OUTSIDE, specs
from meeple.games.contract.registry import load_game_file
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.mcts import rollout_trees
from tests.search.faulty_games import FAULTS, met
from tests.search.odd_games import GAMES, TOO_SHORT, result

pytestmark = [
    pytest.mark.nightly("every agent writes within its arrays in games of odd sizes"),
    pytest.mark.bounds,
]
LIMITS = {"sims": 2000, "depth": 3, "limit": 20_000}
SECONDS = 10.0  # of a game with one spec
AGENTS_PLAYED = [name for name in AGENTS if name not in OUTSIDE]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the specs and the game of each kind; each game is compiled once."""
    found = {}
    for odd in (*GAMES.values(), *TOO_SHORT.values()):
        folder = tmp_path_factory.mktemp("odd")
        game = load_game_file(odd.write(folder))()
        found[odd] = game, specs(game, folder, LIMITS)
    return found


@pytest.fixture(autouse=True)
def small_trees(monkeypatch):
    """Let trees begin small, so that they are enlarged often."""
    assert config.BOUNDSCHECK, "run it by `make nightly`"
    monkeypatch.setattr(rollout_trees, "MIN_RESERVED_NODES", 1)


def results(made, odd, agent):
    """Return the result of every spec of an agent that fits the game."""
    game, found = made[odd]
    played = [result(game, spec, SECONDS) for spec in found if spec.partition(":")[0] == agent]
    return [one for one in played if one is not None]


@pytest.mark.parametrize("agent", AGENTS_PLAYED)
@pytest.mark.parametrize("name", GAMES)
def test_agent_stays_within_its_arrays(name, agent, made, record_property):
    played = results(made, GAMES[name], agent)
    assert all(isinstance(one, int) for one in played), played
    record_property("printed", f"{name}: {agent}, {len(played)} specs")


@pytest.mark.parametrize("agent", AGENTS_PLAYED)
@pytest.mark.parametrize("name", TOO_SHORT)
def test_agent_names_a_wrong_max_plies(name, agent, made):
    for said in results(made, TOO_SHORT[name], agent):
        assert "odd_sizes.py:" in said
        assert "its `max_plies`" in said


@pytest.mark.parametrize("name", ["chains of 100 hidden", "one action", "8 players hidden"])
def test_external_sampling_stays_within_its_arrays(name, made):
    game, _ = made[GAMES[name]]
    ExternalSampling(game).run(20)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_one_position_is_named_by_every_agent_that_meets_it(name, tmp_path):
    file = FAULTS[name].write(tmp_path, name.replace(" ", "-"))
    game = load_game_file(file)()
    for spec in specs(game, tmp_path, LIMITS | {"sims": 100}):
        said = met(game, spec)
        if said is not None:  # some never choose what leads there
            FAULTS[name].check(file, said)
