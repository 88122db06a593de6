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

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples"  # without those of a board and pieces alone

NAMES = [name for name, file in EXAMPLE_GAMES.items() if file.parent == EXAMPLES]
RESULT = re.compile("win|lose|draw|points", re.I)


@pytest.fixture(scope="module")
def examples_server(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    chosen = [
        one.callspec.params["name"] for one in request.session.items if one.path == request.path
    ]
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
