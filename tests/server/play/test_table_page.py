"""Usability of a table: small texts, moving boards, double clicks, navigation."""

import re

import pytest
from playwright.sync_api import expect

from tests.server.conftest import LiveServer
from tests.server.play.test_play_page import set_up, stones, turn
from tests.server.waiting import wait_until


def choose_game(page, game):
    page.locator(f'input[name="game"][value="{game}"]').check(force=True)
    page.locator("fieldset.seat").nth(1).wait_for()


def two_people(server, desks, size="desk"):
    """A game of Hex between two browsers, with one stone of each on the board."""
    mine = desks().open(server.url)
    choose_game(mine, "hex")
    mine.locator("fieldset.seat").nth(1).get_by_text("A friend", exact=True).click()
    mine.get_by_role("button", name="Start", exact=True).click()
    theirs = desks(size).open(mine.locator("input[readonly]").first.input_value())
    theirs.get_by_role("dialog").get_by_role("button", name="Take the seat").click()
    for count, page in enumerate((mine, theirs), 1):
        page.locator(".spot.can").nth(10 * count).click()
        expect(stones(mine)).to_have_count(count)
        expect(stones(theirs)).to_have_count(count)
    return mine, theirs


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_requests_and_the_result_do_not_move_the_board(server, desks, size):
    mine, theirs = two_people(server, desks, size)
    board = theirs.locator("svg.board")
    before = board.bounding_box()
    undo, answered = mine.get_by_role("button", name="Undo"), theirs.locator("#messages .message")
    undo.click()
    theirs.get_by_role("button", name="Refuse").dblclick()
    expect(mine.locator("#messages")).to_contain_text("Your move stands")
    expect(undo).to_be_enabled()
    expect(answered).to_have_count(0)
    undo.click()
    expect(theirs.get_by_role("button", name="Agree")).to_be_in_viewport(ratio=1)
    wait_until(theirs, lambda: board.bounding_box() == before)
    theirs.get_by_role("button", name="Agree").click()
    expect(stones(theirs)).to_have_count(0)
    wait_until(theirs, lambda: board.bounding_box() == before)
    mine.get_by_role("button", name="Offer a draw").click()
    expect(theirs.get_by_role("alert")).to_contain_text("offers a draw")
    wait_until(theirs, lambda: board.bounding_box() == before)
    theirs.get_by_role("button", name="Refuse").click()
    message = mine.locator("#messages .message", has_text="Your offer of a draw was refused.")
    box, header = message.bounding_box(), mine.locator("header.top").bounding_box()
    assert box["y"] + box["height"] <= header["y"] + header["height"]  # it covers nothing else
    mine.get_by_role("button", name="Resign").click()
    mine.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(theirs.locator(".result")).to_contain_text("You win")
    wait_until(theirs, lambda: board.bounding_box() == before)


@pytest.mark.parametrize(("game", "small"), [("gomoku", True), ("reversi", False)])
def test_small_cells_are_magnified_beside_a_finger(server, browser, game, small):
    with browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    ) as phone:
        page = phone.new_page()
        page.goto(f"{server.url}/#/?game={game}")
        page.locator("fieldset.seat").nth(1).wait_for()
        page.locator("fieldset.seat").nth(1).get_by_text("Me", exact=True).click()
        page.get_by_role("button", name="Start", exact=True).click()
        page.locator(".spot.can").first.wait_for()
        box = page.locator(".spot.can .ground").first.bounding_box()
        assert (box["width"] < 32) is small
        touch = phone.new_cdp_session(page)

        def send(kind, *points):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        send("touchStart", middle)
        expect(page.locator(".loupe")).to_have_count(int(small))
        send("touchEnd")
        expect(page.locator(".loupe")).to_have_count(0)
        expect(page.locator(".turn-words .last")).to_contain_text("played")


def test_premoves_and_earlier_positions_are_shown_and_left_by_clicks_and_keys(server, desks):
    mine, theirs = two_people(server, desks)
    planned, bar = theirs.locator(".spot.planned"), theirs.locator(".choice-bar")
    theirs.locator(".spot.can").nth(5).click()
    expect(planned).to_have_count(1)
    expect(bar).to_contain_text("Premove")
    theirs.keyboard.press("Escape")
    expect(planned).to_have_count(0)
    theirs.locator(".spot.can").nth(5).click()
    spot = planned.get_attribute("data-spot")
    mine.locator(f'.spot[data-spot="{spot}"]').click()
    expect(theirs.locator("#messages")).to_contain_text("is not legal now")
    theirs.locator(".spot.can").first.click()
    theirs.locator(".turn", has_text="is to move").wait_for()
    expect(stones(theirs)).to_have_count(4)
    theirs.locator(".spot.can").nth(9).click()
    expect(planned).to_have_count(1)
    mine.locator(".spot.can").nth(3).click()
    expect(stones(theirs)).to_have_count(6)
    expect(stones(mine)).to_have_count(6)
    bar = mine.locator(".choice-bar", has_text="You look back")
    mine.locator(".moves .move").first.click()
    expect(stones(mine)).to_have_count(1)
    expect(mine.locator(".spot.can")).to_have_count(0)
    expect(bar).to_contain_text("1 of 6")
    mine.keyboard.press("ArrowLeft")
    expect(stones(mine)).to_have_count(0)
    mine.keyboard.press("ArrowRight")
    mine.keyboard.press("Escape")
    expect(stones(mine)).to_have_count(6)
    expect(bar).to_have_count(0)
    expect(theirs.locator(".choice-bar")).to_be_hidden()
    mine.locator(".spot.can").first.wait_for()


def test_a_double_click_on_a_button_has_no_second_effect(server, desks):
    page = desks().open(server.url)
    choose_game(page, "hex")
    page.locator("#option-hex-swap").check()
    page.locator("fieldset.seat").nth(1).get_by_text("Me", exact=True).click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".spot.can").nth(9).click()
    page.get_by_role("button", name="Swap").dblclick()
    expect(page.locator(".moves")).to_contain_text("swap")
    expect(page.locator(".turn")).to_contain_text("Player 1")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_heaps_stay_in_place_and_show_the_legal_moves(server, desks):
    page = desks().open(server.url)
    set_up(page, "nim", {"heaps": "1,2,4"})
    expect(page.locator(".moves")).to_contain_text("all stones to its right")
    turn(page)
    before = page.locator("svg.board").bounding_box()
    expect(page.locator(".spot.can")).to_have_count(6)  # at most 3 at once
    page.locator('.spot[data-spot="a0"]').click()
    expect(page.locator(".moves")).to_contain_text("take 1 from a")
    assert turn(page)
    wait_until(page, lambda: page.locator("svg.board").bounding_box() == before)
    page.locator(".spot.can").last.click()
    assert turn(page)


def test_the_lobby_keeps_what_was_opened_and_start_reports_a_fault_or_waits(server, desks):
    page = desks("phone").open(server.url)
    start = page.get_by_role("button", name="Start", exact=True)
    choose_game(page, "hex")
    expect(start).to_be_in_viewport(ratio=1)
    seat = page.locator("fieldset.seat").nth(1)
    seat.get_by_text("Any agent").click()
    seat.locator("input.code").wait_for()
    with page.expect_response("**/api/levels"):
        page.locator("#option-hex-size").fill("9")
    seat.locator("input.code").fill("random")
    expect(seat.locator("input.code")).to_have_value("random")
    page.get_by_text("Per move", exact=True).click()
    page.get_by_label("Seconds a move").fill("-3")
    start.click()
    expect(page.get_by_role("alert")).to_contain_text("Seconds a move: a number from 1")
    page.reload()
    choose_game(page, "reversi")
    held = []
    page.route("**/api/levels", lambda route: held.append(route), times=1)
    choose_game(page, "hex")
    wait_until(page, lambda: held)
    start.click()
    held[0].continue_()
    turn(page)


TIMERS = """(() => {
  const { setInterval: begin, clearInterval: end } = window;
  window.timers = new Set();
  window.setInterval = (...given) => { const id = begin(...given); timers.add(id); return id; };
  window.clearInterval = (id) => { timers.delete(id); end(id); };
})()"""


def test_an_invitation_tells_its_terms_and_a_clock_counts_down(server, desks):
    desk = desks()
    desk.context.add_init_script(TIMERS)
    page = desk.open(server.url)
    choose_game(page, "hex")
    before = page.evaluate("timers.size")
    page.get_by_label("Name of").first.fill("Ann <b>")
    page.locator("fieldset.seat").nth(1).get_by_text("A friend", exact=True).click()
    expect(page.get_by_label("Hints and analysis allowed")).not_to_be_checked()
    page.get_by_text("Per move", exact=True).click()
    page.get_by_label("Seconds a move").fill("600")
    page.get_by_role("button", name="Start", exact=True).click()
    theirs = desks().open(page.locator("input[readonly]").first.input_value())
    dialog = theirs.get_by_role("dialog")
    for words in ("Ann <b> invites you", "7×7", "Player 2", "a move", "off during the game"):
        expect(dialog).to_contain_text(words)
    wait_until(page, lambda: page.evaluate("timers.size") == before)  # nobody plays yet
    dialog.get_by_role("button", name="Take the seat").click()
    clock = page.locator(".clock.runs")
    expect(clock).to_have_text("9:59")
    expect(clock).to_have_text("9:58")
    wait_until(page, lambda: page.evaluate("timers.size") == before + 1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.locator(".result").wait_for()
    wait_until(page, lambda: page.evaluate("timers.size") == before)


def test_a_game_fits_a_small_laptop_offers_no_help_and_is_listed_as_ones_own(server, desks):
    page = desks().open(server.url)
    page.set_viewport_size({"width": 1280, "height": 720})
    choose_game(page, "hex")
    page.get_by_text("Hints and analysis allowed").click()
    page.get_by_role("button", name="Start", exact=True).click()
    turn(page)
    wait_until(page, lambda: page.evaluate("document.documentElement.scrollHeight") == 720)
    expect(page.get_by_role("link", name="Analyse")).to_be_hidden()
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
    page.get_by_role("link", name="Library").click()
    expect(page.locator(".library-players").first).to_have_text(re.compile("^You"))


@pytest.mark.parametrize(
    ("size", "upper", "lower"), [("5", ".people", "svg.board"), ("7", "svg.board", ".controls")]
)
def test_players_board_and_controls_stand_below_each_other_on_a_phone(
    server, desks, size, upper, lower
):
    page = desks("phone").open(server.url)
    set_up(page, "hex", {"size": size})
    turn(page)

    def is_above():
        above, below = (page.locator(part).bounding_box() for part in (upper, lower))
        return above["y"] + above["height"] <= below["y"]

    wait_until(page, is_above)


@pytest.mark.slow
def test_logging_in_leads_to_the_requested_page(tmp_path, desks, monkeypatch):
    monkeypatch.setenv("MEEPLE_PASSWORD", "a long password")
    guarded = LiveServer(tmp_path, "--workers", "1", "--host", "0.0.0.0")
    try:
        page = desks().open(f"http://127.0.0.1:{guarded.port}/#/library")
        page.get_by_label("Password of this server").fill("a long password")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/#/library$"))
        expect(page.get_by_role("heading", level=1)).to_contain_text("Library")
    finally:
        guarded.stop()
