"""The perfect player achieves the value found by the solver."""

import inspect
import re

import pytest

import meeple
from meeple.agents.perfect import EquilibriumAgent, PerfectAgent, make_perfect
from meeple.cli.solve.command import solve as solve_command
from meeple.errors import TooLarge
from tests.search.die import FEW, HALF, LEAVE, MANY, TAKE, Die
from tests.search.kuhn import BET, Kuhn


@pytest.mark.parametrize(
    ("spec", "proven"),
    [
        ("perfect", True),
        ("minimax:depth=20", True),
        ("uct:sims=2000", True),
        ("minimax:depth=2,heuristic=even", False),
        ("uct:sims=2", False),
    ],
)
def test_an_analysis_says_whether_its_value_is_proven(spec, proven):
    game = meeple.make("nim", stones=10, take=3)
    agent = meeple.agent(spec, game, seed=1)
    action = agent.choose(game.start())
    found = agent.analysis
    assert found is not None
    assert found.proven == proven
    if proven:
        assert game.start().action_name(action) == "take 2"
        assert found.value is not None
        assert found.value.tolist() == [1.0, 0.0]  # 10 is no multiple of 4


def dealt(game, *cards):
    position = game.start()
    for card in cards:
        position.play(card)
    return position


@pytest.mark.slow
def test_perfect_player_bluffs_with_the_equilibrium_frequency():
    """Kuhn poker: after a pass, seat 1 bets with a third of its jacks, no queen, and every king."""
    game = Kuhn()
    player = make_perfect(game, {}, 3)
    for card, share in ((0, 1 / 3), (1, 0.0), (2, 1.0)):
        position = dealt(game, (card + 1) % 3, card)
        position.play(0)
        bets = sum(player.choose(position) == BET for _ in range(300)) / 300
        assert bets == pytest.approx(share, abs=0.1)
        assert player.analysis is not None
        assert player.analysis.policy.tolist()[BET] == pytest.approx(share, abs=0.02)


def test_game_of_hidden_cards_too_large_to_solve_is_refused():
    game = Kuhn()
    with pytest.raises(TooLarge, match="more than 5 nodes"):
        EquilibriumAgent(game, limit=5).choose(dealt(game, 0, 1))
    with pytest.raises(TooLarge, match="in the time given"):
        EquilibriumAgent(game).choose(dealt(game, 0, 1), lambda: True)


def test_game_of_chance_without_hidden_information_is_solved():
    """A die, then a choice: to take its share or to leave it to the opponent."""
    game = Die()
    position = dealt(game, FEW)
    player = make_perfect(game, {}, 3)
    assert {player.choose(position) for _ in range(20)} == {LEAVE}
    assert {player.choose(dealt(game, MANY)) for _ in range(20)} == {TAKE}
    equal = {player.choose(dealt(game, HALF)) for _ in range(50)}
    assert equal == {TAKE, LEAVE}


def test_size_limit_is_the_solvers_own_or_that_of_the_spec():
    assert (PerfectAgent().limit, EquilibriumAgent(Kuhn()).limit) == (None, None)
    limited = meeple.agent("perfect:limit=7", Kuhn())
    assert isinstance(limited, EquilibriumAgent)
    assert limited.limit == 7
    assert inspect.signature(solve_command).parameters["limit"].default is None


@pytest.mark.slow
def test_solving_reports_progress():
    said: list[str] = []
    perfect = PerfectAgent(limit=1000)
    perfect.report = said.append
    with pytest.raises(TooLarge):
        perfect.choose(meeple.make("hex", size=9).start())
    equilibrium = EquilibriumAgent(Kuhn())
    equilibrium.report = said.append
    equilibrium.choose(dealt(equilibrium.game, 0, 1))
    words = " ".join(said)
    assert re.search(r"[\d,]+ positions", words)
    assert re.search(r"[\d,]+ nodes", words)
    assert re.search(r"[\d,]+ iterations, a best answer wins [\d.]+ % more", words)
