"""A plug-in in the browser: its entry in the navigation, its view, its texts and its board."""

import re

from playwright.sync_api import expect

from tests.server.access import findings
from tests.server.conftest import LiveServer
from tests.server.play.test_play_page import set_up
from tests.server.toys import MODULE, write_files
from tests.server.waiting import wait_until_it_fits


def test_plug_in_has_a_view_with_its_style_and_texts_and_a_board(
    tmp_path, plug_in_package, monkeypatch, desks, browser
):
    write_files(tmp_path)
    plug_in_package("meeple-toys", {"pages": {"toy": "toys:PAGE"}}, toys=MODULE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "meeple-toys"))
    server = LiveServer(tmp_path / "served", "--workers", "1", "--runs", str(tmp_path / "runs"))
    try:
        check_view(server.url, desks("phone"), browser)
        check_board(server.url, desks())
        check_failing_view(server.url, desks())
    finally:
        server.stop()


def check_view(url, desk, browser):
    page = desk.open(url)
    page.get_by_role("link", name="Toys", exact=True).click()
    heading = page.get_by_role("heading", name="Here are 100 toys")
    expect(heading).to_have_css("color", "rgb(200, 0, 0)")
    expect(page).to_have_title("Toys · Meeple")
    wait_until_it_fits(page)
    with browser.new_context(locale="de-DE") as context:
        german = context.new_page()
        german.goto(f"{url}#/toy")
        german.get_by_role("link", name="Spielzeug", exact=True).wait_for()
        german.get_by_role("heading", name="Hier: 100 toys").wait_for()


def check_board(url, desk):
    """Play a game on the board of the plug-in until that fails."""
    page = desk.open(url)
    set_up(page, "nim", {"stones": "5"})
    page.get_by_text("5 toys").wait_for()
    expect(page.locator("svg.board")).to_have_count(0)
    page.get_by_role("button", name="toy: take 1").click()
    page.locator("svg.board").wait_for()  # the board of a plug-in refuses fewer than five stones
    assert ["too few stones" in fault for fault in desk.faults] == [True]
    desk.faults.clear()


def check_failing_view(url, desk):
    """A view that cannot be loaded leaves the others."""
    page = desk.open(url)
    page.route(re.compile("plugins/toy/page.js"), lambda route: route.abort())
    page.get_by_role("link", name="Toys", exact=True).click()
    page.get_by_text(re.compile("could not be loaded", re.I)).wait_for()
    page.get_by_role("link", name="Puzzles").click()
    page.locator(".view-puzzles").wait_for()
    assert desk.faults
    desk.faults.clear()
    assert findings(page) == []
