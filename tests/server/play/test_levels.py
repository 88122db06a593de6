"""The agents that a page offers for a game, and its default evaluator."""

import shutil
from pathlib import Path

import pytest

import meeple
from meeple.agents.kinds import AGENTS
from meeple.agents.ladders import rating_of
from meeple.agents.levels import LEVELS, levels_for
from meeple.agents.network_files import NETWORK, NetworkFacts
from meeple.agents.networks import Catalogue, NetworkFile, shipped_networks
from meeple.agents.spec import agent, parse
from meeple.agents.words import method_in_words
from meeple.errors import CheckpointError, ConfigError, SpecError
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import save_patterns
from meeple.server.play import levels as levels_module
from meeple.server.play.levels import default_evaluator, levels, network_choices, networks_for
from meeple.server.thinking.specs import check_for, settle
from meeple.server.training import form
from tests.search.toys import Paper


def test_networks_are_listed_after_the_levels_of_the_game(tmp_path):
    game = meeple.make("hex")
    found, table = levels(game, networks_for(game, tmp_path)), levels_for(game)
    assert {one.name: one.spec for one in found[:-1]} == table.steps
    assert (found[-1].name, found[-1].spec) == ("Network hex7", "puct:hex7,sims=400")


def test_levels_have_ratings_only_for_the_rated_board():
    game = meeple.make("gomoku", size=9)
    ratings = [one.rating for one in levels(game, {})]
    measured = [rating_of(game, one.spec) for one in levels(game, {})]
    for shown, rating in zip(ratings, measured, strict=True):
        assert shown is not None
        assert rating is not None
        assert shown % 10 == 0
        assert abs(shown - rating) <= 5
    assert {one.rating for one in levels(meeple.make("gomoku", size=10), {})} == {None}
    assert all("not measured for this game" in one.words for one in levels(Paper(), {}))
    assert not any("not measured" in one.words for one in levels(meeple.make("nim"), {}))


@pytest.mark.parametrize("table", LEVELS, ids=lambda table: table.name)
def test_the_last_level_evaluates_and_gives_hints_for_a_second(table, tmp_path):
    for options in table.measured:
        spec = default_evaluator(meeple.make(table.game, **options), tmp_path)
        parsed = parse(spec)
        assert parsed.options.get("seconds", 1) == 1
        assert ("seconds" in parsed.options) == ("seconds" in AGENTS[parsed.name].keys)
        assert method_in_words(spec) == method_in_words(table.strongest)


def test_a_matching_network_evaluates_if_no_levels_were_measured(tmp_path, monkeypatch):
    assert default_evaluator(Paper(), tmp_path) == "uct:seconds=1"
    mine = NetworkFacts(NETWORK, "paper", {})
    monkeypatch.setattr(levels_module, "networks_for", lambda game, runs: {"mine": mine})
    assert default_evaluator(Paper(), tmp_path) == "puct:mine,seconds=1"


def test_a_run_with_the_name_of_a_bundled_network_does_not_replace_it(tmp_path):
    """`meeple train hex7` creates such a run, which plays worse for hours."""
    trained = tmp_path / "hex7" / "checkpoints"
    trained.mkdir(parents=True)
    shutil.copy(shipped_networks()["hex7"], trained / "00000100.safetensors")
    assert Catalogue(tmp_path).names()["hex7"] == shipped_networks()["hex7"]
    assert Catalogue(tmp_path).names()["runs/hex7"] == tmp_path / "hex7"
    assert settle("puct:runs/hex7,sims=5", tmp_path) == "puct:runs/hex7,sims=5"
    found = Catalogue(tmp_path).find("runs/hex7")
    assert found == NetworkFile("runs/hex7", trained / "00000100.safetensors")
    with pytest.raises(CheckpointError, match=r"^runs/hex7 was trained for hex"):
        check_for("puct:runs/hex7,sims=5", meeple.make("gomoku"), tmp_path)
    for path in (trained.parent, Path(found)):
        with pytest.raises(SpecError, match="there is no network"):
            agent(f"puct:{path},sims=5", meeple.make("hex", size=7), catalogue=Catalogue(tmp_path))


def test_a_run_may_be_named_by_its_path_as_in_commands(tmp_path):
    trained = tmp_path / "mine" / "checkpoints"
    trained.mkdir(parents=True)
    newest = trained / "00000100.safetensors"
    shutil.copy(shipped_networks()["hex7"], newest)
    assert settle("puct:runs/mine,sims=5", tmp_path) == "puct:runs/mine,sims=5"
    assert Catalogue(tmp_path).find("runs/mine") == NetworkFile("runs/mine", newest)
    for name in ("runs/hex7", "runs/runs/mine", "runs/../mine"):
        with pytest.raises(SpecError, match="there is no network"):
            Catalogue(tmp_path).find(name)


def test_page_offers_patterns_for_their_board_and_may_name_them(tmp_path):
    game = meeple.make("reversi", size=6)
    folder = tmp_path / "mine" / "checkpoints"
    folder.mkdir(parents=True)
    save_patterns(folder / "00000020.safetensors", game, PatternEvaluation(game))
    fitting = networks_for(game, tmp_path)
    assert {name: learned.kind.name for name, learned in fitting.items()} == {
        "mine": "pattern evaluation",
        "reversi6": "network",
        "reversi6-patterns": "pattern evaluation",
    }
    offered = {one.name: one.spec for one in network_choices(game, fitting)}
    assert offered["Patterns mine"] == "minimax:eval=mine,depth=6"
    assert levels(game, fitting)[-1].spec == "minimax:eval=mine,depth=6"
    spec = "minimax:eval=mine,depth=1"
    assert check_for(spec, game, tmp_path) == spec
    with pytest.raises(SpecError, match="there is no network"):
        settle(f"minimax:eval={folder},depth=1", tmp_path)
    with pytest.raises(CheckpointError, match="mine is a pattern evaluation, not a network"):
        check_for("puct:mine,sims=5", game, tmp_path)
    with pytest.raises(ConfigError, match=r"run\.start must be one of"):
        form.settle("reversi6", {"run.start": "mine"}, tmp_path)
