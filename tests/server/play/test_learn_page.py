"""Lessons in a browser: wrong and right answers, the way from the lobby and from Help."""

from playwright.sync_api import expect

from tests.server.access import findings
from tests.server.play.test_play_page import set_up, turn
from tests.server.waiting import wait_until_it_fits


def test_a_lesson_is_learned_by_clicks(server, desks):
    page = desks("phone").open(server.url)
    page.locator('input[name="game"][value="hex"]').check(force=True)
    page.get_by_role("link", name="Learn Hex").click()
    reply = page.locator(".lesson-reply")
    page.locator(".spot.can").first.click()
    expect(reply).to_contain_text("Stones stay where they are")
    page.get_by_role("button", name="Next").click()
    expect(reply).to_be_hidden()
    expect(page.locator(".lesson-text")).to_contain_text("Your chain is one stone short")
    page.locator('.spot[data-spot="3"]').click()
    expect(reply).to_contain_text("does not join")
    page.locator('.spot[data-spot="14"]').click()
    expect(reply).to_contain_text("you win")
    assert findings(page) == []
    wait_until_it_fits(page)
    for _ in range(4):
        page.locator(".next").click()
    expect(page.locator(".lesson-text")).to_contain_text("Without the swap rule")
    page.locator('.spot[data-spot="12"]').click()
    page.get_by_role("link", name="Play Hex").click()
    expect(page.locator('input[name="game"][value="hex"]')).to_be_checked()


def test_a_lesson_of_catan_moves_the_robber(server, desks):
    page = desks().open(f"{server.url}/#/learn/catan")
    page.locator('.spot.can[data-spot="v17"]').click()
    for _ in range(2):
        page.locator(".next").click()
    page.get_by_role("button", name="roll").click()
    expect(page.locator(".lesson-reply")).to_contain_text("All players get their cards")
    page.locator(".next").click()
    page.locator('.spot.can[data-spot="t0"]').click()
    expect(page.locator(".lesson-reply")).to_contain_text("nobody to rob")
    page.locator('.spot.can[data-spot="t16"]').click()
    expect(page.locator(".lesson-reply")).to_contain_text("loses a card")


def test_help_has_the_rules_in_short(server, desks):
    page = desks().open(server.url)
    set_up(page, "nim")
    turn(page)
    page.get_by_role("button", name="Help").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The player who takes the last stone wins.")
    dialog.get_by_role("link", name="Learn Nim").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn Nim")
