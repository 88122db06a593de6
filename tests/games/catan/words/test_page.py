"""docs/catan.md agrees with the package in boards, options and words."""

import json
import re
from pathlib import Path

from meeple.games.catan import reduced
from meeple.games.catan.game import Catan
from meeple.games.catan.rules.layout import BEGINNER, layout_text
from meeple.games.catan.words import names
from meeple.games.contract import capabilities
from meeple.games.contract.game_words import as_word
from meeple.options import Integer
from tests.games.catan.positions import in_turn

DOCS = Path(__file__).resolve().parents[4] / "docs"
PAGE = (DOCS / "catan.md").read_text()
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")}


def rows(section):
    """Return the cells of a section's tables without their headers."""
    return [
        [cell.strip() for cell in line.strip("|").split(" |")]
        for line in SECTIONS[section].splitlines()
        if line.startswith("| ")
    ]


def test_layout_of_the_document_is_the_beginners_island():
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.S)
    assert json.loads(block) == json.loads(layout_text(BEGINNER))


def test_options_of_the_document_are_those_of_the_game():
    told = {}
    for name, default, other in (row[:3] for row in rows("The rules in short")):
        for word in re.findall(r"`(\w+)`", name):
            told[word] = default, other
    assert set(told) == set(Catan.declared)
    for name, option in Catan.declared.items():
        default, other = told[name]
        assert as_word(Catan().options[name]) in default
        if isinstance(option, Integer):
            assert str(option.high) in default + other


def test_documented_features_of_the_reduced_game_have_their_indices():
    ends = [int(index.rpartition(".")[2]) + 1 for index, _ in rows("The reduced game")[1:]]
    *_, longest, setup, vertices, edges, hands, ports, thrown = ends
    assert (longest, setup) == (3, reduced.FIRST_VERTEX)
    assert (vertices, edges) == (reduced.FIRST_EDGE, reduced.FIRST_HAND)
    assert (hands, ports, thrown) == (
        reduced.FIRST_PORT,
        reduced.ROLLED,
        reduced.OBSERVATION_LENGTH,
    )


def test_documented_map_has_every_vertex_edge_and_tile_in_reading_order():
    (text,) = re.findall(r"```\n( +0 +1 +2\n.*?)```", PAGE, re.S)
    assert [int(n) for n in re.findall(r"(?<![r\d])(?<!tile )\b(\d+)\b", text)] == [*range(54)]
    assert [int(n) for n in re.findall(r"r(\d+)", text)] == [*range(72)]
    assert [int(n) for n in re.findall(r"tile (\d+)", text)] == [*range(19)]


def test_documented_names_of_moves_are_parsed():
    setup, turn = Catan().start(0), in_turn({0: {"wood": 8, "brick": 1}, 1: {"ore": 2}})
    turn.state.ports[0] = 0
    dealing = in_turn({0: {"wood": 1}, 1: {"brick": 1}, 2: {"ore": 1}}, deals=True)
    for _, words, short in rows("At the board")[1:]:
        for typed in re.findall(r"`([^`]+)`", words + short):
            if typed.startswith("deal "):
                position = dealing
            elif " for " not in typed:
                position = setup
            elif typed == "1 ore for 2 wood":
                position = turn.copy()
                for action in names.parse_offer(position, "2 wood for 1 ore"):
                    position.play(action)
            else:
                position = turn
            if typed != "2 wood 1 ore":
                assert capabilities.parse_line(position, typed), typed
