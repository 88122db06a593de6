"""Environments pass the checks of PettingZoo and Gymnasium, and show only what a seat may know."""

import contextlib
import functools
import io

import numpy as np
import pytest

from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.registry import load_game_file, make
from tests.documents.program import ROOT

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from meeple.interop.gymnasium import SeatEnv
from meeple.interop.pettingzoo import GameEnv
from meeple.interop.rewards import rewards_of

EXAMPLES = ROOT / "examples"
GAMES = [
    *(make(name) for name in ("nim", "ledge", "hex", "gomoku", "reversi", "catan")),
    *(load_game_file(EXAMPLES / f"{name}.py")() for name in ("leduc", "pig", "tricks")),
]
SHORT = [game for game in GAMES if game.name != "catan"]

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
# Gymnasium advises against what a game is: observations without bounds, masks beside them.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@each_game
def test_pettingzoo_accepts_every_game(game):
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(GameEnv(game), num_cycles=60)
        seed_test(lambda: GameEnv(game), num_cycles=30)


def test_pettingzoo_accepts_the_drawings():
    with contextlib.redirect_stdout(io.StringIO()):
        render_test(functools.partial(GameEnv, make("hex", size=3)))


@each_game
def test_gymnasium_accepts_every_game(game):
    check_env(SeatEnv(game, render_mode="ansi"), skip_render_check=True)


@pytest.mark.parametrize("game", SHORT, ids=lambda game: game.name)
def test_an_agent_observes_its_seat_and_is_paid_its_share(game):
    env, generator = GameEnv(game), np.random.default_rng(1)
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for name in env.agent_iter():
        observed, reward, terminated, truncated, _ = env.last()
        total[name] += reward
        seat = env.possible_agents.index(name)
        assert not truncated
        assert (observed["observation"] == env.position.observation(seat)).all()
        legal = np.flatnonzero(observed["action_mask"])
        if terminated:
            assert legal.size == 0
            env.step(None)
        else:
            assert legal.tolist() == env.position.legal_actions().tolist()
            others = [one for one in env.possible_agents if one != name]
            assert not any(env.observe(one)["action_mask"].any() for one in others)
            env.step(int(generator.choice(legal)))
    assert list(total.values()) == pytest.approx(rewards_of(env.position.payoffs).tolist())
    assert sum(total.values()) == pytest.approx(0)


def test_rewards_are_shares_on_a_scale_whose_sum_is_zero():
    assert rewards_of(np.array([[1, 0], [0.5, 0.5]])).tolist() == [[1, -1], [0, 0]]
    assert rewards_of(np.array([1, 0, 0, 0])) == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_wrong_steps_of_an_agent_are_refused_in_a_sentence():
    env = GameEnv(make("nim", stones=3, take=2))
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="not legal here; legal: take 1, take 2"):
        env.step(2)
    with pytest.raises(UsageError, match="player_0 is to move, and None is no action"):
        env.step(None)
    assert env.position.actions == ()
    env.step(1)
    env.step(0)
    with pytest.raises(UsageError, match="the game is over: step player_0 with None"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(UsageError, match=r"call reset\(\)"):
        env.step(0)
    with pytest.raises(UsageError, match="there is no agent 'player_2'; agents: player_0, pl"):
        env.observe("player_2")
    with pytest.raises(UsageError, match="render_mode must be one of ansi, human"):
        GameEnv(make("nim"), render_mode="rgb_array")


class Highest:
    def choose(self, position):
        return position.legal_actions()[-1]


def test_a_seat_plays_against_agents_and_objects():
    for opponent in ("perfect", Highest()):
        env = SeatEnv(make("nim", stones=5, take=3), opponent, seat=1, render_mode="ansi")
        observed, info = env.reset(seed=2)
        assert info == {"seat": 1}
        assert env.action_masks().tolist() == observed["action_mask"].astype(bool).tolist()
        assert "\n" in env.render() or env.render()
        ended, reward = False, 0.0
        while not ended:
            legal = np.flatnonzero(observed["action_mask"])
            observed, reward, ended, _, _ = env.step(legal[0])
        assert reward in (-1.0, 1.0)
        with pytest.raises(UsageError, match=r"no game is in progress: call reset\(\)"):
            env.step(np.int64(0))


def test_an_illegal_action_loses_or_raises():
    game = make("nim", stones=2)
    env = SeatEnv(game, seat=0)
    env.reset(seed=1)
    _, reward, ended, truncated, info = env.step(np.int64(2))
    assert (reward, ended, truncated) == (-1.0, True, False)
    assert "not legal here" in info["illegal"]
    strict = SeatEnv(game, seat=0, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction):
        strict.step(np.int64(2))
    _, _, ended, _, _ = strict.step(np.int64(1))
    assert ended


def test_equal_seeds_give_equal_episodes():
    def episode(seed):
        env = SeatEnv(make("catan", players=3), "random")
        seen, info = env.reset(seed=seed)
        found = [info["seat"]]
        for _ in range(30):
            seen, reward, ended, _, _ = env.step(np.flatnonzero(seen["action_mask"])[0])
            found += [*seen["observation"].ravel().tolist(), reward]
            if ended:
                break
        return found

    assert episode(3) == episode(3)
    assert episode(3) != episode(4)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"opponents": ["random", "random"]}, "hex has 1 other seats, not 2"),
        ({"illegal": "ignore"}, "illegal must be lose or raise"),
        ({"render_mode": "human"}, "render_mode must be ansi or None"),
        ({"seat": 2}, "there is no seat 2"),
    ],
)
def test_wrong_arguments_are_refused(arguments, sentence):
    with pytest.raises(UsageError, match=sentence):
        SeatEnv(make("hex", size=3), **arguments)
