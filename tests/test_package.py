"""The public names of the package `meeple`, and what notebooks see of their results."""

from pathlib import Path
from typing import Any, cast

import pytest

import meeple
from meeple.errors import SpecError, UsageError
from tests import typed_program

PUBLIC = """
CHANCE OVER IllegalAction MeepleError Position agent analyse exploitability load make match solve
tournament train
"""


def test_the_public_names_are_these():
    assert meeple.__all__ == PUBLIC.split()
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


class Last:
    """Chooses the last legal action, by its name or its number."""

    def __init__(self, by_name):
        self._by_name = by_name

    def choose(self, position):
        action = int(position.legal_actions()[-1])
        return position.action_name(action) if self._by_name else action


def test_any_object_that_chooses_plays_a_match():
    game = meeple.make("nim", stones=9)
    by_name, by_number = (
        meeple.match(game, [Last(by_name), "random"], games=10) for by_name in (True, False)
    )
    assert by_name.agents[0].spec == "Last"
    assert [one.actions for one in by_name.records] == [one.actions for one in by_number.records]
    with pytest.raises(SpecError, match=r"is no agent: it lacks choose\(position\)"):
        meeple.match(game, [cast(Any, object()), "random"], games=2)


def test_results_are_tables_as_text_in_notebooks_and_as_data_frames():
    pytest.importorskip("pandas", reason="pandas makes data frames")
    game, specs = meeple.make("nim", stones=9), ["random", "uct:sims=20"]
    matched = meeple.match(game, specs, games=10)
    lines = str(matched).splitlines()
    assert lines[0] == "nim stones=9 take=3 heaps=empty misere=off, 10 games, seed 7"
    assert lines[1].startswith("random ")
    assert f"<td>{100 * matched.agents[1].share:.1f} %</td>" in matched._repr_html_()
    assert matched.to_pandas()["share"].tolist() == [agent.share for agent in matched.agents]
    rated = meeple.tournament(game, specs, games=10)
    assert str(rated).splitlines()[1].startswith("1. uct:sims=20 ")
    assert rated.to_pandas()["spec"].tolist() == ["uct:sims=20", "random"]
    assert rated._repr_html_().count("<tr>") == 3


def test_an_analysis_lists_the_actions_by_name_the_choice_first():
    position = meeple.make("nim", stones=5).start()
    analysed = meeple.analyse(position, "uct:sims=200")
    first = analysed.rows()[0]
    assert first["action"] == "take 1"  # leaves four stones
    assert sum(row["policy"] for row in analysed.rows()) == pytest.approx(1)
    assert f"<td>{first['action']}</td>" in analysed._repr_html_()
    assert str(analysed).splitlines()[2].startswith("take 1 ")
    assert position.actions == ()
    with pytest.raises(UsageError, match="random gives no analysis"):
        meeple.analyse(position, "random")


def test_networks_load_as_agents_with_their_game():
    agent = meeple.load("tictactoe", sims=30)
    assert (agent.spec, agent.game) == (
        "puct:tictactoe,sims=30",
        meeple.make("gomoku", size=3, in_a_row=3),
    )
    assert agent.choose(agent.game.start()) in range(9)
    assert agent.analysis is not None
    assert meeple.load("tictactoe", c=2.0).spec == "puct:tictactoe,sims=400,c=2.0"
    assert meeple.load("catan").spec == "states:catan"


@pytest.mark.slow
def test_a_typed_program_names_all_of_the_package_and_runs(tmp_path):
    """`mypy`, a part of `make test`, checks its types."""
    source = Path(typed_program.__file__).read_text(encoding="utf-8")
    assert [name for name in meeple.__all__ if f"meeple.{name}" not in source] == []
    assert typed_program.play().is_over
    result, table = typed_program.compare()
    assert (result.games, len(table.outcomes)) == (4, 4)
    assert typed_program.study() == 1.0
    assert typed_program.learn(tmp_path / "run").game.name == "nim"
