"""The public names of the package `meeple`."""

import meeple


def test_every_public_name_exists_and_is_listed():
    for name in meeple.__all__:
        assert getattr(meeple, name) is not None
        assert name in dir(meeple)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(meeple, "nothing_of_the_kind")


def test_games_agents_matches_and_the_solver_work_by_public_names():
    game = meeple.make("hex", size=3)
    first = meeple.agent("uct:sims=20", game, seed=1)
    second = meeple.agent("random", game, seed=2)
    result = meeple.match(game, [first, second], games=4, seed=7)
    assert result.games == 4
    assert [agent.spec for agent in result.agents] == ["uct:sims=20", "random"]
    position = game.start(seed=0)
    assert meeple.solve(position).payoffs[0] == 1.0
