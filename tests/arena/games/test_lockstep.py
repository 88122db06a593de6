"""Games in lockstep equal games played one by one."""

import numpy as np
import pytest

from meeple.agents.spec import agent
from meeple.arena.games.lockstep import (
    AgentPlayer,
    LiveGame,
    NetworkPlayer,
    NetworkSearchPlayer,
    play_in_lockstep,
)
from meeple.errors import Stopped
from meeple.games.contract.registry import make
from tests.arena.failing import Program

HEX = make("hex", size=3)


def uniform(observations, legal):
    """A network with equal chances."""
    policy = legal / legal.sum(axis=1, keepdims=True)
    return policy.astype(np.float32), np.full((len(legal), 2), 0.5, dtype=np.float32)


def games(game, lineups):
    for number, lineup in enumerate(lineups):
        yield LiveGame(number, lineup, game.start(number), 0, np.random.default_rng(number))


def played(game, players, lineups, at_once=100):
    over = play_in_lockstep(games(game, lineups), players, at_once)
    return {one.number: one.position for one in over}


def test_all_games_finish_for_any_number_at_a_time():
    players = [NetworkPlayer(uniform, temperature=1.0), AgentPlayer(lambda: agent("random", HEX))]
    lineups = [(0, 1), (1, 0)] * 5
    all_at_once, few = played(HEX, players, lineups), played(HEX, players, lineups, at_once=3)
    assert sorted(all_at_once) == list(range(10))
    assert all(position.is_over for position in all_at_once.values())
    assert {n: p.actions for n, p in few.items()} == {n: p.actions for n, p in all_at_once.items()}


def test_each_seat_of_each_game_has_its_own_agent():
    made = []

    def make_one():
        made.append(agent("random", HEX))
        return made[-1]

    player = AgentPlayer(make_one)
    played(HEX, [player], [(0, 0), (0, 0)])
    assert len(made) == 4
    assert not player._agents


def test_search_finds_a_win_that_its_network_does_not_know():
    """Search with uniform priors and values finds the win by the rules alone on a small board."""
    game = make("nim", stones=7)  # the first player wins by taking 3
    search = NetworkSearchPlayer(game, uniform, 200, 8)
    random = AgentPlayer(lambda: agent("random", game))
    positions = played(game, [search, random], [(0, 1)] * 8)
    assert all(position.payoffs[0] == 1 for position in positions.values())


@pytest.mark.parametrize("name", ["catan-reduced", "catan"])
def test_games_of_many_seats_and_hidden_hands_are_searched_in_lockstep(name):
    game = make(name)

    def knows_nothing(observations, legal):
        policy, _ = uniform(observations, legal)
        return policy, np.full((len(legal), game.players), 1 / game.players, dtype=np.float32)

    search = NetworkSearchPlayer(game, knows_nothing, 2, 2)
    random = AgentPlayer(lambda: agent("random", game))
    lineups = [(0, *[1] * (game.players - 1)), (*[1] * (game.players - 1), 0)]
    stop = iter(range(60))  # rounds

    def stops():
        return next(stop, None) is None

    with pytest.raises(Stopped):
        list(play_in_lockstep(games(game, lineups), [search, random], 2, stops))


def test_failing_program_forfeits_its_game_and_other_games_continue():
    players = [AgentPlayer(lambda: agent("random", HEX)), AgentPlayer(lambda: Program("crash"))]
    lineups = [(0, 1), (1, 0), (0, 0)]
    over = {one.number: one for one in play_in_lockstep(games(HEX, lineups), players)}
    assert [over[number].shares for number in (0, 1)] == [[1, 0], [0, 1]]
    assert over[0].forfeit == 1
    assert not over[0].position.is_over
    assert over[2].forfeit is None
    assert sorted(over[2].shares) == [0, 1]
