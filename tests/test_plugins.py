"""Plug-ins of installed packages: found, loaded, or left out with a sentence."""

import logging

import pytest

from meeple import plugins
from meeple.agents.kinds import OWN_AGENTS, AgentKind
from meeple.errors import OptionError
from meeple.plugins import PlugInTable, installed_plug_ins, plug_ins

AGENT = """
from meeple.agents.kinds import AgentKind
AGENT = AgentKind("toys:make", "a toy")
NOT_AN_AGENT = 3
"""


@pytest.fixture
def agents():
    return PlugInTable("agents", AgentKind, OWN_AGENTS)


def test_plug_in_follows_the_own_values_of_its_table(agents, plug_in_package):
    plug_in_package("meeple-toys", {"agents": {"toy": "toys:AGENT"}}, toys=AGENT)
    assert list(agents) == [*OWN_AGENTS, "toy"]
    assert agents["toy"].help == "a toy"
    assert len(agents) == len(OWN_AGENTS) + 1


def test_what_no_package_adds_is_missing(agents):
    assert "toy" not in agents
    with pytest.raises(KeyError):
        agents["toy"]


@pytest.mark.parametrize(
    ("name", "target", "requires", "sentence"),
    [
        ("toy", "toys:AGENT", "meeple>=2,<3", "it is for meeple<3,>=2, and this is 0"),
        ("toy", "nowhere:AGENT", "meeple", "ModuleNotFoundError: No module named 'nowhere'"),
        ("toy", "toys:GONE", "meeple", "AttributeError: module 'toys' has no attribute 'GONE'"),
        ("toy", "toys:NOT_AN_AGENT", "meeple", "toys:NOT_AN_AGENT is a int, not a AgentKind"),
        ("toy", "raises:AGENT", "meeple", "ZeroDivisionError: division by zero"),
        ("uct", "toys:AGENT", "meeple", "Meeple has uct itself"),
    ],
)
def test_faulty_plug_in_is_named_once_and_left_out(
    name, target, requires, sentence, agents, plug_in_package, caplog
):
    plug_in_package("meeple-toys", {"agents": {name: target}}, requires, toys=AGENT, raises="1 / 0")
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
