"""The names that `import meeple` offers, each where it is looked for."""

import meeple


def test_every_public_name_can_be_had_and_is_listed():
    for name in meeple.__all__:
        assert getattr(meeple, name) is not None
        assert name in dir(meeple)


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(meeple, "nothing_of_the_kind")


def test_the_example_of_the_design_works():
    game = meeple.make("hex", size=3)
    first = meeple.agent("uct:sims=20", game, seed=1)
    second = meeple.agent("random", game, seed=2)
    result = meeple.match(game, [first, second], games=4, seed=7)
    assert result.games == 4
    assert [agent.spec for agent in result.agents] == ["uct:sims=20", "random"]
    position = game.start(seed=0)
    assert meeple.solve(position).payoffs[0] == 1.0
