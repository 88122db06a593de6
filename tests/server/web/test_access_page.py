"""No view has a finding of axe-core, in light or in dark."""

import json
import urllib.request

import pytest

from meeple.arena.figures.standings import Entry, Standings
from meeple.arena.report.page import html_report
from meeple.arena.report.sections import games_to_see
from meeple.games.contract.records import GameRecord
from tests.learn.small import finished_nim
from tests.server.access import findings
from tests.server.library.test_library_page import bring

HEX = "(;GM[11]SZ[4]PB[Ann]PW[Bob];B[b2];W[a1];B[b3];W[a2];B[b1];W[a4];B[d1];W[b4];B[c3];W[c4])"
GAMES = {
    "hex": {"size": 5},
    "gomoku": {},
    "reversi": {},
    "ledge": {},
    "nim": {},
    "catan": {"players": 3},
}
MOVES = ".replay-moves .replay-move"
# By name: the address, what shows that the view is drawn, and the button that is pressed then.
VIEWS = {
    "lobby": ("", ".seats .seat", None),
    **{game: (f"table/{{{game}}}", ".spot.can", None) for game in GAMES},
    "help": ("table/{nim}", "svg.board", "Help"),
    "share": ("table/{nim}", "svg.board", "Share"),
    "resign": ("table/{nim}", "svg.board", "Resign"),
    "lesson": ("learn/reversi", ".lesson-text", None),
    "cup": ("cup/{cup}", "input[readonly]", None),
    "analysis": ("analysis?table={over}&ply=3", ".analysis svg.board .stone", None),
    "analysis of Catan": ("analysis?game=catan", ".spot.can", None),
    "review": ("analysis?table={over}&review=1", ".analysis-swings", None),
    "study": ("study/{study}", ".study-tree", None),
    "studies": ("study", "form", None),
    "puzzles": ("puzzles", ".puzzle-board .spot", None),
    "library and explorer": ("library?game=hex", ".explorer table", None),
    "replay": ("replay/{over}?ply=3", MOVES, None),
    "play on": ("replay/{over}?ply=3", MOVES, "Play on from here"),
    "training": ("training", "table", None),
    "training form": ("training/+new", "form", None),
    "run": ("training/learned", "svg.board", None),
    "no such view": ("nothing", "h1", None),
}


def post(server, path, **wanted):
    """Create something by the API; return the answer."""
    request = urllib.request.Request(
        f"{server.url}/api/{path}",
        data=json.dumps(wanted).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def made(server):
    """The ids that the addresses name, and the tokens of the tables."""
    agents = [{"kind": "agent", "spec": "random"}] * 2
    ids, tokens = {}, {}
    for game, options in GAMES.items():
        seats = [{"kind": "me"}, *agents[: 2 if game == "catan" else 1]]
        table = post(server, "tables", game=game, options=options, seats=seats)
        ids[game], tokens[table["id"]] = table["id"], table["tokens"]
    (ids["over"],) = bring(server, HEX)
    ids["study"] = post(server, "studies", title="Two bridges", text=HEX)["key"]
    cup = post(
        server,
        "cups",
        game="hex",
        options={"size": 5},
        clock=None,
        help=True,
        format="round-robin",
        agents=["random"],
    )
    ids["cup"], tokens[cup["id"]] = cup["id"], {"host": cup["token"]}
    finished_nim(server.folder / "runs" / "learned")
    return ids, tokens


@pytest.fixture(scope="module")
def page(browser):
    """A page that opens all views, one after another."""
    with browser.new_context(reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_is_accessible(server, made, page, name):
    address, drawn, press = VIEWS[name]
    ids, tokens = made
    page.goto(f"{server.url}/login")
    keep = """async tokens => {
      const { keep } = await import("/static/js/tokens.js");
      for (const [table, seats] of Object.entries(tokens)) keep(table, { tokens: seats });
    }"""
    page.evaluate(keep, tokens)
    page.goto(f"{server.url}/#/{address.format_map(ids)}")
    page.locator(drawn).first.wait_for()
    if press:
        page.get_by_role("button", name=press, exact=True).click()
        page.get_by_role("dialog").wait_for()
    assert findings(page) == []


def test_the_page_of_an_address_that_is_not_served_is_accessible(server, page):
    page.goto(f"{server.url}/nothing")
    page.locator("h1").wait_for()
    assert findings(page) == []


def test_the_report_of_a_tournament_is_accessible(page):
    record = GameRecord("hex", {"size": 3}, ("a", "b"), 0, ("b2", "a1"), None, 0)
    standings = Standings(
        ["a", "b"], [Entry((0, 1), GameRecord("toy", {}, (), 0, (), (1.0, 0.0)))] * 7
    )
    sections = games_to_see([Entry((0, 1), record)])
    page.set_content(
        html_report("Hex", "set", "won", standings, ["a", "b"], None, [], [("a", "b")], sections)
    )
    assert findings(page) == []
