"""Each example of a game on the page: a game to its end by clicks, axe-core, no error."""

import random
import re

import pytest
from playwright.sync_api import expect

from meeple.games.contract.registry import load_game_file
from tests.roots import EXAMPLE_GAMES, ROOT
from tests.server.access import findings
from tests.server.conftest import LiveServer
from tests.server.play.test_play_page import move, set_up, turn
from tests.server.waiting import wait_until_it_fits

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples"  # without those of a board and pieces alone

NAMES = [name for name, file in EXAMPLE_GAMES.items() if file.parent == EXAMPLES]
RESULT = re.compile("win|lose|draw|points", re.I)


@pytest.fixture(scope="module")
def examples_server(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    here = [one for one in request.session.items if one.path == request.path]
    chosen = [one.callspec.params["name"] for one in here if hasattr(one, "callspec")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEEPLE_UNCHECKED", "1")  # each is checked by another test
        server = LiveServer(
            folder, "--workers", "1", loaded=[EXAMPLE_GAMES[name] for name in chosen]
        )
    yield server
    server.stop()


PLAY = """async () => {  // by clicks, always another choice, until the game is over
  const sleep = () => new Promise((done) => setTimeout(done, 20));
  for (let at = 0; !document.querySelector(".turn")?.innerText.startsWith("The game is over"); ) {
    const spots = document.querySelectorAll(".spot.can");
    const buttons = document.querySelectorAll(".choice-bar button, .board-buttons button");
    const choices = [...(spots.length ? spots : buttons)].filter((one) => !one.disabled);
    if (choices.length) {
      choices[(at += 7) % choices.length].dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    await sleep();
  }
}"""


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_played_by_clicks(examples_server, desks, name):
    page = desks().open(examples_server.url)
    first = load_game_file(examples_server.loaded[0])
    expect(page.locator("input[name=game]:checked")).to_have_value(first.name)
    game = load_game_file(EXAMPLE_GAMES[name])()
    set_up(page, game.name, seats=game.seats)
    if turn(page).startswith("Your"):
        move(page, random.Random(5))  # as people do; the rest in the page, which is faster
    page.evaluate(PLAY)
    expect(page.locator(".table-side")).to_contain_text(RESULT)
    assert findings(page) == []


LONG = """
    def player_name(self, player):
        return f"player {300 * 'a'}{player}"

    def action_groups(self, position):
        actions = position.legal_actions().tolist()
        return {300 * "c": {f"{action}{10_000 * 'd'}": action for action in actions}}

    def describe_action(self, before, action, after, seat):
        return 3000 * "e"
"""


def test_texts_of_any_length_widen_no_page(desks, tmp_path, monkeypatch):
    """A button of 10,000 letters once did."""
    source = EXAMPLE_GAMES["third_party_game"].read_text("utf-8")
    source = source.replace("domineering", "long")
    file = tmp_path / "long.py"  # all its moves are buttons
    file.write_text(
        source.replace("(tiles, position.legal_actions(), ", "(tiles, ") + LONG, "utf-8"
    )
    monkeypatch.setenv("MEEPLE_UNCHECKED", "1")
    server = LiveServer(tmp_path / "games", "--workers", "1", loaded=[file])
    try:
        page = desks("phone").open(server.url)
        wait_until_it_fits(page)
        set_up(page, "long", seats=2)
        move(page, random.Random(5))
        page.locator(".moves li").first.wait_for()
        wait_until_it_fits(page)
        page.goto(page.url.replace("table/", "analysis?table="))
        page.locator(".analysis svg.board").wait_for()
        wait_until_it_fits(page)
    finally:
        server.stop()
