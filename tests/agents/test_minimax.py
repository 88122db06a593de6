"""The minimax agent: depth, reports, seeds, and games that it supports."""

import numpy as np
import pytest

import meeple
from meeple.agents.minimax import MinimaxAgent
from meeple.errors import SpecError
from meeple.games.contract.capabilities import position_solver
from meeple.search.minimax.alphabeta import AlphaBeta
from tests.search.prize import Prize
from tests.search.wood import Wood

TIC_TAC_TOE = meeple.make("gomoku", size=3, in_a_row=3)
HEX4 = meeple.make("hex", size=4)


@pytest.mark.parametrize(
    ("game", "agents", "wins", "losses"),
    [
        (TIC_TAC_TOE, ["minimax:depth=9", "random"], 11, 0),
        (HEX4, ["minimax:depth=6,heuristic=even", "minimax:depth=1,heuristic=even"], 16, 4),
        pytest.param(
            meeple.make("reversi"), ["minimax:depth=4", "minimax:depth=1"], 16, 4,
            marks=pytest.mark.slow,
        ),
    ],
    ids=["full depth", "deeper", "deeper in reversi"],
)  # fmt: skip
def test_a_deeper_search_is_stronger(game, agents, wins, losses):
    result = meeple.match(game, agents, games=20, seed=1, workers=1)
    assert result.agents[0].wins >= wins
    assert result.agents[0].losses <= losses


def test_minimax_reports_its_result():
    position = Wood(seed=3).start()
    agent = meeple.agent("minimax:depth=5", position.game)
    action = agent.choose(position)
    analysis = agent.analysis
    assert analysis is not None
    assert analysis.value is not None
    assert analysis.action_values is not None
    assert analysis.principal_variation[0] == action
    assert analysis.actions.tolist() == position.legal_actions().tolist()
    assert analysis.actions[analysis.policy.argmax()] == action
    assert analysis.policy.sum() == 1
    assert (analysis.visits > 0).all()
    np.testing.assert_array_equal(analysis.action_values[analysis.policy.argmax()], analysis.value)


@pytest.mark.parametrize(
    ("game", "spec", "plies"),
    [
        (meeple.make("hex", size=5), "minimax:depth=2,heuristic=even", 4),
        (meeple.make("reversi", size=6), "minimax:depth=2", 12),
    ],
)
def test_equal_seeds_play_equal_games_and_others_differ(game, spec, plies):
    agent = meeple.agent(spec, game)

    def opening(seed):
        agent.begin(seed)  # whatever was played before
        position = game.start()
        for _ in range(plies):
            position.play(agent.choose(position))
        return position.actions

    assert opening(1) == opening(1)
    assert len({opening(seed) for seed in range(7)}) > 4


def test_minimax_searches_chance_nodes_and_three_players():
    for game in (Wood(luck=True, seed=4), Wood(players=3, seed=5), Wood(luck=True, players=3)):
        position = game.start()
        assert meeple.agent("minimax:depth=4", game).choose(position) in position.legal_actions()
    position = Prize().start(seed=3)  # of one ply, so that no heuristic is needed
    assert meeple.agent("minimax:depth=1", position.game).choose(position) == position.state.prize


def test_what_a_game_lacks_is_named_with_alternatives():
    with pytest.raises(SpecError, match=r"hex has no heuristic of its own .* heuristic=even"):
        meeple.agent("minimax:depth=4", meeple.make("hex", size=5))
    with pytest.raises(SpecError, match="no heuristic"):
        meeple.agent("minimax:seconds=1", Prize())
    with pytest.raises(SpecError, match=r"threads are for games .* catan takes none"):
        meeple.agent("minimax:depth=2,threads=2", meeple.make("catan"))


def test_a_forced_win_is_played_and_published_with_its_line():
    game = meeple.make("gomoku")
    position = game.start()
    moves = "b8 a8 c8 o1 d8 o3 e6 o5 e7 m14"
    for name in moves.split():
        position.play(position.parse_action(name))
    player = meeple.agent("minimax:seconds=5", game)
    best = player.choose(position)
    found = player.analysis
    assert position.action_name(best) == "e8"
    assert found is not None
    assert found.value is not None
    assert found.value.tolist() == [1.0, 0.0]
    assert found.reasons == {best: "wins by force within 3 moves"}
    for action in found.principal_variation:
        position.play(action)
    assert position.is_over
    assert position.payoffs.tolist() == [1.0, 0.0]


def test_in_a_lost_position_the_search_chooses_and_the_loss_is_published(monkeypatch):
    position = lost_position()
    agent = meeple.agent("minimax:seconds=5", position.game)
    assert isinstance(agent, MinimaxAgent)
    search = AlphaBeta(position.game)
    expected = search.run(position, depth=1)
    monkeypatch.setattr(agent._search, "run", lambda *_: expected)
    assert agent.choose(position) == expected.best
    found = agent.analysis
    assert found is not None
    assert found.proven
    assert found.value is not None
    assert found.action_values is not None
    assert found.value[position.to_move] == 0
    assert (found.action_values == found.value).all()
    assert found.principal_variation == tuple(expected.principal_variation)


def lost_position():
    """Return a position of Reversi 6x6 that is lost with eight empty cells, and three moves."""
    game = meeple.make("reversi", size=6)
    solver = position_solver(game)
    assert solver is not None
    for seed in range(100):
        rng, position = np.random.default_rng(seed), game.start()
        while len(position.actions) < 24 and not position.is_over:
            position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over and len(position.legal_actions()) > 2:
            solver.open(position)
            while not solver.advance(10_000):
                pass
            payoffs = solver.payoffs
            if payoffs is not None and payoffs[position.to_move] == 0:
                return position
    raise AssertionError


@pytest.mark.parametrize("size", [15, 19])
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_a_millisecond_suffices_for_a_legal_move(size, rule):
    game = meeple.make("gomoku", size=size, rule=rule)
    players = [meeple.agent("minimax:seconds=0.001", game) for _ in range(2)]
    position = game.start()
    for ply in range(24):
        position.play(players[ply % 2].choose(position))  # an illegal action raises
        if position.is_over:
            break
    assert len(position.actions) >= 9
