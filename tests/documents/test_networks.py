"""Each network that ships has a section in docs/networks.md, with its training and weaknesses."""

import re

import pytest

from meeple.agents.network_files import network_facts
from meeple.agents.networks import shipped_networks
from meeple.games.contract.registry import make_from
from meeple.learn.config import load
from tests.documents.program import ROOT

SECTION = re.compile(r"^## (\S+)\n\n(.*?)(?=^## |\Z)", re.M | re.S)
TRAINED = re.compile(r"`meeple train (\S+?)`")
SECTIONS = dict(SECTION.findall((ROOT / "docs" / "networks.md").read_text(encoding="utf-8")))


def test_every_network_that_ships_has_a_section():
    assert sorted(SECTIONS) == sorted(shipped_networks())


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_names_a_configuration_of_the_network_and_weaknesses(name):
    facts = network_facts(shipped_networks()[name])
    board = make_from(facts.game, facts.options)
    names = TRAINED.findall(SECTIONS[name])
    games = [load(ROOT / "configs" / f"{config}.toml").make_game() for config in names]
    assert (board.name, board.options) in [(game.name, game.options) for game in games]
    assert "\nWeaknesses: " in SECTIONS[name]
