"""Each network that ships has a section in docs/networks.md, whose block agrees with its file."""

import re

import pytest

from meeple.agents.network_files import VALUES, network_facts
from meeple.agents.networks import shipped_networks
from meeple.cli.nets import training_of, training_words
from meeple.games.contract.game_words import as_word
from meeple.games.contract.registry import make_from
from meeple.learn.config import load
from tests.documents.program import ROOT

CARD = re.compile(r"^## (\S+)\n\n```\n([^\n]*)\n([^\n]*)\n```\n(.*?)(?=^## |\Z)", re.M | re.S)
CARDS = {
    name: (what, made, text)
    for name, what, made, text in CARD.findall((ROOT / "docs" / "networks.md").read_text())
}


def test_every_network_that_ships_has_a_card():
    assert sorted(CARDS) == sorted(shipped_networks())


@pytest.mark.parametrize("name", CARDS)
def test_card_agrees_with_the_file_and_its_configuration(name):
    path, facts = shipped_networks()[name], network_facts(shipped_networks()[name])
    what, made, text = CARDS[name]
    shown = {"players": facts.options.get("players")} if facts.kind is VALUES else facts.options
    board = make_from(facts.game, facts.options)
    options = [f"{k}={as_word(v)}" for k, v in board.options.items() if k in shown]
    parts = [
        " ".join([f"{facts.kind.name} for {facts.game}", *options]),
        facts.architecture,
        f"{path.stat().st_size / 1000:,.0f} kB",
    ]
    assert what == f"{name}: {', '.join(filter(None, parts))}"
    config, _, training = made.partition("; ")
    assert training == training_words(training_of(facts))
    game = load(ROOT / config).make_game()
    assert (game.name, game.options) == (board.name, board.options)
    assert f"`meeple train {(ROOT / config).stem}`" in text
    assert "\nWeaknesses: " in text
