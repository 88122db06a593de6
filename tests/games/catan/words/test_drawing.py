"""The text drawing of the board shows all pieces and only visible information."""

from itertools import pairwise

import numpy as np
import pytest

from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import BEGINNER, layout_text
from meeple.games.catan.words import names
from meeple.games.catan.words.drawing import draw, ports, view
from tests.conformance import strip_colour
from tests.games.catan.positions import in_turn, plies, with_others_hands_changed
from tests.tiers import few_quick

LANDS = (*c.RESOURCES, "desert")


def words_of(text):
    """Return the words of a drawing, without edge and dot characters."""
    return [word for word in text.split() if any(map(str.isalnum, word))]


def test_beginners_island_is_drawn_as_in_the_rule_book():
    """Compare rows of tiles from the top, and the ports, with the rule book's picture."""
    text = draw(Catan(board="beginner", robber=False).start(0))
    board = text.partition("bank")[0]
    lands = [[w for w in row.split() if w in LANDS] for row in board.splitlines()]
    assert [row for row in lands if len(row) > 1] == [
        ["ore", "wool", "wood"],
        ["grain", "brick", "wool", "brick"],
        ["grain", "wood", "desert", "wood", "ore"],
        ["wood", "ore", "grain", "wool"],
        ["brick", "grain", "wool"],
    ]
    assert board.count("3:1") == 4
    assert board.count("2:1") == 5


@pytest.mark.parametrize("seed", range(3))
def test_every_tile_is_drawn_with_its_number_below_its_resource(seed):
    position = Catan().start(seed)
    lines = draw(position).splitlines()
    s = position.state
    tiles = list(zip(s.tile_resource.tolist(), s.tile_number.tolist(), strict=True))
    for resource, number in tiles:
        if resource == c.DESERT:
            assert "desert" in "\n".join(lines)
            continue
        dots = "." * (6 - abs(number - 7))
        assert any(
            f" {number} {dots} " in below[max(0, at - 5) : at + 12]
            for above, below in pairwise(lines)
            for at in range(len(above))
            if above.startswith(c.RESOURCES[resource], at)
        )


@pytest.mark.parametrize("seed", range(5))
def test_drawn_ports_are_those_of_the_layout(seed):
    position = Catan().start(seed)
    kinds = sorted(ports(position.state).values())
    assert kinds == [1, 1, 1, 1, 2, 3, 4, 5, 6]
    beginner = Catan(board=layout_text(BEGINNER)).start(0)
    expected = dict(zip(BEGINNER.port_edges, BEGINNER.ports, strict=True))
    assert ports(beginner.state) == expected


def test_every_free_vertex_is_numbered_at_the_start():
    shown = words_of(draw(Catan(board="beginner").start(0)).partition("bank")[0])
    assert {str(vertex) for vertex in range(54)} <= set(shown)


def test_first_settlement_is_drawn_and_its_roads_are_numbered():
    position = Catan(board="beginner").start(0)
    position.play("settlement 27")
    board = draw(position).partition("bank")[0]
    roads = [position.action_name(a).removeprefix("road ") for a in position.legal_actions()]
    assert sorted(w for w in words_of(board) if w.startswith("r")) == [f"r{e}" for e in roads]
    assert "S1" in board


def test_sites_are_numbered_even_if_the_player_cannot_pay():
    poor, rich = in_turn({}), in_turn({0: dict.fromkeys(c.RESOURCES, 2)})
    sites = [
        f"r{rich.action_name(a).removeprefix('road ')}"
        for a in rich.legal_actions()
        if c.ROAD_AT <= a < c.ROBBER_TO
    ]
    for position in (poor, rich):
        assert sorted(sites) == sorted(
            w.strip(".'-") for w in words_of(draw(position).partition("bank")[0]) if w[0] == "r"
        )


def test_settlements_that_may_become_cities_are_marked():
    position = in_turn({})
    own = [vertex for vertex in range(54) if position.state.vertex[vertex] == 1]
    board = words_of(draw(position).partition("bank")[0])
    assert sorted(word for word in board if word.startswith("c")) == [f"c{v}" for v in own]
    position.state.cities[0] = 0
    assert "S1" in draw(position)


def test_tiles_are_numbered_while_the_robber_moves():
    position = in_turn({})
    position.state.phase = c.ROBBER
    board = draw(position)
    assert board.count("ROBBER") == 1
    assert [f"tile {tile}" in board for tile in range(19)].count(True) == 18


def test_offer_and_its_answers_are_shown():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 2}, 2: {"ore": 1}})
    for action in (*names.parse_offer(position, "2 wood for 1 ore"), c.ACCEPT):
        position.play(action)
    shown = draw(position)
    assert "player 1 offers 2 wood for 1 ore\nplayer 2 accepts" in shown
    assert "player 3 answers the offer" in shown


def test_open_hands_are_shown_and_hidden_hands_are_not():
    hands = {0: {"ore": 13}, 1: {"wool": 17}}
    assert "13" in draw(in_turn(hands, hidden_hands=False)).partition("left r/s/c")[2]
    for seat, own in enumerate(("13 ore", "17 wool", "nothing")):
        assert f"player {seat + 1} holds {own}; " in view(in_turn(hands), seat)


@pytest.mark.parametrize("seed", few_quick(range(3)))
@pytest.mark.slow
def test_drawings_do_not_depend_on_hidden_cards(seed):
    rng, compared = np.random.default_rng(seed), 0
    for before, _, _ in plies(seed, players=3 + seed % 2):
        if rng.integers(10):
            continue
        twin = with_others_hands_changed(before, None, rng)
        if twin is not None:
            assert draw(twin) == draw(before)
        seat = int(rng.integers(before.game.players))
        twin = with_others_hands_changed(before, seat, rng)
        if twin is not None:
            assert view(twin, seat) == view(before, seat)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("options", [{}, {"hidden_hands": False}, {"players": 2}], ids=str)
@pytest.mark.slow
def test_drawing_fits_a_terminal_with_and_without_colour(options):
    for ply, (before, _, after) in enumerate(plies(1, **options)):
        if ply % 20 == 0 or after.is_over:
            for position in (before, after):
                text = position.game.view(position, 0)
                assert text.isascii()
                assert len(text.splitlines()) <= 45
                board = text.partition("\n\n")[0]
                assert max(map(len, board.splitlines())) <= 80
                assert strip_colour(position.game.view(position, 0, colour=True)) == text
