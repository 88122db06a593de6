"""`meeple.train`: a run from Python, its agent and its figures."""

import pytest

import meeple
from meeple.errors import ConfigError, UsageError
from meeple.learn.usual import config_for

NIM = meeple.make("nim", stones=9)
SHORT = ("run.episodes=32", "search.simulations=4", "selfplay.games=8", "matches.games=2")


@pytest.mark.slow
def test_a_game_is_learned_and_the_run_continues(tmp_path, capsys):
    pytest.importorskip("pandas", reason="pandas makes data frames")
    run = meeple.train(NIM, 0.5, tmp_path / "run", *SHORT)
    assert "32 episodes" in str(run)
    assert "losses: " in capsys.readouterr().err
    frame = run.to_pandas()
    assert frame["episodes"].iloc[-1] == 32
    assert frame["loss/policy"].gt(0).all()
    assert (run.game, run.agent(sims=2).game) == (NIM, NIM)
    figure = run.plot()
    assert figure._repr_png_().startswith(b"\x89PNG")  # as a notebook draws it
    axes = figure.axes
    assert [one.get_ylabel() for one in axes] == ["loss", "% of the win"]
    assert "policy" in {line.get_label() for line in axes[0].lines}
    assert meeple.match(NIM, [run.agent(sims=2), "random"], games=2).games == 2
    again = meeple.train(NIM, 1.0, tmp_path / "run", "run.episodes=40", quiet=True)
    assert "40 episodes" in again._repr_html_() or "<td>40</td>" in again._repr_html_()
    assert capsys.readouterr().err == ""
    with pytest.raises(ConfigError, match=r"search\.simulations"):
        meeple.train(NIM, 1.0, tmp_path / "run", "search.simulations=8")


@pytest.mark.parametrize("name", ["hex", "nim", "ledge", "catan"])
def test_every_game_has_a_configuration(name):
    game = meeple.make(name)
    assert config_for(game).make_game() == game


def test_a_game_without_a_time_and_an_unknown_configuration_are_refused():
    with pytest.raises(UsageError, match="say how long to train"):
        meeple.train(NIM)
    with pytest.raises(ConfigError, match="there is no ready configuration 'chess'"):
        meeple.train("chess", 1)
