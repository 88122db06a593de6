"""Whole games in a browser, by clicks, with screenshots for the documentation."""

import contextlib
import random
import re

import pytest
from playwright.sync_api import expect

from tests.server.pictures import picture

WEAK = "random"
GAMES = {
    "nim": {"stones": "20"},
    "ledge": {},
    "hex": {"size": "5"},
    "reversi": {"size": "4"},
    "gomoku": {"size": "6", "in_a_row": "4"},
}


def set_up(page, game, options=(), opponent=WEAK, seats=2):
    """Set up a game of `seats` in the lobby by clicks and keys, and open its table."""
    page.locator(f'input[name="game"][value="{game}"]').check(force=True)
    page.get_by_role("heading", name="Who plays").wait_for()
    for name, value in dict(options).items():
        field = page.locator(f"#option-{game}-{name}")
        field.fill(value)
        field.blur()
    rows = page.locator("fieldset.seat")
    expect(rows).to_have_count(seats)  # those of the game before have gone
    for seat in rows.all()[1:] if opponent is not None else ():
        seat.get_by_text("Computer", exact=True).click()
        seat.get_by_text("Any agent").click()
        spec = seat.locator("input.code")
        spec.fill(opponent)
        spec.blur()
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".turn").wait_for()


def stones(page):
    """Return the stones on the board, without the preview of a legal one."""
    return page.locator(".spot .piece .stone")


def turn(page):
    """Return the page's text about the turn once it is mine or the game is over."""
    words = re.compile(r"^(Your|The game is over)")
    page.locator(".turn", has_text=words).wait_for()
    return page.locator(".turn").inner_text()


def move(page, choice):
    """Make one move by clicks on a marked site, or by a button beside the board."""
    spots = page.locator(".spot.can")
    buttons = page.locator(".choice-bar button, .board-buttons button")
    while turn(page).startswith("Your"):
        spots.or_(buttons).first.wait_for()
        moves = page.locator(".moves").inner_text()
        count = spots.count()
        (spots.nth(choice.randrange(count)) if count else buttons.first).click()
        if page.locator(".spot.chosen").count():
            continue  # half of a move: the next click selects its target
        with contextlib.suppress(AssertionError):  # a click soon after a button is a double click
            expect(page.locator(".moves")).not_to_have_text(
                moves, use_inner_text=True, timeout=2000
            )
            return


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_clicks(server, desks, game):
    page = desks().open(server.url)
    if game == "hex":
        page.get_by_text("Any agent").first.wait_for()
        picture(page, "page-lobby")
    set_up(page, game, GAMES[game])
    choice = random.Random(3)
    moves = 0
    while turn(page).startswith("Your"):
        move(page, choice)
        moves += 1
        if moves == 2:
            picture(page, f"page-{game}")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.locator(".result")).to_have_text(re.compile("win|lose|draw", re.I))
    expect(page.locator(".result.good p")).to_have_count(0)  # the heading names the winner
    review = page.get_by_role("link", name="Review")  # two clicks from the first mistake
    expect(review).to_have_attribute("href", re.compile(r"#/analysis\?table=[\w-]+.*&review=1$"))


def test_a_move_is_undone_a_hint_shown_and_a_resigned_game_played_again(server, desks):
    page = desks().open(server.url)
    set_up(page, "gomoku", {"size": "5", "in_a_row": "4"})
    turn(page)
    page.locator(".board .spot[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):  # the keyboard alone plays a move
        page.keyboard.press(key)
    expect(stones(page)).not_to_have_count(0)
    turn(page)
    page.get_by_role("button", name="Undo").click()
    expect(stones(page)).to_have_count(0)
    page.get_by_role("button", name="Hint", exact=True).click()
    page.locator(".spot text.percent").first.wait_for()
    expect(page.locator(".hint-panel p")).to_have_text(
        re.compile("^Evaluated by minimax .* plies ahead")
    )
    picture(page, "page-hint")
    page.get_by_role("button", name="Resign").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.locator(".turn", has_text="The game is over").wait_for()
    page.get_by_role("button", name="Rematch").click()
    page.locator(".turn", has_text=re.compile("Your|thinking|to move")).wait_for()


def test_two_people_play_in_two_browsers(server, desks):
    mine = desks().open(server.url)
    mine.locator('input[name="game"][value="hex"]').check(force=True)
    mine.locator("fieldset.seat").nth(1).get_by_text("A friend", exact=True).click()
    mine.get_by_role("button", name="Start", exact=True).click()
    theirs = desks("phone", dark=True).open(mine.locator("input[readonly]").first.input_value())
    dialog = theirs.get_by_role("dialog")
    dialog.locator("input").first.fill("Ann")
    dialog.get_by_role("button").last.click()
    choice = random.Random(2)
    for count, (page, other) in enumerate(((mine, theirs), (theirs, mine)) * 2, 1):
        move(page, choice)
        expect(stones(other)).to_have_count(count)
    expect(mine.locator(".table-side")).to_contain_text("Ann")
    picture(theirs, "page-phone")


def test_the_page_reconnects_after_the_server_was_killed(server, desks):
    page = desks().open(server.url)
    set_up(page, "gomoku", {"size": "6", "in_a_row": "4"})
    choice = random.Random(7)
    for _ in range(2):
        move(page, choice)
    turn(page)
    moves = page.locator(".moves").inner_text()
    server.kill()
    page.get_by_text(re.compile("reconnect", re.I)).first.wait_for()
    picture(page, "page-reconnecting")
    server.start()
    page.get_by_text(re.compile("reconnect", re.I)).first.wait_for(state="hidden")
    page.locator(".turn", has_text=re.compile("^Your")).wait_for()
    expect(page.locator(".moves")).to_have_text(moves, use_inner_text=True)
    move(page, choice)
    assert turn(page)
