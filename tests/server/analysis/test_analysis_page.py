"""Analysis in a browser: search results, losing moves, positions set up by hand."""

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from meeple.games.contract.records import record_of
from tests.games.catan.playing import random_game
from tests.server.access import findings
from tests.server.library.test_library_page import bring
from tests.server.pictures import picture
from tests.server.waiting import wait_until_it_fits

# Red's last move, c3, loses a game that d3 wins; a search can prove both.
BLUNDER = (
    "(;GM[11]SZ[4]PB[Ann Alder]PW[Bob Birch]"
    ";B[b2];W[a1];B[b3];W[a2];B[b1];W[a4];B[d1];W[b4];B[c3];W[c4])"
)


# Presses the button as soon as it is there; resolves with what is shown then.
TRY_AGAIN = """() => { window.tried = new Promise((resolve) => {
  const look = () => {
    const [found] = [...document.querySelectorAll("button")]
      .filter((button) => button.textContent === "Try again");
    found?.click();
    if (found) resolve(document.querySelector(".analysis-retry").textContent);
    else requestAnimationFrame(look);
  };
  look();
}); }"""


@pytest.fixture(scope="module")
def blunder(server):
    return bring(server, BLUNDER)[0]


def choose_search(page):
    """Choose a search without a network: it needs the least time to start."""
    page.get_by_label("Who thinks").select_option(label="Tree search")


def panel(page, name):
    page.get_by_role("tab", name=name, exact=True).click()


def open_review(page):
    """Open the review of the whole game, by the quickest search."""
    choose_search(page)
    panel(page, "Review")
    page.get_by_label("A move").select_option("0.1")


BESIDE = (".bar-row", ".analysis-steps", ".replay-moves [aria-current]", ".side-curve .chart-svg")


def expect_in_sight(page, *selectors):
    """Expect parts of a page to be in sight, without scrolling."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight")
    for selector in selectors:
        expect(page.locator(selector).first).to_be_in_viewport(ratio=1)


def analyse(page, words):
    """Let the chosen agent, which thinks already, think for a second; return when it is done."""
    page.get_by_label("Think for").select_option("1")
    expect(page.get_by_text(re.compile(words))).to_be_visible()


def own_table(page, game, **options):
    """Begin a game of two people in which the page has both seats; return its id and tokens."""
    return page.evaluate(
        """async (wanted) => {
             const made = await (await fetch("/api/tables", { method: "POST",
               headers: { "Content-Type": "application/json" },
               body: JSON.stringify({ ...wanted, seats: Array(2).fill({ kind: "me" }) }) })).json();
             (await import("/static/js/tokens.js")).keep(made.id, { ...made, invites: {} });
             return made; }""",
        {"game": game, "options": options},
    )


def place(page, text):
    expect(page.locator(".analysis-steps .numbers")).to_have_text(text)


def test_a_live_search_shows_its_result_and_is_compared_with_another(server, desks):
    page = desks().open(f"{server.url}/#/analysis?game=hex")
    place(page, "0 of 0")
    page.get_by_text(
        re.compile("^Tree search with the network hex7, 1 s a move")
    ).wait_for()  # the default agent
    choose_search(page)
    analyse(page, "simulations in .* Done")
    expect(page.get_by_text("Evaluated by tree search with rollouts")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Chance of winning: player 1"))).to_be_visible()
    best = page.locator(".analysis-alternatives tbody button").first
    line = page.get_by_role("button", name=f"Play the line up to {best.inner_text()}")
    expect(line.first).to_be_visible()
    expect(page.locator(".analysis-board .percent").first).to_be_visible()
    expect(page.locator(".analysis-board .number", has_text=re.compile("^1$"))).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Compare", exact=True).click()
    rows = page.locator(".analysis-beside tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Tree search with rollouts", ignore_case=True)
    expect(rows.last).to_contain_text("tree search with the network hex7")
    expect(page.get_by_text(re.compile("They differ by .* than their noise"))).to_be_visible()
    best.click()
    place(page, "1 of 1")  # it thinks about the next position
    page.get_by_role("button", name="Compare", exact=True).wait_for()


def test_minimax_evaluates_if_it_is_the_strongest_and_its_choice_is_marked(server, desks):
    page = desks().open(f"{server.url}/#/analysis?game=gomoku")
    place(page, "0 of 0")
    analyse(page, r"^Searched \d+ plies in .* Done")
    expect(page.get_by_text("Evaluated by minimax with the game's heuristic")).to_be_visible()
    expect(page.locator(".analysis-alternatives tbody tr").first).to_contain_text("100 %")
    expect(page.locator(".analysis-board .percent")).to_have_count(1)


def test_a_sweep_marks_the_losing_move(server, blunder, desks):
    page = desks().open(f"{server.url}/#/analysis?table={blunder}&ply=3")
    place(page, "3 of 10")
    open_review(page)
    page.get_by_role("button", name="Analyse the whole game").click()
    page.get_by_text("11 of 11 positions, evaluated by tree search with rollouts").wait_for()
    page.get_by_text(re.compile(r"^Accuracy: Ann Alder \d+ %, Bob Birch \d+ %\.$")).wait_for()
    costly = page.locator(".analysis-swings")
    expect(costly).to_contain_text("(blunder)")
    expect(page.locator(".replay-moves li", has_text="c3")).to_contain_text("c3??")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name=re.compile("^Move 9, Ann Alder: c3 cost .* better d3")).click()
    place(page, "8 of 10")
    expect(page.locator(".analysis-board")).to_be_in_viewport(ratio=0.9)
    page.set_viewport_size({"width": 1280, "height": 720})
    last = page.locator(".replay-moves button").last
    last.click()
    expect(page.locator(".analysis-board")).to_be_in_viewport(ratio=0.9)
    expect(last).to_be_in_viewport()
    panel(page, "Review")
    costly.get_by_role("button", name=re.compile("^Move 9,")).click()
    place(page, "8 of 10")
    expect(page).to_have_url(re.compile("ply=8$"))
    panel(page, "Evaluation")
    analyse(page, "simulations in .* Done")
    expect_in_sight(page, ".analysis-board .board", ".analysis-alternatives tbody tr", *BESIDE)
    picture(page, "page-analysis")


def test_a_mistake_is_tried_again_without_seeing_the_answer(server, blunder, desks):
    page = desks().open(f"{server.url}/#/analysis?table={blunder}&ply=0&review=1")
    page.get_by_text(re.compile("^Accuracy")).wait_for()
    page.get_by_role("button", name="Try again").click()
    words = page.locator(".analysis-retry")
    while "c3. Find" not in words.inner_text():
        page.get_by_role("button", name="Next mistake").or_(
            page.get_by_role("button", name="Show the answer")
        ).first.click()
    place(page, "8 of 10")
    expect(page.locator(".analysis-swings")).not_to_contain_text("better")
    board = page.locator(".analysis-board")
    board.locator('[aria-label^="a3, empty"]').click()
    expect(words).to_contain_text("Try again")
    expect(words).to_contain_text("a3 gives away")
    page.get_by_role("button", name="Take it back").click()
    place(page, "8 of 10")
    board.locator('[aria-label^="d3, empty"]').click()
    expect(words).to_contain_text("Right: d3 is the best move that was found.")
    expect(words).to_contain_text("The move of the game, c3, left")
    panel(page, "Board")
    expect(page.get_by_label("Explain")).to_be_checked()
    page.get_by_role("button", name="Stop trying").click()
    expect(words).to_be_hidden()
    expect(page.locator(".analysis-swings")).to_contain_text("better d3")


def test_a_review_goes_on_while_a_mistake_is_tried_again(server, blunder, desks):
    page = desks().open(f"{server.url}/#/analysis?table={blunder}&ply=0")
    place(page, "0 of 10")
    open_review(page)
    page.evaluate(TRY_AGAIN)
    page.get_by_role("button", name="Analyse the whole game").click()
    tried = page.evaluate("tried")
    assert "of 11 positions" in tried
    expect(page.get_by_role("status").filter(has_text="11 of 11 positions")).to_be_visible()
    page.get_by_text(re.compile("^Accuracy")).wait_for()
    expect(page.locator(".analysis-retry")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_the_board_is_as_large_as_at_the_table(server, desks, size):
    page = desks().open(f"{server.url}/#/")
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    made = own_table(page, "hex", size=11)
    boxes = []
    for view in ("table/", "analysis?table="):
        page.goto(f"{server.url}/#/{view}{made['id']}")
        page.locator(".can" if view == "table/" else ".analysis .spot").first.wait_for()
        boxes.append(page.locator("svg.board").bounding_box())
        if size == (1280, 720):
            page.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight")
    assert [boxes[0][side] for side in ("x", "width")] == [
        boxes[1][side] for side in ("x", "width")
    ]


def test_a_position_is_set_up_by_stones_or_a_record_and_varied(server, desks):
    page = desks("phone").open(f"{server.url}/#/analysis?game=hex")
    place(page, "0 of 0")
    panel(page, "Board")
    page.get_by_text("Set up a position").click()
    page.get_by_text("Place stones").click()
    board = page.locator(".setup-board")
    for cell in ("b2", "c3", "d4"):
        board.locator(f'[aria-label^="{cell},"]').click()
    page.get_by_role("button", name="Show it").click()
    place(page, "3 of 3")
    expect(page.locator('.analysis-board [aria-label^="c3, player 2"]')).to_be_visible()
    wait_until_it_fits(page)
    page.get_by_text("Set up a position").click()
    page.get_by_text("Paste a record").click()
    page.get_by_label("A record of a game").fill(BLUNDER)
    page.get_by_role("button", name="Show it").click()
    page.get_by_text("Ann Alder against Bob Birch").wait_for()
    page.locator("main").focus()
    page.keyboard.press("ArrowRight")
    place(page, "1 of 10")
    page.locator('.analysis-board [aria-label^="d4, empty"]').click()
    page.get_by_role("heading", name="Your variation").wait_for()
    place(page, "2 of 2")
    page.get_by_role("button", name="Back to the game").click()
    place(page, "1 of 10")


def test_a_game_in_progress_is_followed(server, desks):
    desk = desks()
    played = desk.open(f"{server.url}/#/")
    made = own_table(played, "nim")
    played.goto(f"{server.url}/#/table/{made['id']}")
    pages = {
        view: desk.open(f"{server.url}/#/{view}")
        for view in (f"analysis?table={made['id']}", f"replay/{made['id']}")
    }
    for page in pages.values():
        page.get_by_text("This game is under way").wait_for()
        expect(page.locator(".numbers", has_text=re.compile("^0 of 0$"))).to_be_visible()
    played.locator(".spot.can").first.click()
    for page in pages.values():
        expect(page.locator(".numbers", has_text=re.compile("^1 of 1$"))).to_be_visible()


def test_pages_at_rest_ask_the_server_every_five_seconds_at_most(server, desks):
    desk, asked = desks(), []
    made = own_table(desk.open(f"{server.url}/#/"), "nim")
    table = made["id"]
    for view in ("", f"table/{table}", f"replay/{table}", f"analysis?table={table}", "training"):
        page = desk.open(f"{server.url}/#/{view}")
        page.locator("h1").first.wait_for(state="attached")
        page.on("request", lambda request, view=view: asked.append((view, request.url)))
    page.wait_for_timeout(2_000)
    asked.clear()
    page.wait_for_timeout(9_500)
    assert [one for one, times in Counter(asked).items() if times > 2] == []


def test_what_is_certain_is_drawn_and_said_and_the_search_goes_on(server, desks):
    page = desks().open(f"{server.url}/#/analysis?game=reversi")
    place(page, "0 of 0")
    why = page.locator(".analysis-why")
    expect(why.locator("section")).to_have_count(0)
    panel(page, "Board")
    page.get_by_label("Explain").focus()
    page.keyboard.press("Space")
    expect(why).to_contain_text("Point at a place on the board")
    board = page.locator(".analysis-board")
    board.locator('[aria-label^="d3, empty"]').hover()
    expect(why).to_contain_text("A disc on d3 turns over 1: d4.")
    expect(board.locator(".why .edge")).to_have_count(1)
    page.mouse.move(1, 1)
    expect(board.locator(".why .edge")).to_have_count(0)
    board.locator('[aria-label^="d3, empty"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")  # the keyboard points as the mouse does
    expect(why).to_contain_text("A disc on d3 turns over 1: d4.")
    assert findings(page) == []
    page.get_by_label("Explain").uncheck()
    expect(why.locator("section")).to_have_count(0)


def test_a_winning_chain_and_bridges_have_a_legend(server, blunder, desks):
    page = desks("phone").open(f"{server.url}/#/analysis?table={blunder}&ply=9")
    place(page, "9 of 10")
    panel(page, "Board")
    page.get_by_label("Explain").check()
    why = page.locator(".analysis-why")
    expect(why.locator("summary").first).to_contain_text("Bridge")
    expect(page.locator(".analysis-board .why polygon.area").first).to_be_visible()
    wait_until_it_fits(page)
    page.get_by_role("button", name="First position").click()
    expect(why).to_contain_text("There is nothing to explain here.")


def test_two_evaluators_are_compared_over_a_game(server, desks):
    page = desks().open(f"{server.url}/#/analysis?game=hex")
    place(page, "0 of 0")
    for number, cell in enumerate(("d4", "a1", "d5"), 1):
        page.locator(f'.analysis-board [aria-label^="{cell}, empty"]').click()
        place(page, f"{number} of {number}")
    open_review(page)
    page.get_by_role("button", name="Analyse the whole game").click()
    page.get_by_role("button", name="Compare with a second evaluator").click()
    page.get_by_role("heading", name="Where the evaluators differ").wait_for()
    expect(page.get_by_text("second, as the next line of the curve")).to_contain_text(
        "tree search with the network hex7"
    )
    expect(page.locator(".side-curve .chart-legend")).to_contain_text("player 1, second evaluator")
    expect(page.get_by_text(re.compile("by more than their noise"))).to_be_visible()


def test_the_moves_of_catan_name_players_and_omit_the_steps_of_an_offer(server, desks):
    *_, played = random_game(3, players=3, victory_points=5)
    record = record_of(played, ["Ann", "Bob", "Cy"])
    game = bring(server, record.to_json())[0]
    page = desks().open(f"{server.url}/#/analysis?table={game}&ply=0")
    moves = page.locator(".analysis-list .replay-move")
    expect(moves.first).to_have_text(re.compile("^Ann built a settlement at "))
    expect_in_sight(page, ".analysis-board .board", ".bar-row", ".analysis-steps")
    expect(moves.nth(4)).to_be_in_viewport(ratio=1)
    told = moves.all_inner_texts()
    assert any(text.startswith("Bob offered") for text in told)
    assert [text for text in told if re.match("Offer|Ask|Roll$", text)] == []
    page.goto(f"{server.url}/#/analysis?table={game}&ply={record.actions.index('propose')}")
    page.get_by_role("button", name="propose").wait_for()
    expect_in_sight(page, ".analysis-board .board", ".board-group:last-child button")


def test_the_opening_helper_plays_quick_games_and_names_places_by_their_tiles(server, desks):
    page = desks().open(f"{server.url}/#/analysis?game=catan")
    helper = page.get_by_role("region", name="Opening helper")
    expect(helper).to_be_visible()
    corners = page.locator(".analysis-board .corner-spot.can")
    row = helper.get_by_role("table", name="Places").get_by_role("row").nth(1)
    stop = helper.get_by_role("button", name="Stop")
    for corner in (corners.first, corners.nth(20)):
        corner.click()
        expect(row).to_contain_text(re.compile(r"\d+ % \d+ to \d+ %\s+\d+"))
        stop.click()
        expect(stop).to_have_count(0)
    expect(helper.get_by_text("Beside them a short evaluation by")).to_be_visible()
    place(page, "0 of 0")
    assert findings(page) == []
    row.get_by_role("button", name="Play").click()
    place(page, "1 of 1")
    page.locator(".analysis-board .can").first.click()
    place(page, "2 of 2")
    moves = page.locator(".analysis-list .replay-move")
    expect(moves.first).to_have_text(re.compile(r"^Settlement at [a-z]+( \d+)?(, |$)"))
    expect(moves.last).to_have_text(re.compile(r"^Road at [a-z]+( \d+)?(, |$)"))
    moves.first.hover()
    expect(page.locator(".analysis-board .ring")).not_to_have_count(0)
    panel(page, "Board")
    page.get_by_label("Explain").check()
    page.locator('.analysis-board [data-spot="v20"]').focus()
    expect(page.locator(".analysis-why")).to_contain_text(re.compile(r"\d+ pips"))
    expect(page.locator(".analysis-board .why.here circle.edge").first).to_be_visible()
