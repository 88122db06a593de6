"""A cup in three browsers: created in the lobby, joined, and played."""

import re

from playwright.sync_api import expect

from tests.server.access import findings
from tests.server.waiting import wait_until_it_fits


def test_a_cup_is_joined_by_link_and_its_games_are_opened(server, desks):
    host = desks().open(server.url)
    host.locator('input[name="game"][value="hex"]').check(force=True)
    host.locator("fieldset.seat").nth(1).wait_for()
    host.get_by_role("button", name="Cup by link").click()
    dialog = host.get_by_role("dialog")
    dialog.get_by_label("Beginner").check()
    dialog.get_by_role("button", name="Create").click()
    link = host.locator("input[readonly]").input_value()
    guest = desks("phone", dark=True).open(link)
    for page, name in ((host, "Ann"), (guest, "Bob <b>")):
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Take part").click()
        expect(page.get_by_role("region", name="Standings")).to_contain_text(f"{name} (you)")
    expect(guest.get_by_role("button", name="Start")).to_have_count(0)
    host.get_by_role("button", name="Start").click()
    expect(guest.locator("p[role=status]")).to_contain_text("Round 1 of 3")
    expect(host.locator("#messages")).to_contain_text("Your game has begun")
    expect(host.get_by_role("region", name="Games")).to_contain_text("playing")
    assert findings(guest) == []
    wait_until_it_fits(guest)
    host.get_by_role("button", name="Play").click()
    host.get_by_role("button", name="Resign").click()
    host.get_by_role("dialog").get_by_role("button", name="Resign").click()
    host.get_by_role("link", name="Cup").click()
    games = guest.get_by_role("region", name="Games")
    expect(games).to_contain_text(re.compile("(0 – 1|1 – 0)"))
