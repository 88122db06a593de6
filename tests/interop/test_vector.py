"""Many games side by side: each is a game by the rules, and wrong actions change nothing."""

import numpy as np
import pytest

from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.registry import load_game_file, make
from meeple.interop.gymnasium import SeatEnv
from meeple.interop.rewards import rewards_of
from meeple.interop.vector import NeverToMove, VectorEnv
from tests.documents.program import ROOT

FOUR = load_game_file(ROOT / "examples" / "connect_four.py")()
LEDUC = load_game_file(ROOT / "examples" / "leduc.py")()
GAMES = [make("hex", size=4), make("reversi", size=6), make("nim", stones=9), FOUR]


def drawn(env, generator):
    """Return a random legal action of each game."""
    return np.array([generator.choice(np.flatnonzero(row)) for row in env.legal])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_game_follows_the_rules_and_starts_anew(game):
    env, generator = VectorEnv(game, 5, seed=2), np.random.default_rng(3)
    positions = [game.start() for _ in range(5)]
    finished = 0
    for _ in range(60):
        for position, seen, legal, mover in zip(
            positions, env.observations, env.legal, env.to_move, strict=True
        ):
            assert mover == position.to_move
            assert legal.tolist() == position.legal_mask().tolist()
            assert (seen == position.observation(mover)).all()
        actions = drawn(env, generator)
        observations, rewards, ended = env.step(actions)
        assert observations is env.observations
        for row, (position, action) in enumerate(zip(positions, actions, strict=True)):
            assert env.seats[row] == position.to_move
            position.play(int(action))
            assert ended[row] == position.is_over
            if position.is_over:
                finished += 1
                assert rewards[row] == pytest.approx(rewards_of(position.payoffs))
                positions[row] = game.start()
            else:
                assert not rewards[row].any()
    assert finished >= 5
    assert env.plies == 300


def test_opponents_play_at_random_and_the_learner_sits_in_every_seat():
    env, generator = VectorEnv(FOUR, 64, seed=1, opponents="random"), np.random.default_rng(1)
    seats: set[int] = set()
    won = played = 0
    for _ in range(200):
        before = env.to_move.copy()
        _, rewards, ended = env.step(drawn(env, generator))
        assert (env.seats == before).all()
        seats |= set(env.seats[ended].tolist())
        won += (rewards[ended, env.seats[ended]] > 0).sum()
        played += ended.sum()
    assert seats == {0, 1}
    assert 0.4 < won / played < 0.6
    assert env.plies > 1.5 * 64 * 200


def test_chance_is_drawn_and_equal_seeds_give_equal_games():
    def trace(seed):
        env, generator = VectorEnv(LEDUC, 8, seed=seed), np.random.default_rng(0)
        found = []
        for _ in range(20):
            assert (env.to_move >= 0).all()
            observations, rewards, _ = env.step(drawn(env, generator))
            found += [observations.copy(), rewards.copy()]
        return np.concatenate([part.ravel() for part in found])

    assert (trace(1) == trace(1)).all()
    assert len(trace(1)) != len(trace(2)) or (trace(1) != trace(2)).any()


def test_an_illegal_action_changes_no_game():
    env = VectorEnv(make("nim", stones=2), 2)
    before = env.observations.copy()
    for wrong in (2, 7, -1):
        with pytest.raises(IllegalAction, match=rf"action {wrong} is not legal in game 1; legal: "):
            env.step(np.array([0, wrong]))
    assert (env.observations == before).all()
    assert env.plies == 0


def test_wrong_arguments_are_refused():
    with pytest.raises(UsageError, match="num_envs must be at least 1, not 0"):
        VectorEnv(FOUR, 0)
    with pytest.raises(UsageError, match=r"actions have the shape \(2,\), not \(3,\)"):
        VectorEnv(FOUR, 2).step(np.zeros(3, np.int32))


def test_a_game_whose_starts_are_all_over_has_no_environment(tmp_path):
    source = (ROOT / "examples" / "third_party_game.py").read_text("utf-8")
    file = tmp_path / "over.py"
    file.write_text(
        source.replace("s.board[:] = 0,", "s.board[:] = OVER,").replace("domineering", "over"),
        encoding="utf-8",
    )
    game = load_game_file(file)()
    with pytest.raises(NeverToMove, match="1,000 games"):
        VectorEnv(game, 2)
    with pytest.raises(NeverToMove, match="1,000 games"):
        SeatEnv(game).reset(seed=1)
