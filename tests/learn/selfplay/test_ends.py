"""Self-play whose games the exact solver plays to their ends, once it proves their results."""

from typing import Any

import numpy as np
import pytest

from meeple.learn.selfplay import play as selfplay
from meeple.learn.selfplay.ends import ProvenEnds
from meeple.learn.selfplay.play import play_wave
from meeple.search.exact.solver import solve
from tests.learn.selfplay.test_play import LEDUC, RACE, counting, games_of_files, replayed, wave
from tests.learn.small import HEX3, NIM, config

__all__ = ["games_of_files"]
pytestmark = pytest.mark.slow

REVERSI4 = ('game.name="reversi"', "game.options.size=4", *HEX3[2:])
OPEN_GAMES = pytest.mark.parametrize("base", [HEX3, NIM, REVERSI4], ids=["hex", "nim", "reversi"])
WAYS = pytest.mark.parametrize("mode", ["on-policy", "alphazero"])
HALF, OFF = "selfplay.exact=0.5", "selfplay.exact=0"


@pytest.fixture
def proofs(monkeypatch):
    """What the solver proved in order: the bytes of each position, with its end."""
    found = []

    class Watched(ProvenEnds):
        def line(self, state, value, budget):
            for end in super().line(state, value, budget):
                found.append((state.tobytes(), end))
                yield end

    monkeypatch.setattr(selfplay, "ProvenEnds", Watched)
    return found


@OPEN_GAMES
@WAYS
def test_proven_ends_have_the_result_and_the_policy_of_the_exact_solver(base, mode, proofs):
    game, episodes, timing = wave(config(HALF, f"search.mode={mode}", base=base), range(8))
    steps: dict[bytes, list[tuple[Any, Any]]] = {}
    for episode in episodes:
        assert replayed(game, episode).is_over
        position = game.start(episode.seed)
        for move, action in zip(episode.moves, episode.actions, strict=True):
            steps.setdefault(position.row.tobytes(), []).append((move, episode.payoffs))
            position.play(action)
    for state, end in proofs:
        position = game.start()
        position.row[:] = np.frombuffer(state, dtype=np.uint8)
        solution = solve(position)
        assert end.payoffs.tolist() == solution.payoffs.tolist()
        assert set(end.keeping) <= set(solution.best_actions)
        assert not end.complete or end.keeping.tolist() == solution.best_actions
        assert any(is_step_of(end, *step) for step in steps[state])
    _, _, whole = wave(config(OFF, f"search.mode={mode}", base=base), range(8))
    assert timing.simulations < whole.simulations


def is_step_of(end, move, payoffs):
    """Return whether a step has the value and the policy of an end, and its game the result."""
    policy = np.zeros(len(move.policy))
    policy[end.keeping] = 1 / len(end.keeping)
    exact = (move.value == end.payoffs).all() and (payoffs == end.payoffs).all()
    return exact and move.policy == pytest.approx(policy)


def test_equal_seeds_give_equal_games_with_proven_ends():
    settings = config(HALF, "selfplay.sigma=0.5")
    games = [[episode.actions for episode in wave(settings)[1]] for _ in range(2)]
    assert games[0] == games[1]


def test_a_watcher_sees_the_game_to_its_end():
    settings = config(HALF)
    game, seen = settings.make_game(), []
    play_wave(
        game, settings, [counting([])], range(1), watch=lambda _, one: seen.append(one.copy())
    )
    assert [len(position.actions) for position in seen] == list(range(len(seen)))
    assert seen[-1].is_over


@pytest.mark.parametrize("base", [RACE, LEDUC], ids=["chance", "hidden"])
def test_games_with_chance_or_hidden_cards_are_played_as_without_the_solver(base):
    with_solver, without = (
        [episode.actions for episode in wave(config(share, base=base))[1]] for share in (HALF, OFF)
    )
    assert with_solver == without


def test_the_solver_visits_at_most_its_share_of_the_work_of_the_searches():
    settings = config("selfplay.exact=0.1", 'network.kind="conv"', "game.options.size=5")
    game = settings.make_game()
    ends = ProvenEnds(game, settings)
    assert ends.budget(4, simulations=0, evaluations=0) == 0
    few = ends.budget(4, simulations=1000, evaluations=0)
    assert few == 250  # 0.1 * 10 children a simulation, for each of four games
    assert ends.budget(4, simulations=1000, evaluations=1000) > few
    assert next(ends.line(game.start().row, np.array([0.5, 0.5]), few), None) is None
    left = ends.budget(1, simulations=1000, evaluations=0)
    assert 1000 - few <= left < 1000
