"""The perfect player achieves the value found by the solver."""

import inspect
import re
from functools import partial

import pytest

import meeple
from meeple.agents.perfect import EquilibriumAgent, PerfectAgent, make_perfect
from meeple.cli.solve.command import solution_of
from meeple.cli.solve.command import solve as solve_command
from meeple.errors import TooLarge
from meeple.kernels import CHANCE
from tests.search.die import FEW, HALF, LEAVE, MANY, TAKE, Die
from tests.search.kuhn import BET, Kuhn


def test_perfect_player_never_loses_nim_from_the_winning_side():
    game = meeple.make("nim", stones=21, take=3)  # 21 is won: not a multiple of 4
    result = meeple.match(game, ["perfect", "random"], games=20, seed=1, workers=1)
    assert result.agents[0].seats[0].share == 1.0


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
    agent.choose(game.start())
    found = agent.analysis
    assert found is not None
    assert found.proven == proven
    if proven:
        assert found.value is not None
        assert found.value.tolist() == [1.0, 0.0]  # 10 is no multiple of 4


def test_perfect_player_reports_the_exact_value():
    position = meeple.make("nim", stones=20, take=3).start()
    perfect = meeple.agent("perfect", position.game)
    perfect.choose(position)
    assert perfect.analysis is not None
    assert perfect.analysis.value is not None
    assert perfect.analysis.value.tolist() == [0.0, 1.0]


@pytest.mark.slow
def test_game_too_large_to_solve_is_refused():
    position = meeple.make("hex", size=11).start()
    with pytest.raises(TooLarge):
        PerfectAgent(limit=1000).choose(position)


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


@pytest.mark.slow
def test_choice_does_not_depend_on_hidden_information():
    game = Kuhn()
    for card in range(3):
        choices = []
        for other in {0, 1, 2} - {card}:
            player = EquilibriumAgent(game, seed=5)
            choices.append([player.choose(dealt(game, card, other)) for _ in range(5)])
        assert choices[0] == choices[1]


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


@pytest.mark.slow
@pytest.mark.parametrize("limit", [5, 1000])
def test_size_limit_agrees_with_the_solve_command(limit):
    """Both use the default limits of the solvers, and interpret a limit alike."""
    for game in (Kuhn(), Die(), meeple.make("hex", size=3), meeple.make("hex", size=9)):
        position = game.start()
        while position.to_move == CHANCE:
            position.play_chance()
        chosen = partial(make_perfect(game, {"limit": limit}, 1).choose, position)
        solved = partial(solution_of, position, limit)
        assert is_too_large(chosen) == is_too_large(solved)
    solve_options = inspect.signature(solve_command).parameters
    assert solve_options["limit"].default is None
    assert (PerfectAgent().limit, EquilibriumAgent(Kuhn()).limit) == (None, None)
    limited = meeple.agent("perfect:limit=7", Kuhn())
    assert isinstance(limited, EquilibriumAgent)
    assert limited.limit == 7


def is_too_large(solving):
    try:
        solving()
    except TooLarge:
        return True
    return False
