"""Specs build the agents they name, and errors list what is allowed."""

from typing import Any

import pytest

import meeple
from meeple.agents.kinds import AGENTS, AgentKind
from meeple.agents.spec import agent, parse
from meeple.agents.spec_syntax import write
from meeple.errors import SpecError
from meeple.options import Choice, File, Integer, Number, Option
from tests.agents.test_policy import network_file


@pytest.fixture
def toy(monkeypatch):
    keys: dict[str, Option] = {
        "sims": Integer(None, 1, 1000, "simulations"),
        "width": Number(1.0, 0, 2.5, "how wide"),
        "file": File("a file"),
    }
    monkeypatch.setitem(AGENTS, "toy", AgentKind("nowhere:make", "a toy", keys=keys))
    monkeypatch.setitem(AGENTS, "net", AgentKind("nowhere:make", "a net", "PATH", keys))


@pytest.fixture
def nim():
    return meeple.make("nim")


def test_spec_builds_its_agent_which_stores_the_spec(nim):
    made = agent("random", nim, seed=3)
    assert made.spec == "random"
    assert made.choose(nim.start()) in nim.start().legal_actions()


def test_keys_are_parsed_and_defaults_filled_in(toy):
    assert parse("toy:sims=20").options == {"sims": 20, "width": 1.0}
    assert parse("toy: sims=20 , width=0.5").options == {"sims": 20, "width": 0.5}
    assert parse("toy").options == {"width": 1.0}


@pytest.mark.parametrize("path", ["runs/hex7", "runs/lr=0.1/x", "a,b/c.safetensors", "C:/x", "~/r"])
def test_path_may_contain_commas_colons_and_equals_signs(toy, path):
    parsed = parse(f"net:{path},sims=7")
    assert (parsed.path, parsed.options["sims"]) == (path, 7)
    assert parse(f"net:{path}").path == path


@pytest.mark.parametrize(
    "path",
    ["a,b", "a=b,c=d", 'a"b', '"', '"a",b', " a ", "it's, \\ é\n", ",", '""'],
)
def test_a_written_spec_is_read_as_it_was(toy, path):
    parsed = parse(write("net", path, {"sims": 7, "file": path}))
    assert (parsed.path, parsed.options) == (path, {"sims": 7, "file": path, "width": 1.0})
    assert parse(write("net", path)).path == path


def test_a_comma_follows_a_path_in_quotes(toy):
    assert parse('net: "a,b" , sims=7').path == "a,b"
    with pytest.raises(SpecError, match="a comma must follow"):
        parse('net:"a",b')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("minimax:depth=0", "depth must be a whole number from 1 to 999, not '0'"),
        ("minimax:seconds=nan", "seconds must be a number from 0.001 to 86400, not 'nan'"),
        ("minimax:depth=2,heuristic=best", "heuristic must be game, simple or even, not 'best'"),
        ("minimax:sims=3", "its keys: depth, seconds, heuristic, eval, margin"),
        ("minimax", "minimax needs a limit: write minimax:depth=4"),
        ("minimax:heuristic=even", "minimax needs a limit"),
        ("uct", "uct needs a limit: write uct:sims=400 or uct:seconds=0.5"),
        ("uct:sims=0", "sims must be a whole number from 1 to 1,000,000,000, not '0'"),
        ("uct:seconds=0", "seconds must be a number from 0.001 to 86400, not '0'"),
        ("uct:seconds=inf", "not 'inf'"),
        ("uct:seconds=1e9", "not '1e9'"),
        ("puct:x,seconds=-1", "puct: seconds must be a number from 0.001 to 86400, not '-1'"),
        ("uct:sims=9,guided=2", "guided must be a number from 0 to 1, not '2'"),
        ("uct:sims=9,guided=0.5", "uct: nim has no rule of thumb to guide rollouts by"),
    ],
)
def test_options_that_an_agent_does_not_support_are_refused(nim, text, said):
    with pytest.raises(SpecError) as error:
        agent(text, nim)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("randon", "did you mean 'random'"),
        ("toy sims=3", "; did you mean 'toy'?"),
        ("", "agents: random"),
        ("toy:simz=3", "its keys: sims, width, file"),
        ("random:sims=3", "random has no key 'sims'; its keys: none"),
        ("toy:sims=0", "sims must be a whole number from 1 to 1000, not '0'"),
        ("toy:sims=1.5", "whole number"),
        ("toy:width=nan", "width must be a number from 0 to 2.5"),
        ("toy:sims", "write toy:sims=N,width=N,file=FILE"),
        ("toy:sims=1,sims=2", "twice"),
        ("net", "net:PATH,sims=N"),
        ("net:sims=3", "checkpoint file or a run folder"),
    ],
)
def test_wrong_spec_is_refused_in_a_sentence(toy, text, said):
    with pytest.raises(SpecError) as error:
        parse(text)
    assert said in str(error.value)


def test_key_may_take_one_of_several_words(monkeypatch):
    pace = Choice("slow", ("slow", "quick"), "how fast")
    keys: dict[str, Option] = {"pace": pace, "n": Number(None, 0, 9, "size")}
    monkeypatch.setitem(AGENTS, "walker", AgentKind("nowhere:make", "a toy", keys=keys))
    assert parse("walker").options == {"pace": "slow"}
    assert parse("walker:pace= quick,n=3").options == {"pace": "quick", "n": 3}
    assert AGENTS["walker"].usage("walker") == "walker:pace=slow|quick,n=N"
    with pytest.raises(SpecError, match="pace must be slow or quick, not 'fast'"):
        parse("walker:pace=fast")


def test_random_play_depends_only_on_the_seed_and_does_not_change_the_position(nim):
    made = agent("random", nim)
    position = nim.start()
    choices = []
    for seed in (1, 2, 1):
        made.begin(seed)
        choices.append([made.choose(position) for _ in range(20)])
    assert choices[0] == choices[2] != choices[1]
    assert set(choices[0]) == set(position.legal_actions().tolist())
    assert position.actions == ()


def test_exploration_may_be_scaled_for_values_in_minus_1_to_1():
    game = meeple.make("gomoku", size=6, in_a_row=4)
    plain: Any = agent("uct:sims=10,c=classic", game)
    network: Any = agent("puct:gomoku6,sims=10,c=classic", game)
    assert plain.search.rule.settings.c == pytest.approx(2**0.5 / 2)
    assert network.search.rule.settings.c == 2.5
    with pytest.raises(SpecError, match=r"c must be a number from 0 to 100, or classic \(2.5\)"):
        agent("puct:gomoku6,sims=10,c=clasic", game)


def test_tree_of_a_network_needs_less_memory_per_position_in_a_wide_game(tmp_path):
    game = meeple.make("nim", heaps="500,500", take=500)
    path = network_file(tmp_path / "net.safetensors", game=game, critic=True, hidden=(1,))
    made: Any = agent(f"puct:{path},seconds=0.001", game)
    assert made.search.rule.capacity <= 81_000_000
    assert made.choose(game.start()) in game.start().legal_actions()
