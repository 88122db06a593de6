"""Plug-ins of installed packages: found, loaded, or left out with a sentence."""

import json
import logging
import sys

import pytest

from meeple import plugins
from meeple.agents.kinds import OWN_AGENTS, AgentKind
from meeple.cli.main import run
from meeple.cli.shared.arguments import load_checked
from meeple.errors import OptionError
from meeple.games.contract.registry import game_class, load_file, load_game
from meeple.plugins import PlugInTable, installed_plug_ins, plug_ins

AGENT = """
from meeple.agents.kinds import AgentKind
AGENT = AgentKind("toys:make", "a toy")
EMPTY = AgentKind("toys:gone", "a toy without the function that makes it")
NOT_AN_AGENT = 3
"""
COMMAND = """
from meeple.cli.main import TOOLS, Subcommand
COMMAND = Subcommand("sweets:eat", TOOLS)
EMPTY = Subcommand("sweets:gone", TOOLS)
ODD = Subcommand(5, 7)

def eat() -> None:
    \"\"\"Eat sweets.\"\"\"
    print("eaten")
"""


@pytest.fixture
def agents():
    return PlugInTable("agents", AgentKind, OWN_AGENTS)


def test_plug_in_follows_the_own_values_of_its_table(agents, plug_in_package):
    plug_in_package("meeple-toys", {"agents": {"toy": "toys:AGENT"}}, toys=AGENT)
    assert list(agents) == [*OWN_AGENTS, "toy"]
    assert agents["toy"].help == "a toy"
    assert len(agents) == len(OWN_AGENTS) + 1


def test_what_no_package_adds_is_missing_until_one_adds_it(agents, plug_in_package):
    assert "toy" not in agents
    with pytest.raises(KeyError):
        agents["toy"]
    plug_in_package("meeple-toys", {"agents": {"toy": "toys:AGENT"}}, toys=AGENT)
    assert "toy" in agents


@pytest.mark.parametrize(
    ("name", "target", "requires", "sentence"),
    [
        ("toy", "toys:AGENT", "meeple>=2,<3", "it is for meeple<3,>=2, and this is 0"),
        ("toy", "nowhere:AGENT", "meeple", "ModuleNotFoundError: No module named 'nowhere'"),
        ("toy", "toys:GONE", "meeple", "AttributeError: module 'toys' has no attribute 'GONE'"),
        (
            "toy",
            "toys:NOT_AN_AGENT",
            "meeple",
            "toys:NOT_AN_AGENT is of the type int, not AgentKind",
        ),
        ("toy", "raises:AGENT", "meeple", "ZeroDivisionError: division by zero"),
        ("toy", "ends:AGENT", "meeple", "SystemExit: 3"),
        ("uct", "toys:AGENT", "meeple", "Meeple has uct itself"),
        ("toy", "odd:AGENT", "meeple", "TypeError: the target, help, path and words of an agent"),
        ("toy", "keyed:AGENT", "meeple", "TypeError: the keys of an agent must be options"),
    ],
)
def test_faulty_plug_in_is_named_once_and_left_out(
    name, target, requires, sentence, agents, plug_in_package, caplog
):
    modules = {"toys": AGENT, "raises": "1 / 0", "ends": "raise SystemExit(3)"}
    modules["odd"] = AGENT.replace('"a toy"', "None", 1)
    modules["keyed"] = AGENT.replace('"a toy"', '"a toy", keys={"sims": 3}', 1)
    plug_in_package("meeple-toys", {"agents": {name: target}}, requires, **modules)
    for _ in range(2):
        assert list(agents) == list(OWN_AGENTS)
    assert agents["uct"] is OWN_AGENTS["uct"]
    [message] = caplog.messages
    assert message.startswith(f"the plug-in {name} (agents) of meeple-toys is left out: {sentence}")


def test_of_two_plug_ins_with_one_name_the_second_is_left_out(agents, plug_in_package, caplog):
    plug_in_package("meeple-other", {"agents": {"toy": "other:AGENT"}}, other=AGENT)
    plug_in_package("meeple-toys", {"agents": {"toy": "toys:AGENT"}}, toys=AGENT)
    assert plug_ins("agents")["toy"].package == "meeple-other"
    assert caplog.messages == [
        "the plug-in toy (agents) of meeple-toys is left out: meeple-other adds toy already"
    ]


def test_plug_ins_of_other_groups_and_packages_are_no_concern(agents, plug_in_package, caplog):
    plug_in_package(
        "meeple-toys", {"games": {"toy": "toys:AGENT"}, "sweets": {"toy": "x:y"}}, toys=AGENT
    )
    assert list(agents) == list(OWN_AGENTS)
    assert "toy" in plug_ins("games")
    assert "sweets" not in {one.group for one in installed_plug_ins()}
    assert not caplog.messages


@pytest.mark.parametrize("load", [load_game, load_file, load_checked])
def test_game_of_a_library_that_is_not_installed_names_the_package(load, plug_in_package):
    with pytest.raises(OptionError) as caught:
        load("box:hex")
    advice = "for a library of games called box: pip install meeple-box"
    assert str(caught.value) == f"there is no game 'box:hex'; {advice}"


def test_name_of_a_library_in_data_advises_to_install_nothing(plug_in_package):
    with pytest.raises(OptionError, match=r"^there is no game 'box:hex'; games: (?!.*pip)"):
        game_class("box:hex")


def test_plug_in_for_another_version_does_not_load(plug_in_package):
    plug_in_package("meeple-toys", {"agents": {"toy": "toys:AGENT"}}, "meeple<0.1", toys=AGENT)
    [toy] = [one for one in installed_plug_ins() if one.package == "meeple-toys"]
    with pytest.raises(OptionError, match=r"it is for meeple<0\.1"):
        toy.load()


def test_plug_ins_are_reported_by_a_logger_that_users_can_silence(caplog):
    logging.getLogger("meeple.plugins").disabled = True
    try:
        plugins.report("a fault")
    finally:
        logging.getLogger("meeple.plugins").disabled = False
    assert not caplog.messages


def test_what_a_record_promises_and_lacks_is_one_sentence_when_it_is_used(agents, plug_in_package):
    plug_in_package("meeple-toys", {"agents": {"toy": "toys:EMPTY"}}, toys=AGENT)
    assert agents["toy"].help.startswith("a toy without")
    with pytest.raises(OptionError) as caught:
        agents.target("toy")
    assert str(caught.value) == (
        "the plug-in toy (agents) of meeple-toys is left out: AttributeError: module 'toys' has no "
        "attribute 'gone'"
    )


def test_package_whose_entry_points_cannot_be_read_is_reported(agents, plug_in_package, caplog):
    plug_in_package("meeple-toys", {"agents": {"toy": "toys:AGENT"}}, toys=AGENT)
    plug_in_package("meeple-torn", {"agents": {"a\nname without a target\nb": "c"}})
    assert "toy" in agents
    [message] = caplog.messages
    assert "meeple-torn cannot be read: " in message


@pytest.fixture
def faulty_package(plug_in_package):
    groups = {
        "agents": {"toy": "toys:EMPTY", "uct": "toys:AGENT"},
        "commands": {
            "sweets": "sweets:COMMAND",
            "none": "sweets:EMPTY",
            "lost": "lost:COMMAND",
            "odd": "sweets:ODD",
        },
        "games": {"toy": "toys:AGENT", "hex": "toys:AGENT"},
        "libraries": {"box": "toys:NOT_AN_AGENT"},
    }
    plug_in_package("meeple-toys", groups, toys=AGENT, sweets=COMMAND)


FAULTS = {
    ("agents", "toy"): "AttributeError: module 'toys' has no attribute 'gone'",
    ("agents", "uct"): "Meeple has uct itself",
    ("commands", "sweets"): "",
    ("commands", "none"): "AttributeError: module 'sweets' has no attribute 'gone'",
    ("commands", "odd"): "AttributeError: 'int' object has no attribute 'partition'",
    ("commands", "lost"): "ModuleNotFoundError: No module named 'lost'",
    ("games", "toy"): "toys:AGENT is not a game called toy",
    ("games", "hex"): "Meeple has hex itself",
    ("libraries", "box"): "toys:NOT_AN_AGENT is not a function",
}


def test_command_lists_what_each_package_adds_and_every_fault(faulty_package, capsys):
    assert run(["plugins", "--json"], debug=False) == 0
    rows = [one for one in json.loads(capsys.readouterr().out) if one["package"] == "meeple-toys"]
    assert {(one["group"], one["name"]): one["fault"] for one in rows} == FAULTS
    assert run(["plugins"], debug=False) == 0
    text = capsys.readouterr().out
    assert "meeple-toys 1.0\n" in text
    assert all(f"    left out: {fault}\n" in text for fault in FAULTS.values() if fault)


def test_missing_library_of_an_extra_is_no_fault(plug_in_package, monkeypatch):
    text = 'from meeple.agents.kinds import AgentKind\nAGENT = AgentKind("learned:make", "a toy")'
    points = {"agents": {"toy": "toys:AGENT"}}
    plug_in_package("meeple-toys", points, toys=text, learned="import torch")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert [one.checked().fault for one in installed_plug_ins()] == [""]


def test_command_of_a_plug_in_is_in_the_help_and_runs_beside_faulty_ones(faulty_package, capsys):
    assert run(["sweets"], debug=False) == 0
    assert capsys.readouterr().out == "eaten\n"
    assert run(["none"], debug=False) == 2
    assert capsys.readouterr().err == (
        "the plug-in none (commands) of meeple-toys is left out: AttributeError: module 'sweets' "
        "has no attribute 'gone'\n"
    )
    assert run(["lost"], debug=False) == 2
    assert run([], debug=False) == 0
    told = capsys.readouterr()
    assert "Eat sweets." in told.out
    assert "lost" not in told.out


def test_without_plug_ins_the_command_says_how_to_write_one(monkeypatch, capsys):
    monkeypatch.setattr(plugins, "_entry_points", tuple)
    assert run(["plugins"], debug=False) == 0
    assert "meeple new-plugin NAME" in capsys.readouterr().out
