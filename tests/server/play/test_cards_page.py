"""Games of cards and of points on the page: hands in sight, values as points."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from meeple.games.contract.registry import make
from tests.server.access import findings
from tests.server.conftest import LiveServer
from tests.server.play.test_play_page import set_up

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
DESK, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def cards_server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cards")
    loaded = [EXAMPLES / f"{name}.py" for name in ("golf", "goofspiel")]
    server = LiveServer(folder, "--workers", "1", loaded=loaded)
    yield server
    server.stop()


def test_the_analysis_of_a_game_of_points_shows_points(cards_server, desks):
    page = desks().open(f"{cards_server.url}/#/analysis?game=golf")
    page.get_by_label("Think for").select_option("1")
    expect(
        page.get_by_role("img", name=re.compile(r"^Expected points: player 1 \d+\.\d$"))
    ).to_be_visible()
    expect(page.get_by_role("columnheader", name="Points")).to_be_visible()
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Analyse the whole game").click()
    expect(page.locator(".side-curve")).to_contain_text("expected points")


def test_the_page_writes_values_as_the_game_does(cards_server, desks):
    page = desks().open(cards_server.url)
    rng = np.random.default_rng(1)
    for name in ("golf", "chips", "whist", "goofspiel"):
        game = make(str(EXAMPLES / f"{name}.py"))
        for values in rng.dirichlet(np.ones(game.players), 5).tolist():
            told = page.evaluate(
                """async ([scale, values, seats]) => {
                     const { Worth } = await import("/static/js/worth.js");
                     return seats.map((seat) => new Worth(scale).words(values, seat)); }""",
                [game.scale, values, list(range(game.seats))],
            )
            assert told == [game.worth(values, seat) for seat in range(game.seats)]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_hand_can_be_played_without_scrolling(cards_server, desks, size):
    page = desks().open(cards_server.url)
    page.set_viewport_size(size)
    set_up(page, "goofspiel")
    hand = page.locator(".card-hand .spot.can")
    hand.first.wait_for()
    expect(hand.first).to_be_in_viewport(ratio=1)
    expect(page.locator(".card-hand .spot")).to_have_text(["1", "2", "3", "4", "5"])
    hand.first.focus()
    page.keyboard.press("Enter")
    page.locator(".card-trick.before figure").nth(1).wait_for()
    assert findings(page) == []
